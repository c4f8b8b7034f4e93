"""The most telling words of a text: frequent in it, rare elsewhere."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dowse.analysis import Analyzer
from dowse.errors import InvalidParameterError
from dowse.query import nodes
from dowse.storage.snapshot import Snapshot
from dowse.storage.term_lookup import live_doc_freq


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


class SignificantTerm(NamedTuple):
    """A word of the query to be.

    Attributes:
        word: In its most frequent form in the text.
        weight: ``term_freq * idf``, 1 for the most telling word.
    """

    word: str
    term_freq: int
    doc_freq: int
    weight: float


def choose_terms(
    text: str, analyzer: Analyzer, snapshot: Snapshot, settings: SimilarSettings
) -> list[SignificantTerm]:
    """Returns the most telling words of a text, best first."""
    forms = _count_forms(text, analyzer, settings)
    doc_freqs = _live_doc_freqs(snapshot, forms)
    most = snapshot.doc_count if settings.max_doc_freq is None else settings.max_doc_freq
    found = []
    for surfaces, doc_freq in zip(forms.values(), doc_freqs, strict=True):
        if settings.min_doc_freq <= doc_freq <= most:
            term_freq = sum(surfaces.values())
            idf = math.log((snapshot.doc_count + 1) / (doc_freq + 1)) + 1.0
            found.append(SignificantTerm(_likeliest(surfaces), term_freq, doc_freq, term_freq * idf))
    found.sort(key=lambda entry: (-entry.weight, entry.word))
    best = found[: settings.max_terms]
    return [entry._replace(weight=entry.weight / best[0].weight) for entry in best]


def _count_forms(text: str, analyzer: Analyzer, settings: SimilarSettings) -> dict[str, dict[str, int]]:
    """Returns, by term, how often the text has each of its forms; only of terms that may count."""
    forms: dict[str, dict[str, int]] = {}
    for term, surface, count in analyzer.count_words(text):
        forms.setdefault(term, {})[surface] = count
    return {term: surfaces for term, surfaces in forms.items() if _may_count(surfaces, settings)}


def _may_count(surfaces: dict[str, int], settings: SimilarSettings) -> bool:
    length = len(_likeliest(surfaces))
    return settings.min_word_length <= length <= settings.max_word_length and (
        sum(surfaces.values()) >= settings.min_term_freq
    )


def _likeliest(surfaces: dict[str, int]) -> str:
    """Returns the most frequent form; of several, the one that the text has first."""
    return max(surfaces, key=surfaces.__getitem__) if len(surfaces) > 1 else next(iter(surfaces))


def _live_doc_freqs(snapshot: Snapshot, terms: Iterable[str]) -> list[int]:
    """Returns how many live chunks have each term; all terms are looked up at once."""
    encoded = [term.encode("utf-8", "replace") for term in terms]
    doc_freqs = [0] * len(encoded)
    for segment in snapshot.segments:
        for place, number in enumerate(segment.reader.postings.find_terms(encoded)):
            if number >= 0:
                doc_freqs[place] += live_doc_freq(segment, number)
    return doc_freqs


def build_query(words: Sequence[SignificantTerm], settings: SimilarSettings) -> nodes.Node | None:
    """Returns the query that asks for any of the words, each as much as it tells."""
    items = tuple(
        nodes.Boosted(nodes.Word(entry.word), round(settings.boost * entry.weight, 4) or 0.0001)
        for entry in words
    )
    if len(items) < 2:
        return items[0] if items else None
    return nodes.Or(items)
