"""Checking the catalogue, and giving empty space back."""

from dowse.storage.catalog import Catalog

VACUUM_FROM_SHARE = 0.1
"""The share of empty pages from which shrinking is worth the copy."""


def check_catalog(catalog: Catalog) -> list[str]:
    """Returns what SQLite finds wrong with the catalogue; nothing when it is sound."""
    return [str(message) for (message,) in catalog.fetch("PRAGMA quick_check") if message != "ok"]


def give_space_back(catalog: Catalog) -> None:
    """Shrinks the catalogue when a good part of it is empty; call it between transactions."""
    connection = catalog.connection
    empty = connection.execute("PRAGMA freelist_count").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    if empty > pages * VACUUM_FROM_SHARE:
        connection.execute("VACUUM")
