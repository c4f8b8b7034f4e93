"""Finds runs: words of a query that stand in a chunk one after the other, as they stand in the query.

People remember a piece of a sentence, and ask for it with other words around it. Three words in the query's
order are rarely there by chance; but only with the rarest word among them are they what the query is about,
and not a common expression ("treatment for …") beside it.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dowse.kernels.layout import F64, U32
from dowse.storage.snapshot import Snapshot
from dowse.storage.term_lookup import live_doc_freq

LEAST_WORDS = 3


def find_ngrams(
    snapshot: Snapshot,
    words: Sequence[tuple[str, int]],
    weigh: Callable[[int], float],
    rows: Sequence[U32],
) -> list[F64]:
    """Finds the heaviest run of each row that has the query's rarest word in it, in any field.

    Args:
        snapshot: What is searched.
        words: Terms of the query with their positions, ascending.
        weigh: What a word is worth that so many chunks have; the rarest is worth most.
        rows: Per segment, ascending.

    Returns:
        Per segment and row, the share of the run in the weight of all words that there are; 0 where there is
        no run of three words.
    """
    encoded = [term.encode("utf-8", "replace") for term, _ in words]
    ordinals = [segment.reader.postings.find_terms(encoded) for segment in snapshot.segments]
    doc_freqs = [0] * len(words)
    for segment, terms in zip(snapshot.segments, ordinals, strict=True):
        for place, ordinal in enumerate(terms):
            doc_freqs[place] += live_doc_freq(segment, ordinal) if ordinal >= 0 else 0
    weights = np.array([weigh(doc_freq) if doc_freq else 0.0 for doc_freq in doc_freqs])
    if len(words) < LEAST_WORDS or not weights.any():
        return [np.zeros(len(own)) for own in rows]
    sums = np.concatenate([np.zeros(1), np.cumsum(weights) / weights.sum()])
    places, rarest = [position for _, position in words], int(weights.argmax())
    return [
        segment.reader.postings.run_shares(terms, places, sums, rarest, LEAST_WORDS, own)
        for segment, terms, own in zip(snapshot.segments, ordinals, rows, strict=True)
    ]
