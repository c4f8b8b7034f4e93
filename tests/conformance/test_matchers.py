"""Every matcher equals a scan over the stored texts, however they are spread over segments."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.analysis import PART, Analyzer
from dowse.kernels.layout import MAX_TERM_FREQ
from dowse.matching import ScoredTerm, match_phrase, match_term
from dowse.matching.scored_term import freq_at, rows_of
from dowse.schema import Field
from dowse.storage.snapshot import Snapshot
from support.open_trees import only_tree

ANALYZER = Analyzer()
Words = tuple[tuple[str, int], ...]
WORDS = ["tea", "teas", "green", "the", "of", "error-handling", "getUserById", "漢字漢", "naïve", "c++"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
DOCUMENTS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8)
SPREADS = ("one segment", "one each", "by three, some deleted")


class Matcher(NamedTuple):
    """How a matcher is called for words at places, and how many words it takes at most."""

    run: Callable[[Snapshot, Words], ScoredTerm]
    max_words: int


# A new matcher joins with a row here.
MATCHERS = {
    "term": Matcher(lambda snapshot, words: match_term(snapshot, words[0][0]), 1),
    "phrase": Matcher(lambda snapshot, words: match_phrase(snapshot, "label", words), 9),
}


@contextmanager
def spread_out(documents: list[tuple[str, str]], spread: str) -> Iterator[Snapshot]:
    """Opens a snapshot of the documents; what is deleted was there before and must not show."""
    with dowse.open(":memory:") as index:
        for number, (title, text) in enumerate(documents):
            if spread.endswith("deleted"):
                index.add(f"gone-{number}", text, title=title)
            index.add(str(number), text, title=title)
            if spread == "one each" or (spread.startswith("by three") and number % 3 == 2):
                index.commit()
        index.commit()
        if spread.endswith("deleted"):
            for number in range(len(documents)):
                assert index.delete(f"gone-{number}")
            index.commit()
        yield only_tree(index).generations.current()


def scan(documents: list[tuple[str, str]], words: Words) -> Counter:
    """Counts, by document and field, the places at which all words stand: the plain answer."""
    found: Counter = Counter()
    for number, texts in enumerate(documents):
        for field, text in zip((Field.TITLE, Field.BODY), texts, strict=True):
            spans = ANALYZER.spans(text)
            places = set(zip(spans.terms, spans.positions, strict=True))
            last = max(spans.positions, default=-1)
            starts = sum(
                all((term, start + offset) in places for term, offset in words)
                for start in range(last + 1)
            )
            if starts:
                found[str(number), int(field)] = min(starts, MAX_TERM_FREQ)
    return found


def live_matches(snapshot: Snapshot, leaf: ScoredTerm) -> Counter:
    """Returns what a leaf found, by document and field; checks order and frequencies on the way."""
    found: Counter = Counter()
    for segment, lists in zip(snapshot.segments, leaf.lists, strict=True):
        fields = [field for _, field in lists]
        assert sorted(set(fields)) == fields
        for source, field in lists:
            rows = rows_of(segment.reader, source)
            assert len(rows)
            assert np.all(np.diff(rows.astype(np.int64)) > 0)
            for row in rows.tolist():
                if segment.live is None or segment.live[row]:
                    key = segment.reader.names.read([row])[0][1], field
                    found[key] = freq_at(segment.reader, source, row)
            for row in set(range(segment.reader.row_count)) - set(rows.tolist()):
                assert 0 == freq_at(segment.reader, source, row)
    return found


def wanted_words(query: str, max_words: int) -> Words:
    """Returns the parts of a query with their places."""
    tokens = [token for token in ANALYZER.query_tokens(query) if token.kind == PART]
    return tuple((token.term, token.position) for token in tokens[:max_words])


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("matcher", MATCHERS.values(), ids=MATCHERS.keys())
@given(documents=DOCUMENTS, query=st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_a_matcher_equals_a_scan(matcher, spread, documents, query):
    """The same documents, fields and frequencies as reading every text; live ones counted once."""
    words = wanted_words(" ".join(query), matcher.max_words)
    expected = scan(documents, words)
    with spread_out(documents, spread) as snapshot:
        leaf = matcher.run(snapshot, words)
        assert expected == live_matches(snapshot, leaf)
        assert len({key for key, _ in expected}) == leaf.doc_freq


@pytest.mark.parametrize("matcher", MATCHERS.values(), ids=MATCHERS.keys())
def test_matching_in_an_empty_index_finds_nothing(matcher):
    """No segment, no row, no error."""
    with dowse.open(":memory:") as index:
        leaf = matcher.run(only_tree(index).generations.current(), (("tea", 0),))
        assert ([], 0) == (list(leaf.lists), leaf.doc_freq)


@pytest.mark.parametrize("matcher", MATCHERS.values(), ids=MATCHERS.keys())
@pytest.mark.parametrize("term", ["", "\0", "\ud800", "x" * 1000])
def test_odd_terms_are_not_found(matcher, term):
    """A term that no analysis makes matches nothing, and breaks nothing."""
    with spread_out([("tea", "green tea")], "one segment") as snapshot:
        assert 0 == matcher.run(snapshot, ((term, 0),)).doc_freq


def test_frequencies_saturate():
    """A word that stands more often than a byte can count has the highest frequency."""
    documents = [("tea " * 400, "body")]
    with spread_out(documents, "one segment") as snapshot:
        found = live_matches(snapshot, match_term(snapshot, "tea"))
        assert {("0", int(Field.TITLE)): MAX_TERM_FREQ} == found
        words = (("tea", 0), ("tea", 1))
        found = live_matches(snapshot, match_phrase(snapshot, "tea tea", words))
        assert {("0", int(Field.TITLE)): MAX_TERM_FREQ} == found
