"""An index is what was put into it, however it was put there (FORMAT.md, S1, S6, S9, S10)."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from strategies import ANY_TEXTS, TEXTS

import dowse
from dowse.analysis import Analyzer
from dowse.query import nodes, unparse_node
from dowse.search.pipeline import answer
from dowse.storage import merging

ANALYZER = Analyzer()
KEYS = st.sampled_from(["a", "b", "c", "d"])
STEPS = st.lists(
    st.tuples(st.just("add"), KEYS, TEXTS)
    | st.tuples(st.just("delete"), KEYS, st.just(""))
    | st.tuples(st.sampled_from(["commit", "merge", "search"]), st.just(""), st.just("")),
    max_size=25,
)
QUERIES = ("tea", "green tea water", '"green tea"', "tea -water", "getUserById x", "-tea", "漢字 the")


@contextmanager
def small_tiers() -> Iterator[None]:
    """Lets two segments merge, so that a few commits already do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "FANOUT", 2)
        yield


def answers(index: dowse.Index, preset: str = "default") -> list[list[tuple[float, str, str]]]:
    """Returns all hits of some queries; rows of equal score have no order that must be kept."""
    found = []
    for query in QUERIES:
        request = dowse.SearchRequest(query, limit=100, preset=preset)
        hits = index.search(request).hits
        scores = [hit.score for hit in hits]
        assert sorted(scores, reverse=True) == scores
        found.append(sorted((-hit.score, hit.doc_key, hit.snippet.text) for hit in hits))
    return found


def as_stored(text: str) -> str:
    """A string is kept as it is but for NUL and a byte-order mark at its start."""
    return text.replace("\0", " ").removeprefix("\ufeff")


def texts(index: dowse.Index) -> dict[str, str]:
    """Returns what the index holds."""
    found = {}
    for key in "abcd":
        try:
            found[key] = index.get(key).text
        except dowse.DowseError:
            continue
    return found


def run(
    index: dowse.Index, steps: list[tuple[str, str, str]], before: dict[str, str] | None = None
) -> dict[str, str]:
    """Does the steps and a last commit; returns what must be in the index then."""
    expected = dict(before or {})
    for step, key, text in steps:
        if step == "add":
            index.add(key, text)
            expected[key] = as_stored(text)
        elif step == "delete":
            assert (key in expected) == index.delete(key)
            expected.pop(key, None)
        elif step == "commit":
            index.commit()
        elif step == "search":
            index.search("tea")
        else:
            index.commit()  # what merges by itself leaves the rest alone, and refuses
            index.optimize()
    index.commit()
    return expected


def fresh(expected: dict[str, str]) -> dowse.Index:
    """Builds an index with one commit."""
    index = dowse.open(":memory:")
    for key, text in expected.items():
        index.add(key, text)
    index.commit()
    return index


@given(ANY_TEXTS)
@settings(max_examples=80, deadline=None)
def test_any_text_is_found_by_its_words_and_can_be_deleted(text):
    """Whatever Unicode is indexed, each of its words finds it, until it is deleted."""
    # Written so that no sign in a word has a meaning.
    findable = [unparse_node(nodes.Word(word)) for word in text.split() if ANALYZER.query_tokens(word)]
    with dowse.open(":memory:") as index:
        index.add("other", "nothing of the kind")
        index.add("it", text, title="it")
        index.commit()
        assert as_stored(text) == index.get("it").text
        for word in findable:
            assert "it" in [hit.doc_key for hit in index.search(word).hits]
        assert index.delete("it")
        index.commit()
        for word in findable:
            assert "it" not in [hit.doc_key for hit in index.search(word).hits]


@given(STEPS)
@settings(max_examples=40, deadline=None)
def test_incremental_equals_fresh(steps):
    """Any interleaving of adding, replacing, deleting, committing and merging ranks like one build."""
    assert_incremental_equals_fresh(steps)


@pytest.mark.slow
@given(st.lists(STEPS, max_size=4).map(lambda parts: [step for part in parts for step in part]))
@settings(max_examples=500, deadline=None)
def test_long_histories_equal_fresh(steps):
    """The same for up to a hundred steps, many times."""
    assert_incremental_equals_fresh(steps)


def assert_incremental_equals_fresh(steps: list[tuple[str, str, str]]) -> None:
    """Compares documents, answers and counts with an index built at once."""
    with small_tiers(), dowse.open(":memory:") as index:
        expected = run(index, steps)
        assert expected == texts(index)
        with fresh(expected) as built:
            for preset in ("default", "plain"):
                assert answers(built, preset) == answers(index, preset)
        assert len(expected) == index.status().documents


@given(st.lists(TEXTS, min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_one_segment_equals_many(many):
    """One commit a document gives the answers of one commit for all, in the same order."""
    with dowse.open(":memory:") as one, dowse.open(":memory:") as split:
        for number, text in enumerate(many):
            one.add(str(number), text)
            split.add(str(number), text)
            split.commit()
        one.commit()
        for query in QUERIES:
            expected, actual = one.search(query), split.search(query)
            assert [astuple(hit)[:5] for hit in expected.hits] == [astuple(hit)[:5] for hit in actual.hits]
            assert expected.total == actual.total


@given(STEPS)
@settings(max_examples=20, deadline=None)
def test_rebuilding_changes_no_answer(steps):
    """Segments made again from the catalogue answer as those they replace."""
    with dowse.open(":memory:") as index:
        run(index, steps)
        before = answers(index)
        index.rebuild()
        assert before == answers(index)
        assert index.check().is_healthy


@given(STEPS)
@settings(max_examples=8, deadline=None)
def test_a_reopened_disk_index_equals_the_one_in_memory(steps):
    """The same steps on disk, closed and opened again, give the same answers."""
    with (
        tempfile.TemporaryDirectory() as home,
        small_tiers(),
        dowse.open(":memory:") as memory,
    ):
        expected = run(memory, steps)
        with dowse.open(home) as disk:
            assert expected == run(disk, steps)
        with dowse.open(home, create=False) as disk:
            assert expected == texts(disk)
            assert answers(memory) == answers(disk)
            assert disk.check().is_healthy


@given(STEPS, STEPS)
@settings(max_examples=8, deadline=None)
def test_a_snapshot_keeps_its_generation(before, after):
    """A generation opened before a change answers as before, whatever is committed or merged after."""
    with tempfile.TemporaryDirectory() as home, small_tiers(), dowse.open(home) as index:
        held = run(index, before)
        context = index.answering(None).current()
        requests = [dowse.SearchRequest(query, limit=100) for query in QUERIES]
        expected = [answer(request, context).hits for request in requests]
        run(index, after, held)
        index.optimize()
        index.search("tea")
        assert expected == [answer(request, context).hits for request in requests]


@given(STEPS)
@settings(max_examples=10, deadline=None)
def test_nothing_is_visible_before_the_commit(steps):
    """Changes without a commit change no answer, and closing forgets them (indexing, invariant 1)."""
    with tempfile.TemporaryDirectory() as home:
        with dowse.open(home) as index:
            index.add("a", "green tea")
            index.commit()
            expected = answers(index)
            for step, key, text in steps:
                if step == "add":
                    index.add(key, text)
                elif step == "delete":
                    index.delete(key)
            assert expected == answers(index)
            assert {"a": "green tea"} == texts(index)
        with dowse.open(home) as index:
            assert {"a": "green tea"} == texts(index)
