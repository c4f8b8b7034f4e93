"""What a rare term is worth more than a common one: the idf of each BM25 variant."""

import math
from collections.abc import Callable

from msgspec import Struct

from dowse.schema import Explanation
from dowse.scoring.model import FLOOR, TermStatistics


class Idf(Struct, frozen=True):
    """One way to count, with its formula in words. The value is above 0: at least `FLOOR`."""

    formula: str
    inner: Callable[[float, float], float]

    def value(self, statistics: TermStatistics) -> float:
        """Returns the logarithm, or the floor where that is zero or below."""
        return max(FLOOR, math.log(self.inner(statistics.doc_freq, statistics.doc_count)))

    def explain(self, statistics: TermStatistics) -> Explanation:
        """Explains `value`."""
        value = self.value(statistics)
        note = f", here the least it may be, {FLOOR:g}" if value == FLOOR else ""
        return Explanation(
            value,
            f"idf = {self.formula}{note}",
            (
                Explanation(float(statistics.doc_freq), "doc_freq, chunks with this term"),
                Explanation(float(statistics.doc_count), "doc_count, all chunks"),
            ),
        )


LUCENE_IDF = Idf(
    "ln(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))",
    lambda found, total: 1.0 + (total - found + 0.5) / (found + 0.5),
)
ROBERTSON_IDF = Idf(
    "ln((doc_count - doc_freq + 0.5) / (doc_freq + 0.5))",
    lambda found, total: (total - found + 0.5) / (found + 0.5),
)
ATIRE_IDF = Idf("ln(doc_count / doc_freq)", lambda found, total: total / found)
BM25L_IDF = Idf(
    "ln((doc_count + 1) / (doc_freq + 0.5))", lambda found, total: (total + 1.0) / (found + 0.5)
)
BM25PLUS_IDF = Idf("ln((doc_count + 1) / doc_freq)", lambda found, total: (total + 1.0) / found)
