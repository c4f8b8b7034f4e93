"""Two processes writing and four reading: whole generations only, nothing lost, nobody waits (S9)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mixed_load import KEPT_PAIRS, look

import dowse

SCRIPT = Path(__file__).parent / "mixed_load.py"
ROLES = ("writer", "writer", "keeper", "keeper", "opener", "opener")


def must_get_along(home: Path, seconds: float) -> None:
    """Lets six processes work on one index and looks at what they did."""
    with dowse.open(home) as index:
        index.add("0-start-left", "twin left")
        index.add("0-start-right", "twin right")
        index.commit()
    processes = [
        subprocess.Popen(
            [sys.executable, SCRIPT, home, role, str(number), str(seconds)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, role in enumerate(ROLES)
    ]
    outputs = [(*process.communicate(), process.returncode) for process in processes]
    failures = [error[-3000:] for _, error, status in outputs if status]
    assert [] == failures, "\n".join(failures)
    reports = [json.loads(output) for output, _, _ in outputs]
    print(*reports, sep="\n")
    expected = {"0-start-left", "0-start-right"}
    for report in reports[:2]:
        assert report["commits"] > 1, f"a writer never had its turn: {reports}"
        for pair in range(max(0, report["pairs"] - KEPT_PAIRS), report["pairs"]):
            expected |= {f"{report['number']}-{pair}-{half}" for half in ("left", "right")}
    with dowse.open(home) as index:
        assert expected == look(index)[1]
        assert () == index.check().findings
    for report in reports[2:]:
        # Readers saw the writers' commits come one by one, so they read while those wrote.
        assert report["generations"] > 2, f"a reader waited for the writers: {reports}"
        assert report["reads"] > report["generations"] // 2, f"a reader hardly read: {reports}"


def test_two_writers_and_four_readers_get_along(tmp_path: Path) -> None:
    """Six processes for six seconds: no error, no lost document, no half generation."""
    must_get_along(tmp_path / "home", 6)


@pytest.mark.slow
def test_two_writers_and_four_readers_get_along_for_a_minute(tmp_path: Path) -> None:
    """The same for a minute."""
    must_get_along(tmp_path / "home", 60)
