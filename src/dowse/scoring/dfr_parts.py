"""What DFR models are made of: four basic models, two after-effects, four normalisations.

Every basic model is linear in the normalised frequency tfn, ``intercept + slope * tfn``, and both
after-effects divide by ``1 + tfn``; that is why one table shape serves all 32.
"""

import math
from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np
from msgspec import Struct

from dowse.kernels.layout import F64
from dowse.schema import Parameter
from dowse.scoring.model import TermStatistics, usable_lengths

C = Parameter("c", 1.0, 0.01, 100.0, "how little long fields are held against a match")
MU = Parameter("mu", 800.0, 1.0, 1_000_000.0, "how much the whole collection's language is mixed in")
Z = Parameter("z", 0.3, 0.0, 0.5, "how much long fields are held against a match")


class BasicModel(Struct, frozen=True):
    """How surprising a frequency is, in bits, were the term thrown into chunks at random.

    Attributes:
        label: Its part of the model's name.
        formula: The slope, in the names of statistics.
        needs: Statistics it depends on.
        slope: Bits per unit of tfn; above 0.
        intercept: Bits at tfn 0, at most the slope; None where that is 0 for every term.
    """

    label: str
    formula: str
    needs: frozenset[str]
    slope: Callable[[TermStatistics], float]
    intercept: Callable[[TermStatistics], float] | None = None


def _geometric_mean(term: TermStatistics) -> float:
    """Returns the expected frequency; dividing by N + F instead of N keeps it below 1."""
    occurrences = term.total_term_freq + 1.0
    return occurrences / (term.doc_count + occurrences)


def _expected_doc_freq(term: TermStatistics) -> float:
    """Returns how many chunks would have the term were its occurrences scattered at random."""
    if term.doc_count == 1:
        return min(1.0, term.total_term_freq)
    return -term.doc_count * math.expm1(term.total_term_freq * math.log1p(-1.0 / term.doc_count))


def _geometric_slope(term: TermStatistics) -> float:
    mean = _geometric_mean(term)
    return math.log2((1.0 + mean) / mean)


GEOMETRIC = BasicModel(
    "g",
    "log2((1 + m) / m), m = (total_term_freq + 1) / (doc_count + total_term_freq + 1)",
    frozenset({"doc_count", "total_term_freq"}),
    _geometric_slope,
    lambda term: math.log2(1.0 + _geometric_mean(term)),
)
INVERSE_DOC_FREQ = BasicModel(
    "in",
    "log2((doc_count + 1) / (doc_freq + 0.5))",
    frozenset({"doc_count", "doc_freq"}),
    lambda term: math.log2((term.doc_count + 1.0) / (term.doc_freq + 0.5)),
)
INVERSE_EXPECTED_DOC_FREQ = BasicModel(
    "ine",
    "log2((doc_count + 1) / (ne + 0.5)), ne = doc_count * (1 - (1 - 1 / doc_count) ** total_term_freq)",
    frozenset({"doc_count", "total_term_freq"}),
    lambda term: math.log2((term.doc_count + 1.0) / (_expected_doc_freq(term) + 0.5)),
)
INVERSE_TERM_FREQ = BasicModel(
    "if",
    "log2(1 + (doc_count + 1) / (total_term_freq + 0.5))",
    frozenset({"doc_count", "total_term_freq"}),
    lambda term: math.log2(1.0 + (term.doc_count + 1.0) / (term.total_term_freq + 0.5)),
)
BASIC_MODELS = (GEOMETRIC, INVERSE_DOC_FREQ, INVERSE_EXPECTED_DOC_FREQ, INVERSE_TERM_FREQ)


class AfterEffect(Struct, frozen=True):
    """How much less each further occurrence says: a factor over ``1 + tfn``."""

    label: str
    formula: str
    needs: frozenset[str]
    factor: Callable[[TermStatistics], float]


LAPLACE = AfterEffect("l", "1", frozenset(), lambda term: 1.0)
BERNOULLI = AfterEffect(
    "b",
    "(total_term_freq + 2) / (doc_freq + 1)",
    frozenset({"total_term_freq", "doc_freq"}),
    lambda term: (term.total_term_freq + 2.0) / (term.doc_freq + 1.0),
)
AFTER_EFFECTS = (LAPLACE, BERNOULLI)


