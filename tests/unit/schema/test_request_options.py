"""One table says everything about the options of a request; whoever needs them reads it."""

import pytest
from msgspec.structs import fields

from dowse.cli.arguments import build_parser
from dowse.cli.commands import DEFAULT_COMMAND
from dowse.config.options import BY_NAME
from dowse.errors import InvalidParameterError
from dowse.fusion import FUSIONS
from dowse.schema import SearchRequest
from dowse.schema.request_json_schema import request_json_schema
from dowse.schema.request_options import REQUEST_OPTIONS, REQUEST_OPTIONS_BY_NAME
from dowse.scoring import PRESETS
from dowse.search.modes import MODES


def test_the_table_has_every_field_of_a_request_with_its_default():
    """A field without a row could be reached by no face."""
    defaults = {one.name: "" if one.name == "query" else one.default for one in fields(SearchRequest)}
    assert defaults == {option.name: option.default for option in REQUEST_OPTIONS}


@pytest.mark.parametrize(
    ("name", "registry"), [("mode", MODES), ("fusion", FUSIONS), ("preset", PRESETS)]
)
def test_names_are_those_of_their_registries(name, registry):
    """The table may load no registry, so it repeats their names in the same order."""
    assert tuple(row.name for row in registry) == REQUEST_OPTIONS_BY_NAME[name].choices


def test_the_modes_of_options_are_those_that_the_registry_gives_them():
    """What fuses takes a fusion; what looks at vectors takes a scan."""
    fusing = {mode.name for mode in MODES if mode.fuses}
    assert fusing == set(REQUEST_OPTIONS_BY_NAME["fusion"].modes)
    semantic = fusing | {mode.name for mode in MODES if mode.needs}
    assert semantic == set(REQUEST_OPTIONS_BY_NAME["scan"].modes)


BAD = [
    ({"query": None}, "query", "a text"),
    ({"limit": "5"}, "limit", "a whole number from 1 to 10,000"),
    ({"limit": 0}, "limit", "a whole number from 1 to 10,000"),
    ({"limit": True}, "limit", "a whole number from 1 to 10,000"),
    ({"limit": 5.0}, "limit", "a whole number from 1 to 10,000"),
    ({"offset": -1}, "offset", "a whole number, 0 or more"),
    ({"parameters": {"k1": 1}}, "parameters", "pairs of a name and a number"),
    ({"parameters": ("k1", 1)}, "parameters", "pairs of a name and a number"),
    ({"parameters": (("k1", "1"),)}, "parameters", "pairs of a name and a number"),
    ({"fields": "title"}, "fields", "a tuple of texts"),
    ({"also": ["tea"]}, "also", "a tuple of texts"),
    ({"mode": 3}, "mode", "a name"),
    ({"fuzzy": "often"}, "fuzzy", "one of auto, always, never"),
    ({"default_operator": "most"}, "default_operator", "one of ranked, all, any"),
    ({"diversify": 1.5}, "diversify", "a number from 0 to 1, or none"),
    ({"diversify": float("nan")}, "diversify", "a number from 0 to 1, or none"),
    ({"rerank": "yes"}, "rerank", "true or false"),
    ({"synonyms": (("tea", ("chai",)),)}, "synonyms", "a tuple of synonym rules"),
    ({"tree": 1}, "tree", "a text, or none"),
]


@pytest.mark.parametrize(("changes", "name", "legal"), BAD, ids=[str(changes) for changes, *_ in BAD])
def test_wrong_values_are_refused_with_the_option_and_its_range(changes, name, legal):
    """Never a TypeError from somewhere inside the engine."""
    with pytest.raises(InvalidParameterError) as caught:
        SearchRequest(**{"query": "tea", **changes})
    assert caught.value.message.startswith(f"{name} cannot be")
    assert legal in caught.value.hint


def test_every_option_of_the_command_line_has_its_flag():
    """Nothing that a request can say is out of reach."""
    flags = build_parser(DEFAULT_COMMAND).flags
    missing = [
        option.name
        for option in REQUEST_OPTIONS
        if option.flag_name and option.name != "query" and f"--{option.flag_name}" not in flags
    ]
    assert [] == missing


def test_every_configurable_option_has_its_key_and_variable():
    """What a request can say can be made permanent."""
    keys = {option.config_key: option.variable for option in REQUEST_OPTIONS if option.is_configurable}
    assert keys == {name: row.variable for name, row in BY_NAME.items() if name.startswith("search.")}


def test_the_json_schema_describes_every_option_of_a_face():
    """Types, ranges, choices and defaults are those of the table."""
    schema = request_json_schema("library")
    assert set(REQUEST_OPTIONS_BY_NAME) == set(schema["properties"])
    limit = schema["properties"]["limit"]
    assert {"type": "integer", "default": 10, "minimum": 1, "maximum": 10_000} == {
        name: limit[name] for name in ("type", "default", "minimum", "maximum")
    }
    assert "tree" not in request_json_schema("cli")["properties"]


def test_tuned_parameters_are_saved_and_hold_in_the_next_request(tmp_path, monkeypatch):
    """Beside those that were configured before; where a mode does not have one, it is left out."""
    from dowse.engine.opening import forget_configuration
    from dowse.engine.requests import complete_request, save_parameters

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / ".dowse.toml").write_text('root = true\n[search]\nparameters = ["k1=1.5", "slop=2"]\n')
    forget_configuration()
    assert tmp_path / ".dowse.toml" == save_parameters([("boost.title", 4.0)], str(tmp_path))
    offered = [option.name for option in REQUEST_OPTIONS]
    request = complete_request({"query": "tea"}, offered, str(tmp_path))
    assert (("k1", 1.5), ("boost.title", 4.0)) == request.parameters
    given = {"query": "tea", "mode": "phrase", "parameters": (("k1", 2.0),)}
    request = complete_request(given, offered, str(tmp_path))
    assert {"k1": 2.0, "slop": 2.0, "boost.title": 4.0} == dict(request.parameters)
