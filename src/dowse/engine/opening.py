"""Opens an index as the configuration says: where it lives, how folders are read, what makes vectors.

Every face opens its index here, so that one configuration holds for all of them. Files and variables are read
when they are first asked for, once per folder; a long-lived process calls `forget_configuration` to
read them again.
"""

import os
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dowse.config.merging import Effective
    from dowse.config.settings import FolderSettings, Settings
    from dowse.embedding import EmbeddingSettings
    from dowse.engine.engine import Engine

LOCK_TIMEOUT_S = 60.0


class ConfiguredRoot(NamedTuple):
    """The folder that becomes a tree when a folder inside it is indexed.

    Attributes:
        name: That of the configured tree; None when the folder belongs to none.
    """

    path: Path
    name: str | None


def open_configured(
    home: str | os.PathLike[str] | None = None,
    *,
    create: bool,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    folder: str = "",
    threads: int = 0,
    is_patient: bool = False,
) -> "Engine":
    """Opens the index at `home`, or where the configuration says, with the settings that hold in a folder.

    Args:
        home: Its folder; None for the configured or default one.
        create: Whether a missing index is made.
        lock_timeout_s: How long a change waits for another process that is writing.
        folder: Whose configuration counts; the current one when empty.
        threads: For the embedding model; 0 for as many as the configuration says.
        is_patient: Whether a slow embedding service is waited for, and asked again.

    Raises:
        ConfigError: A configuration file or environment variable sets an invalid option.
    """
    from dowse.engine.index import open_index

    place = home or get_values(folder).values["home"]
    return open_index(
        None if place is None else Path(str(place)).expanduser(),
        create=create,
        lock_timeout_s=lock_timeout_s,
        settings_of=get_folder_settings,
        embedding=partial(get_embedding_settings, folder, threads=threads, is_patient=is_patient),
    )


@lru_cache
def get_values(folder: str = "") -> "Effective":
    """Returns every option's value and origin in a folder; in the current one when it is empty.

    Raises:
        ConfigError: A configuration file or environment variable sets an invalid option.
    """
    from dowse.config.loading import load_effective

    return load_effective(Path(folder or find_current_folder() or "/"), os.environ)


@lru_cache
def get_settings(folder: str = "") -> "Settings":
    """Returns the settings that hold in a folder; in the current one when it is empty."""
    from dowse.config.settings import build_settings

    return build_settings(get_values(folder))


def get_folder_settings(root: Path) -> "FolderSettings":
    """Returns how a folder is indexed: as the files around it say, wherever the process runs."""
    return get_settings(os.path.realpath(root)).for_folder(root)


def get_configured_root(folder: Path) -> ConfiguredRoot:
    """Returns the root of the configured tree that holds a folder; the folder itself when none does."""
    tree = get_settings(str(folder)).find_tree(folder)
    if tree is None:
        return ConfiguredRoot(folder, None)
    return ConfiguredRoot(Path(tree.path).resolve(), tree.name)


def get_embedding_settings(
    folder: str = "", *, threads: int = 0, is_patient: bool = True
) -> "EmbeddingSettings":
    """Returns what makes vectors, as the configuration says.

    Args:
        folder: Whose configuration counts; the current one when empty.
        threads: For a model on this machine; 0 for as many as the configuration says.
        is_patient: Whether a slow service is waited for, and asked again.

    Raises:
        ConfigError: A configuration file or environment variable sets an invalid option.
    """
    from dataclasses import replace

    from dowse.config.embedding_settings import build_embedding, find_question_timeout_s
    from dowse.engine.home import default_cache

    values = get_values(folder)
    threads = threads or int(str(values.values["embedding.threads"])) or count_processors()
    settings = build_embedding(values, os.environ, default_cache(), threads=threads)
    if settings.http is not None and not is_patient:
        # A question is not worth a minute of waiting: the words alone answer it.
        timeout_s = find_question_timeout_s(values)
        return replace(settings, http=replace(settings.http, retries=0, timeout_s=timeout_s))
    return settings


def forget_configuration() -> None:
    """Lets files and variables be read again when they are next asked for."""
    get_values.cache_clear()
    get_settings.cache_clear()


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
