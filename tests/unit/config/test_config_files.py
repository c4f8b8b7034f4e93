"""Configuration files: found, checked, merged and trusted."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.config.loading import load_effective, load_settings
from dowse.config.options import BY_NAME, OPTIONS
from dowse.config.toml_lines import TomlSyntaxError, find_key_lines, find_line, parse_toml
from dowse.errors import ConfigError


class Place:
    """A user's file and nested projects below one folder."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.user = top / "user" / "config.toml"
        self.outer = top / "outer"
        self.inner = self.outer / "inner"
        (self.inner / "deep").mkdir(parents=True)
        self.user.parent.mkdir()
        self.environment = {"DOWSE_CONFIG": str(self.user)}

    def write(self, user: str = "", outer: str = "", inner: str = "") -> "Place":
        """Writes those files that say something."""
        for path, text in (
            (self.user, user),
            (self.outer / ".dowse.toml", outer),
            (self.inner / ".dowse.toml", inner),
        ):
            if text:
                path.write_text(text)
        return self


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Folders outer/inner/deep, and nothing written yet."""
    return Place(tmp_path)


def failure(place: Place) -> ConfigError:
    """Returns the error that loading raises."""
    with pytest.raises(ConfigError) as caught:
        load_settings(place.inner / "deep", place.environment)
    return caught.value


def test_without_files_every_value_is_the_default(place: Place) -> None:
    """Nothing written means nothing changed, and every option has a value."""
    found = load_effective(place.inner, place.environment)
    assert {option.name: option.default for option in OPTIONS} == dict(found.values)
    assert {"default"} == {origin.kind for origin in found.origins.values()}
    assert () == found.files


def test_the_settings_of_no_file_are_those_of_the_code(place: Place) -> None:
    """The options table and the owners' own defaults say the same."""
    from dowse.config.request_defaults import request_defaults
    from dowse.config.settings import FolderSettings, WatchSettings
    from dowse.schema import SearchRequest
    from dowse.schema.request_options import REQUEST_OPTIONS

    settings = load_settings(place.inner, place.environment)
    assert FolderSettings() == settings.for_folder(place.inner)
    assert WatchSettings() == settings.watch
    names = [option.name for option in REQUEST_OPTIONS]
    assert SearchRequest("x") == SearchRequest("x", **request_defaults(settings.effective, names))


def test_nearer_wins_value_by_value(place: Place) -> None:
    """User, outer, inner, environment, flags: each overrides only what it says."""
    place.write(
        "[search]\nlimit = 1\nmode = 'phrase'\nfuzzy = 'never'\n",
        "[search]\nlimit = 2\nmode = 'bm25'\n",
        "[search]\nlimit = 3\n",
    )
    folder = place.inner / "deep"
    found = load_effective(folder, place.environment)
    search = {name: found.values[f"search.{name}"] for name in ("limit", "mode", "fuzzy")}
    assert {"limit": 3, "mode": "bm25", "fuzzy": "never"} == search
    origin = found.origins["search.limit"]
    assert ("project", f"{place.inner}/.dowse.toml:2") == (origin.kind, origin.place)
    assert f"{place.user}:4" == found.origins["search.fuzzy"].place
    environment = place.environment | {"DOWSE_SEARCH_LIMIT": "4"}
    assert 4 == load_effective(folder, environment).values["search.limit"]
    assert 5 == load_effective(folder, environment, {"search.limit": 5}).values["search.limit"]
    assert [place.inner, place.outer, place.user.parent] == [path.parent for path in found.files]


def test_root_stops_and_leaves_the_user_out(place: Place) -> None:
    """Above a root nothing counts, but whom the user trusts still does."""
    place.write(
        f"trusted = ['{place.inner}']\n[search]\nlimit = 1\n",
        "[search]\nmode = 'bm25'\n",
        "root = true\n[tree.up]\npath = '..'\n",
    )
    found = load_effective(place.inner, place.environment)
    assert (10, "auto") == (found.values["search.limit"], found.values["search.mode"])
    assert [str(place.outer)] == [tree.path for tree in found.trees]


def test_trees_are_replaced_whole(place: Place) -> None:
    """A nearer tree of the same name keeps nothing of the other."""
    place.write(
        outer="[tree.a]\npath = '.'\nlanguage = 'german'\n[tree.b]\npath = 'inner'\n",
        inner="[tree.a]\npath = 'deep'\n",
    )
    trees = {tree.name: tree for tree in load_settings(place.inner, place.environment).trees}
    assert {"a", "b"} == set(trees)
    assert (str(place.inner / "deep"), None) == (trees["a"].path, trees["a"].language)
    assert str(place.inner) == trees["b"].path


