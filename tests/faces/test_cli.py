"""The real command line, end to end: its own process, folder and index home."""

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

PAGES = {
    "README.md": "# Garden\n\nEverything about growing vegetables.\n",
    "guide/tomato.md": (
        "# Tomatoes\n\nTomatoes like sun.\n\n## Watering\n\n### In summer\n\n"
        "Water the plants every morning, never at noon.\n"
    ),
    "guide/potato.md": "# Potatoes\n\nPotatoes grow below the ground and need little water.\n",
    "notes/index.txt": "An index of seeds: beans, peas, and a draft about carrots.\n",
    "notes/carrot.txt": "Carrots grow below the ground.\n",
}


def may_read_anything() -> bool:
    """Says whether permissions mean nothing to us, as for root with all its capabilities."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        return os.access(file.name, os.R_OK)


needs_permissions = pytest.mark.skipif(may_read_anything(), reason="root may read everything")


class Outcome(NamedTuple):
    """What a process left behind."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, object]:
        """The one object on stdout."""
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value


class Shell:
    """Runs ``dowse`` in a folder, with an index home that nobody else uses."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.home = home
        hidden = ("NO_COLOR", "FORCE_COLOR", "DOWSE_DEBUG", "COLUMNS")
        self.environment = {k: v for k, v in os.environ.items() if k not in hidden}
        self.environment |= {"DOWSE_HOME": str(home), "TERM": "xterm"}

    def run(self, *words: str, **environment: str) -> Outcome:
        """Runs one command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "dowse", *words],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run_on_terminal(self, *words: str, **environment: str) -> str:
        """Runs one command with stdout on a terminal and returns what that showed."""
        master, slave = pty.openpty()
        try:
            subprocess.run(
                [sys.executable, "-m", "dowse", *words],
                cwd=self.folder,
                env=self.environment | environment,
                stdout=slave,
                stderr=subprocess.PIPE,
                timeout=60,
            )
            return os.read(master, 100_000).decode()
        finally:
            os.close(slave)
            os.close(master)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Starts one command in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "dowse", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )


def write_pages(folder: Path, pages: dict[str, str]) -> None:
    """Writes a folder of small files."""
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A folder with five files, and no index yet."""
    folder = tmp_path / "garden"
    write_pages(folder, PAGES)
    return Shell(folder, tmp_path / "home")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A folder with five files that is indexed; tests that use it change neither."""
    base = tmp_path_factory.mktemp("indexed")
    write_pages(base / "garden", PAGES)
    shell = Shell(base / "garden", base / "home")
    assert 0 == shell.run("index", ".").status
    return shell


def test_first_search_indexes_and_answers(shell: Shell) -> None:
    """One command from a folder of files to a hit; the hit on stdout, the words on stderr."""
    outcome = shell.run("watering plants in the morning")
    assert 0 == outcome.status
    assert outcome.stdout.startswith("guide/tomato.md:9  ")
    assert "    Tomatoes › Watering › In summer\n" in outcome.stdout
    assert outcome.stderr.startswith("Indexing garden (first time)…\n")


def test_second_search_does_not_index_again(shell: Shell) -> None:
    """An indexed folder answers at once, with a summary as its last line."""
    shell.run("plants")
    outcome = shell.run("plants")
    assert 0 == outcome.status
    assert "Indexing" not in outcome.stderr
    assert outcome.stderr.startswith("1 of 1 in ")


def test_search_sees_changes_since_the_last_one(shell: Shell) -> None:
    """New, changed and deleted files are noticed before the answer."""
    shell.run("plants")
    (shell.folder / "new.md").write_text("A rhubarb.\n")
    (shell.folder / "notes" / "carrot.txt").unlink()
    assert 0 == shell.run("rhubarb").status
    hits = shell.run("carrots", "--json").json["hits"]
    assert isinstance(hits, list)
    assert ["notes/index.txt"] == [hit["doc_key"] for hit in hits]


def test_no_index_leaves_the_files_alone(shell: Shell) -> None:
    """--no-index answers from what is indexed."""
    shell.run("plants")
    (shell.folder / "new.md").write_text("A rhubarb.\n")
    assert 1 == shell.run("rhubarb", "--no-index").status
    assert 0 == shell.run("plants", "--no-index").status


def test_no_index_without_an_index_is_refused(shell: Shell) -> None:
    """There is nothing to answer from, and the hint says how to change that."""
    outcome = shell.run("plants", "--no-index")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "there is no index" in outcome.stderr
    assert "hint: make one with: dowse index FOLDER" in outcome.stderr


def test_no_index_in_another_folder_is_refused(indexed: Shell, tmp_path: Path) -> None:
    """An index of one folder says nothing about another."""
    assert 2 == indexed.run("plants", str(tmp_path), "--no-index").status


def test_sub_folder_searches_only_below(indexed: Shell) -> None:
    """A folder inside an indexed one is searched without a second index."""
    outcome = indexed.run("ground", "notes", "--json")
    hits = outcome.json["hits"]
    assert isinstance(hits, list)
    assert ["notes/carrot.txt"] == [hit["doc_key"] for hit in hits]
    assert "first time" not in outcome.stderr


