"""What filters can ask of a document."""

import pytest

import dowse
from dowse.errors import UnknownFieldError
from dowse.matching.document_filters import DOCUMENT_FILTERS, get_filter
from dowse.query.names import FILTERS, META, RANGES

PAGES = {
    "guide/tea.md": "---\nauthor: Ana Lima\ndate: 2024-03-05\nyear: 2021\ntags: [Drink]\n---\nwater\n",
    "guide/deep/milk.md": (
        "---\nauthors: [Bo, Cy]\ndate: 2023-12-31\nlang: de\nseries: {part: 2}\n---\nwater\n"
    ),
    "notes.txt": "water " * 200,
}


@pytest.fixture(scope="module")
def index():
    """Documents with and without metadata, in two trees."""
    with dowse.open(":memory:") as index:
        for key, text in PAGES.items():
            index.add(key, text, path=key, format="markdown" if key.endswith("md") else "text")
        index.add("other", "water", tree="elsewhere")
        index.commit()
        yield index


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("tree:elsewhere", ["other"]),
        ("-tree:elsewhere", ["guide/deep/milk.md", "guide/tea.md", "notes.txt"]),
        ("path:tea", ["guide/tea.md"]),
        ("path:guide/*.md", ["guide/deep/milk.md", "guide/tea.md"]),
        ("path:*.TXT", ["notes.txt"]),
        ("dir:guide", ["guide/deep/milk.md", "guide/tea.md"]),
        ("dir:deep/", ["guide/deep/milk.md"]),
        ("ext:md", ["guide/deep/milk.md", "guide/tea.md"]),
        (".txt", ["notes.txt"]),
        ("ext:md,txt", ["guide/deep/milk.md", "guide/tea.md", "notes.txt"]),
        (".md .txt", ["guide/deep/milk.md", "guide/tea.md", "notes.txt"]),
        ("ext:md tree:elsewhere ext:txt", []),
        ("tree:elsewhere tree:default", ["guide/deep/milk.md", "guide/tea.md", "notes.txt", "other"]),
        ("lang:de lang:english ext:md", ["guide/deep/milk.md", "guide/tea.md"]),
        ("type:text type:markdown dir:guide dir:deep", ["guide/deep/milk.md"]),
        ("-ext:md -ext:txt", ["other"]),
        ("tag:drink", ["guide/tea.md"]),
        ("author:lima", ["guide/tea.md"]),
        ("author:bo,ana", ["guide/deep/milk.md", "guide/tea.md"]),
        ("lang:de", ["guide/deep/milk.md"]),
        ("lang:english", ["guide/tea.md", "notes.txt", "other"]),
        ("type:markdown", ["guide/deep/milk.md", "guide/tea.md"]),
        ("date:2024", ["guide/tea.md"]),
        ("date:2023..2024-02", ["guide/deep/milk.md"]),
        ("date:>2023-12", ["guide/tea.md"]),
        ("size:>1k", ["notes.txt"]),
        ("size:<100", ["guide/deep/milk.md", "guide/tea.md", "other"]),
        ("meta.year:2020..2022", ["guide/tea.md"]),
        ("meta.year:2021", ["guide/tea.md"]),
        ("meta.YEAR:>2021", []),
        ("meta.series.part:2", ["guide/deep/milk.md"]),
        ("meta.nothing:x", []),
        ("ext:md -author:ana", ["guide/deep/milk.md"]),
    ],
)
def test_filters_let_the_right_documents_through(index, filters, expected):
    """Each kind of filter, alone beside a word that all documents have."""
    response = index.search(dowse.SearchRequest(f"water {filters}", fuzzy="never"))
    assert expected == sorted(hit.doc_key for hit in response.hits)


def test_a_filter_alone_finds_all_it_lets_through(index):
    """Without words every chunk of the documents is a hit, with score 0."""
    response = index.search("ext:md")
    assert ["guide/deep/milk.md", "guide/tea.md"] == sorted({hit.doc_key for hit in response.hits})
    assert {0.0} == {hit.score for hit in response.hits}


def test_every_filter_of_the_language_has_a_row():
    """What can be written can be answered."""
    assert {*FILTERS, *RANGES, META} == {row.name for row in DOCUMENT_FILTERS}
    with pytest.raises(UnknownFieldError):
        get_filter("colour")
