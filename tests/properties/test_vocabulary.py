"""Walks over a sorted dictionary find what looking at every entry finds, in both twins."""

from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.layout import Automaton
from dowse.kernels.reference import vocabulary
from dowse.matching import compile_wildcard

compiled_vocabulary = pytest.importorskip("dowse.kernels._vocabulary")

TWINS = (vocabulary, compiled_vocabulary)
# Few letters, so that words meet; one to four bytes long, with shared first bytes.
LETTERS = "abcÀéあ漢字\U0001f600"
WORDS = st.text(st.sampled_from(LETTERS[:3]) | st.sampled_from(LETTERS), max_size=9)
ENTRIES = st.lists(WORDS, max_size=60).map(lambda words: sorted(word.encode() for word in words))


def both(entries: list[bytes]) -> list:
    """Opens the same entries with the plain and the compiled walker."""
    offsets = np.cumsum([0, *map(len, entries)], dtype=np.uint64)
    spellings = np.frombuffer(b"".join(entries), np.uint8)
    return [twin.Vocabulary(offsets, spellings) for twin in TWINS]


def plain_distance(word: str, entry: str, first_cost: int) -> int:
    """Optimal string alignment by its definition, over whole words."""
    costs = {(0, 0): 0}
    for i in range(len(entry) + 1):
        for j in range(len(word) + 1):
            insert, delete = (first_cost if place == 1 else 1 for place in (i, j))
            ways = [costs[0, 0]] if i == j == 0 else []
            if i:
                ways.append(costs[i - 1, j] + insert)
            if j:
                ways.append(costs[i, j - 1] + delete)
            if i and j:
                is_same = entry[i - 1] == word[j - 1]
                ways.append(costs[i - 1, j - 1] + (0 if is_same else max(insert, delete)))
            if i > 1 and j > 1 and (entry[i - 2], entry[i - 1]) == (word[j - 1], word[j - 2]):
                ways.append(costs[i - 2, j - 2] + (first_cost if 2 in (i, j) else 1))
            costs[i, j] = min(ways)
    return costs[len(entry), len(word)]


@given(ENTRIES, WORDS.map(str.encode) | st.binary(max_size=3))
@settings(max_examples=60, deadline=None)
def test_prefix_ranges_are_the_entries_with_the_prefix(entries, prefix):
    """The range is where the entries stand that begin with the bytes; empty at the right place."""
    expected = [number for number, entry in enumerate(entries) if entry.startswith(prefix)]
    before = sum(entry < prefix for entry in entries)
    for walker in both(entries):
        assert (before, before + len(expected)) == walker.prefix_range(prefix)
        assert entries == [walker.spelling(number) for number in range(len(walker))]


@given(ENTRIES, WORDS, st.integers(0, 3), st.sampled_from([1, 2]))
@settings(max_examples=100, deadline=None)
def test_similar_words_are_those_a_scan_finds(entries, word, max_edits, first_cost):
    """Ordinals and distances equal those of the plain distance to every entry."""
    distances = [plain_distance(word, entry.decode(), first_cost) for entry in entries]
    expected = [(at, distance) for at, distance in enumerate(distances) if distance <= max_edits]
    for walker in both(entries):
        ordinals, found = walker.within_edits(word, max_edits, first_cost)
        assert expected == list(zip(ordinals.tolist(), found.tolist(), strict=True))
        assert (np.uint32, np.uint8) == (ordinals.dtype, found.dtype)


@pytest.mark.parametrize("first_cost", [1, 2])
@pytest.mark.parametrize("max_edits", [0, 1, 2, 3])
def test_similar_words_are_found_among_many(max_edits, first_cost):
    """A long vocabulary is compared in blocks and parts; no answer gets lost between them."""
    random = np.random.default_rng(7)
    letters = list("aaabcdefghijklmnopqrstuvwxyzéあ漢")
    words = {"".join(random.choice(letters, size)) for size in random.integers(1, 9, 9_000)}
    walkers = both(sorted(word.encode() for word in words))
    for word in ("aab", "banana", "éclair", "zzzzzzzzzz", "", "あa", *sorted(words)[::2_000]):
        plain, compiled = (walker.within_edits(word, max_edits, first_cost) for walker in walkers)
        assert [values.tolist() for values in plain] == [values.tolist() for values in compiled]


@given(ENTRIES, WORDS, st.integers(0, 3), st.sampled_from([1, 2]))
@settings(max_examples=100, deadline=None)
def test_similar_beginnings_are_those_a_scan_finds(entries, word, max_edits, first_cost):
    """An entry is as near as its nearest beginning; ranges are ascending, apart or of another distance."""
    nearest = [
        min(plain_distance(word, entry[:size], first_cost) for size in range(len(entry) + 1))
        for entry in map(bytes.decode, entries)
    ]
    expected = [(at, distance) for at, distance in enumerate(nearest) if distance <= max_edits]
    for walker in both(entries):
        ranges, distances = walker.prefix_within_edits(word, max_edits, first_cost)
        found = list(zip(ranges.tolist(), distances.tolist(), strict=True))
        assert expected == [(at, far) for (start, stop), far in found for at in range(start, stop)]
        assert (np.uint32, np.uint8, 2) == (ranges.dtype, distances.dtype, ranges.shape[1])
        assert all(
            one[1] < two[0] or far != further
            for (one, far), (two, further) in pairwise(found)
        )


