"""What an index proposes to somebody who types: completions, corrections, terms."""

from typing import Literal

from msgspec import Struct

CompletionKind = Literal["word", "title"]


class Completion(Struct, frozen=True):
    """One way to go on.

    Attributes:
        kind: ``word`` when the last word was completed, ``title`` for a title of the index.
        text: The whole text, completed; or the title.
        doc_freq: Chunks that have the word in this form, or documents that have the title.
        is_corrected: True when it fits only if a typing error is assumed.
    """

    kind: CompletionKind
    text: str
    doc_freq: int
    is_corrected: bool


class SpellingCandidate(Struct, frozen=True):
    """A known word that a mistyped one may stand for.

    Attributes:
        word: As texts have it, folded.
        distance: Edits from what was typed; one in the first letter counts double.
        doc_freq: Chunks that have it, in this very form.
    """

    word: str
    distance: int
    doc_freq: int

    @property
    def score(self) -> float:
        """How likely it is meant: frequent words before rare ones, near ones before far ones."""
        return self.doc_freq / (self.distance + 1)


class Misspelling(Struct, frozen=True):
    """A word that no chunk has.

    Attributes:
        word: As the text has it.
        start: Its first character in the text.
        end: One past its last character.
        candidates: Known words near it, likeliest first; empty when there is none.
    """

    word: str
    start: int
    end: int
    candidates: tuple[SpellingCandidate, ...]


class SpellingReport(Struct, frozen=True):
    """What was found in a text.

    Attributes:
        misspellings: In the order of the text; of words that occur again, each.
        corrected: The text with each misspelling replaced by its likeliest candidate.
    """

    misspellings: tuple[Misspelling, ...]
    corrected: str


class TermEntry(Struct, frozen=True):
    """One term.

    Attributes:
        term: What is looked up: a word, folded and stemmed.
        doc_freq: Chunks that have it.
        total_term_freq: How often they have it, all fields together; more than 255 times in a field of a
            chunk count as 255.
        forms: Folded words that stand for it, most frequent first.
    """

    term: str
    doc_freq: int
    total_term_freq: int
    forms: tuple[str, ...]


class TermPage(Struct, frozen=True):
    """Some of the terms that fit.

    Attributes:
        terms: In the order asked for.
        total: How many terms fit.
        total_is_exact: False when some of them may be in deleted chunks only.
    """

    terms: tuple[TermEntry, ...]
    total: int
    total_is_exact: bool
