"""An I/O error, or the end of the process, at every call that changes a file (S1)."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.fault_shim import run_shimmed

OPERATIONS = ("commit", "sync", "create", "rebuild", "embed")


def step_through(
    shim: Path, folder: Path, operation: str, step: int, manner: str, workers: int
) -> None:
    """Steps through the crash points with some processes that take turns."""

    def run(number: int) -> dict[str, Any]:
        place = folder / str(number)
        place.mkdir()
        offset = number * step
        output = run_shimmed(
            shim, "crash_points.py", place, operation, workers * step, offset, manner
        )
        report: dict[str, Any] = json.loads(output)
        return report

    with ThreadPoolExecutor(workers) as pool:
        reports = list(pool.map(run, range(workers)))
    wrong = [line for report in reports for line in report.pop("wrong")]
    total = {name: sum(report[name] for report in reports) for name in reports[0]}
    print(operation, total)
    assert [] == wrong, f"{operation}: {total}\n" + "\n".join(wrong)
    assert total["kills"], f"nothing was killed: {total}"
    assert total["errors"], f"nothing failed: {total}"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_some_calls_leaves_the_state_before_or_after(
    shim: Path, fast_folder: Path, operation: str
) -> None:
    """Every so many calls, each with another fault, leave one of two states and a working index."""
    step_through(shim, fast_folder, operation, 7, "sample", 1)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_any_call_leaves_the_state_before_or_after(
    shim: Path, fast_folder: Path, operation: str
) -> None:
    """Each call, failing in several ways or being the last one, leaves one of two states."""
    step_through(shim, fast_folder, operation, 1, "thorough", 2)
