"""What a worker may not do: write, connect, start programs, or take more memory than it is given.

Two fences. The operating system's limits hold for compiled code too: no file can grow, memory ends. Python's
audit events stop the rest before it happens, on every platform. Neither is a wall against a program that has
been taken over entirely; both keep a parser that is led astray by a file from doing harm.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

from dowse.ingest.limits import ExtractionLimits

try:
    import resource
except ImportError:  # Windows has no such limits; the audit events hold there too.
    resource = None  # type: ignore[assignment]

_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.startfile",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.",
    "ftplib.",
    "smtplib.",
    "urllib.",
    "webbrowser.",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_GRACE_SECONDS = 5
CONVERTER_FILE_BYTES = 1 << 30
CONVERTER_MEMORY_BYTES = 4 << 30


class ForbiddenError(PermissionError):
    """A file led its parser to do what no parser needs to do."""


class _Fence:
    """Whether the fence stands; a converter of old formats opens it for itself."""

    is_up = False


def confine(limits: ExtractionLimits) -> None:
    """Puts this process behind the fences, for good."""
    if resource is not None:
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, 0)
        if hasattr(resource, "RLIMIT_AS"):
            _limit(resource.RLIMIT_AS, _mapped_bytes() + limits.memory_bytes)
    _die_with_parent()
    sys.addaudithook(_refuse)
    _Fence.is_up = True


def allow_seconds(seconds: float) -> None:
    """Lets the processor be used for so long from now; then the system ends this process.

    The other side kills a worker that takes too long. This is for when there is no other side any more.
    """
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + _GRACE_SECONDS)


@contextlib.contextmanager
def conversion_allowed() -> Iterator[None]:
    """Opens the fence for a converter that needs files and a program of its own, with more memory."""
    was_up, _Fence.is_up = _Fence.is_up, False
    if not was_up or resource is None:
        try:
            yield
        finally:
            _Fence.is_up = was_up
        return
    loosened = {resource.RLIMIT_FSIZE: CONVERTER_FILE_BYTES, resource.RLIMIT_AS: CONVERTER_MEMORY_BYTES}
    before = {kind: resource.getrlimit(kind)[0] for kind in loosened}
    for kind, value in loosened.items():
        _limit(kind, value)
    try:
        yield
    finally:
        _Fence.is_up = True
        for kind, value in before.items():
            _limit(kind, value)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if not _Fence.is_up:
        return
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        is_writing = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        if is_writing or (isinstance(flags, int) and flags & _WRITING):
            raise ForbiddenError(f"a file made its reader write to {arguments[0]!r}")
    elif event.startswith(_FORBIDDEN):
        raise ForbiddenError(f"a file made its reader call {event}")


def _limit(kind: int, value: int) -> None:
    """Lowers a soft limit; the hard one stays, for a converter."""
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):  # not every system has every limit
        resource.setrlimit(kind, (value, hard))


def held_bytes() -> int:
    """Returns how much memory this process holds; 0 where the system does not say."""
    return _memory_bytes(1)


def _mapped_bytes() -> int:
    """Returns what the interpreter and its libraries have mapped, which is not the file's doing."""
    return _memory_bytes(0)


def _memory_bytes(column: int) -> int:
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - one small read
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _die_with_parent() -> None:
    """Asks Linux to end this process with the one that started it, even in the middle of a file."""
    if sys.platform == "linux":
        import ctypes
        import signal

        set_parent_death_signal = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
