"""Which rows may appear."""

import pytest

import dowse
from dowse.matching.masks import place_mask


@pytest.fixture
def snapshot():
    """One segment: rows tea, green tea, tea (other tree), deleted tea."""
    with dowse.open(":memory:") as index:
        index.add("a", "tea", title="-")
        index.add("sub/b", "green tea", title="-")
        index.add("c", "tea", title="-", tree="other")
        index.add("d", "tea", title="-")
        index.commit()
        index.delete("d")
        index.commit()
        yield index._tree.generations.current()


def mask(snapshot, *place):
    """Returns the mask of the only segment as a list, in a tree and below a folder if they are given."""
    (segment,) = snapshot.segments
    found = segment.allowed(place_mask(segment, *place) if place else None)
    return None if found is None else found.tolist()


def test_deleted_rows_never_appear(snapshot):
    """Without any other condition the live rows remain."""
    assert [1, 1, 1, 0] == mask(snapshot)


def test_documents_of_a_tree_and_a_folder(snapshot):
    """Only that tree's rows, and of those the ones below the folder."""
    ids = {tree.name: tree.tree_id for tree in snapshot.trees.values()}
    assert [1, 1, 0, 0] == mask(snapshot, ids["default"], "")
    assert [0, 1, 0, 0] == mask(snapshot, ids["default"], "sub/")
    assert [0, 0, 0, 0] == mask(snapshot, ids["other"], "sub/")


def test_no_condition_is_no_mask():
    """Nothing deleted and nothing asked for costs nothing."""
    with dowse.open(":memory:") as index:
        index.add("a", "tea")
        index.commit()
        assert mask(index._tree.generations.current()) is None
