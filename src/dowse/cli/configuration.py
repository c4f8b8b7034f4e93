"""What the configuration says where a command runs: read when first asked for, once a folder."""

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli.opening import find_current_folder

if TYPE_CHECKING:
    from dowse.config.merging import Effective
    from dowse.config.settings import FolderSettings, Settings


@lru_cache
def find_values(folder: str = "") -> "Effective":
    """Returns every option's value and origin in a folder; in the current one when it is empty.

    Raises:
        ConfigError: A file or a variable says what cannot be.
    """
    from dowse.config.loading import load_effective

    return load_effective(Path(folder or find_current_folder() or "/"), os.environ)


@lru_cache
def find_settings(folder: str = "") -> "Settings":
    """Returns the settings that hold in a folder; in the current one when it is empty."""
    from dowse.config.settings import build_settings

    return build_settings(find_values(folder))


def find_folder_settings(root: Path) -> "FolderSettings":
    """Returns how a folder is indexed: as the files around it say, wherever the command was typed."""
    return find_settings(os.path.realpath(root)).for_folder(root)
