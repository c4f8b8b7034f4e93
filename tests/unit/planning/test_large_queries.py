"""Queries that ask for more than can be done: they are answered, and what was left out is said."""

from collections.abc import Iterable

import pytest

import dowse

LETTERS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima"
MANY_WORDS = " ".join(f"w{number}" for number in range(80))


@pytest.fixture(scope="module")
def index() -> Iterable[dowse.Index]:
    """Long runs of words, and one text that has a few of them."""
    with dowse.open(":memory:") as index:
        index.add("letters", LETTERS)
        index.add("turned", " ".join(reversed(LETTERS.split())))
        index.add("few", "alpha and bravo")
        index.add("many", MANY_WORDS)
        index.commit()
        yield index


def ask(index: dowse.Index, query: str, **changes: object) -> tuple[list[str], list[str]]:
    """Returns the keys of the hits and the codes of the problems."""
    response = index.search(dowse.SearchRequest(query, fuzzy="never", **changes))
    found = sorted({hit.doc_key for hit in response.hits})
    return found, [problem.code for problem in response.problems]


@pytest.mark.parametrize("mode", ["span", "proximity"])
def test_near_compares_its_first_ten_members(index, mode):
    """A NEAR of twelve words is answered by the places of ten of them, and says so."""
    members = LETTERS.split()
    query = f"NEAR({', '.join(members)}, 5)" if mode == "span" else LETTERS
    assert (["letters", "turned"], ["near-cap"]) == ask(index, query, mode=mode)
    assert (["letters"], []) == ask(index, f"ONEAR({', '.join(members)}, 5)", mode="span")


def test_slop_is_left_out_of_very_long_phrases(index):
    """A phrase of 80 words with slop is searched for as it stands, and says so."""
    assert (["many"], ["slop-cap"]) == ask(index, f'"{MANY_WORDS}"~3')
    assert (["many"], []) == ask(index, f'"{MANY_WORDS}"')


@pytest.mark.parametrize("joint", [" ", " OR "])
def test_a_hundred_thousand_words_are_answered(index, joint):
    """However many words are typed, those that are there are found."""
    query = joint.join(["bravo", *(f"x{number}" for number in range(100_000))])
    found, _ = ask(index, query)
    assert ["few", "letters", "turned"] == found
