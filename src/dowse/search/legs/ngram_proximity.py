"""Word n-gram proximity: words that stand together as in the query count more
(docs/decisions/0009-runs-of-words.md).

The longest run of the query's words that a chunk has in their order counts by its share of the weight of all
of them; the lexical score is multiplied by ``1 + 1.5 * share``.
"""

from collections.abc import Collection, Mapping

import numpy as np

from dowse.matching.word_ngrams import LEAST_WORDS, find_ngrams
from dowse.query import nodes
from dowse.schema import Explanation
from dowse.scoring.idf import LUCENE_IDF
from dowse.scoring.model import TermStatistics
from dowse.search.legs.bound_query import BoundQuery
from dowse.search.lexical.row_addresses import RowAddress, find_addresses

BOOST = 1.5
"""What a run of all words adds to a score, as a multiple of it; a part of them adds its share."""
_CHOOSERS = (nodes.Filter, nodes.RangeFilter, nodes.Not)
"""What chooses among hits and does not change their order."""


def find_factors(query: BoundQuery, keys: Collection[int]) -> dict[int, float]:
    """Returns what lexical scores are multiplied by, of chunks that have a run of the query's words."""
    root = query.parsed.root
    if type(root) is not nodes.BagOfWords:
        return {}
    asked = [item for item in root.items if type(item) not in _CHOOSERS]
    texts = [item.text for item in asked if type(item) is nodes.Word]
    if not LEAST_WORDS <= len(texts) == len(asked):
        return {}  # too few, or what stands between two of them is more than white space
    snapshot = query.context.snapshot
    doc_count = snapshot.doc_count
    chunks = _by_segment(find_addresses(snapshot, keys), len(snapshot.segments))
    rows = [np.array([row for row, _ in own], np.uint32) for own in chunks]
    factors: dict[int, float] = {}
    for reading in query.context.word_reader(query.lexical.tree).phrases(" ".join(texts)):
        found = find_ngrams(
            snapshot,
            reading,
            lambda doc_freq: LUCENE_IDF.value(TermStatistics(doc_freq, doc_count)),
            rows,
        )
        for own, shares in zip(chunks, found, strict=True):
            for at in shares.nonzero()[0].tolist():
                key, factor = own[at][1], 1.0 + BOOST * float(shares[at])
                factors[key] = max(factors.get(key, 1.0), factor)
    return factors


def explain_factor(score: Explanation, factor: float) -> Explanation:
    """Explains a lexical score that was multiplied by a factor."""
    share = Explanation((factor - 1.0) / BOOST, "share of the run in the weight of all words")
    run = Explanation(factor, f"1 + {BOOST:g} * share of a run", (share,))
    name = "words * factor of those that stand one after the other as in the query"
    return Explanation(score.value * factor, name, (score, run))


def _by_segment(addresses: Mapping[int, RowAddress], count: int) -> list[list[tuple[int, int]]]:
    """Returns, per segment, rows with their keys, ascending."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for key, (segment, row) in addresses.items():
        found[segment].append((row, key))
    for own in found:
        own.sort()
    return found
