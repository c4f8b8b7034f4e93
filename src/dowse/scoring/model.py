"""The protocol every scoring model follows, and the statistics it is given."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from dowse.errors import InvalidParameterError
from dowse.explanation import Explanation
from dowse.kernels.layout import F64, MAX_TERM_FREQ, decoded_lengths
from dowse.schema import FIELD_COUNT, Field

TABLE_SHAPE = (MAX_TERM_FREQ + 1, 256)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number a user may set: its name as in the paper, default, legal range and effect."""

    name: str
    default: float
    low: float
    high: float
    effect: str

    def check(self, value: float) -> None:
        """Raises InvalidParameterError unless the value is finite and in range."""
        if not (math.isfinite(value) and self.low <= value <= self.high):
            legal = f"legal values are {self.low:g} to {self.high:g}"
            raise InvalidParameterError(name=self.name, value=value, legal=legal)


K1 = Parameter("k1", 1.2, 0.0, 20.0, "how slowly repeated matches saturate")
BOOST = Parameter("boost", 1.0, 0.0, 1000.0, "how much a match in this field counts")
B = Parameter("b", 0.75, 0.0, 1.0, "how much long fields are held against a match")


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """Boost and length normalisation of each field, in field order. A boost of 0 leaves a field out."""

    boosts: tuple[float, ...]
    b: tuple[float, ...]

    def __post_init__(self) -> None:
        for values, parameter in ((self.boosts, BOOST), (self.b, B)):
            if len(values) != FIELD_COUNT:
                legal = f"one value for each of the {FIELD_COUNT} fields"
                raise InvalidParameterError(name=parameter.name, value=values, legal=legal)
            for value in values:
                parameter.check(value)


class TermStatistics(NamedTuple):
    """What a model knows of a term.

    Attributes:
        doc_freq: Chunks that have the term, in any field (or in one, for a model that scores fields
            apart).
        doc_count: All chunks.
    """

    doc_freq: int
    doc_count: int


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """A term in one field of one chunk; the length is the bucket's, as ranking sees it."""

    field: Field
    term_freq: int
    bucket: int
    avg_field_length: float

    @property
    def field_length(self) -> float:
        """The length the bucket stands for."""
        return float(decoded_lengths()[self.bucket])


class ScoringModel(Protocol):
    """How much one term gives one chunk.

    A term's score is ``weight * value``. With `combines_fields`, the values of a chunk's fields are added
    and saturate together, ``value = sum / (sum + saturation)``; without, each field is scored as a term
    of its own. `fields` says what each field's boost and b are.
    """

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    combines_fields: ClassVar[bool]

    @property
    def fields(self) -> FieldWeights:
        """Boost and b of each field."""

    @property
    def saturation(self) -> float:
        """The constant of the joint saturation; 0 when fields are not combined."""

    def weight(self, statistics: TermStatistics) -> float:
        """Returns what one term weighs, before any chunk is looked at; not negative."""

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns the value of each (term frequency, length bucket), shape (256, 256), row 0 all zero."""

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns a number no chunk's score for this term exceeds."""

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains the score of one term in one chunk; its value is the score itself."""


def length_norms(b: float, avg_field_length: float) -> F64:
    """Returns ``1 - b + b * field_length / avg_field_length`` for each length bucket; always above 0.

    Bucket 0, where nothing can match, counts as length 1: with b = 1 there would be nothing to divide by.
    """
    return (1.0 - b) + b * (np.maximum(decoded_lengths(), 1.0) / avg_field_length)


def frequencies() -> F64:
    """Returns the term frequencies of a table's rows as a column."""
    return np.arange(TABLE_SHAPE[0], dtype=np.float64)[:, None]


def lucene_idf(statistics: TermStatistics) -> float:
    """Returns ``ln(1 + (N - n + 0.5) / (n + 0.5))``: never negative, unlike Robertson's original."""
    n, doc_count = statistics.doc_freq, statistics.doc_count
    return math.log(1.0 + (doc_count - n + 0.5) / (n + 0.5))


def explain_idf(statistics: TermStatistics) -> Explanation:
    """Explains `lucene_idf`."""
    return Explanation(
        lucene_idf(statistics),
        "idf = ln(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))",
        (
            Explanation(float(statistics.doc_freq), "doc_freq, chunks with this term"),
            Explanation(float(statistics.doc_count), "doc_count, all chunks"),
        ),
    )
