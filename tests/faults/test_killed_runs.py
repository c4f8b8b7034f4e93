"""`kill -9` at random moments of indexing runs loses nothing that was committed (S1)."""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.fault_shim import script_environment

TESTS = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs are forked")


def kill_runs(folder: Path, runs: int) -> dict[str, Any]:
    """Kills so many runs, half of them in each of two processes; returns what they counted."""
    seeds = [random.randrange(10**6) for _ in range(2)]

    def kill(seed: int) -> dict[str, Any]:
        place = folder / str(seed)
        place.mkdir()
        command = [sys.executable, TESTS / "faults" / "killed_runs.py", place, seed, runs // 2]
        done = subprocess.run(
            list(map(str, command)), env=script_environment(), capture_output=True, text=True, check=False
        )
        assert 0 == done.returncode, f"seed {seed}: {done.stdout}{done.stderr[-4000:]}"
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(kill, seeds))
    return {name: sum(report[name] for report in reports) for name in reports[0]}


def test_some_killed_runs_lose_nothing(fast_folder: Path) -> None:
    """After each of 10 kills the index is sound; the last run makes it equal to a fresh one."""
    report = kill_runs(fast_folder, 10)
    print(report)
    assert 10 == report["runs"]
    assert 2 == report["compared"]


@pytest.mark.slow
def test_200_killed_runs_lose_nothing(fast_folder: Path) -> None:
    """The same for 200 runs."""
    report = kill_runs(fast_folder, 200)
    print(report)
    assert 200 == report["runs"]
    assert report["killed"] > 100, f"most runs ended before they were killed: {report}"
    assert report["commits"] > 50, f"hardly any run got to its first commit: {report}"
