"""Removes what no generation names: folders that a crash or a merge has left behind."""

from collections.abc import Collection

from dowse.storage.directory import Directory


def sweep_folders(directory: Directory, live: Collection[str]) -> list[str]:
    """Removes all folders but the live ones; returns those that it removed."""
    gone = [folder for folder in directory.folders() if folder not in live]
    for folder in gone:
        directory.remove(folder)
    return gone
