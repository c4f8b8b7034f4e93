"""Hits that are only named, which are made without their constructor."""

import dowse
from dowse.search import Hit


def test_hits_without_snippets_have_all_their_fields():
    """Those that are not shown have their defaults, in their places."""
    with dowse.open(":memory:") as index:
        index.add("one", "first text", title="One")
        index.commit()
        (hit,) = index.search(dowse.SearchRequest("text", snippets=False)).hits
    assert Hit(1, hit.score, "default", "one", 0) == hit
    assert len(Hit._fields) == len(hit)