def test_json_is_one_object(indexed: Shell) -> None:
    """Programs get everything: the hit, its place, its snippet."""
    answer = indexed.run("summer", "--json").json
    assert "summer" == answer["query"]
    assert (1, True) == (answer["total"], answer["total_is_exact"])
    hits = answer["hits"]
    assert isinstance(hits, list)
    assert str(indexed.folder.resolve() / "guide/tomato.md") == hits[0]["file"]


def test_json_of_nothing_is_an_object_too(indexed: Shell) -> None:
    """Nothing found: an empty list and status 1."""
    outcome = indexed.run("xylophone", "--json")
    assert (1, []) == (outcome.status, outcome.json["hits"])


def test_nothing_found_is_friendly(indexed: Shell) -> None:
    """A sentence and a hint on stderr, nothing on stdout."""
    outcome = indexed.run("xylophone")
    assert (1, "") == (outcome.status, outcome.stdout)
    assert "Nothing found for “xylophone” in garden.\nhint: " in outcome.stderr


def test_mistyped_command_gets_a_hint(indexed: Shell) -> None:
    """A word that is nearly a command is searched, and the command is suggested."""
    assert "hint: did you mean: dowse status" in indexed.run("stauts").stderr


def test_mistyped_command_does_not_index_a_folder(shell: Shell) -> None:
    """``dowse stauts`` in a folder that is not indexed is refused, and nothing is made of it."""
    outcome = shell.run("stauts")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "hint: did you mean: dowse status\nhint: to search anyway" in outcome.stderr
    assert 1 == shell.run("stauts", ".").status


def test_explanation_adds_up_to_the_score(indexed: Shell) -> None:
    """The root of the explanation is the score itself."""
    hits = indexed.run("ground water", "--json", "--explain").json["hits"]
    assert isinstance(hits, list)
    assert [hit["score"] for hit in hits] == [hit["explanation"]["value"] for hit in hits]
    assert "\n      " in indexed.run("ground", "--explain").stdout


def test_limit_and_offset_page_through(indexed: Shell) -> None:
    """Two pages of one hit are the one page of two."""

    def keys(*words: str) -> list[object]:
        hits = indexed.run("ground", "--json", *words).json["hits"]
        assert isinstance(hits, list)
        return [(hit["rank"], hit["doc_key"]) for hit in hits]

    assert keys("-n", "2") == keys("-n", "1") + keys("-n", "1", "--offset", "1")


def test_query_may_be_an_exclusion(indexed: Shell) -> None:
    """A query that starts with a dash works in quotes and after ``--``; neither is a bad flag."""
    outcome = indexed.run("-potatoes ground", "--json")
    hits = outcome.json["hits"]
    assert isinstance(hits, list)
    assert ["notes/carrot.txt"] == [hit["doc_key"] for hit in hits]
    assert indexed.run("--json", "--", "-potatoes").status in (0, 1)


def test_query_may_be_a_command(indexed: Shell) -> None:
    """``dowse search index`` asks for the word."""
    assert indexed.run("search", "index").stdout.startswith("notes/index.txt:1  ")


