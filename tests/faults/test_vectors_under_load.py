"""Vectors that several processes make, merge and search at once, some of which are killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from vector_load import KEPT_NOTES, look

import dowse
from dowse.schema import Coverage
from support.fake_embedder import give_meaning
from support.open_trees import only_tree, tree_folder

SCRIPT = Path(__file__).parent / "vector_load.py"
ROLES = ("writer", "embedder", "embedder", "keeper", "opener")
KILL_AFTER_S = (0.7, 1.1, 0.9)


def start(home: Path, role: str, seconds: float) -> "subprocess.Popen[str]":
    """Starts one process."""
    tests = Path(__file__).parents[1]
    return subprocess.Popen(
        [sys.executable, SCRIPT, home, role, str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tests)},
    )


def must_get_along(home: Path, seconds: float) -> None:
    """Lets five processes work on one index, kills others in between, and looks at what they did."""
    dowse.open(home).close()
    processes = [start(home, role, seconds) for role in ROLES]
    deadline = time.monotonic() + seconds
    for number in range(1000):
        if time.monotonic() > deadline:
            break
        victim = start(home, "embedder", seconds)
        time.sleep(KILL_AFTER_S[number % len(KILL_AFTER_S)])
        victim.kill()
        victim.communicate()
    outputs = [(*process.communicate(), process.returncode) for process in processes]
    failures = [error[-3000:] for _, error, status in outputs if status]
    assert [] == failures, "\n".join(failures)
    reports = [json.loads(output) for output, _, _ in outputs]
    print(*reports, sep="\n")
    for report in reports[3:]:
        assert report["most"] > 0, f"nothing was found by meaning: {reports}"
    with dowse.open(home) as index:
        give_meaning(index)
        kept = min(KEPT_NOTES, reports[0]["notes"])
        assert Coverage(kept, 0, kept) == index.embed()
        assert kept == look(index)
        assert () == index.check().findings
        rows = only_tree(index).generations.current().catalog.fetch("SELECT folder FROM vector_segments")
    assert {row[0] for row in rows} == {folder.name for folder in (tree_folder(home) / "vectors").iterdir()}


def test_vectors_are_made_merged_and_searched_at_once(tmp_path: Path) -> None:
    """No error, no false damage, no vector of a note that is gone, none missing in the end."""
    must_get_along(tmp_path / "home", 6)


@pytest.mark.slow
def test_vectors_are_made_merged_and_searched_at_once_for_a_minute(tmp_path: Path) -> None:
    """The same for a minute."""
    must_get_along(tmp_path / "home", 60)
