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
    """Returns the wall time of one ``dowse`` whose modules are compiled, as after an installation."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"DOWSE_HOME": str(home), "PYTHONPYCACHEPREFIX": str(home.parent / "bytecode")}
    started_s = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "dowse", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    return time.perf_counter() - started_s


@pytest.mark.slow
def test_help_takes_less_than_100_ms(tmp_path: Path) -> None:
    """The best of several runs, because other programs run too."""
    assert min(measure_s("--help", home=tmp_path / "home") for _ in range(10)) < 0.1


@pytest.mark.slow
def test_cold_search_takes_less_than_250_ms(tmp_path: Path) -> None:
    """From nothing to the answer on a small index; the best of several runs."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(50):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nSome words about plants.\n")
    words = ("plants", str(folder))
    measure_s(*words, home=tmp_path / "home")
    assert min(measure_s(*words, home=tmp_path / "home") for _ in range(10)) < 0.25
