"""Comparing a folder with the catalogue."""

from dowse.ingest.reconciling import Difference, reconcile
from dowse.ingest.source import KnownItem, SourceItem


def found(path: str, size: int = 1, mtime_ns: int = 1) -> SourceItem:
    """A file as discovery sees it."""
    return SourceItem(path, f"/root/{path}", size, mtime_ns)


KNOWN = {"a.md": KnownItem(1, 1, 1, "hash"), "sub/b.md": KnownItem(2, 1, 1, "hash")}
BOTH = [found("a.md"), found("sub/b.md")]


def test_nothing_changed():
    """Files with the size and time they had are left alone."""
    assert Difference((), (), 2) == reconcile(BOTH, KNOWN, [], reads_all=False)


def test_a_new_file_is_read():
    """What the catalogue does not know must be read."""
    work = reconcile([*BOTH, found("c.md")], KNOWN, [], reads_all=False)
    assert Difference((found("c.md"),), (), 2) == work


def test_a_file_that_looks_different_is_read():
    """Another size or another time is enough; an older time too, as a restored backup has it."""
    changed = [found("a.md", size=2), found("sub/b.md", mtime_ns=0)]
    assert Difference(tuple(changed), (), 0) == reconcile(changed, KNOWN, [], reads_all=False)


def test_a_file_that_is_gone_is_removed():
    """What is known and not found goes."""
    assert Difference((), ("sub/b.md",), 1) == reconcile([found("a.md")], KNOWN, [], reads_all=False)


def test_files_below_an_unseen_folder_stay():
    """A folder that could not be listed says nothing about its files; others go all the same."""
    assert Difference((), ("a.md",), 0) == reconcile([], KNOWN, ["sub"], reads_all=False)
    assert Difference((), ("a.md",), 0) == reconcile([], KNOWN, ["sub/"], reads_all=False)
    assert ("a.md", "sub/b.md") == reconcile([], KNOWN, ["su"], reads_all=False).removed


def test_changed_settings_read_all():
    """Even files that look the same are read again."""
    assert Difference(tuple(BOTH), (), 0) == reconcile(BOTH, KNOWN, [], reads_all=True)


def test_a_pushed_document_has_no_file():
    """A document without size and time, pushed into a folder's tree, is not found and goes."""
    pushed = {"note": KnownItem(3, None, None, "hash")}
    assert Difference((), ("note",), 0) == reconcile([], pushed, [], reads_all=False)
