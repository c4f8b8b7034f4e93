"""The flags of a request, and the request they make."""

import pytest

from dowse.cli.arguments import CommandLineError, build_parser, parse_arguments, split_command
from dowse.cli.commands import COMMANDS, DEFAULT_COMMAND
from dowse.cli.commands.search import find_mistyped_command
from dowse.cli.request_flags import build_request
from dowse.engine.opening import get_values
from dowse.errors import InvalidParameterError, UnknownModeError
from dowse.schema import SearchRequest


def build(*words: str) -> SearchRequest:
    """Returns the request that a command line makes."""
    return build_request(parse_arguments(build_parser(DEFAULT_COMMAND), words))


def test_without_flags_all_is_as_the_engine_has_it():
    """The defaults are said in one place: a plain query makes a plain request."""
    assert SearchRequest("tea") == build("tea")


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        (["--mode", "phrase"], {"mode": "phrase"}),
        (["--model=bm25l"], {"model": "bm25l"}),
        (["--param", "k1=1.5", "--param", "b.title=0"], {"parameters": (("k1", 1.5), ("b.title", 0.0))}),
        (["--field", "title", "--field", "tags"], {"fields": ("title", "tags")}),
        (["--all"], {"default_operator": "all"}),
        (["--any"], {"default_operator": "any"}),
        (["--default-operator", "all"], {"default_operator": "all"}),
        (["--fuzzy", "never"], {"fuzzy": "never"}),
        (["--fuzzy"], {"fuzzy": "always"}),
        (["--no-fuzzy"], {"fuzzy": "never"}),
        (["--strict", "--query-tree"], {"strict": True, "query_tree": True}),
        (["--also", "coffee", "--also=-milk"], {"also": ("coffee", "-milk")}),
        (["-n", "3", "--offset", "4", "--explain"], {"limit": 3, "offset": 4, "explain": True}),
    ],
)
def test_each_flag_changes_the_request(words, changes):
    """What a flag says is what the engine is asked, before or after the query."""
    assert SearchRequest("tea", **changes) == build("tea", *words)
    assert SearchRequest("tea", **changes) == build(*words, "tea")


def test_fuzzy_alone_leaves_the_query_alone():
    """A flag that may stand alone takes a word only if it is one of its values."""
    flags = build_parser(DEFAULT_COMMAND).flags
    names = [command.name for command in COMMANDS]
    assert ("status", ["--fuzzy"]) == split_command(["--fuzzy", "status"], names, flags)
    assert (None, ["--fuzzy", "auto", "x"]) == split_command(["--fuzzy", "auto", "x"], names, flags)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--param", "k1"], "NAME=NUMBER"),
        (["--param", "=1"], "NAME=NUMBER"),
        (["--param", "k1=high"], "NAME=NUMBER"),
        (["--fuzzy=often"], "always"),
        (["--default-operator", "some"], "ranked"),
    ],
)
def test_what_makes_no_sense_is_refused(words, message):
    """The message says what would."""
    with pytest.raises(CommandLineError, match=message):
        build("tea", *words)


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (["--keyword", "--semantic"], "--keyword and --semantic"),
        (["--semantic", "--mode", "phrase"], "--semantic and --mode"),
        (["--mode=phrase", "--hybrid"], "--mode and --hybrid"),
        (["--hybrid", "--keyword", "--hybrid"], "--hybrid and --keyword"),
        (["--all", "--any"], "--all and --any"),
        (["--default-operator", "ranked", "--all"], "--default-operator and --all"),
        (["--no-fuzzy", "--fuzzy"], "--no-fuzzy and --fuzzy"),
    ],
)
def test_flags_that_contradict_each_other_are_refused(words, flags):
    """Both are named, in the order in which they were given."""
    with pytest.raises(CommandLineError) as caught:
        build("tea", *words)
    assert f"{flags} contradict each other" == caught.value.message


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ("tea --keyword --fusion rrf", "--fusion"),
        ("tea --semantic --fusion rrf", "--fusion"),
        ("tea --mode phrase --scan exact", "--scan"),
        ("tea --semantic --model bm25 --preset plain --param k1=2", "--model, --param, --preset"),
        ("tea --semantic --fuzzy", "--fuzzy"),
    ],
)
def test_flags_that_would_change_nothing_are_refused(words, flags):
    """The mode does not look at them."""
    with pytest.raises(CommandLineError) as caught:
        build(*words.split())
    assert caught.value.message.startswith(f"{flags} would change nothing in mode")


def test_a_budget_needs_something_to_spend_it_on():
    """Of a judge that nobody asked for."""
    with pytest.raises(CommandLineError, match="--rerank-ms would change nothing"):
        build("tea", "--rerank-ms", "100")
    assert 100 == build("tea", "--rerank", "--rerank-ms", "100").rerank_ms


def test_the_configuration_may_say_what_a_mode_does_not_look_at(monkeypatch):
    """It is for all searches; only flags are for this one."""
    monkeypatch.setenv("DOWSE_SEARCH_FUSION", "rrf")
    monkeypatch.setenv("DOWSE_SEARCH_FUZZY", "always")
    monkeypatch.setattr("dowse.engine.requests.get_values", get_values.__wrapped__)
    request = build("tea", "--semantic")
    assert ("semantic", "rrf", "always") == (request.mode, request.fusion, request.fuzzy)
    assert "never" == build("tea", "--semantic", "--no-fuzzy").fuzzy


def test_flags_that_agree_and_flags_given_twice_are_fine():
    """An alias of the shell may be overruled by the same flag."""
    assert SearchRequest("tea", mode="semantic") == build("tea", "--semantic", "--mode", "semantic")
    assert SearchRequest("tea", mode="exact") == build("tea", "--mode", "phrase", "--mode", "exact")
    every = SearchRequest("tea", default_operator="all")
    assert every == build("tea", "--all", "--default-operator", "all", "--all")


def test_mistakes_are_found_before_anything_is_opened():
    """The engine's own words, without an index."""
    with pytest.raises(UnknownModeError):
        build("tea", "--mode", "telepathy")
    with pytest.raises(InvalidParameterError, match="k1 cannot be 99"):
        build("tea", "--param", "k1=99")
    with pytest.raises(InvalidParameterError, match="empty"):
        build("  ", "--also", " ")


@pytest.mark.parametrize(
    ("query", "command"),
    [
        ("stauts", "status"),
        ("serch", "search"),
        ("explian", "explain"),
        ("plants", None),
        ("model", None),
        ("nodes", None),
        ("indexes", None),
        ("status of it", None),
        ("", None),
    ],
)
def test_only_slips_of_the_finger_look_like_commands(query, command):
    """A word that people may well search for is searched for."""
    assert command == find_mistyped_command(query)