def test_pipe_gets_no_escapes(indexed: Shell) -> None:
    """Not a terminal: plain text, unless colour is forced."""
    assert "\x1b" not in indexed.run("plants").stdout
    assert "\x1b[1;33mplants\x1b[0m" in indexed.run("plants", FORCE_COLOR="1").stdout
    assert "\x1b" not in indexed.run("plants", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_terminal_gets_colours_and_links(indexed: Shell) -> None:
    """A terminal shows the words that matched, and opens the file on click."""
    shown = indexed.run_on_terminal("plants")
    assert "\x1b[1;33mplants\x1b[0m" in shown
    assert "\x1b]8;;file://" in shown


@pytest.mark.parametrize("off", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_terminal_without_colour_gets_no_escapes(indexed: Shell, off: dict[str, str]) -> None:
    """NO_COLOR and a dumb terminal get plain text."""
    assert "\x1b" not in indexed.run_on_terminal("plants", **off)


def test_no_color_flag_works_on_a_terminal(indexed: Shell) -> None:
    """--no-color does what it says."""
    assert "\x1b" not in indexed.run_on_terminal("plants", "--no-color")


def test_broken_pipe_is_success(shell: Shell) -> None:
    """``dowse … | head -1`` ends quietly."""
    write_pages(shell.folder, {f"many/{n}.md": f"common words, {n} times\n" for n in range(300)})
    shell.run("index", ".")
    script = (
        f'"{sys.executable}" -m dowse common -n 300 --explain | head -1; exit ${{PIPESTATUS[0]}}'
    )
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=shell.folder,
        env=shell.environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (0, 1) == (done.returncode, done.stdout.count("\n"))
    assert "rror" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_behind_stdout_is_said(indexed: Shell) -> None:
    """An answer that cannot be written is no success."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dowse", "plants"],
            cwd=indexed.folder,
            env=indexed.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
        )
    assert 2 == done.returncode
    assert "cannot write the answer: No space left on device" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plants", "nowhere"), "nowhere: there is no such folder"),
        (("plants", "README.md"), "README.md: this is a file, not a folder"),
        (("index", "nowhere"), "nowhere: there is no such folder"),
        (("index",), "the following arguments are required: FOLDER"),
        (("plants", "-n", "0"), "limit cannot be 0"),
        (("plants", "--preset", "nonsense"), "there is no preset “nonsense”"),
        (("delete", "--tree", "nowhere"), "--tree cannot be “nowhere”"),
        (("index", ".", "--language", "klingon"), "klingon"),
    ],
)
def test_mistakes_exit_2_with_a_hint(indexed: Shell, words: tuple[str, ...], message: str) -> None:
    """Wrong usage: a sentence and a hint, no traceback, status 2."""
    outcome = indexed.run(*words)
    assert (2, "") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr
    assert "hint: " in outcome.stderr
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize("words", [("status",), ("doctor",), ("rebuild",), ("get", "x")])
def test_commands_without_an_index_say_so(shell: Shell, words: tuple[str, ...]) -> None:
    """Before the first indexing there is nothing to show, and nothing is made."""
    outcome = shell.run(*words)
    assert 2 == outcome.status
    assert "there is no index at" in outcome.stderr
    assert not shell.home.exists()


def test_index_says_what_it_did(shell: Shell) -> None:
    """The summary counts; a second run finds nothing new."""
    assert "5 added" in shell.run("index", ".").stderr
    outcome = shell.run("index", ".")
    assert 0 == outcome.status
    assert "5 unchanged" in outcome.stderr


def test_bad_file_stops_nothing(shell: Shell) -> None:
    """Broken files are reported or read as far as possible; the others are found."""
    (shell.folder / "latin.txt").write_bytes("caf\u00e9 cr\u00e8me".encode("latin-1"))
    (shell.folder / "binary.md").write_bytes(b"\x00\x01\x02" * 500)
    (shell.folder / "empty.md").write_bytes(b"")
    (shell.folder / "loop").symlink_to(shell.folder)
    (shell.folder / "dangling.md").symlink_to(shell.folder / "gone.md")
    assert 0 == shell.run("plants").status
    assert "crème" in shell.run("creme").stdout
    assert 0 == shell.run("status").status


def test_name_that_is_not_utf8_is_found_and_shown(shell: Shell) -> None:
    """A file with a strange name is a file like any other, for people and for programs."""
    (shell.folder / os.fsdecode(b"odd-\xff.md")).write_text("strange pineapple\n")
    assert "strange pineapple" in shell.run("pineapple").stdout
    assert 1 == shell.run("pineapple", "--json").json["total"]
    assert 0 == shell.run("status").status


@needs_permissions
def test_unreadable_file_is_a_problem(shell: Shell) -> None:
    """A file that may not be read is named, counted and shown by status; the run goes on."""
    (shell.folder / "secret.md").write_text("nobody may read this")
    (shell.folder / "secret.md").chmod(0)
    outcome = shell.run("index", ".")
    assert 1 == outcome.status
    assert "secret.md" in outcome.stderr
    assert "1 problem (dowse status)" in shell.run("plants").stderr
    assert "secret.md" in shell.run("status").stdout


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
    files = [file for file in (shell.home / "segments").rglob("*") if file.is_file()]
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


@needs_permissions
def test_read_only_home_still_answers(shell: Shell) -> None:
    """What is indexed can be searched where nothing can be written; the reader is told."""
    shell.run("index", ".")
    make_read_only(shell.home)
    (shell.folder / "new.md").write_text("A rhubarb.\n")
    outcome = shell.run("plants")
    assert 0 == outcome.status
    assert "answering from what is already indexed" in outcome.stderr


def make_read_only(folder: Path) -> None:
    """Takes the right to write from a folder and all below it."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def wait_for(process: "subprocess.Popen[str]", is_reached: Callable[[str], bool]) -> str:
    """Reads stderr up to a line that says we are there."""
    assert process.stderr is not None
    read = ""
    for line in process.stderr:
        read += line
        if is_reached(line):
            return read
    return read


def test_ctrl_c_while_indexing_keeps_what_is_committed(shell: Shell) -> None:
    """Status 130, a word about what was kept, and the next run goes on to the end."""
    body = "some words to read and count, again and again. " * 100
    write_pages(shell.folder, {f"many/{n}.md": f"# Page {n}\n\n{body}\n" for n in range(3000)})
    process = shell.start("words")
    wait_for(process, lambda line: "first time" in line)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (130, "") == (process.returncode, stdout)
    assert "interrupted" in stderr
    assert "Traceback" not in stderr
    assert 0 == shell.run("words", "-n", "1").status
    assert 3005 == shell.run("status", "--json").json["documents"]
