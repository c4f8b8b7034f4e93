"""Every other command, for real."""

from pathlib import Path

from cli_shell import PAGES, Shell

from support.open_trees import tree_folder


def test_index_says_what_it_did(shell: Shell) -> None:
    """The summary counts; a second run finds nothing new."""
    assert "5 added" in shell.run("index", ".").stderr
    outcome = shell.run("index", ".")
    assert 0 == outcome.status
    assert "5 unchanged" in outcome.stderr


def test_get_takes_what_a_search_shows(indexed: Shell) -> None:
    """The path of a hit, with or without its line, and the key all name the document."""
    expected = PAGES["guide/tomato.md"]
    for key in ("guide/tomato.md", "guide/tomato.md:9", str(indexed.folder / "guide/tomato.md")):
        assert expected == indexed.run("get", key).stdout


def test_get_shows_lines(indexed: Shell) -> None:
    """--lines takes a range, ends included."""
    outcome = indexed.run("get", "guide/tomato.md", "--lines", "5:7")
    assert "## Watering\n\n### In summer\n" == outcome.stdout
    assert 2 == indexed.run("get", "guide/tomato.md", "--lines", "50:").status


def test_get_json_has_sections(indexed: Shell) -> None:
    """The whole document with its structure."""
    document = indexed.run("get", "guide/tomato.md", "--json").json
    sections = document["sections"]
    assert isinstance(sections, list)
    assert ["Watering", "In summer"] == [section["title"] for section in sections][-2:]


def test_get_of_nothing_suggests_the_nearest(indexed: Shell) -> None:
    """A mistyped key is status 1 and a hint."""
    outcome = indexed.run("get", "guide/tomatoe.md")
    assert (1, "") == (outcome.status, outcome.stdout)
    assert "guide/tomato.md" in outcome.stderr


def test_delete_takes_a_document_out(shell: Shell) -> None:
    """It is no longer found, its file is untouched."""
    shell.run("index", ".")
    assert 0 == shell.run("delete", "notes/carrot.txt").status
    assert 1 == shell.run("get", "notes/carrot.txt").status
    assert 0 == shell.run("ground", "--no-index").status
    assert (shell.folder / "notes/carrot.txt").exists()


def test_delete_takes_a_tree_out(shell: Shell) -> None:
    """A tree goes by its folder too."""
    shell.run("index", ".")
    outcome = shell.run("delete", "--tree", ".")
    assert 0 == outcome.status
    assert "(5 documents)" in outcome.stderr
    assert 2 == shell.run("plants", "--no-index").status


def test_status_counts(indexed: Shell) -> None:
    """For people and for programs."""
    assert 5 == indexed.run("status", "--json").json["documents"]
    assert "5 documents" in indexed.run("status").stdout


def test_doctor_finds_a_healthy_index(indexed: Shell) -> None:
    """Status 0 and one line."""
    outcome = indexed.run("doctor")
    assert (0, True) == (outcome.status, outcome.stdout.startswith("healthy: "))
    assert indexed.run("doctor", "--json").json["is_healthy"]


def flip_byte(file: Path) -> None:
    """Changes one byte in the middle of a file."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)


def test_doctor_names_and_mends_damage(shell: Shell) -> None:
    """A flipped byte is status 3, and --repair makes it 0 again."""
    shell.run("index", ".")
    files = [file for file in (tree_folder(shell.home) / "segments").rglob("*") if file.is_file()]
    flip_byte(max(files, key=lambda file: file.stat().st_size))
    outcome = shell.run("doctor")
    assert 3 == outcome.status
    assert "damaged: " in outcome.stdout
    assert 0 == shell.run("doctor", "--repair").status
    assert 0 == shell.run("doctor").status
    assert 0 == shell.run("plants").status


def test_rebuild_keeps_every_answer(shell: Shell) -> None:
    """Segments made anew give the same hits."""
    shell.run("index", ".")
    before = shell.run("ground", "--json").json["hits"]
    assert 0 == shell.run("rebuild").status
    assert before == shell.run("ground", "--json").json["hits"]


def test_version_is_said_in_two_ways(indexed: Shell) -> None:
    """Brief for scripts, long for reports."""
    brief = indexed.run("-V").stdout
    assert brief == indexed.run("--version").stdout
    assert indexed.run("version").stdout.startswith(brief)


def test_home_flag_wins_over_the_environment(shell: Shell, tmp_path: Path) -> None:
    """--home decides where the index lives."""
    other = tmp_path / "other"
    assert 0 == shell.run("--home", str(other), "plants").status
    assert (True, False) == (other.exists(), shell.home.exists())


def test_index_chooses_stop_words(shell: Shell) -> None:
    """Stop words belong to the tree; changing them changes answers without reading a file again."""
    shell.run("index", ".", "--stop-words", "plants")
    assert 1 == shell.run("plants -summer tomatoesque").status
    outcome = shell.run("index", ".", "--stop-words", "none")
    assert " unchanged" in outcome.stderr
    assert 0 == shell.run("plants -tomatoesque").status
