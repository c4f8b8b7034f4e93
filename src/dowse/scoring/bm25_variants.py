"""The relatives of BM25: other ways to count rarity, and mercy for long documents.

Kamphuis, de Vries, Boytsov and Lin 2020 (ECIR, "Which BM25 do you mean?") compare all of them and find
differences too small to matter; they are here because people have reasons to reproduce other systems.
"""

from typing import ClassVar

from dowse.kernels.layout import F64
from dowse.schema import Explanation, Parameter
from dowse.scoring.bm25 import BM25
from dowse.scoring.idf import ATIRE_IDF, BM25L_IDF, BM25PLUS_IDF, ROBERTSON_IDF, Idf
from dowse.scoring.model import K1, FieldMatch, frequencies, saturated

DELTA_LONG = Parameter("delta", 0.5, 0.0, 10.0, "how much a match in a long field is worth at least")
DELTA_PLUS = Parameter("delta", 1.0, 0.0, 10.0, "how much any match is worth at least")


class BM25Robertson(BM25, frozen=True):
    """BM25 with its first idf, Robertson, Walker, Jones, Hancock-Beaulieu and Gatford 1994 (TREC-3).

    Formula, for a term t in one field of a chunk::

        idf   = ln((doc_count - doc_freq + 0.5) / (doc_freq + 0.5))
        score = boost * idf * (k1 + 1) * term_freq
                / (term_freq + k1 * (1 - b + b * length / avg_length))

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; per field: boost and b.

    Where we differ: a term in half of the chunks or more has an idf of zero or below; it counts 1e-12, so
    that its chunks are found, after all others. The factor k1 + 1 is written out, as in all our BM25s.

    Guarantees: above zero; monotone in frequency; antitone in length and in doc_freq; the upper bound is
    the supremum ``boost * idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25-robertson"
    idf: ClassVar[Idf] = ROBERTSON_IDF


class BM25Atire(BM25, frozen=True):
    """BM25 as ATIRE has it, Trotman, Jia and Crane 2012 (SIGIR workshop on open source retrieval).

    Formula, for a term t in one field of a chunk::

        idf   = ln(doc_count / doc_freq)
        score = boost * idf * (k1 + 1) * term_freq
                / (term_freq + k1 * (1 - b + b * length / avg_length))

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; per field: boost and b.

    Where we differ: a term in every chunk has an idf of zero; it counts 1e-12, so that its chunks are
    found. ATIRE's own defaults are k1 0.9 and b 0.4.

    Guarantees: above zero; monotone in frequency; antitone in length and in doc_freq; the upper bound is
    the supremum ``boost * idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25-atire"
    idf: ClassVar[Idf] = ATIRE_IDF


class BM25L(BM25, frozen=True):
    """BM25L, Lv and Zhai 2011 (SIGIR, "When documents are very long, BM25 fails!").

    Formula, for a term t in one field of a chunk::

        idf   = ln((doc_count + 1) / (doc_freq + 0.5))
        c     = term_freq / (1 - b + b * length / avg_length)
        score = boost * idf * (k1 + 1) * (c + delta) / (k1 + c + delta)

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; `delta` 0.5, 0 to 10: what a match
    in a very long field is still worth; per field: boost and b.

    Where we differ: nothing but buckets of lengths and frequencies. (Some programs also give
    ``c = 0`` its positive value, to chunks without the term: a constant, which moves no order.)

    Guarantees: above zero; monotone in frequency; antitone in length and in doc_freq; the upper bound is
    the supremum ``boost * idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25l"
    parameters: ClassVar[tuple[Parameter, ...]] = (K1, DELTA_LONG)
    idf: ClassVar[Idf] = BM25L_IDF
    value_formula: ClassVar[str] = (
        "(c + delta) / (k1 + c + delta), c = term_freq / (1 - b + b * length / avg_length)"
    )
    delta: float = DELTA_LONG.default

    def _values(self, norms: F64) -> F64:
        return saturated(frequencies() / norms[None, :] + self.delta, max(self.k1, 1e-9))

    def _explain_value(self, match: FieldMatch) -> tuple[Explanation, ...]:
        return (Explanation(self.delta, "delta"), *BM25._explain_value(self, match))


class BM25Plus(BM25, frozen=True):
    """BM25+, Lv and Zhai 2011 (CIKM, "Lower-bounding term frequency normalization").

    Formula, for a term t in one field of a chunk::

        idf   = ln((doc_count + 1) / doc_freq)
        score = boost * idf * (delta + (k1 + 1) * term_freq
                                       / (term_freq + k1 * (1 - b + b * length / avg_length)))

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; `delta` 1, 0 to 10: what any match
    is worth at least; per field: boost and b.

    Where we differ: nothing but buckets of lengths and frequencies.

    Guarantees: above zero; monotone in frequency; antitone in length and in doc_freq; the upper bound is
    the supremum ``boost * idf * (k1 + 1 + delta)``, not reached.
    """

    name: ClassVar[str] = "bm25plus"
    parameters: ClassVar[tuple[Parameter, ...]] = (K1, DELTA_PLUS)
    idf: ClassVar[Idf] = BM25PLUS_IDF
    value_formula: ClassVar[str] = (
        "delta / (k1 + 1) + term_freq / (term_freq + k1 * (1 - b + b * length / avg_length))"
    )
    delta: float = DELTA_PLUS.default

    def _values(self, norms: F64) -> F64:
        table = BM25._values(self, norms)
        table[1:] += self.delta / (self.k1 + 1.0)
        return table

    def _ceiling(self) -> float:
        return 1.0 + self.delta / (self.k1 + 1.0)

    def _explain_value(self, match: FieldMatch) -> tuple[Explanation, ...]:
        return (Explanation(self.delta, "delta"), *BM25._explain_value(self, match))
