"""Completions and pages of terms equal what looking at every word finds."""

from collections import Counter
from contextlib import contextmanager

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

import dowse
from dowse.matching.spelling import edit_budget
from dowse.schema import Field
from dowse.suggest.frequent_words import GIVEN_PER_WORD
from support.scan import Text, distance

# Few words with shared beginnings, so that they meet in several chunks and are near each other.
KNOWN = [
    "a", "ab", "abc", "aba", "abab", "abaab", "ababa", "ababb", "abaabab", "ababbaab", "ababbaabba",
    "ababbaabca", "abbabaabbab", "b", "ba", "bab", "babab", "babaab", "bbabba", "c", "cab", "cé", "céa",
]  # fmt: skip
WORDS = st.sampled_from(KNOWN)
BODIES = st.lists(st.lists(WORDS, min_size=1, max_size=10).map(" ".join), min_size=1, max_size=8)
TYPED = st.tuples(WORDS, st.integers(1, 11)).map(lambda pair: pair[0][: pair[1]]) | st.text(
    st.sampled_from("abcé"), min_size=1, max_size=11
)


@contextmanager
def opened(bodies: list[str], chunks_each: int, deleted: bool):
    """Opens an index of the bodies in segments of some chunks; what is deleted has only other words."""
    with dowse.open(":memory:") as index:
        for number, body in enumerate(bodies):
            if deleted:
                index.add(f"gone{number}", f"q{'abc'[number % 3]} aaaaaaax", title="-")
            index.add(f"{number}", body, title="-")
            if number % chunks_each == chunks_each - 1:
                index.commit()
        index.commit()
        if deleted:
            for number in range(len(bodies)):
                index.delete(f"gone{number}")
            index.commit()
        yield index


def scan_words(bodies: list[str]) -> dict[str, int]:
    """Counts by reading every text in how many chunks each word occurs."""
    counts: Counter[str] = Counter()
    for number, body in enumerate(bodies):
        tokens = Text(f"{number}", "-", body).tokens
        counts.update({token.surface for field in (Field.TITLE, Field.BODY) for token in tokens[field]})
    return counts


def nearest_beginning(typed: str, word: str) -> int:
    return min(distance(typed, word[:size], 2) for size in range(len(word) + 1))


@given(BODIES, TYPED, st.integers(1, 3), st.booleans(), st.integers(1, 2) | st.integers(3, 12))
@settings(max_examples=50, deadline=None)
def test_completions_are_the_best_that_a_scan_finds(bodies, typed, chunks_each, deleted, limit):
    """Words that start so by frequency, then those nearly so by likelihood; exact for few words."""
    counts = scan_words(bodies)
    folded = typed.replace("é", "e")
    exact = sorted((-df, word) for word, df in counts.items() if word.startswith(folded))
    expected = [(word, -df, False) for df, word in exact][:limit]
    budget = edit_budget(folded) if not exact else min(1, edit_budget(folded))
    for edits in range(1, budget + 1):
        near = {word: nearest_beginning(folded, word) for word in counts}
        likely = [(-counts[word] / (far + 1), far, word) for word, far in near.items() if 0 < far <= edits]
        expected += [(word, counts[word], True) for _, _, word in sorted(likely)][: limit - len(expected)]
        if likely:
            break
    with opened(bodies, chunks_each, deleted) as index:
        found = [astuple(entry)[1:] for entry in index.suggest(typed, limit, kinds=["word"])]
    if len(counts) <= GIVEN_PER_WORD * limit or len(bodies) <= chunks_each:
        assert expected == found
    else:
        assert len(expected) == len(found)
        assert all(counts[word] == doc_freq for word, doc_freq, _ in found)


@given(BODIES, st.integers(1, 3), st.booleans())
@settings(max_examples=30, deadline=None)
def test_pages_of_terms_have_every_term_with_its_frequencies(bodies, chunks_each, deleted):
    """Chunks and times of each term are what counting in the texts gives, and no other term is there."""
    doc_freqs: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for number, body in enumerate(bodies):
        tokens = Text(f"{number}", "-", body).tokens[Field.BODY]
        terms = Counter(token.term for token in {(t.term, t.position): t for t in tokens}.values())
        doc_freqs.update(terms.keys())
        times.update(terms)
    with opened(bodies, chunks_each, deleted) as index:
        page = index.terms(limit=1000, order="alphabet")
    assert page.total_is_exact == (not deleted)
    found = {entry.term: (entry.doc_freq, entry.total_term_freq) for entry in page.terms}
    assert {term: (doc_freqs[term], times[term]) for term in doc_freqs} == found
