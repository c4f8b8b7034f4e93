"""Compares a folder with the catalogue: which files are new, changed, gone? A pure decision."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from dowse.ingest.discovery import FoundFile


class KnownFile(Struct, frozen=True):
    """A file as it was when it was read last.

    Attributes:
        doc_id: Its document; 0 for a file in which there is none.
    """

    doc_id: int
    size: int
    mtime_ns: int
    content_hash: str


class WorkList(Struct, frozen=True):
    """What must be done to bring a tree up to date.

    Attributes:
        to_read: Files that are new or look different, in the order found.
        removed: Keys of files that are gone.
        unchanged: How many documents are as they were.
        refused: Files that are as they were, and hold no document.
    """

    to_read: tuple[FoundFile, ...]
    removed: tuple[str, ...]
    unchanged: int
    refused: tuple[str, ...] = ()


def reconcile(
    found: Sequence[FoundFile],
    known: Mapping[str, KnownFile],
    unseen_folders: Iterable[str],
    *,
    reads_all: bool,
) -> WorkList:
    """Decides what to do.

    Args:
        found: All files of the folder that are to be indexed.
        known: What the tree's files were like, by key.
        unseen_folders: Folders that could not be listed; their documents stay as they are, because not
            seeing a file is not the same as its being gone.
        reads_all: True when settings changed and every file must be read again.
    """
    to_read, refused, unchanged = [], [], 0
    left = dict(known)
    for file in found:
        before = left.pop(file.path, None)
        is_same = (
            before is not None and before.size == file.size and before.mtime_ns == file.mtime_ns
        )
        if is_same and not reads_all:
            if before is not None and before.doc_id:
                unchanged += 1
            else:
                refused.append(file.path)
        else:
            to_read.append(file)
    prefixes = tuple(folder.rstrip("/") + "/" for folder in unseen_folders)
    removed = tuple(key for key in left if not (prefixes and key.startswith(prefixes)))
    return WorkList(tuple(to_read), removed, unchanged, tuple(refused))
