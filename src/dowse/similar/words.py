"""The most telling words of a text: frequent in it, rare elsewhere."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dowse.analysis import PART, Analyzer
from dowse.errors import InvalidParameterError
from dowse.matching import match_term
from dowse.query import nodes
from dowse.storage.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class SimilarSettings:
    """Which words count.

    Attributes:
        min_doc_freq: Chunks that must have a word at least.
        max_doc_freq: Chunks that may have it at most; None for any number.
        min_term_freq: How often the text must have it.
        max_terms: How many words make the query, most telling first.
        min_word_length: Letters of the shortest word that counts.
        max_word_length: Letters of the longest.
        boost: What every word's weight is multiplied by.
    """

    min_doc_freq: int = 1
    max_doc_freq: int | None = None
    min_term_freq: int = 1
    max_terms: int = 25
    min_word_length: int = 3
    max_word_length: int = 40
    boost: float = 1.0

    def __post_init__(self) -> None:
        for name in ("min_doc_freq", "min_term_freq", "max_terms", "min_word_length", "max_word_length"):
            if getattr(self, name) < 1:
                raise InvalidParameterError(
                    name=name, value=getattr(self, name), legal="legal values are 1 and up"
                )
        if self.max_doc_freq is not None and self.max_doc_freq < self.min_doc_freq:
            legal = f"legal values are {self.min_doc_freq} (min_doc_freq) and up"
            raise InvalidParameterError(name="max_doc_freq", value=self.max_doc_freq, legal=legal)
        if self.min_word_length > self.max_word_length:
            legal = f"legal values are {self.min_word_length} (min_word_length) and up"
            raise InvalidParameterError(
                name="max_word_length", value=self.max_word_length, legal=legal
            )
        if not 0.0 < self.boost <= 1000.0:
            raise InvalidParameterError(
                name="boost", value=self.boost, legal="legal values are above 0, up to 1000"
            )


class TellingWord(NamedTuple):
    """A word of the query to be.

    Attributes:
        word: In its most frequent form in the text.
        weight: ``term_freq * idf``, 1 for the most telling word.
    """

    word: str
    term_freq: int
    doc_freq: int
    weight: float


def choose_words(
    text: str, analyzer: Analyzer, snapshot: Snapshot, settings: SimilarSettings
) -> list[TellingWord]:
    """Returns the most telling words of a text, best first."""
    forms: dict[str, Counter[str]] = {}
    for token in analyzer.query_tokens(text):
        if token.kind == PART and not token.is_stop:
            forms.setdefault(token.term, Counter())[token.surface] += 1
    found = []
    for term, surfaces in forms.items():
        word, term_freq = surfaces.most_common(1)[0][0], surfaces.total()
        if term_freq < settings.min_term_freq or not (
            settings.min_word_length <= len(word) <= settings.max_word_length
        ):
            continue
        doc_freq = match_term(snapshot, term).doc_freq
        if settings.min_doc_freq <= doc_freq <= (settings.max_doc_freq or snapshot.doc_count):
            idf = math.log((snapshot.doc_count + 1) / (doc_freq + 1)) + 1.0
            found.append(TellingWord(word, term_freq, doc_freq, term_freq * idf))
    found.sort(key=lambda entry: (-entry.weight, entry.word))
    best = found[: settings.max_terms]
    return [entry._replace(weight=entry.weight / best[0].weight) for entry in best]


def build_query(words: Sequence[TellingWord], settings: SimilarSettings) -> nodes.Node | None:
    """Returns the query that asks for any of the words, each as much as it tells."""
    items = tuple(
        nodes.Boosted(nodes.Word(entry.word), round(settings.boost * entry.weight, 4) or 0.0001)
        for entry in words
    )
    if len(items) < 2:
        return items[0] if items else None
    return nodes.Or(items)
