"""How fast the command line starts, and what it does not import."""

import os
import subprocess
import sys
import time

import pytest

HEAVY = ("numpy", "rich", "sqlite3", "dowse.engine", "dowse.search", "dataclasses", "Stemmer")


def test_help_imports_nothing_heavy() -> None:
    """``dowse --help`` loads neither numpy, nor rich, nor the engine."""
    script = (
        "import sys; from dowse.cli import main; main(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert "[]\n" == done.stderr


@pytest.mark.slow
def test_help_takes_less_than_100_ms() -> None:
    """The best of several runs, because other programs run too."""
    best_s = min(measure_help_s() for _ in range(10))
    assert best_s < 0.1


def measure_help_s() -> float:
    """Returns the wall time of one ``dowse --help``."""
    started_s = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "dowse", "--help"],
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=60,
        env=os.environ,
    )
    return time.perf_counter() - started_s
