"""Configuration from the command line: init, config, include, exclude, ls, inspect, and what they change."""

import json
from pathlib import Path

import pytest
from cli_shell import Shell


def test_init_writes_once_and_index_uses_it(shell: Shell) -> None:
    """A new file names one tree; it is never overwritten unless asked to."""
    first = shell.run("init", "--name", "beds")
    assert (0, f"{shell.folder}/.dowse.toml\n") == (first.status, first.stdout)
    again = shell.run("init")
    assert (2, "") == (again.status, again.stdout)
    assert "is there already" in again.stderr
    assert 0 == shell.run("init", "--force", "--name", "beds").status
    assert 0 == shell.run("index").status
    assert "beds  " in shell.run("ls").stdout


def test_an_index_may_live_beside_its_project(shell: Shell) -> None:
    """With --local, and without DOWSE_HOME, which would win."""
    shell.run("init", "--local")
    assert 0 == shell.run("tomato", DOWSE_HOME="").status
    assert (shell.folder / ".dowse").is_dir()
    assert not shell.home.exists()


def test_a_search_below_a_configured_tree_indexes_the_tree(shell: Shell) -> None:
    """The folder is searched, the tree is indexed."""
    shell.run("init", "--name", "beds")
    inside = Shell(shell.folder / "guide", shell.home)
    found = inside.run("water", "--json")
    assert {"guide/tomato.md", "guide/potato.md"} == {hit["doc_key"] for hit in found.json["hits"]}  # type: ignore[attr-defined,index]
    assert "notes/carrot.txt" in shell.run("ls", "docs").stdout


def test_exclude_counts_from_the_next_search_wherever_it_is_typed(shell: Shell, tmp_path: Path) -> None:
    """Patterns belong to the folder that is searched, not to the one a person is in."""
    (shell.folder / ".dowse.toml").write_text("# mine\n")
    assert 0 == shell.run("exclude", "add", "notes/", "*.log").status
    assert "notes/\n*.log\n" == shell.run("exclude", "list").stdout
    elsewhere = Shell(tmp_path, shell.home)
    assert 1 == elsewhere.run("carrots", str(shell.folder)).status
    assert 0 == shell.run("exclude", "remove", "notes/").status
    assert 0 == elsewhere.run("carrots", str(shell.folder)).status
    assert (shell.folder / ".dowse.toml").read_text().startswith("# mine\n")
    wrong = shell.run("exclude", "remove", "*.lgo")
    assert (2, True) == (wrong.status, "did you mean *.log?" in wrong.stderr)


def test_include_patterns_in_the_users_file(shell: Shell) -> None:
    """--user is for all folders; without a project's file it is the only place."""
    assert 0 == shell.run("include", "add", "*.txt", "--user").status
    assert 0 == shell.run("index", ".").status
    assert {"notes/carrot.txt", "notes/index.txt"} == {
        line.split()[0] for line in shell.run("ls", "docs").stdout.splitlines()
    }
    listed = shell.run("include", "--json").json
    assert (["*.txt"], "user") == (listed["patterns"], listed["origin"])


def test_config_shows_values_with_their_origins(shell: Shell) -> None:
    """Defaults, the user's file with its line, and the environment."""
    assert 0 == shell.run("config", "set", "search.limit", "2").status
    shown = shell.run("config", "show", "search.limit").stdout
    assert f"search.limit = 2  # {shell.environment['DOWSE_CONFIG']}:2\n" == shown
    values = shell.run("config", "--json", DOWSE_SEARCH_FUZZY="never").json["values"]
    assert isinstance(values, dict)
    expected = {"value": "never", "origin": "environment", "place": "$DOWSE_SEARCH_FUZZY"}
    assert expected == values["search.fuzzy"]
    assert 2 == len(shell.run("search", "the", "--json", "--any").json["hits"])  # type: ignore[arg-type]
    assert 1 == len(shell.run("search", "the", "--json", "-n", "1").json["hits"])  # type: ignore[arg-type]


def test_a_value_that_something_nearer_overrides_is_said(shell: Shell) -> None:
    """Nobody wonders why a setting does nothing."""
    (shell.folder / ".dowse.toml").write_text("[search]\nlimit = 3\n")
    outcome = shell.run("config", "set", "search.limit", "9")
    assert f"here it is still what {shell.folder}/.dowse.toml:2 says" in outcome.stderr


def test_a_wrong_file_stops_a_search_with_file_and_line(shell: Shell) -> None:
    """And nothing is indexed."""
    (shell.folder / ".dowse.toml").write_text("\n[serch]\nlimit = 3\n")
    outcome = shell.run("tomato")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert f"{shell.folder}/.dowse.toml:2: there is no option “serch”" in outcome.stderr
    assert "did you mean “search”" in outcome.stderr
    assert not shell.home.exists()


