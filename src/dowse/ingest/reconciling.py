"""Compares items with what is known of them: which are new, changed, gone? A pure decision."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dowse.ingest.source import KnownItem, SourceItem


class Difference(NamedTuple):
    """How what there is differs from what is known.

    Attributes:
        to_read: Items that are new or look different, in the order found.
        removed: Keys of items that are gone.
        unchanged: How many documents are as they were.
        refused: Keys of items that are as they were, and gave no document.
    """

    to_read: tuple[SourceItem, ...]
    removed: tuple[str, ...]
    unchanged: int
    refused: tuple[str, ...] = ()


def reconcile(
    found: Sequence[SourceItem],
    known: Mapping[str, KnownItem],
    unseen_folders: Iterable[str],
    *,
    reads_all: bool,
) -> Difference:
    """Decides what to do.

    Args:
        found: All items that are to be indexed.
        known: What the items were like, by key.
        unseen_folders: Folders that could not be listed; their documents stay as they are, because a file
            that cannot be seen is not necessarily gone.
        reads_all: True when settings changed and every item must be read again.
    """
    to_read, refused, unchanged = [], [], 0
    left = dict(known)
    for item in found:
        before = left.pop(item.key, None)
        is_same = (
            before is not None and before.size == item.size and before.mtime_ns == item.mtime_ns
        )
        if is_same and not reads_all:
            if before is not None and before.doc_id:
                unchanged += 1
            else:
                refused.append(item.key)
        else:
            to_read.append(item)
    prefixes = tuple(folder.rstrip("/") + "/" for folder in unseen_folders)
    removed = tuple(key for key in left if not (prefixes and key.startswith(prefixes)))
    return Difference(tuple(to_read), removed, unchanged, tuple(refused))
