"""Why a document is not among the hits: every reason, and what would bring the document back."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import dowse
from dowse.schema import DocumentOutcome
from dowse.schema.document_explanation import REASONS
from dowse.search.modes import MODES

TEXTS = {
    "tea.md": "Green tea is steeped for two minutes. The water must not boil.",
    "coffee.md": "Black coffee is brewed with boiling water.",
    "bus.md": "The yellow bus stops here every morning.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterable[dowse.Index]:
    """A folder with a file that fails and one that was deleted, and a tree of pushed texts."""
    folder = tmp_path_factory.mktemp("missing") / "kitchen"
    (folder / "old").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "two.md").write_text(
        "---\ntitle: Two\nauthor: Ann\n---\n# Red\n\nred apples\n\n# Blue\n\nblue plums\n", encoding="utf-8"
    )
    (folder / "old" / "gone.md").write_text("old tea", encoding="utf-8")
    (folder / "picture.md").write_bytes(b"\x00\x01\x02binary\x00")
    (folder / "empty.md").write_text("", encoding="utf-8")
    with dowse.open(":memory:") as index:
        index.sync_folder(folder, name="kitchen")
        (folder / "old" / "gone.md").unlink()
        index.sync_folder(folder, name="kitchen")
        index.add("note", "tea in a note", tree="notes")
        index.commit()
        yield index


def explain(index: dowse.Index, query: str, doc_key: str = "tea.md", **changes: object) -> DocumentOutcome:
    """Returns why a document is not shown; similar words are not taken, for clearer reasons."""
    request = dowse.SearchRequest(query, **({"tree": "kitchen", "fuzzy": "never"} | changes))
    return index.explain(request, doc_key).outcome


@pytest.mark.parametrize(
    ("query", "doc_key", "reason", "sentence", "suggestion"),
    [
        ("tea", "tee.md", "not-indexed", "does not have it", "did you mean tea.md?"),
        ("tea", "picture.md", "failed", "could not be read", ""),
        ("tea", "note", "other-tree", "it is in the tree “notes”", "search the tree “notes”"),
        ("", "tea.md", "no-words", "no word to search for", "write a word"),
        ("!!!", "tea.md", "no-words", "no word to search for", "write a word"),
        ("tea ext:pdf", "tea.md", "filtered", "ext:pdf leaves it out: its ext is “md”", "leave out ext:pdf"),
        ("plums author:bob", "two.md", "filtered", "its author is “Ann”", "leave out author:bob"),
        ("tea size:>1k", "tea.md", "filtered", "its size is 62 bytes", "leave out size:>1k"),
        ("tea tag:x", "tea.md", "filtered", "its tag is not known", "leave out tag:x"),
        ("tea -water", "tea.md", "excluded", "it has water, which the query excludes", "leave out -water"),
        ('tea -"green tea"', "tea.md", "excluded", 'it has "green tea"', 'leave out -"green tea"'),
        ("tea AND NOT water", "tea.md", "excluded", "it has water", "leave out -water"),
        ("apples -red", "two.md", "excluded", "it has red, which the query excludes", "leave out -red"),
        ("sugar", "tea.md", "not-matched", "it does not have the word sugar", ""),
        ("steepd", "tea.md", "not-matched", "the word steepd", "steepd~ finds similar words"),
        ("sugar honey", "tea.md", "not-matched", "none of the words “sugar”, “honey”", ""),
        ("tea AND sugar", "tea.md", "not-matched", "it does not have the word sugar", ""),
        ('"green water"', "tea.md", "not-matched", "it has green, water", 'ask for "green water"~'),
        ('"green sugar"', "tea.md", "not-matched", "it has green; it lacks sugar", "without quotes"),
        ("title:water", "tea.md", "not-matched", "the word water in its title", "leave the field out"),
        ("NEAR(green, boil, 2)", "tea.md", "not-matched", "not where the query wants", "green, boil, 10)"),
        ("NEAR(green, sugar, 2)", "tea.md", "not-matched", "it has green; it lacks sugar", ""),
        ("FIRST(boil, 2)", "tea.md", "not-matched", "not where the query wants", "FIRST(boil, 100)"),
        ("3 OF (green tea sugar)", "tea.md", "not-matched", "more than 2 of 3 parts", "ask for 2 of them"),
        ("coff*", "tea.md", "not-matched", "no word of it fits coff*", ""),
        ("exact:offee", "tea.md", "not-matched", 'does not have the text exact:"offee"', ""),
        ("red AND plums", "two.md", "not-matched", "no chunk has all of them", "OR"),
        ("WEAKAND(1: water boiling)", "tea.md", "not-matched", "best 1 that WEAKAND keeps", "more than 1"),
    ],
)
def test_each_step_that_loses_a_document_says_so(index, query, doc_key, reason, sentence, suggestion):
    """The reason is the first step that lost it; the sentence names the part; the suggestion helps."""
    missing = explain(index, query, doc_key)
    assert reason == missing.reason
    assert sentence in missing.sentences[0]
    assert suggestion in " ".join(missing.suggestions)
    assert missing.rank is None


def test_a_deleted_document_is_told_from_one_that_never_was(index):
    """The catalogue remembers for a while what it had."""
    assert "deleted" == explain(index, "tea", "old/gone.md").reason
    assert "not-indexed" == explain(index, "tea", "old/never.md").reason


def test_an_empty_document_is_found_by_its_name_only(index):
    """An empty file is in the index; its text has nothing to match."""
    assert "not-matched" == explain(index, "tea", "empty.md").reason
    assert "shown" == explain(index, "title:empty", "empty.md").reason


def test_another_folder_was_searched(index):
    """The document is in the tree, but not below the folder."""
    missing = explain(index, "tea", under="old/")
    assert ("other-folder", ("only what is below old/ was searched",)) == (missing.reason, missing.sentences)


def test_pages_before_and_after_are_named(index):
    """It is a hit, on another page; the suggestion shows it."""
    first = explain(index, "water", "coffee.md")
    second = explain(index, "water", "tea.md", limit=1)
    ranks = {first.rank, second.rank}
    assert {1, 2} == ranks
    low = "tea.md" if second.rank == 2 else "coffee.md"
    high = "coffee.md" if low == "tea.md" else "tea.md"
    below = explain(index, "water", low, limit=1)
    assert ("below-the-page", ("ask for limit 2",)) == (below.reason, below.suggestions)
    both = index.search(dowse.SearchRequest("water", tree="kitchen", limit=2)).hits
    assert [high, low] == [hit.doc_key for hit in both]
    before = explain(index, "water", high, offset=1)
    assert ("before-the-page", ("ask for offset 0",)) == (before.reason, before.suggestions)


def test_a_hit_is_explained_as_the_search_does(index):
    """The same chunk, rank, score and explanation as in the list of hits."""
    request = dowse.SearchRequest("water boil", tree="kitchen", explain=True)
    for hit in index.search(request).hits:
        standing = index.explain(request, hit.doc_key)
        assert ("shown", hit.rank) == (standing.outcome.reason, standing.outcome.rank)
        assert hit == standing.hit


def test_similar_words_count_when_the_search_took_them(index):
    """Nothing matches as typed: what was searched for instead is what is explained."""
    request = dowse.SearchRequest("cofee", tree="kitchen")
    assert index.search(request).is_fuzzy
    assert "shown" == index.explain(request, "coffee.md").outcome.reason
    assert "no word of it fits cofee~" == index.explain(request, "bus.md").outcome.sentences[0]


def test_fields_that_count_for_nothing_are_named(index):
    """The word matches in the body, whose boost is 0."""
    boosts = tuple((f"boost.{name}", 0.0) for name in ("body", "title", "headings", "path", "tags", "code"))
    missing = explain(index, "steeped", parameters=boosts)
    assert ("not-matched", "it matches only in fields whose boost is 0") == (
        missing.reason, missing.sentences[0],
    )  # fmt: skip


@pytest.mark.parametrize("mode", [mode.name for mode in MODES if not mode.needs])
def test_every_mode_explains_hits_and_misses(index, mode):
    """Whatever the mode, a hit is a hit and another document has a reason."""
    request = dowse.SearchRequest("yellow", tree="kitchen", mode=mode)
    standing = index.explain(request, "bus.md")
    assert "shown" == standing.outcome.reason
    assert standing.hit.score == standing.hit.explanation.value > 0.0
    assert "not-matched" == index.explain(request, "tea.md").outcome.reason


WORDS = ("tea", "water", "boil", "bus", "sugar", '"green tea"', '"tea green"', "wat*", "NEAR(tea, water, 3)")


@settings(max_examples=25, deadline=None)
@given(
    st.recursive(
        st.sampled_from(WORDS),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} AND {pair[1]})"),
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} OR {pair[1]})"),
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} {pair[1]})"),
            inner.map(lambda text: f"NOT {text}"),
            st.tuples(inner, inner, inner).map(lambda three: f"2 OF ({' '.join(three)})"),
        ),
        max_leaves=5,
    )
)
def test_a_document_is_a_hit_or_has_a_reason(index, query):
    """For any query, a document is found exactly when the explanation says so, with a known reason."""
    request = dowse.SearchRequest(query, tree="kitchen", fuzzy="never")
    found = {hit.doc_key for hit in index.search(replace(request, limit=100)).hits}
    for doc_key in ("tea.md", "coffee.md", "bus.md", "two.md"):
        missing = index.explain(request, doc_key).outcome
        assert (doc_key in found) == (missing.reason == "shown")
        assert missing.reason in dict(REASONS)
        assert missing.sentences[0] != "it matches only in fields whose boost is 0"
