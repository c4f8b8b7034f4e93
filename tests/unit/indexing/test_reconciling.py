"""Comparing a folder with the catalogue."""

from dowse.indexing.reconciling import KnownFile, WorkList, reconcile
from dowse.ingest.discovery import FoundFile


def found(path: str, size: int = 1, mtime_ns: int = 1) -> FoundFile:
    """A file as discovery sees it."""
    return FoundFile(path, f"/root/{path}", size, mtime_ns)


KNOWN = {"a.md": KnownFile(1, 1, 1, "hash"), "sub/b.md": KnownFile(2, 1, 1, "hash")}
BOTH = [found("a.md"), found("sub/b.md")]


def test_nothing_changed():
    """Files with the size and time they had are left alone."""
    assert WorkList((), (), 2) == reconcile(BOTH, KNOWN, [], reads_all=False)


def test_a_new_file_is_read():
    """What the catalogue does not know must be read."""
    work = reconcile([*BOTH, found("c.md")], KNOWN, [], reads_all=False)
    assert WorkList((found("c.md"),), (), 2) == work


def test_a_file_that_looks_different_is_read():
    """Another size or another time is enough; an older time too, as a restored backup has it."""
    changed = [found("a.md", size=2), found("sub/b.md", mtime_ns=0)]
    assert WorkList(tuple(changed), (), 0) == reconcile(changed, KNOWN, [], reads_all=False)


def test_a_file_that_is_gone_is_removed():
    """What is known and not found goes."""
    assert WorkList((), ("sub/b.md",), 1) == reconcile([found("a.md")], KNOWN, [], reads_all=False)


def test_files_below_an_unseen_folder_stay():
    """A folder that could not be listed says nothing about its files; others go all the same."""
    assert WorkList((), ("a.md",), 0) == reconcile([], KNOWN, ["sub"], reads_all=False)
    assert WorkList((), ("a.md",), 0) == reconcile([], KNOWN, ["sub/"], reads_all=False)
    assert ("a.md", "sub/b.md") == reconcile([], KNOWN, ["su"], reads_all=False).removed


def test_changed_settings_read_all():
    """Even files that look the same are read again."""
    assert WorkList(tuple(BOTH), (), 0) == reconcile(BOTH, KNOWN, [], reads_all=True)


def test_a_pushed_document_has_no_file():
    """A document without size and time, pushed into a folder's tree, is not found and goes."""
    pushed = {"note": KnownFile(3, None, None, "hash")}
    assert WorkList((), ("note",), 0) == reconcile([], pushed, [], reads_all=False)
