"""What processes of this machine hold, and which of them are ours; Linux only."""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

HAS_PROC = Path("/proc/self/status").is_file()
_SET_CHILD_SUBREAPER = 36


def resident_bytes(process_id: int) -> int:
    """Returns the memory a process holds; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:")), 0)


def descendants(process_id: int) -> list[int]:
    """Returns the living processes that a process started, and those that they started."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    children.setdefault(int(parent), []).append(int(entry.name))
    found, todo = [], [process_id]
    while todo:
        new = children.get(todo.pop(), [])
        found += new
        todo += new
    return found


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Makes this process the parent of whatever its dead children leave behind, so that it is seen."""
    if not HAS_PROC:
        pytest.skip("needs /proc")
    library = ctypes.CDLL(None)
    library.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        library.prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
