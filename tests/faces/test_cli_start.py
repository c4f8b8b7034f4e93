"""How fast the command line starts, and what it does not import."""

import os
import subprocess
import sys
import time
from pathlib import Path

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


def measure_s(*words: str, home: Path) -> float:
    """Returns the best wall time of several runs of Python with modules compiled, as installed."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"DOWSE_HOME": str(home), "PYTHONPYCACHEPREFIX": str(home.parent / "bytecode")}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    taken_s = []
    for _ in range(11):
        started_s = time.perf_counter()
        subprocess.run(
            [sys.executable, *words], env=environment, capture_output=True, check=True, timeout=60
        )
        taken_s.append(time.perf_counter() - started_s)
    return min(taken_s)


@pytest.mark.slow
def test_help_takes_less_than_100_ms(tmp_path: Path) -> None:
    """Help is instant; a machine that is busy gets as much more as Python itself needs there."""
    home = tmp_path / "home"
    limit_s = max(0.1, 6 * measure_s("-c", "pass", home=home))
    assert measure_s("-m", "dowse", "--help", home=home) < limit_s


@pytest.mark.slow
def test_cold_search_takes_less_than_250_ms(tmp_path: Path) -> None:
    """From nothing to the answer on a small index; a busy machine gets 2.5 times NumPy's import."""
    folder, home = tmp_path / "notes", tmp_path / "home"
    folder.mkdir()
    for number in range(50):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nSome words about plants.\n")
    limit_s = max(0.25, 2.5 * measure_s("-c", "import numpy", home=home))
    assert measure_s("-m", "dowse", "plants", str(folder), home=home) < limit_s
