"""Which rows may appear."""

from pathlib import Path

import pytest

import dowse
from dowse.errors import UnknownTreeError
from dowse.matching.masks import place_masks
from dowse.storage.snapshot import Snapshot


@pytest.fixture
def snapshot():
    """Two trees, a segment each: rows tea, green tea and deleted tea, and tea in the other."""
    with dowse.open(":memory:") as index:
        index.add("a", "tea", title="-")
        index.add("sub/b", "green tea", title="-")
        index.add("d", "tea", title="-")
        index.add("c", "tea", title="-", tree="other")
        index.commit()
        index.delete("d")
        index.commit()
        yield index.answering(None).current().snapshot


def masks(snapshot: Snapshot, tree: str | None, under: str = "") -> list[list[int] | None]:
    """Returns the masks of all segments as lists, in a tree and below a folder if they are given."""
    found = [
        segment.allowed(mask)
        for segment, mask in zip(snapshot.segments, place_masks(snapshot, tree, under), strict=True)
    ]
    return [None if mask is None else mask.tolist() for mask in found]


def test_deleted_rows_never_appear(snapshot):
    """Without any other condition the live rows remain, and where all are, there is no mask."""
    assert [[1, 1, 0], None] == masks(snapshot, None)


def test_documents_of_a_tree_and_a_folder(snapshot):
    """Only that tree's rows, and of those the ones below the folder."""
    assert [[1, 1, 0], [0]] == masks(snapshot, "default")
    assert [[0, 1, 0], [0]] == masks(snapshot, "default", "sub/")
    assert [[0, 0, 0], [0]] == masks(snapshot, "other", "sub/")
    with pytest.raises(UnknownTreeError):
        masks(snapshot, "nobody")


def test_a_folder_has_the_trees_inside_it(tmp_path: Path):
    """All of a tree below it, a part of one that it lies in, nothing of one beside it."""
    for file in ("a/one.txt", "a/b/two.txt", "a/b/sub/three.txt", "a/c/four.txt"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("tea")
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(tmp_path / "a" / "b")
        index.sync_folder(tmp_path / "a")
        snapshot = index.answering("a").current().snapshot
        assert [None, None] == masks(snapshot, "a")
        assert [[0, 0], None] == masks(snapshot, "a", "b/")
        assert [[0, 0], [1, 0]] == masks(snapshot, "a", "b/sub/")
        assert [[1, 0], [0, 0]] == masks(snapshot, "a", "c/")
