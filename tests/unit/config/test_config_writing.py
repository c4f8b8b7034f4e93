"""Changing configuration files: comments stay, what is written can be read."""

import json
from pathlib import Path

import pytest

from dowse.config.files import read_config_file
from dowse.config.json_schema import build_schema
from dowse.config.options import OPTIONS
from dowse.config.values import IllegalValueError, check_value, parse_value
from dowse.config.writing import build_template, set_patterns, set_value
from dowse.errors import ConfigError


def test_comments_and_order_stay(tmp_path: Path) -> None:
    """Only the value changes; what is new is added."""
    path = tmp_path / ".dowse.toml"
    path.write_text("# mine\nexclude = [\n  'a', # why\n  'b',\n]\n\n[search] # s\nlimit = 5 # few\n")
    set_value(path, "search.limit", 7, is_user=False)
    set_value(path, "search.mode", "phrase", is_user=False)
    set_value(path, "discovery.hidden", True, is_user=False)
    set_patterns(path, "exclude", ("a", "c"), is_user=False)
    text = path.read_text()
    for kept in ("# mine", "'a', # why", "[search] # s", "limit = 7 # few"):
        assert kept in text
    values = read_config_file(path, is_user=False).values
    expected = {"exclude": ("a", "c"), "search.limit": 7, "search.mode": "phrase", "discovery.hidden": True}
    assert expected == values


def test_a_missing_file_is_made_with_its_folder(tmp_path: Path) -> None:
    """The first setting of a user makes the file."""
    path = tmp_path / "none" / "config.toml"
    set_value(path, "trusted", ("/a", "/b"), is_user=True)
    assert ("/a", "/b") == read_config_file(path, is_user=True).values["trusted"]


def test_a_wrong_file_is_left_alone(tmp_path: Path) -> None:
    """What cannot be understood is not changed."""
    path = tmp_path / ".dowse.toml"
    path.write_text("limitt = 1\n")
    with pytest.raises(ConfigError):
        set_value(path, "search.limit", 5, is_user=False)
    assert "limitt = 1\n" == path.read_text()


def test_a_link_stays_a_link_and_a_mode_its_mode(tmp_path: Path) -> None:
    """Dotfiles are often kept elsewhere."""
    real, link = tmp_path / "real.toml", tmp_path / ".dowse.toml"
    real.write_text("")
    real.chmod(0o600)
    link.symlink_to(real)
    set_value(link, "search.limit", 5, is_user=False)
    assert link.is_symlink()
    assert "limit = 5" in real.read_text()
    assert 0o600 == real.stat().st_mode & 0o777


def test_an_unwritable_place_is_an_error(tmp_path: Path) -> None:
    """With the reason, and nothing left behind."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        set_value(tmp_path / "file" / "config.toml", "search.limit", 5, is_user=True)


@pytest.mark.parametrize("name", ["notes", "my notes", 'a"b\\c', "ü", "a.b"])
def test_the_template_can_be_read(tmp_path: Path, name: str) -> None:
    """As it is, and with every comment that is a value made one."""
    path = tmp_path / ".dowse.toml"
    path.write_text(build_template(name))
    assert [name] == [tree.name for tree in read_config_file(path, is_user=False).trees]
    lines = [
        line.removeprefix("# ") if line.startswith("# ") and " = " in line else line
        for line in build_template(name, home=".dowse").splitlines()
    ]
    path.write_text("\n".join(lines))
    values = read_config_file(path, is_user=False).values
    shown = [option for option in OPTIONS if option.default is not None or option.name == "home"]
    assert {option.name for option in shown if option.scope != "user"} == set(values)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("search.limit", "25", 25),
        ("search.limit", "1,000", 1_000),
        ("extraction.seconds", "2.5", 2.5),
        ("extraction.seconds", "3", 3.0),
        ("discovery.hidden", "yes", True),
        ("discovery.hidden", "Off", False),
        ("exclude", "*.log, drafts/", ("*.log", "drafts/")),
        ("exclude", '["a,b", "c"]', ("a,b", "c")),
        ("exclude", "", ()),
        ("search.fuzzy", "never", "never"),
    ],
)
def test_words_become_values(name: str, text: str, expected: object) -> None:
    """What a person types at a terminal or in a variable."""
    option = next(option for option in OPTIONS if option.name == name)
    value = parse_value(option, text)
    assert (expected, type(expected)) == (value, type(value))
    assert expected == check_value(option, list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("search.limit", "2.5"),
        ("search.limit", "1e400"),
        ("extraction.seconds", "nan"),
        ("discovery.hidden", "maybe"),
        ("search.fuzzy", "x"),
        ("exclude", "[1]"),
        ("exclude", "[a"),
        ("exclude", '["a\\u0000"]'),
    ],
)
def test_other_words_are_refused(name: str, text: str) -> None:
    """Nothing is guessed."""
    option = next(option for option in OPTIONS if option.name == name)
    with pytest.raises(IllegalValueError):
        parse_value(option, text)


def test_the_schema_has_every_option() -> None:
    """What the table allows, the schema allows."""
    properties = build_schema()["properties"]
    assert isinstance(properties, dict)
    for option in OPTIONS:
        table: dict[str, object] = properties
        for part in option.name.split(".")[:-1]:
            table = table[part]["properties"]  # type: ignore[index]
        assert option.name.split(".")[-1] in table
    json.dumps(build_schema())
