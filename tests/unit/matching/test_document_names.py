"""Documents by names that are nearly right."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.matching.names import LEAST_BY_EDITS, Names, match_names
from support.open_trees import only_tree
from support.scan import distance

FILES = {
    "docs/README.md": "Overview",
    "docs/getting-started.md": "Getting Started",
    "notes/tea.txt": "On tea",
    "install": "Installation",
}


@pytest.fixture(scope="module")
def index():
    """Documents in two segments, one of them deleted."""
    with dowse.open(":memory:") as index:
        for key, title in FILES.items():
            index.add(key, "some text", title=title)
            index.commit()
        index.add("gone/README.md", "some text", title="Overview")
        index.commit()
        index.delete("gone/README.md")
        index.commit()
        yield index


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("readme.md", ["docs/README.md"]),
        ("REAMDE", ["docs/README.md"]),
        ("Gettign Started", ["docs/getting-started.md"]),
        ("instalation", ["install"]),
        ("overview", ["docs/README.md"]),
        ("zebra", []),
        ("", []),
    ],
)
def test_names_with_slips_are_found(index, text, expected):
    """Titles and file names, with and without extension; what is deleted is not."""
    response = index.search(dowse.SearchRequest(text, mode="fuzzy", parameters=(("key", 1),)))
    assert expected == [hit.doc_key for hit in response.hits]


def test_named_is_part_of_the_language(index):
    """A name beside words binds."""
    assert ["docs/README.md"] == [hit.doc_key for hit in index.search("text named:reamde").hits]


@given(st.text("abcd", min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_names_within_some_edits_are_found(text):
    """Whatever a table of edits says is near enough is among the hits."""
    names = ["abcd", "dcba", "aabbccdd", "abab"]
    with dowse.open(":memory:") as index:
        for name in names:
            index.add(name, "text", title="-")
        index.commit()
        snapshot = only_tree(index).generations.current()
        rows = match_names(snapshot, Names(snapshot), text).rows[0]
        found = {key for _, key, _ in snapshot.segments[0].reader.names.read(rows.tolist())}
    for name in names:
        if 1 - distance(text, name, 1) / max(len(text), len(name)) >= LEAST_BY_EDITS:
            assert name in found
