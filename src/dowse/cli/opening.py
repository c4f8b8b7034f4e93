"""Opens the index a command was asked to use."""

import argparse
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import FolderNotFoundError

if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings
    from dowse.engine import Index

LOCK_TIMEOUT_S = 60.0


def open_index(
    arguments: argparse.Namespace,
    *,
    create: bool,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    folder: Path | None = None,
    is_patient: bool = False,
) -> "Index":
    """Returns the index at ``--home``, where the configuration says, or at the default place.

    Args:
        arguments: Those of the command; ``--lock-timeout`` wins over `lock_timeout_s`.
        create: Whether a missing index is made.
        lock_timeout_s: How long to wait for another process.
        folder: Whose configuration counts; that of the current one when not given.
        is_patient: Whether a slow embedding service is waited for, and asked again.
    """
    import dowse.engine
    from dowse.cli.configuration import find_folder_settings, find_values

    home = arguments.home or find_values("" if folder is None else str(folder)).values["home"]
    gc.freeze()
    gc.enable()
    asked = arguments.lock_timeout
    return dowse.engine.open(
        None if home is None else Path(str(home)).expanduser(),
        create=create,
        lock_timeout_s=lock_timeout_s if asked is None else asked,
        settings_of=find_folder_settings,
        embedding=lambda: find_embedding(arguments, folder, is_patient=is_patient),
    )


def find_embedding(
    arguments: argparse.Namespace, folder: Path | None = None, *, is_patient: bool = True
) -> "EmbeddingSettings":
    """Returns what makes vectors, as the configuration and ``--threads`` say.

    Raises:
        ConfigError: A file or a variable says what no option is.
    """
    from dataclasses import replace

    from dowse.cli.configuration import find_values
    from dowse.config.embedding_settings import build_embedding, find_question_timeout_s
    from dowse.engine.home import default_cache

    values = find_values("" if folder is None else str(folder))
    asked = getattr(arguments, "threads", None) or values.values["embedding.threads"]
    threads = int(str(asked)) or count_processors()
    settings = build_embedding(values, os.environ, default_cache(), threads=threads)
    if settings.http is not None and not is_patient:
        # A question is not worth a minute of waiting: the words alone answer it.
        timeout_s = find_question_timeout_s(values)
        return replace(settings, http=replace(settings.http, retries=0, timeout_s=timeout_s))
    return settings


def count_processors() -> int:
    """Returns how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
