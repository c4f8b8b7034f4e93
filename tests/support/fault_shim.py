"""Compiles `tests/faults/shim.c` and talks to it from inside the process it is preloaded into."""

import ctypes
import os
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "faults" / "shim.c"
TESTS = Path(__file__).parent.parent
HAS_SHIM = sys.platform == "linux" and shutil.which("cc") is not None


class Action(IntEnum):
    """What happens to the chosen call; numbers as in shim.c."""

    FAIL_ONCE = 1
    FAIL_FROM = 2
    KILL_BEFORE = 3
    KILL_AFTER = 4
    KILL_TORN = 5


KINDS = ("write", "sync", "truncate", "create", "rename", "remove", "make folder")


def build_shim(folder: Path) -> Path:
    """Compiles the shim into a folder and returns the library."""
    library = folder / "shim.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]
    subprocess.run(["cc", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


def script_environment() -> dict[str, str]:
    """Returns the environment in which scripts of `tests/faults` find `tests/support`."""
    path = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


def run_shimmed(library: Path, script: str, *arguments: object) -> str:
    """Runs a script of `tests/faults` under the shim and returns what it printed."""
    environment = {**script_environment(), "LD_PRELOAD": str(library)}
    done = subprocess.run(
        [sys.executable, TESTS / "faults" / script, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


class Shim:
    """The shim of this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.fault_calls.restype = ctypes.c_long

    def arm(self, folder: Path, at: int, action: Action, error: int = 0) -> None:
        """Chooses the call: the `at`-th below a folder, counted from 1."""
        place = os.fsencode(folder)
        self._library.fault_arm(place, ctypes.c_long(at), int(action), error)

    def arm_kind(self, folder: Path, kind: str, error: int) -> None:
        """Makes every call of one kind fail."""
        self._library.fault_arm_kind(os.fsencode(folder), KINDS.index(kind), error)

    @property
    def fired(self) -> str | None:
        """The kind of call that was hit, None when none was."""
        kind = self._library.fault_fired()
        return None if kind < 0 else KINDS[kind]

    @property
    def calls(self) -> int:
        """Calls counted so far."""
        return int(self._library.fault_calls())
