"""Opens the index a command was asked to use."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import garbage_collection
from dowse.engine.opening import LOCK_TIMEOUT_S
from dowse.errors import FolderNotFoundError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine


def open_index(
    arguments: argparse.Namespace,
    *,
    create: bool,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    folder: Path | None = None,
    is_patient: bool = False,
) -> "Engine":
    """Returns the index at ``--home``, where the configuration says, or at the default place.

    Args:
        arguments: Those of the command; ``--lock-timeout`` wins over `lock_timeout_s`.
        create: Whether a missing index is made.
        lock_timeout_s: How long to wait for another process.
        folder: Whose configuration counts; that of the current one when not given.
        is_patient: Whether a slow embedding service is waited for, and asked again.
    """
    from dowse.engine.opening import open_configured

    asked = arguments.lock_timeout
    garbage_collection.resume()
    return open_configured(
        arguments.home,
        create=create,
        lock_timeout_s=lock_timeout_s if asked is None else asked,
        folder="" if folder is None else str(folder),
        threads=getattr(arguments, "threads", None) or 0,
        is_patient=is_patient,
    )


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