@given(WORDS, WORDS)
@settings(max_examples=100, deadline=None)
def test_the_distance_is_the_one_others_compute(word, entry):
    """With equal costs the distance is rapidfuzz's optimal string alignment."""
    osa = pytest.importorskip("rapidfuzz.distance").OSA
    assert osa.distance(word, entry) == plain_distance(word, entry, 1)


def random_automaton(seed: int) -> Automaton:
    """Makes an automaton from a seed: a few states and classes over the letters above, some ways dead."""
    random = np.random.default_rng(seed)
    states, classes = random.integers(1, 6), random.integers(1, 5)
    transitions = random.integers(-1, states, (states, classes), np.int32)
    bounds = [0, *sorted(ord(letter) for letter in LETTERS if random.random() < 0.7)]
    return Automaton(
        transitions,
        random.integers(0, 2, states, np.uint8),
        np.array(bounds, np.uint32),
        random.integers(0, classes, len(bounds), np.uint16),
    )


def is_accepted(automaton: Automaton, word: str) -> bool:
    """Runs an automaton over one word, from the beginning."""
    state = 0
    for letter in word:
        at = max(np.flatnonzero(automaton.bounds <= ord(letter)))
        state = automaton.transitions[state, automaton.classes[at]]
        if state < 0:
            return False
    return bool(automaton.accepting[state])


@given(ENTRIES, st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 3, 1000]), st.data())
@settings(max_examples=100, deadline=None)
def test_automata_accept_what_they_accept_one_by_one(entries, seed, limit, data):
    """Walking with shared states and skips equals running every entry; the limit cuts and says so."""
    automaton = random_automaton(seed)
    start = data.draw(st.just(0) | st.integers(0, len(entries)))
    stop = data.draw(st.just(len(entries)) | st.integers(start, len(entries)))
    expected = [at for at in range(start, stop) if is_accepted(automaton, entries[at].decode())]
    for walker in both(entries):
        ordinals, is_complete = walker.matching(automaton, start, stop, limit)
        assert expected[:limit] == ordinals.tolist()
        assert (len(expected) <= limit) == is_complete
        for suffix in (b"a", "漢".encode()):
            ordinals, _ = walker.matching(automaton, start, stop, 1000, suffix)
            assert [at for at in expected if entries[at].endswith(suffix)] == ordinals.tolist()
            ordinals, _ = walker.matching(automaton, start, stop, 1000, inner=suffix)
            assert [at for at in expected if suffix in entries[at]] == ordinals.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_passed_over_behind_a_letter_that_leads_nowhere(seed):
    """Among many words, those behind a dead letter are found as soon as a letter leads on."""
    random = np.random.default_rng(seed)
    words = {"".join(random.choice(list(LETTERS), size)) for size in random.integers(0, 5, 300)}
    entries = sorted(word.encode() for word in words)
    automaton = random_automaton(seed)
    expected = [at for at, entry in enumerate(entries) if is_accepted(automaton, entry.decode())]
    for walker in both(entries):
        assert expected == walker.matching(automaton, 0, len(entries), 1000)[0].tolist()


def test_inner_text_is_found_within_words_only():
    """Longer vocabularies are searched in blocks; what two neighbours make together is in neither."""
    entries = sorted(f"{number:03d}ab{'c' * (number % 70)}a" for number in range(1000))
    automaton = compile_wildcard("*").automaton
    for inner in ("ba", "bca", "a0", "cccccca", "ab"):
        expected = [at for at, entry in enumerate(entries) if inner in entry]
        for walker in both([entry.encode() for entry in entries]):
            ordinals, is_complete = walker.matching(automaton, 0, 2000, 2000, inner=inner.encode())
            assert is_complete
            assert expected == ordinals.tolist()


@given(ENTRIES.filter(len), st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_vocabularies_give_an_error_or_a_wrong_answer(entries, data):
    """Offsets and bytes of any value never lead outside the arrays (`kernels`, invariant 3)."""
    offsets = np.cumsum([0, *map(len, entries)], dtype=np.uint64)
    spellings = np.frombuffer(b"".join(entries), np.uint8).copy()
    for _ in range(3):
        offsets[data.draw(st.integers(0, len(entries)))] = data.draw(
            st.integers(0, 2**64 - 1) | st.integers(0, len(spellings) + 2)
        )
        if len(spellings):
            spellings[data.draw(st.integers(0, len(spellings) - 1))] = data.draw(st.integers(0, 255))
    anything = Automaton(
        np.zeros((1, 1), np.int32), np.ones(1, np.uint8), np.zeros(1, np.uint32), np.zeros(1, np.uint16)
    )
    walker = compiled_vocabulary.Vocabulary(offsets, spellings)
    for call in (
        lambda: walker.within_edits("abcab", 2, 1),
        lambda: walker.prefix_within_edits("abcab", 2, 1),
        lambda: walker.prefix_range("a漢".encode()),
        lambda: walker.matching(anything, 0, len(entries), 100),
        lambda: walker.spelling(0),
    ):
        with suppress(ValueError):
            call()
