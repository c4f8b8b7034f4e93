"""What a search over an unchanged folder does not load."""

import subprocess
import sys
from pathlib import Path

UNUSED = ("dowse.indexing.writer", "dowse.ingest.chunking.pieces")
SCRIPT = """
import sys, dowse
with dowse.open(sys.argv[1]) as index:
    index.sync_folder(sys.argv[2])
    index.search("tea")
print(*[name for name in sys.argv[3:] if name in sys.modules])
"""


def loaded_by_a_search(home: Path, folder: Path) -> list[str]:
    """Brings the folder up to date and searches, in a new process; returns what of `UNUSED` it loaded."""
    command = [sys.executable, "-c", SCRIPT, str(home), str(folder), *UNUSED]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return answer.stdout.split()


def test_a_search_without_changes_loads_nothing_that_changes(tmp_path: Path) -> None:
    """The first run writes and cuts; the second only looks, and loads neither writer nor chunkers."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\ngreen tea\n", encoding="utf-8")
    assert list(UNUSED) == loaded_by_a_search(tmp_path / "home", folder)
    assert [] == loaded_by_a_search(tmp_path / "home", folder)
