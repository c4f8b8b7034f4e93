"""Where an index lives when nobody says, and where what can be made again is kept."""

import os
from pathlib import Path

from dowse.errors import IndexNotFoundError
from dowse.storage.home import FILE_NAME, Home
from dowse.storage.store import MEMORY

TREES = "trees"
SINGLE_CATALOG = "catalog.db"
"""What a home of the old layout has, in which all trees shared one catalogue."""


def default_home() -> Path:
    """Returns ``$DOWSE_HOME``, or ``dowse`` in the platform's folder for application data."""
    given = os.environ.get("DOWSE_HOME")
    if given:
        return Path(given).expanduser()
    if os.name == "posix" and os.uname().sysname == "Linux":
        # What platformdirs would say, without its 20 ms import in front of every search.
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(base).expanduser() / "dowse"
    from platformdirs import user_data_path

    return user_data_path("dowse", appauthor=False)


def default_cache() -> Path:
    """Returns ``$DOWSE_CACHE``, or ``dowse`` in the platform's folder for caches."""
    given = os.environ.get("DOWSE_CACHE")
    if given:
        return Path(given).expanduser()
    if os.name == "posix" and os.uname().sysname == "Linux":
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        return Path(base).expanduser() / "dowse"
    from platformdirs import user_cache_path

    return user_cache_path("dowse", appauthor=False)


def open_home(place: Path | str, lock_timeout_s: float, *, create: bool) -> Home:
    """Opens what the trees of a home share; a home of the old layout becomes one of trees first.

    Raises:
        IndexNotFoundError: There is no home, and `create` is False.
        IndexLockedError: It is of the old layout, and another process is at it.
    """
    if place == MEMORY:
        return Home(None)
    path = Path(place)
    if create:
        path.mkdir(parents=True, exist_ok=True)
    elif not any((path / name).exists() for name in (FILE_NAME, TREES, SINGLE_CATALOG)):
        raise IndexNotFoundError(home=path)
    home = Home(path)
    if (path / SINGLE_CATALOG).exists():
        from dowse.engine.migration import migrate_home

        migrate_home(path, home, lock_timeout_s)
    return home
