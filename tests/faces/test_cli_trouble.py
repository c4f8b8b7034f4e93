"""Mistakes, bad files, read-only places, Ctrl-C."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from cli_shell import Shell, write_pages


def may_read_anything() -> bool:
    """Says whether permissions mean nothing to us, as for root with all its capabilities."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        return os.access(file.name, os.R_OK)


needs_permissions = pytest.mark.skipif(may_read_anything(), reason="root may read everything")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plants", "nowhere"), "nowhere: there is no such folder"),
        (("plants", "README.md"), "README.md: this is a file, not a folder"),
        (("index", "nowhere"), "nowhere: there is no such folder"),
        (("index", "n" * 5000), "File name too long"),
        (("index", "~nobody-has-this-name"), "~nobody-has-this-name: "),
        (("index",), "say which folder to index; no trees are configured here"),
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


def test_deleted_current_folder_is_said(indexed: Shell, tmp_path: Path) -> None:
    """A shell may sit in a folder that is gone; other folders can be searched from there."""
    script = 'mkdir gone && cd gone && rmdir ../gone && "$0" -m dowse "$@"'

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = ["bash", "-c", script, sys.executable, *words]
        return subprocess.run(
            command, cwd=tmp_path, env=indexed.environment, capture_output=True, encoding="utf-8"
        )

    assert (2, "") == (run("plants").returncode, run("plants").stdout)
    assert run("plants", str(indexed.folder)).stdout.startswith(f"{indexed.folder.resolve()}/")


@pytest.mark.parametrize("words", [("status",), ("doctor",), ("rebuild",), ("get", "x")])
def test_commands_without_an_index_say_so(shell: Shell, words: tuple[str, ...]) -> None:
    """Before the first indexing there is nothing to show, and nothing is made."""
    outcome = shell.run(*words)
    assert 2 == outcome.status
    assert "there is no index at" in outcome.stderr
    assert not shell.home.exists()


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


def interrupt(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Presses Ctrl-C; again when nothing happens, for Python may lose one in a callback of an import."""
    for _ in range(5):
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=2)
    return process.communicate(timeout=60)


def test_ctrl_c_while_indexing_keeps_what_is_committed(shell: Shell) -> None:
    """Status 130, a word about what was kept, and the next run goes on to the end."""
    body = "some words to read and count, again and again. " * 100
    write_pages(shell.folder, {f"many/{n}.md": f"# Page {n}\n\n{body}\n" for n in range(6000)})
    process = shell.start("words")
    wait_for(process, lambda line: "first time" in line)
    stdout, stderr = interrupt(process)
    assert (130, "") == (process.returncode, stdout)
    assert "interrupted" in stderr
    assert "Traceback" not in stderr
    assert 0 == shell.run("words", "-n", "1").status
    assert 6005 == shell.run("status", "--json").json["documents"]