def test_an_untrusted_project_reaches_nothing_outside(shell: Shell, tmp_path: Path) -> None:
    """Until the user says so."""
    (tmp_path / "other").mkdir()
    (shell.folder / ".dowse.toml").write_text('[tree.x]\npath = "../other"\n')
    outcome = shell.run("index")
    assert (2, True) == (outcome.status, "leads out of the project" in outcome.stderr)
    assert not shell.home.exists()
    assert 0 == shell.run("config", "trust", ".").status
    assert 0 == shell.run("index").status


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("config", "show", "serch.limit"), "there is no option “serch.limit”"),
        (("config", "set", "search.limit"), "say what to set, and to what"),
        (("config", "set", "search.limit", "x"), "cannot be “x”"),
        (("config", "set", "root", "true"), "belongs into a project's file"),
        (("config", "set", "search.limit", "3", "--project"), "there is no .dowse.toml"),
        (("config", "frobnicate"), "invalid choice"),
        (("config", "show", "search.limit", "5"), "one word too many"),
        (("rebuild", "notes"), "“notes” is one word too many"),
        (("exclude", "add"), "say which pattern to add"),
        (("exclude", "add", "#x"), "is no pattern"),
        (("exclude", "list", "x"), "one word too many"),
        (("ls", "docs", "nowhere"), "there is no tree “nowhere”"),
        (("ls", "docs", "--why", "x"), "--why stands alone"),
        (("inspect", "nothing.md"), "no such file"),
        (("inspect", "guide"), "this is a folder, not a file"),
        (("init", "nowhere"), "there is no such folder"),
    ],
)
def test_mistakes_exit_2_and_say_what_to_do(indexed: Shell, words: tuple[str, ...], message: str) -> None:
    """One line, no traceback, stdout empty."""
    outcome = indexed.run(*words)
    assert (2, "") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_ls_lists_trees_documents_and_chunks(indexed: Shell) -> None:
    """By tree, by folder and by file."""
    assert "garden  " in indexed.run("ls", "trees").stdout
    every = indexed.run("ls", "docs", "--json").json["documents"]
    assert isinstance(every, list)
    assert 5 == len(every)
    below = indexed.run("ls", "docs", "guide").stdout
    assert ["guide/potato.md", "guide/tomato.md"] == [line.split()[0] for line in below.splitlines()]
    chunks = indexed.run("ls", "chunks", "guide/tomato.md").stdout
    assert "guide/tomato.md:7-9" in chunks
    assert "Tomatoes > Watering > In summer" in chunks


def test_why_names_the_rule(shell: Shell) -> None:
    """In and out, for files and for what is in the way, also without an index."""
    (shell.folder / ".gitignore").write_text("*.tmp\nnotes/\n")
    (shell.folder / "blob").write_bytes(b"\0\1")
    out = shell.run("ls", "--why", "notes/carrot.txt")
    assert (1, True) == (out.status, ".gitignore line 2: notes/" in out.stdout)
    assert "tree" not in out.stdout
    shell.run("index", ".")
    inside = shell.run("ls", "--why", "README.md")
    assert (0, True) == (inside.status, "in the index, tree garden" in inside.stdout)
    blob = shell.run("ls", "--why", "blob", "--json").json
    assert (False, "no-text") == (blob["is_included"], blob["rule"])
    assert "\x1b" not in shell.run("ls", "--why", "blob", NO_COLOR="1").stdout


def test_inspect_shows_sections_and_chunks(shell: Shell) -> None:
    """Without any index; a file without text is said to have none."""
    shown = shell.run("inspect", "guide/tomato.md")
    assert 0 == shown.status
    for part in ("format     markdown", "title      Tomatoes", "Watering", "lines 7-9"):
        assert part in shown.stdout
    value = json.loads(shell.run("inspect", "guide/tomato.md", "--json").stdout)
    assert ["Tomatoes", "Tomatoes", "Watering", "In summer"] == [row["title"] for row in value["sections"]]
    (shell.folder / "blob").write_bytes(b"\0\1")
    none = shell.run("inspect", "blob")
    assert (1, True) == (none.status, "not a text file" in none.stdout)
    assert not shell.home.exists()


def test_nothing_steers_the_terminal(shell: Shell) -> None:
    """Names and titles are shown without their control characters."""
    (shell.folder / "odd.md").write_text("# Title \x1b[31mred\n")
    assert "\x1b" not in shell.run("inspect", "odd.md").stdout
    shell.run("index", ".")
    assert "\x1b" not in shell.run("ls", "docs").stdout
