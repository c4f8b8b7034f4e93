"""Everything that holds in a folder: find the files, check them, merge, build."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.config.files import find_user_file, iter_project_files, read_config_file
from dowse.config.merging import Effective, merge
from dowse.config.options import Value

if TYPE_CHECKING:
    from dowse.config.settings import Settings


def load_effective(
    folder: Path, environment: Mapping[str, str], flags: Mapping[str, Value] | None = None
) -> Effective:
    """Returns every option's value with its origin.

    Args:
        folder: Where to look for project files, from here upwards.
        environment: Variables of the process.
        flags: Values of flags by option name; they win over all else.

    Raises:
        ConfigError: A file or a variable says what cannot be.
    """
    user_path = find_user_file(environment)
    user = read_config_file(user_path, is_user=True) if user_path.is_file() else None
    projects = []
    for path in iter_project_files(folder):
        projects.append(read_config_file(path, is_user=False))
        if projects[-1].values.get("root"):
            break
    return merge(user, projects, environment, flags or {})


def load_settings(
    folder: Path, environment: Mapping[str, str], flags: Mapping[str, Value] | None = None
) -> "Settings":
    """Returns the settings that hold in a folder; see `load_effective`."""
    from dowse.config.settings import build_settings  # late: values alone need no formats

    return build_settings(load_effective(folder, environment, flags))
