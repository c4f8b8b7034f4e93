"""Opens the index a command was asked to use."""

import argparse
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import FolderNotFoundError

if TYPE_CHECKING:
    from dowse.engine import Index

LOCK_TIMEOUT_S = 60.0


def open_index(
    arguments: argparse.Namespace, *, create: bool, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> "Index":
    """Returns the index at ``--home`` or the default place; ``--lock-timeout`` wins over ours."""
    import dowse.engine

    gc.freeze()
    gc.enable()
    asked = arguments.lock_timeout
    return dowse.engine.open(
        None if arguments.home is None else Path(arguments.home).expanduser(),
        create=create,
        lock_timeout_s=lock_timeout_s if asked is None else asked,
    )


def find_current_folder() -> str:
    """Returns the real path of the current directory; empty when it has been deleted meanwhile."""
    try:
        return os.path.realpath(Path.cwd())
    except OSError:
        return ""


def parse_folder(text: str) -> Path:
    """Returns the real path of a folder that is there and can be listed.

    Raises:
        FolderNotFoundError: There is no such folder, it is a file, or it may not be read.
    """
    try:
        folder = Path(os.path.realpath(Path(text).expanduser()))
        is_there = folder.exists()
    except (OSError, RuntimeError, ValueError) as error:  # too long, no way in, no such user
        reason = getattr(error, "strerror", None) or str(error)
        raise FolderNotFoundError(path=text, reason=reason) from error
    if not is_there:
        raise FolderNotFoundError(path=text, reason="there is no such folder")
    if not folder.is_dir():
        raise FolderNotFoundError(path=text, reason="this is a file, not a folder")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise FolderNotFoundError(path=text, reason="you may not read this folder")
    return folder
