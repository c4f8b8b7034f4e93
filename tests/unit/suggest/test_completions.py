"""What a text may go on with: words, titles, and both if mistyped."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.schema import Completion

TEXTS = {
    "tea": ("Green tea", "Water for green tea is not boiling. Watering is for plants."),
    "tomatoes": ("Growing tomatoes", "Water tomatoes at the root; don't water at noon. Receive them red."),
    "taxes": ("Taxes", "Declare what you receive. L'homme water."),
    "more": ("Growing tomatoes", "Received with thanks."),
}


@pytest.fixture(scope="module", params=["one segment", "one each"])
def index(request: pytest.FixtureRequest) -> Iterator[dowse.Index]:
    """The texts above, in one segment or in one each."""
    with dowse.open(":memory:") as index:
        for key, (title, text) in TEXTS.items():
            index.add(key, text, title=title)
            if request.param == "one each":
                index.commit()
        index.commit()
        yield index


def texts(completions: tuple[Completion, ...]) -> list[str]:
    return [entry.text for entry in completions]


def test_words_come_by_how_many_chunks_have_them(index: dowse.Index) -> None:
    """Frequent words first, with the number of chunks that have this very form."""
    expected = (
        Completion("word", "water", 3, False),
        Completion("word", "watering", 1, False),
    )
    assert expected == index.suggest("wat", kinds=["word"])


def test_the_rest_of_the_text_stays_in_front(index: dowse.Index) -> None:
    """Only the last word is completed; what stands before it is kept as typed."""
    assert ["  How TO  water"] == texts(index.suggest("  How TO  Wat", 1))
    assert ['title:"receive'] == texts(index.suggest('title:"rec', 1, kinds=["word"]))


def test_apostrophes_belong_to_a_word_or_begin_one(index: dowse.Index) -> None:
    """``don't`` is one word, ``l'homme`` two; the end of a contraction is not completed."""
    assert ["we don't"] == texts(index.suggest("we don'", kinds=["word"]))
    assert ["l'homme"] == texts(index.suggest("l'hom", kinds=["word"]))
    assert [] == texts(index.suggest("wouldn't", kinds=["word"]))


def test_titles_that_start_so_come_before_those_that_have_the_words(index: dowse.Index) -> None:
    """A title counts once, with its documents; all words of the text must be in it."""
    assert [Completion("title", "Taxes", 1, False)] == list(index.suggest("TA", kinds=["title"]))
    assert ["Taxes", "Growing tomatoes"] == texts(index.suggest("t", kinds=["title"]))[:2]
    assert ["Growing tomatoes"] == texts(index.suggest("growing t", kinds=["title"]))
    assert ["Growing tomatoes"] == texts(index.suggest("tomatoes gro", kinds=["title"]))
    assert [] == texts(index.suggest("green tom", kinds=["title"]))
    assert 2 == index.suggest("growing", kinds=["title"])[0].doc_freq


def test_a_text_between_words_is_completed_to_titles_only(index: dowse.Index) -> None:
    """After a space there is no word to complete; nothing at all completes to nothing."""
    assert [("title", "Green tea")] == [(entry.kind, entry.text) for entry in index.suggest("green ")]
    assert () == index.suggest("")
    assert () == index.suggest(" -!")


def test_typing_errors_are_assumed_when_little_fits(index: dowse.Index) -> None:
    """What is one edit away comes after what fits, and says so; short beginnings must be right."""
    assert ["receive", "received"] == texts(index.suggest("reciev"))
    assert all(entry.is_corrected for entry in index.suggest("reciev"))
    assert ["tomatoes"] == texts(index.suggest("tomtoes", kinds=["word"]))
    assert [("title", "Growing tomatoes", True)] == [
        (entry.kind, entry.text, entry.is_corrected)
        for entry in index.suggest("growing tomtoe", kinds=["title"])
    ]
    assert () == index.suggest("wta")
    assert () == index.suggest("eceive")


def test_places_are_shared_by_words_and_titles(index: dowse.Index) -> None:
    """Each kind has half of the places; what one does not need the other gets."""
    assert ["word", "title"] == [entry.kind for entry in index.suggest("t", 2)]
    assert ["word", "word", "title", "title"] == [entry.kind for entry in index.suggest("t", 4)]
    assert ["word"] == [entry.kind for entry in index.suggest("t", 1)]


def test_words_of_deleted_texts_are_not_shown() -> None:
    """Neither words nor titles of what is gone, in segments that still hold it."""
    with dowse.open(":memory:") as index:
        index.add("kept", "walrus water", title="Sea")
        index.add("gone", "walnut water", title="Walnuts")
        index.commit()
        assert {"walnut", "Walnuts"} <= set(texts(index.suggest("wal")))
        index.delete("gone")
        index.commit()
        assert ["walrus"] == texts(index.suggest("wal"))
        assert ["water"] == texts(index.suggest("wat"))


def test_many_deleted_words_do_not_hide_the_living() -> None:
    """When the most frequent words are all gone, more are looked at."""
    with dowse.open(":memory:") as index:
        index.add("kept", "waz")
        for number in range(3):
            words = [f"wa{one}{two}" for one in "abcdefgh" for two in "ijk"]
            index.add(f"gone-{number}", " ".join(words))
        index.commit()
        for number in range(3):
            index.delete(f"gone-{number}")
        index.commit()
        assert ["waz"] == texts(index.suggest("wa", 2))


def test_few_of_many_words_are_the_best_over_all_segments() -> None:
    """A word that is rare in one segment still counts there; of equal words the first in order is taken."""
    with dowse.open(":memory:") as index:
        index.add("all", "waa wab wac wad wae waf")
        index.add("more", "waf")
        index.commit()
        assert [("waf", 2)] == [(entry.text, entry.doc_freq) for entry in index.suggest("wa", 1)]
        index.add("others", "waa wab wac wad wae waf")
        index.add("without", "waa wab wac wad wae")
        index.commit()
        assert [("waa", 3)] == [(entry.text, entry.doc_freq) for entry in index.suggest("wa", 1)]
        index.add("once", "waf")
        index.commit()
        assert [("waf", 4)] == [(entry.text, entry.doc_freq) for entry in index.suggest("wa", 1)]


def test_new_generations_have_new_titles() -> None:
    """Titles follow every commit."""
    with dowse.open(":memory:") as index:
        index.add("one", "text", title="Apples")
        index.commit()
        assert ["Apples"] == texts(index.suggest("app", kinds=["title"]))
        index.add("two", "text", title="Apple pie")
        index.delete("one")
        index.commit()
        assert ["Apple pie"] == texts(index.suggest("app", kinds=["title"]))


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 1001}, {"kinds": ["tag"]}])
def test_impossible_wishes_are_refused(index: dowse.Index, wrong: dict[str, object]) -> None:
    """A limit or a kind that is none is named, with what is legal."""
    with pytest.raises(dowse.DowseError, match="cannot be"):
        index.suggest("wat", **wrong)  # type: ignore[arg-type]


def test_an_empty_index_completes_nothing() -> None:
    """No words, no titles, no error."""
    with dowse.open(":memory:") as index:
        assert () == index.suggest("anything")
