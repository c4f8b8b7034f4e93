"""Where an index lives when nobody says, and where what can be made again is kept."""

import os
from pathlib import Path


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
