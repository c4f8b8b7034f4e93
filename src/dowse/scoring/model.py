"""The protocol every scoring model follows, and the statistics it is given."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.kernels.layout import F64, MAX_TERM_FREQ, decoded_lengths
from dowse.schema import FIELD_COUNT, Explanation, Field, Parameter

TABLE_SHAPE = (MAX_TERM_FREQ + 1, 256)

# Stands in for scores that a formula puts at zero or below: to the kernel, a sum of exactly 0 is a chunk
# that does not match. Far below any score that means something, far above what addition would swallow.
FLOOR = 1e-12


K1 = Parameter("k1", 1.2, 0.0, 20.0, "how slowly repeated matches saturate")
BOOST = Parameter("boost", 1.0, 0.0, 1000.0, "how much a match in this field counts")
B = Parameter("b", 0.75, 0.0, 1.0, "how much long fields are held against a match")


class FieldWeights(Struct, frozen=True):
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
    """What a model knows of a term. Where fields are scored apart, all but `doc_count` is the field's own.

    Attributes:
        doc_freq: Chunks that have the term.
        doc_count: All chunks.
        total_term_freq: Occurrences of the term in all chunks.
        total_field_length: Length of the field, added up over all chunks.
    """

    doc_freq: int
    doc_count: int
    total_term_freq: int = 0
    total_field_length: int = 0


class FieldMatch(Struct, frozen=True):
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

    @property
    def name(self) -> str:
        """What users call the model."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The numbers users may set, besides those of each field."""

    @property
    def needs(self) -> frozenset[str]:
        """The statistics that its scores depend on, besides term_freq and field_length."""

    @property
    def combines_fields(self) -> bool:
        """Whether fields saturate together."""

    @property
    def needs_term_table(self) -> bool:
        """Whether values differ from term to term, so that only `term_table` has them."""

    @property
    def fields(self) -> FieldWeights:
        """Boost and b of each field."""

    @property
    def saturation(self) -> float:
        """The constant of the joint saturation; 0 when fields are not combined."""

    def weight(self, statistics: TermStatistics) -> float:
        """Returns what one term weighs, before any chunk is looked at; above 0."""

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns the value of each (term frequency, length bucket), shape (256, 256), row 0 all zero.

        Not to be called when `needs_term_table`.
        """

    def term_table(
        self, field: Field, avg_field_length: float, statistics: TermStatistics, max_freq: int
    ) -> F64:
        """Returns one term's values as `field_table` does, without the rows above `max_freq`.

        A value is the same number whatever `max_freq` is.
        """

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns a number no chunk's score for this term exceeds."""

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains the score of one term in one chunk; its value is the score itself."""


@cache
def usable_lengths() -> F64:
    """Returns the length of each bucket, read-only; bucket 0, where nothing can match, counts as length 1.

    Formulas divide by lengths.
    """
    lengths = np.maximum(decoded_lengths(), 1.0)
    lengths.setflags(write=False)
    return lengths


def length_norms(b: float, avg_field_length: float) -> F64:
    """Returns ``1 - b + b * field_length / avg_field_length`` for each length bucket; always above 0."""
    return (1.0 - b) + b * (usable_lengths() / avg_field_length)


def frequencies(max_freq: int = MAX_TERM_FREQ) -> F64:
    """Returns the term frequencies of a table's rows as a column, 0 to `max_freq`."""
    return np.arange(max_freq + 1, dtype=np.float64)[:, None]


def saturated(amounts: F64, half: F64 | float) -> F64:
    """Returns ``amounts / (amounts + half)`` below row 0, and zeros in row 0.

    Written as ``1 / (1 + half / amounts)``, where every rounding keeps the order: values never fall by a
    last bit where they should rise.
    """
    table = np.zeros(np.broadcast_shapes(amounts.shape, np.shape(half), (1, TABLE_SHAPE[1])))
    table[1:] = 1.0 / (1.0 + half / amounts[1:])
    return table


def find_value(model: ScoringModel, match: FieldMatch, statistics: TermStatistics) -> float:
    """Returns the table's value for one match, the number the kernel uses."""
    if model.needs_term_table:
        table = model.term_table(match.field, match.avg_field_length, statistics, match.term_freq)
    else:
        table = model.field_table(match.field, match.avg_field_length)
    return float(table[match.term_freq, match.bucket])


def explain_match(match: FieldMatch) -> tuple[Explanation, ...]:
    """Explains what was found: frequency and lengths."""
    return (
        Explanation(float(match.term_freq), "term_freq"),
        Explanation(match.field_length, "length, as its bucket has it"),
        Explanation(match.avg_field_length, "avg_length"),
    )
