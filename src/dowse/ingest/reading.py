"""Reading one found file without hanging, and without trusting what the walk saw a moment ago."""

import errno
import os
import stat

from dowse.ingest.discovery import too_large
from dowse.ingest.source import SourceItem
from dowse.schema import Problem

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
# Discovery resolved links already; one that appears now was put there since.
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def read_file(found: SourceItem, max_bytes: int) -> bytes | Problem:
    """Reads the whole file.

    Args:
        found: From discovery.
        max_bytes: A file that grew beyond this is a problem.

    Returns:
        The content, or the problem: ``vanished``, ``unreadable-file``, ``too-large`` or
        ``special-file``. A pipe, socket or device is never read from, and opening one does not
        block.
    """
    try:
        descriptor = os.open(found.file, _FLAGS | _NO_LINKS)
    except OSError as failure:
        return _open_problem(found.key, failure)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return _special_file(found.key)
        if status.st_size > max_bytes:
            return too_large(found.key, status.st_size, max_bytes)
        data = _read_up_to(descriptor, max_bytes + 1)
    except OSError as failure:
        return _unreadable(found.key, failure)
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else too_large(found.key, len(data), max_bytes)


def _read_up_to(descriptor: int, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(descriptor, min(limit, 1 << 20))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _open_problem(path: str, failure: OSError) -> Problem:
    if failure.errno in (errno.ENOENT, errno.ENOTDIR):
        return Problem("vanished", path, "this file was removed while the folder was being indexed")
    if failure.errno in (errno.ENXIO, errno.ELOOP):
        return _special_file(path)
    return _unreadable(path, failure)


def _special_file(path: str) -> Problem:
    return Problem("special-file", path, "this is not a regular file any more; it was not read")


def _unreadable(path: str, failure: OSError) -> Problem:
    reason = (failure.strerror or str(failure)).lower()
    return Problem(
        "unreadable-file", path, f"this file cannot be read: {reason}", "check its permissions"
    )
