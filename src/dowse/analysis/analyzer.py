"""Text to terms: the tokenizer kernel with stemming and stop words around it.

Stemming happens once per different surface. Indexing stems the surfaces that each call brings anew;
queries keep the terms of the surfaces they saw last.
"""

from collections import Counter
from itertools import repeat
from typing import NamedTuple

from msgspec import Struct

from dowse.analysis.languages import stemmer_of
from dowse.analysis.normal_form import compose_all, compose_with_places, is_composed
from dowse.analysis.settings import AnalysisSettings
from dowse.analysis.sounds import sounds_of
from dowse.analysis.stemming import Stemming
from dowse.analysis.stop_words import StopWords
from dowse.analysis.table import load_table
from dowse.errors import InternalError
from dowse.kernels import Tokenizer
from dowse.kernels.layout import U8, U16, U32, U64, WordArrays

PART, WHOLE, UNIGRAM = range(3)

MAX_TEXT_CHARS = 65_535
_REMEMBERED_SURFACES = 50_000


class QueryToken(NamedTuple):
    """One token of a query.

    Attributes:
        term: What postings are kept under.
        surface: Folded, not stemmed.
        position: Counts parts from 0; an overlay has the position of its first part.
        start: First character in the query as given.
        end: One past the last character.
        kind: `PART` or `WHOLE`.
        is_stop: Whether the surface is a stop word.
    """

    term: str
    surface: str
    position: int
    start: int
    end: int
    kind: int
    is_stop: bool


class Spans(NamedTuple):
    """Every token of a text, overlays included, as parallel lists; starts ascend."""

    terms: list[str]
    starts: list[int]
    ends: list[int]
    positions: list[int]
    kinds: list[int]


class TokenArrays(Struct, frozen=True):
    """The tokens of a batch.

    Attributes:
        term_offsets: Start of each term in `term_bytes`, and the end of the last.
        term_bytes: Different terms as UTF-8, sorted bytewise, one after the other.
        list_ids: Term number times 8 plus field, one per token.
        rows: Row of each token.
        positions: Position of each token in its row and field.
        words: The different surfaces and what became of each.

    Tokens stand in the order of `Batch.add`, and within one text in order of position. Where the
    stem of an overlay equals that of its first part, both tokens are there.
    """

    term_offsets: U64
    term_bytes: U8
    list_ids: U32
    rows: U32
    positions: U16
    words: WordArrays


