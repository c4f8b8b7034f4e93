"""Worked examples of the walks over a sorted dictionary, for both twins."""

import numpy as np
import pytest

from dowse.kernels.layout import Automaton
from dowse.kernels.reference import vocabulary

TWINS = [vocabulary, pytest.importorskip("dowse.kernels._vocabulary")]
WORDS = ["aple", "apple", "apples", "maple", "naïve", "paple", "paplle", "pple", "staple", "ähnlich"]


@pytest.fixture(params=TWINS, ids=["plain", "compiled"])
def walker(request):
    """A small dictionary."""
    entries = sorted(word.encode() for word in WORDS)
    offsets = np.cumsum([0, *map(len, entries)], dtype=np.uint64)
    return request.param.Vocabulary(offsets, np.frombuffer(b"".join(entries), np.uint8))


def similar(walker, word: str, max_edits: int, first_letter_cost: int = 1) -> dict[str, int]:
    """Returns spellings with their distances."""
    ordinals, distances = walker.within_edits(word, max_edits, first_letter_cost)
    spellings = [walker.spelling(ordinal).decode() for ordinal in ordinals.tolist()]
    return dict(zip(spellings, distances.tolist(), strict=True))


def test_a_swap_is_one_edit(walker):
    """Neighbours that changed places cost 1, other edits 1 each."""
    assert {"aple": 1, "apple": 1} == similar(walker, "aplpe", 1)
    assert {"aple": 1, "apple": 1} == similar(walker, "appe", 1)


def test_the_first_letter_costs_double(walker):
    """Swapping, dropping or replacing the first letter needs two edits when it costs 2."""
    assert {"apple": 0, "aple": 1, "apples": 1} == similar(walker, "apple", 1, 2)
    assert (2, 1) == tuple(similar(walker, "apple", 2, cost)["pple"] for cost in (2, 1))
    assert (2, 1) == tuple(similar(walker, "papple", 2, cost)["apple"] for cost in (2, 1))
    assert (2, 1) == tuple(similar(walker, "paple", 2, cost)["maple"] for cost in (2, 1))
    assert (2, 1) == tuple(similar(walker, "apaple", 2, cost)["paple"] for cost in (2, 1))


def test_letters_are_code_points(walker):
    """An accented letter is one letter, however many bytes it has."""
    assert {"naïve": 1} == similar(walker, "naive", 1)
    assert {"ähnlich": 2} == similar(walker, "ahnlich", 2, 2)


@pytest.mark.parametrize(("max_edits", "cost"), [(-1, 1), (4, 1), (1, 0), (1, 3)])
def test_edits_outside_the_range_are_refused(walker, max_edits: int, cost: int):
    """Budgets beyond three and odd costs are errors, not slow searches."""
    with pytest.raises(ValueError, match="cannot be"):
        walker.within_edits("apple", max_edits, cost)


def test_there_is_no_entry_outside(walker):
    """Ordinals from nowhere are refused."""
    with pytest.raises(IndexError):
        walker.spelling(len(WORDS))


@pytest.mark.parametrize("twin", TWINS, ids=["plain", "compiled"])
def test_an_empty_dictionary_has_no_answers(twin):
    """Nothing begins with, resembles or matches anything."""
    nothing = twin.Vocabulary(np.zeros(1, np.uint64), np.zeros(0, np.uint8))
    assert (0, 0) == nothing.prefix_range(b"a")
    assert [] == nothing.within_edits("a", 3)[0].tolist()


@pytest.mark.parametrize(
    "wrong",
    [
        {"transitions": np.array([[1]], np.int32)},
        {"transitions": np.array([[-2]], np.int32)},
        {"accepting": np.zeros(2, np.uint8)},
        {"bounds": np.ones(1, np.uint32)},
        {"classes": np.ones(1, np.uint16)},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_automata_that_point_nowhere_are_refused(walker, wrong):
    """States and classes are checked before they are used."""
    good = Automaton(
        np.zeros((1, 1), np.int32), np.ones(1, np.uint8), np.zeros(1, np.uint32), np.zeros(1, np.uint16)
    )
    assert len(WORDS) == len(walker.matching(good, 0, len(WORDS), 100)[0])
    with pytest.raises(ValueError, match="automaton"):
        walker.matching(good._replace(**wrong), 0, 5, 100)
