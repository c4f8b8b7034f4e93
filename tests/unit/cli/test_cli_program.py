"""From an error to words and an exit status, through `main`."""

import pytest

from dowse.cli import main
from dowse.cli.commands import COMMANDS, DEFAULT_COMMAND
from dowse.cli.remedies import word_hint
from dowse.errors import ERRORS, DowseError, IndexLockedError

DETAILS: dict[str, object] = {
    "query": "a b",
    "position": 1,
    "message": "odd",
    "field": "f",
    "known": "k",
    "kind": "preset",
    "name": "n",
    "value": 1,
    "legal": "1 to 2",
    "place": "f.toml:3",
    "hint": "did you mean x?",
    "path": "p",
    "reason": "r",
    "key": "k",
    "nearest": "did you mean j",
    "home": "/h",
    "holder": "process 42",
    "waited_s": 3.0,
    "expectation": "checksum differs",
    "found": 9,
    "supported": "1",
    "pattern": "a(",
    "needs": "vectors",
    "remedy": "install it",
    "url": "http://localhost",
    "asked": "mode “auto” nor scoring model “bm25f”",
}
# Errors whose constructors name what they take.
NAMED = {
    "query-syntax": ("query", "position", "message"),
    "invalid-pattern": ("pattern", "position", "message"),
}


def build_error(error: type[DowseError]) -> DowseError:
    """Returns an error with every detail its row may name."""
    names = NAMED.get(error.code, DETAILS)
    return error(**{name: DETAILS[name] for name in names})


@pytest.mark.parametrize("error", ERRORS, ids=[error.code for error in ERRORS])
def test_every_error_becomes_words_and_its_exit_status(
    error: type[DowseError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Message and hint come from the table, on stderr; stdout stays empty."""
    raised = build_error(error)

    def fail(arguments: object) -> int:
        raise raised

    monkeypatch.setattr(DEFAULT_COMMAND, "run", fail)
    assert error.exit_status == main(["q"])
    hint = f"hint: {word_hint(raised.hint)}\n" if raised.hint else ""
    assert ("", f"dowse: {raised.message}\n{hint}") == capsys.readouterr()


def test_unknown_exceptions_are_our_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback, but an apology and status 3."""
    monkeypatch.delenv("DOWSE_DEBUG", raising=False)
    monkeypatch.setattr(DEFAULT_COMMAND, "run", lambda arguments: 1 // 0)
    assert 3 == main(["q"])
    error = capsys.readouterr().err
    assert error.startswith("dowse: this is a bug in Dowse: ZeroDivisionError")
    assert "Traceback" not in error


def test_debug_shows_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DOWSE_DEBUG=1 is for us."""
    monkeypatch.setenv("DOWSE_DEBUG", "1")
    monkeypatch.setattr(DEFAULT_COMMAND, "run", lambda arguments: 1 // 0)
    main(["q"])
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_exits_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The shell's convention for an interrupted program."""

    def interrupt(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(DEFAULT_COMMAND, "run", interrupt)
    assert 130 == main(["q"])
    assert "Traceback" not in capsys.readouterr().err


def test_error_without_colour_has_no_escapes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--no-color counts for errors too, and wins over FORCE_COLOR."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    locked = IndexLockedError(home="/h", holder="process 42", waited_s=3.0)

    def fail(arguments: object) -> int:
        raise locked

    monkeypatch.setattr(DEFAULT_COMMAND, "run", fail)
    main(["q", "--no-color"])
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asks for help sees all there is."""
    assert 0 == main(words)
    text = capsys.readouterr().out
    assert [] == [name for name in (c.name for c in COMMANDS) if f"\n  {name} " not in text]


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_of_one_command_has_two_ways(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``dowse help X`` and ``dowse X --help`` are the same."""
    assert 0 == main(["help", name])
    first = capsys.readouterr().out
    assert 0 == main([name, "--help"])
    assert first == capsys.readouterr().out


@pytest.mark.parametrize("words", [["", "."], ["  "]])
def test_empty_query_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is indexed for a question that was not asked."""
    assert 2 == main(words)
    assert "the query cannot be empty" in capsys.readouterr().err