class Analyzer:
    """Turns texts and queries into terms by the same rules; safe to share between threads."""

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.settings = AnalysisSettings() if settings is None else settings
        self.stop_words = StopWords(self.settings)
        self._tokenizer = _build_tokenizer()
        self._stemmer = Stemming(stemmer_of(self.settings.language))
        self._terms: dict[str, str] = {}

    def begin(self) -> "Batch":
        """Returns an empty batch for indexing; a batch belongs to one thread at a time."""
        return Batch(self._stemmer)

    def query_tokens(self, text: str) -> list[QueryToken]:
        """Returns the tokens of a query, without the single Han characters inside longer runs.

        A query of one Han character is a part of its own and finds every row that has the
        character.
        """
        surfaces, positions, starts, ends, kinds = self._tokenize(text)
        known, stops, term_of = self._terms, self.stop_words.surfaces, self._term_of
        found = [
            (known.get(surface) or term_of(surface), surface, position, start, end, kind, surface in stops)
            for surface, position, start, end, kind in zip(
                surfaces, positions, starts, ends, kinds, strict=True
            )
            if kind != UNIGRAM
        ]
        # Made without their own constructor, which costs as much as all the rest.
        return list(map(tuple.__new__, repeat(QueryToken), found))

    def bag_terms(self, text: str) -> list[tuple[str, bool]]:
        """Returns the terms of `query_tokens` alone, each with whether its surface is a stop word."""
        surfaces, _, _, _, kinds = self._tokenize(text)
        known, stops, term_of = self._terms, self.stop_words.surfaces, self._term_of
        return [
            (known.get(surface) or term_of(surface), surface in stops)
            for surface, kind in zip(surfaces, kinds, strict=True)
            if kind != UNIGRAM
        ]

    def phrase_terms(self, text: str) -> tuple[tuple[str, int], ...]:
        """Returns term and position of each part among the `query_tokens`, stop words included."""
        surfaces, positions, _, _, kinds = self._tokenize(text)
        known, term_of = self._terms, self._term_of
        return tuple(
            [
                (known.get(surface) or term_of(surface), position)
                for surface, position, kind in zip(surfaces, positions, kinds, strict=True)
                if kind == PART
            ]
        )

    def count_words(self, text: str) -> list[tuple[str, str, int]]:
        """Returns term, surface and number of each word of a text, in the order of `query_tokens`.

        Wholes such as “error-handling” are left out, for their parts count; so are stop words.
        """
        surfaces, _, _, _, kinds = self._tokenize(text)
        counts = Counter([surface for surface, kind in zip(surfaces, kinds, strict=True) if kind == PART])
        known, stops, term_of = self._terms, self.stop_words.surfaces, self._term_of
        return [
            (known.get(surface) or term_of(surface), surface, count)
            for surface, count in counts.items()
            if surface not in stops
        ]

    def spans(self, text: str) -> Spans:
        """Returns every token of a text with its term and its place in the text as given."""
        surfaces, positions, starts, ends, kinds = self._tokenize(text)
        known = self._terms
        learnt = self._learn(list({surface for surface in surfaces if surface not in known}))
        terms = [known.get(surface) or learnt[surface] for surface in surfaces]
        return Spans(terms, starts, ends, positions, kinds)

    def _tokenize(self, text: str) -> tuple[list[str], list[int], list[int], list[int], list[int]]:
        if is_composed(text):
            return self._tokenizer.tokenize(text)
        composed, first, last = compose_with_places(text)
        surfaces, positions, starts, ends, kinds = self._tokenizer.tokenize(composed)
        return (
            surfaces,
            positions,
            [first[start] for start in starts],
            [last[end - 1] for end in ends],
            kinds,
        )

    def _term_of(self, surface: str) -> str:
        return self._learn([surface])[surface]

    def _learn(self, surfaces: list[str]) -> dict[str, str]:
        """Returns the terms of new surfaces, and remembers them."""
        letters = [surface for surface in surfaces if self._tokenizer.is_letters(surface)]
        stems = self._stemmer.stem([surface.encode() for surface in letters])
        learnt = dict(zip(surfaces, surfaces, strict=True))
        learnt.update(zip(letters, [stem.decode() for stem in stems], strict=True))
        if len(self._terms) >= _REMEMBERED_SURFACES:
            self._terms = {}
        self._terms.update(learnt)
        return learnt


class Batch:
    """Collects the tokens of many texts; made by `Analyzer.begin`."""

    def __init__(self, stemmer: Stemming) -> None:
        self._tokenizer = _build_tokenizer()
        self._stemmer = stemmer
        self._stems: list[bytes] = []

    @property
    def token_count(self) -> int:
        """How many tokens were added so far."""
        return self._tokenizer.token_count

    @property
    def nbytes(self) -> int:
        """How much memory the batch holds, without what `finish` needs for terms."""
        return self._tokenizer.nbytes

    def add(self, text: str, row: int, field: int) -> int:
        """Analyses one text.

        Args:
            text: At most 60,000 characters, which bounds positions.
            row: Row number; ascending calls give tokens in posting order.
            field: Field number, below 8.

        Returns:
            The field length: the number of positions.

        Raises:
            InternalError: If the caller did not cut the text.
        """
        return self._tokenizer.feed(_prepare([text])[0], row, field)

    def add_all(self, texts: list[str], rows: U32, fields: U8) -> U32:
        """Analyses many texts, as `add` does one; other threads run meanwhile.

        Returns:
            The field length of each.
        """
        lengths = self._tokenizer.feed_all(_prepare(texts), rows, fields)
        self._stem()  # as they come: at the end everybody would wait for it
        return lengths

    def _stem(self) -> None:
        self._stems += self._stemmer.stem(self._tokenizer.new_letters())

    def finish(self) -> TokenArrays:
        """Gives away what was collected; the batch is empty afterwards."""
        self._stem()
        stems, self._stems = self._stems, []
        finished = self._tokenizer.finish(stems)
        offsets, spellings, terms, doc_freqs = finished[5:]
        words = WordArrays(offsets, spellings, terms, doc_freqs, sounds_of(offsets, spellings))
        return TokenArrays(*finished[:5], words)


def _prepare(texts: list[str]) -> list[str]:
    composed = compose_all(texts)
    longest = max(map(len, composed), default=0)
    if longest > MAX_TEXT_CHARS:
        raise InternalError(message=f"a text of {longest} characters reached analysis")
    return composed


def _build_tokenizer() -> Tokenizer:
    table = load_table()
    return Tokenizer(table.pages, table.entries, table.pool)
