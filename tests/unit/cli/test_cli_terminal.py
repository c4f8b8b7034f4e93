"""Colours, links, numbers and progress."""

import io

import pytest

from dowse.cli.progress import SHOW_AFTER_S, SyncProgress
from dowse.cli.rendering.status import describe_age
from dowse.cli.terminal import (
    Style,
    build_file_url,
    count,
    detect_style,
    format_bytes,
    format_duration,
)


class FakeTerminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Returns True."""
        return True


@pytest.mark.parametrize(
    ("environment", "wants_color", "expected"),
    [
        ({}, True, (True, True)),
        ({}, False, (False, False)),
        ({"NO_COLOR": "1"}, True, (False, False)),
        ({"NO_COLOR": ""}, True, (True, True)),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, (False, False)),
        ({"TERM": "dumb"}, True, (False, False)),
    ],
)
def test_terminal_style_follows_the_environment(
    environment: dict[str, str], wants_color: bool, expected: tuple[bool, bool]
) -> None:
    """NO_COLOR, --no-color and a dumb terminal switch off every escape."""
    style = detect_style(FakeTerminal(), wants_color=wants_color, environment=environment)
    assert expected == (style.has_color, style.has_links)


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("0", False), ("", False)])
def test_pipe_is_plain_unless_forced(value: str, expected: bool) -> None:
    """A pipe gets colours only with FORCE_COLOR, and links never."""
    style = detect_style(io.StringIO(), wants_color=True, environment={"FORCE_COLOR": value})
    assert Style(has_color=expected) == style


@pytest.mark.parametrize(("said", "expected"), [("60", 60), ("7", 40), ("500", 100), ("", 100), ("x", 100)])
def test_width_is_pleasant_to_read(said: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """COLUMNS counts, within limits; a terminal that has no size gets the default."""
    monkeypatch.setenv("COLUMNS", said)
    assert expected == detect_style(FakeTerminal(), wants_color=True).width


def test_file_url_is_quoted() -> None:
    """Spaces and bytes that are not UTF-8 survive in the link."""
    assert build_file_url("/a b/\udcff#.md").endswith("/a%20b/%FF%23.md")


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 files"), (1, "1 file"), (2345, "2,345 files")]
)
def test_counts_read_well(number: int, expected: str) -> None:
    """One file, many files."""
    assert expected == count(number, "file")


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, "1 byte"), (999, "999 bytes"), (1400, "1.4 kB"), (250_000, "250 kB"), (3e13, "30.0 TB")],
)
def test_sizes_read_well(size: int, expected: str) -> None:
    """Three digits at most."""
    assert expected == format_bytes(int(size))


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.34, "340 ms"), (2.14, "2.1 s"), (185, "3 min 5 s")]
)
def test_durations_read_well(seconds: float, expected: str) -> None:
    """Milliseconds, seconds, minutes."""
    assert expected == format_duration(seconds)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.2, "just now"), (5, "5.0 s ago"), (7200, "2 hours ago"), (3 * 86400, "3 days ago")],
)
def test_ages_read_well(seconds: float, expected: str) -> None:
    """The unit fits the age."""
    assert expected.replace(".0", "") == describe_age(seconds)


class FakeClock:
    """A clock that stands still until told."""

    now_s = 0.0

    def __call__(self) -> float:
        """Returns the time."""
        return self.now_s


def test_quick_runs_show_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    """What is over at once needs no bar."""
    progress = SyncProgress("Indexing docs", is_terminal=True, clock=FakeClock())
    progress.discovered(5, 5)
    progress.advanced(5, 100)
    progress.close()
    assert ("", "") == capsys.readouterr()


def test_long_runs_on_a_pipe_say_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    """A log gets lines, not a bar."""
    clock = FakeClock()
    progress = SyncProgress("Indexing docs", is_terminal=False, clock=clock)
    progress.discovered(5000, 4000)
    for clock.now_s in (SHOW_AFTER_S, 5.0, 11.0, 12.0):
        progress.advanced(int(clock.now_s * 100), 0)
    progress.merging(3)
    progress.close()
    assert "Indexing docs: 1,100 of 4,000 files\n" == capsys.readouterr().err


def test_long_runs_on_a_terminal_show_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    """The bar counts files and goes away at the end."""
    clock = FakeClock()
    progress = SyncProgress("Indexing [docs]", is_terminal=True, clock=clock)
    progress.discovered(5000, 4000)
    clock.now_s = 2.0
    progress.advanced(1000, 0)
    progress.merging(3)
    progress.close()
    assert "" == capsys.readouterr().out


def test_waiting_for_another_process_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody stares at a silent terminal."""
    SyncProgress("Indexing docs", is_terminal=False).waiting_for_lock("process 42")
    expected = "Waiting: another process is writing to this index (process 42)…\n"
    assert expected == capsys.readouterr().err
