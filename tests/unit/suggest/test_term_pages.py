"""Pages of the vocabulary."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.schema import TermEntry


@pytest.fixture(scope="module", params=["one segment", "one each"])
def index(request: pytest.FixtureRequest) -> Iterator[dowse.Index]:
    """Three small texts; a fourth is deleted again."""
    texts = ("water water watering", "the watered apple", "apple apples Äpfel", "walrus water")
    with dowse.open(":memory:") as index:
        for number, text in enumerate(texts):
            index.add(f"key{number}", text, title="-")
            if request.param == "one each":
                index.commit()
        index.commit()
        index.delete("key3")
        index.commit()
        yield index


def test_terms_have_frequencies_and_forms(index: dowse.Index) -> None:
    """Chunks, times and the words that stand for it; deleted chunks count for nothing."""
    page = index.terms("wat")
    assert (TermEntry("water", 2, 4, ("water", "watered", "watering")),) == page.terms
    assert (1, False) == (page.total, page.total_is_exact)


def test_patterns_are_compared_with_words_as_written(index: dowse.Index) -> None:
    """A form that fits shows its term with all its forms; * and ? make a wildcard, which is folded."""
    assert ["water"] == [entry.term for entry in index.terms("*ING").terms]
    assert ["apfel", "appl"] == [entry.term for entry in index.terms("äp?*", order="alphabet").terms]
    assert () == index.terms("pple").terms


def test_orders_and_pages_fit_together(index: dowse.Index) -> None:
    """Pages one after the other are all terms, by frequency or by alphabet; the dead are left out."""
    for order in ("frequency", "alphabet"):
        whole = index.terms(order=order).terms
        assert ["walrus"] not in [[entry.term] for entry in whole]
        pages = [index.terms(order=order, limit=2, offset=at).terms for at in range(0, 10, 2)]
        assert list(whole) == [entry for page in pages for entry in page]
    assert sorted(entry.term for entry in whole) == [entry.term for entry in whole]


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"offset": -1}, {"order": "size"}])
def test_impossible_pages_are_refused(index: dowse.Index, wrong: dict[str, object]) -> None:
    """The message has the value and what is legal."""
    with pytest.raises(dowse.DowseError, match="cannot be"):
        index.terms(**wrong)  # type: ignore[arg-type]
