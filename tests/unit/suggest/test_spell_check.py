"""Which words of a text no chunk has."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.schema import SpellingReport


@pytest.fixture(scope="module")
def index() -> Iterator[dowse.Index]:
    """A few words, some of them deleted again."""
    with dowse.open(":memory:") as index:
        index.add("one", "Please receive the documentation. E-mail is for the setup. 漢字検索")
        index.add("two", "please use error-handling")
        index.add("gone", "pleasant walrusses")
        index.commit()
        index.delete("gone")
        index.commit()
        yield index


def test_unknown_words_are_found_with_their_places(index: dowse.Index) -> None:
    """Each with start and end in the text, and known words near it, likeliest first."""
    report = index.check_spelling("Plesae recieve it")
    assert [("Plesae", 0, 6), ("recieve", 7, 14), ("it", 15, 17)] == [
        (entry.word, entry.start, entry.end) for entry in report.misspellings
    ]
    assert [["please"], ["receive"], []] == [
        [candidate.word for candidate in entry.candidates] for entry in report.misspellings
    ]


def test_the_corrected_text_keeps_everything_else(index: dowse.Index) -> None:
    """Likeliest words are put in, capitals kept; what nothing is near to stays."""
    report = index.check_spelling("PLESAE, Recieve: qwxyz\n(documntation)!")
    assert "PLEASE, Receive: qwxyz\n(documentation)!" == report.corrected


@pytest.mark.parametrize(
    "text",
    ["", "pleased documentations", "error-handling", "e-mail", "set-up", "mp3 3.14", "検索漢字", "漢字 !?"],
)
def test_what_is_known_or_no_word_is_passed_over(index: dowse.Index, text: str) -> None:
    """Other forms of known words, known compounds, numbers and scripts without spaces are right."""
    assert SpellingReport((), text) == index.check_spelling(text)


def test_words_of_deleted_texts_are_neither_known_nor_proposed(index: dowse.Index) -> None:
    """What only a deleted chunk has is misspelt, and nobody is sent there."""
    report = index.check_spelling("walrusses pleasnt")
    assert ["walrusses", "pleasnt"] == [entry.word for entry in report.misspellings]
    assert [(), ()] == [entry.candidates for entry in report.misspellings]


def test_what_one_language_knows_is_known() -> None:
    """With trees of several languages a word is misspelt only if it is in all of them."""
    with dowse.open(":memory:") as index:
        index.add_tree("deutsch", language="german")
        index.add("one", "Häuser stehen dort", tree="deutsch")
        index.add("two", "houses stand there")
        index.commit()
        assert ["houzes"] == [
            entry.word for entry in index.check_spelling("Haus houses houzes").misspellings
        ]
