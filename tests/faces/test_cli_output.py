"""Where the answer goes: pipes, terminals, full disks."""

import subprocess
import sys
from pathlib import Path

import pytest
from cli_shell import Shell, write_pages


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


def test_verbose_says_on_stderr_what_is_being_done(shell: Shell):
    """Standard output stays what it was; without the flag nothing of it is shown."""
    shell.run("index", "--no-vectors")
    (shell.folder / "new.md").write_text("more about tomatoes", encoding="utf-8")
    told = shell.run("-v", "tomatoes", "--keyword")
    silent = shell.run("tomatoes", "--keyword")
    assert "dowse.indexing: sync of" in told.stderr
    assert "dowse.indexing: commit" in told.stderr
    assert "dowse.indexing" not in silent.stderr
    assert silent.stdout.splitlines()[0] == told.stdout.splitlines()[0]