class Normalisation(Protocol):
    """What a frequency would be in a field of average length."""

    @property
    def label(self) -> str:
        """Its part of the model's name."""

    @property
    def formula(self) -> str:
        """Its formula, in the names of statistics."""

    @property
    def parameter(self) -> Parameter:
        """Its one parameter."""

    @property
    def value(self) -> float:
        """What the parameter is set to."""

    @property
    def needs(self) -> frozenset[str]:
        """Statistics it depends on."""

    @property
    def differs_by_term(self) -> bool:
        """Whether the term's statistics count."""

    def normalised(self, freqs: F64, avg_field_length: float, statistics: TermStatistics | None) -> F64:
        """Returns tfn for a column of frequencies and all lengths; above 0 where the frequency is.

        Logarithms and powers are taken of the 256 lengths only, so that a cell does not depend on how
        many rows are asked for.
        """


class UniformNormalisation(Struct, frozen=True):
    """H1: words are spread evenly, so frequency grows with length."""

    label: ClassVar[str] = "h1"
    formula: ClassVar[str] = "term_freq * c * avg_length / length"
    parameter: ClassVar[Parameter] = C
    needs: ClassVar[frozenset[str]] = frozenset({"avg_field_length"})
    differs_by_term: ClassVar[bool] = False
    value: float = C.default

    def normalised(self, freqs: F64, avg_field_length: float, statistics: TermStatistics | None) -> F64:
        """Returns tfn."""
        return freqs * (self.value * avg_field_length / usable_lengths())[None, :]


class LogarithmicNormalisation(Struct, frozen=True):
    """H2: words are denser in short fields, so frequency grows with the logarithm of length."""

    label: ClassVar[str] = "h2"
    formula: ClassVar[str] = "term_freq * log2(1 + c * avg_length / length)"
    parameter: ClassVar[Parameter] = C
    needs: ClassVar[frozenset[str]] = frozenset({"avg_field_length"})
    differs_by_term: ClassVar[bool] = False
    value: float = C.default

    def normalised(self, freqs: F64, avg_field_length: float, statistics: TermStatistics | None) -> F64:
        """Returns tfn."""
        ratio = self.value * avg_field_length / usable_lengths()
        return freqs * (np.log1p(ratio) / math.log(2.0))[None, :]


class DirichletNormalisation(Struct, frozen=True):
    """H3: frequency is smoothed with the collection's language, He and Ounis 2005 (SIGIR)."""

    label: ClassVar[str] = "h3"
    formula: ClassVar[str] = (
        "mu * (term_freq + mu * (total_term_freq + 1) / (total_field_length + 1)) / (length + mu)"
    )
    parameter: ClassVar[Parameter] = MU
    needs: ClassVar[frozenset[str]] = frozenset({"total_term_freq", "total_field_length"})
    differs_by_term: ClassVar[bool] = True
    value: float = MU.default

    def normalised(self, freqs: F64, avg_field_length: float, statistics: TermStatistics | None) -> F64:
        """Returns tfn."""
        assert statistics is not None, "H3 cannot do without the term's statistics"
        share = (statistics.total_term_freq + 1.0) / (statistics.total_field_length + 1.0)
        return (freqs + self.value * share) * (self.value / (usable_lengths() + self.value))[None, :]


class ZipfNormalisation(Struct, frozen=True):
    """Z: frequency grows with a power of length, as Pareto and Zipf have it."""

    label: ClassVar[str] = "z"
    formula: ClassVar[str] = "term_freq * (avg_length / length) ** z"
    parameter: ClassVar[Parameter] = Z
    needs: ClassVar[frozenset[str]] = frozenset({"avg_field_length"})
    differs_by_term: ClassVar[bool] = False
    value: float = Z.default

    def normalised(self, freqs: F64, avg_field_length: float, statistics: TermStatistics | None) -> F64:
        """Returns tfn."""
        return freqs * ((avg_field_length / usable_lengths()) ** self.value)[None, :]


NORMALISATIONS: tuple[Callable[..., Normalisation], ...] = (
    UniformNormalisation,
    LogarithmicNormalisation,
    DirichletNormalisation,
    ZipfNormalisation,
)
