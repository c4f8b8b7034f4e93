"""Which command, which flags, which words."""

import pytest

from dowse.cli.arguments import (
    CommandLineError,
    build_parser,
    find_nearest,
    parse_arguments,
    split_command,
)
from dowse.cli.commands import COMMANDS, DEFAULT_COMMAND, get_command

NAMES = [command.name for command in COMMANDS]


def split(*words: str) -> tuple[str | None, list[str]]:
    """Splits with the flags of a search, as the program does."""
    return split_command(words, NAMES, build_parser(DEFAULT_COMMAND).flags)


def parse(*words: str, command: str = "search") -> dict[str, object]:
    """Parses the words of one command."""
    return vars(parse_arguments(build_parser(get_command(command)), words))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("status",), ("status", [])),
        (("notes",), (None, ["notes"])),
        (("--home", "status", "doctor"), ("doctor", ["--home", "status"])),
        (("--home=x", "index", "docs"), ("index", ["--home=x", "docs"])),
        (("search", "index"), ("search", ["index"])),
        (("--", "index"), (None, ["--", "index"])),
        (("-x y", "index"), (None, ["-x y", "index"])),
        (("--json", "notes", "status"), (None, ["--json", "notes", "status"])),
        (("-n", "5", "status"), ("status", ["-n", "5"])),
    ],
)
def test_first_plain_word_decides_the_command(
    words: tuple[str, ...], expected: tuple[str | None, list[str]]
) -> None:
    """A command is the first word that is neither a flag nor the value of one."""
    assert expected == split(*words)


@pytest.mark.parametrize(
    ("words", "query"),
    [
        (("-noise filter",), "-noise filter"),
        (("--", "-foo"), "-foo"),
        (("--json", "--", "--json"), "--json"),
        (("-",), "-"),
        (("-x = y",), "-x = y"),
        (("a=b",), "a=b"),
    ],
)
def test_query_may_start_with_a_dash(words: tuple[str, ...], query: str) -> None:
    """A dash before several words, or after ``--``, belongs to the query."""
    assert query == parse(*words)["query"]


@pytest.mark.parametrize(
    "words", [("-n", "5", "q"), ("-n5", "q"), ("--limit=5", "q"), ("q", "--limit", "5")]
)
def test_flag_values_are_read_in_every_form(words: tuple[str, ...]) -> None:
    """A value may follow its flag as a word, after ``=`` or at once, before or after the query."""
    assert 5 == parse(*words)["limit"]


def test_value_may_start_with_a_dash() -> None:
    """The word after a flag with a value is its value, whatever it looks like."""
    assert -3 == parse("q", "--offset", "-3")["offset"]


def test_folder_defaults_to_here() -> None:
    """Without a folder the search itself takes the current one, and knows that none was named."""
    assert parse("q")["folder"] is None


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("q", "--jsno"), "did you mean --json?"),
        (("q", "-json"), "did you mean --json?"),
        (("how", "do", "I"), 'put the query in quotes: dowse "how do I"'),
        (("q", "-n"), "see: dowse search --help"),
        (("q", "-n", "many"), "see: dowse search --help"),
        (("q", "--lock-timeout", "-1"), "see: dowse search --help"),
        (("q", "--lock-timeout", "nan"), "see: dowse search --help"),
        ((), "see: dowse search --help"),
    ],
)
def test_mistakes_get_a_hint(words: tuple[str, ...], hint: str) -> None:
    """Whoever mistypes is told what they may have meant."""
    with pytest.raises(CommandLineError) as caught:
        parse(*words)
    assert hint == caught.value.hint


def test_unknown_short_flag_explains_exclusion() -> None:
    """A word after a dash without quotes is most likely an exclusion."""
    with pytest.raises(CommandLineError) as caught:
        parse("cats", "-dogs")
    assert 'dowse "words -dogs"' in caught.value.hint


@pytest.mark.parametrize(
    ("word", "expected"), [("stauts", "status"), ("docter", "doctor"), ("zebra", None)]
)
def test_nearest_is_close_or_nothing(word: str, expected: str | None) -> None:
    """Only a word that is close is suggested."""
    assert expected == find_nearest(word, NAMES)


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_every_command_has_the_common_flags(command: object) -> None:
    """--home, --lock-timeout, --no-color and --help work everywhere."""
    flags = build_parser(command).flags  # type: ignore[arg-type]
    assert {"--home", "--lock-timeout", "--no-color", "-h", "--help"} <= set(flags)


def test_command_names_are_unique() -> None:
    """No command hides another."""
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3:5", (3, 5)), ("3", (3, 3)), ("3:", (3, None)), (":5", (1, 5)), (":", (1, None))],
)
def test_line_ranges_are_read(text: str, expected: tuple[int, int | None]) -> None:
    """``A:B`` may miss either end."""
    assert expected == parse("k", "--lines", text, command="get")["lines"]


@pytest.mark.parametrize("text", ["5:3", "0:3", "a:b", "-1", "1:2:3"])
def test_bad_line_ranges_are_refused(text: str) -> None:
    """Lines start at 1 and go up."""
    with pytest.raises(CommandLineError, match="is no range of lines"):
        parse("k", "--lines", text, command="get")