def test_a_folder_has_the_settings_of_its_tree(place: Place) -> None:
    """The deepest tree holds a folder; its own patterns win over the general ones."""
    place.write(
        outer="exclude = ['/inner/x']\n[tree.all]\npath = '.'\n[tree.part]\npath = 'inner'\nexclude = ['y']\n"
    )
    settings = load_settings(place.outer, place.environment)
    found = settings.find_tree(place.inner / "deep")
    assert found is not None
    assert "part" == found.name
    assert None is settings.find_tree(place.top)
    part = settings.for_folder(place.inner)
    assert ("part", ("y",), "") == (part.name, part.discovery.exclude, part.discovery.exclude_below)
    deep = settings.for_folder(place.inner / "deep").discovery
    assert (("/inner/x",), "inner/deep/") == (deep.exclude, deep.exclude_below)


def test_home_and_tilde_are_resolved(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is relative to its file; ~ is the user's folder; DOWSE_HOME wins."""
    monkeypatch.setenv("HOME", str(place.top / "me"))
    place.write(user="home = '~/index'\n")
    assert str(place.top / "me" / "index") == load_settings(place.inner, place.environment).home
    place.write(inner="home = '.dowse'\n")
    deep = place.inner / "deep"
    assert str(place.inner / ".dowse") == load_settings(deep, place.environment).home
    assert "/x" == load_settings(deep, place.environment | {"DOWSE_HOME": "/x"}).home


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("\nserach = 1\n", 2, "there is no option “serach”", "did you mean “search”?"),
        ("[search]\n# x\nlimitt = 5\n", 3, "there is no option “search.limitt”", "search.limit"),
        ("limit = 5\n", 1, "there is no option “limit”", "did you mean “search.limit”?"),
        ("[search]\nlimit = 'ten'\n", 2, "“search.limit” cannot be 'ten'", "a whole number from 1 to 10,000"),
        ("[search]\nlimit = true\n", 2, "cannot be true", "a whole number"),
        ("[search]\nlimit = 0\n", 2, "cannot be 0", "from 1 to 10,000"),
        ("[search]\nfuzzy = 'maybe'\n", 2, "cannot be 'maybe'", "one of: auto, always, never"),
        ("exclude = '*.log'\n", 1, "“exclude” cannot be '*.log'", "in brackets"),
        ("exclude = [\n  'a',\n  1,\n]\n", 1, "cannot be", "1 is none"),
        ("search = 5\n", 1, "“search” must be a table", "[search]"),
        ("[tree]\na = 1\n", 2, "“tree.a” must be a table", "[tree.NAME]"),
        ("[tree.a]\npath = '.'\nlang = 'x'\n", 3, "there is no option “lang”", "language"),
        ("[tree.a]\nlanguage = 'x'\n", 1, "tree “a” has no path", 'path = "."'),
        ("tree.a = {path = '.', incldue = []}\n", 1, "“incldue”", "include"),
        ("x = [\n", 1, "this is not TOML", "lines look like this"),
        ("a = 1\nb == 2\n", 2, "this is not TOML", "lines look like this"),
        ("[chunking]\nmax_words = 20\n", 2, "overlap_words cannot be 40", "half of max_words"),
        ("home = '~nobody-at-all/x'\n", 1, "names a user that is not there", ""),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    place: Place, text: str, line: int, message: str, hint: str
) -> None:
    """File, line, what is wrong, and the nearest known key or the legal values."""
    error = failure(place.write(inner=text))
    assert f"{place.inner}/.dowse.toml:{line}" == error.details["place"]
    assert message in error.message
    assert hint in error.hint


def test_a_wrong_variable_is_named(place: Place) -> None:
    """The environment has no lines; the variable says where."""
    place.environment["DOWSE_SEARCH_LIMIT"] = "many"
    assert "$DOWSE_SEARCH_LIMIT: it cannot be “many”" == failure(place).message


def test_bytes_that_are_not_utf8_and_unreadable_files_are_errors(place: Place) -> None:
    """No file is half read."""
    (place.inner / ".dowse.toml").write_bytes(b"# caf\xc3\xa9\n# \xff\n")
    assert f"{place.inner}/.dowse.toml:2" == failure(place).details["place"]
    (place.inner / ".dowse.toml").write_bytes(b"#" * 1_000_001)
    assert "too large" in failure(place).message


