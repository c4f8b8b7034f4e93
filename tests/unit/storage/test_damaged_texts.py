"""A stored text that cannot be decompressed is damage of the catalogue, and called so."""

import sqlite3
import subprocess
import sys

import pytest

import dowse
from dowse.errors import CorruptFileError
from support.open_trees import tree_folder

TEXT = "green tea with milk " * 20


def damage(home, where):
    """Changes the bytes of the one text of a home."""
    with sqlite3.connect(tree_folder(home) / "catalog.db") as connection:
        (stored,) = connection.execute("SELECT text FROM texts").fetchone()
        changed = {
            "end": stored[: len(stored) // 2],
            "header": stored[:4] + b"\xff" + stored[5:],
            "size": stored[:4] + b"\x23" + stored[5:],  # reads as a frame of nothing
        }
        connection.execute("UPDATE texts SET text = ?", (changed[where],))


@pytest.mark.parametrize("where", ["end", "header", "size"])
def test_a_damaged_text_is_named(tmp_path, where):
    """Whoever reads the text learns which file is damaged."""
    with dowse.open(tmp_path / "home") as index:
        index.add("tea", TEXT)
        index.commit()
    damage(tmp_path / "home", where)
    with dowse.open(tmp_path / "home") as index:
        with pytest.raises(CorruptFileError) as raised:
            index.search("tea")
        assert "catalog.db is damaged: a stored text cannot be decompressed" in str(raised.value)


def test_a_damaged_text_ends_the_command_with_3(tmp_path):
    """As any damage of an index does."""
    folder, home = tmp_path / "notes", tmp_path / "home"
    folder.mkdir()
    (folder / "tea.md").write_text(TEXT)
    command = [sys.executable, "-m", "dowse", "search", "--home", str(home), "tea"]
    subprocess.run(command, capture_output=True, check=True, cwd=folder)
    damage(home, "end")
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert 3 == done.returncode, done.stderr
    assert "catalog.db is damaged" in done.stderr
