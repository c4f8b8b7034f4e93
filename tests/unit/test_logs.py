"""What goes to Python's logging, and what does not."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import dowse
from dowse.logs import Log


def test_each_package_has_one_logger(caplog: pytest.LogCaptureFixture):
    """Modules and sub-packages share the logger of their package."""
    with caplog.at_level(logging.DEBUG, "dowse"):
        Log("dowse.storage.vectors.reader").info("opened %d", 3)
        Log("dowse.storage.catalog").debug("closed")
    assert [("dowse.storage", "opened 3"), ("dowse.storage", "closed")] == [
        (record.name, record.getMessage()) for record in caplog.records
    ]


def test_a_sync_leaves_a_trail(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Reading, committing and opening can be followed, package by package."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tea.md").write_text("green tea", encoding="utf-8")
    with caplog.at_level(logging.DEBUG, "dowse"), dowse.open(tmp_path / "home") as index:
        index.sync_folder(tmp_path / "notes")
        index.search("tea")
    messages = [f"{record.name}: {record.getMessage()}" for record in caplog.records]
    for expected in ("dowse.indexing: sync of notes", "dowse.indexing: commit", "dowse.engine: opened"):
        assert any(message.startswith(expected) for message in messages), (expected, messages)


def test_healing_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Whoever runs a server sees that a segment was damaged, and that it was made again."""
    with dowse.open(tmp_path / "home") as index:
        index.add("a", "green tea")
        index.commit()
    (postings,) = (tmp_path / "home").rglob("segments/*/postings")
    raw = bytearray(postings.read_bytes())
    raw[-1] ^= 255
    postings.write_bytes(raw)
    with caplog.at_level(logging.WARNING, "dowse"), dowse.open(tmp_path / "home") as index:
        assert 1 == len(index.search("tea").hits)
    assert any("rebuilt" in record.getMessage() for record in caplog.records), caplog.records


@pytest.mark.parametrize("first", ["", "import logging; "])
def test_a_program_that_did_not_ask_sees_nothing(first: str):
    """Neither without `logging` nor with it unconfigured; Python would print warnings by itself."""
    code = (
        f"{first}import sys; from dowse.logs import Log; Log('dowse.engine.x').warning('trouble');"
        "print('logging' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (f"{bool(first)}\n", "") == (done.stdout, done.stderr)