@pytest.mark.parametrize(
    "text", ["[tree.a]\npath = '/etc'\n", "[tree.a]\npath = '..'\n", "home = '/tmp/x'\n"]
)
def test_a_project_cannot_reach_out_of_its_folder(place: Place, text: str) -> None:
    """Unless the user's own file trusts exactly that folder; nobody else can say so."""
    error = failure(place.write(inner=text))
    assert "leads out of the project" in error.message
    assert f"trust-project {place.inner}" == error.hint
    assert "leads out" in failure(place.write(user=f"trusted = ['{place.outer}']\n")).message
    place.write(user=f"trusted = ['{place.inner}']\n")
    assert load_settings(place.inner, place.environment)
    (place.inner / ".dowse.toml").write_text(f"trusted = ['{place.inner}']\n{text}")
    assert "whom to trust" in failure(place).message


def test_a_link_does_not_lead_out_either(place: Place) -> None:
    """A folder inside that is a link to one outside is outside."""
    (place.inner / "way").symlink_to("/etc")
    assert "leads out" in failure(place.write(inner="[tree.a]\npath = 'way'\n")).message
    (place.inner / "way").unlink()
    (place.inner / "way").symlink_to(place.inner / "deep")
    assert load_settings(place.inner, place.environment).trees


def test_limits_are_the_users_to_set(place: Place) -> None:
    """What a file may cost is not decided by the project that brings the file."""
    assert "yours to set" in failure(place.write(inner="[extraction]\nseconds = 3000\n")).message
    place.write(user=f"trusted = ['{place.inner}']\n[extraction]\ntext_bytes = 2048\n")
    limits = load_settings(place.inner, place.environment).limits
    assert (3000.0, 2048) == (limits.seconds, limits.text_bytes)


def test_root_is_a_projects_word(place: Place) -> None:
    """In the user's file it would mean nothing."""
    assert "belongs into a project's file" in failure(place.write(user="root = true\n")).message


def test_every_option_can_be_set_by_its_variable(place: Place) -> None:
    """The default, written as text, is a legal value of every variable."""
    from dowse.config.values import parse_value

    for option in OPTIONS:
        if option.has_variable and option.default is not None:
            default = option.default
            text = ",".join(default) if isinstance(default, tuple) else str(default)
            assert default == parse_value(option, text)
    assert "DOWSE_HOME" == BY_NAME["home"].variable


KEYS = st.text("ab.\"' #=[]é", min_size=1, max_size=4)
LEAVES = st.one_of(
    st.integers(0, 9),
    st.text("a\n\"'#[]{}=\\", max_size=6),
    st.lists(st.text("a#]\"'\n", max_size=3), max_size=3),
)
TABLES = st.recursive(LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)


@given(st.dictionaries(KEYS, TABLES, max_size=4))
def test_every_key_has_its_line(tables: dict[str, object]) -> None:
    """Whatever is written, the line found for a key is one that has it."""
    import tomlkit

    text = tomlkit.dumps(tables)
    try:
        parsed = parse_toml(text)
    except TomlSyntaxError:
        return  # tomlkit writes some odd keys wrongly
    lines = find_key_lines(text)
    every = text.split("\n")
    for path in iter_paths(parsed):
        line = every[find_line(lines, path) - 1]
        last = path[-1]
        assert last in line or last.replace("\\", "\\\\").replace('"', '\\"') in line


def iter_paths(table: dict[str, object], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Returns the full path of every key."""
    paths = []
    for key, value in table.items():
        paths.append((*above, key))
        if isinstance(value, dict):
            paths += iter_paths(value, (*above, key))
    return paths


def test_lines_are_found_in_odd_texts() -> None:
    """Strings and arrays over several lines hide what looks like keys."""
    text = 'a = """\nb = 1\n[c]\n"""\nd = [ # e = 1\n  "f = 1", [\n]]\n[[g]]\nh.i = 1\n["j k"."l"]\nm = 1\n'
    lines = find_key_lines(text)
    expected = {("a",): 1, ("d",): 5, ("g",): 8, ("g", "h"): 9, ("g", "h", "i"): 9}
    assert expected | {("j k",): 10, ("j k", "l"): 10, ("j k", "l", "m"): 11} == lines
    assert 9 == find_line(lines, ("g", "h", "i", "z"))
    assert 1 == find_line(lines, ("nowhere",))


def test_the_users_file_is_where_the_platform_keeps_such_files() -> None:
    """DOWSE_CONFIG, then XDG_CONFIG_HOME, then ~/.config."""
    from dowse.config.files import find_user_file

    if os.uname().sysname != "Linux":
        pytest.skip("other platforms have other folders")
    assert Path("/x/y.toml") == find_user_file({"DOWSE_CONFIG": "/x/y.toml"})
    assert Path("/x/dowse/config.toml") == find_user_file({"XDG_CONFIG_HOME": "/x"})
    assert find_user_file({}).match(".config/dowse/config.toml")
