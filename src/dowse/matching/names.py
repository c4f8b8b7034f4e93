"""Matches documents by their names: titles and file names that are nearly what was typed.

A whole name is compared, not its words, so this finds `REAMDE` and “Getting Started” with a slip in it. Two
measures, because they forgive different things: edits with swapped neighbours (Damerau-Levenshtein in its
restricted form, OSA) for slips, Jaro-Winkler for names that go on where the typing stopped.
"""

from collections.abc import Sequence

import numpy as np

from dowse.analysis import fold_text
from dowse.kernels.layout import F64, I64, U32
from dowse.matching.factored import Factored
from dowse.storage.snapshot import Snapshot

# How like a name must be: 1 is the same.
LEAST_BY_EDITS = 0.75
LEAST_BY_BEGINNING = 0.92


class Names:
    """Titles and file names of the live documents of one snapshot, each with the document's first chunk."""

    def __init__(self, snapshot: Snapshot) -> None:
        rows = snapshot.catalog.fetch(
            "SELECT first_key, title, doc_key FROM documents WHERE is_live ORDER BY first_key"
        )
        folded: list[str] = []
        keys: list[int] = []
        for first_key, title, doc_key in rows:
            file_name = doc_key.rsplit("/", 1)[-1]
            names = {fold_text(name) for name in (title, file_name, file_name.rpartition(".")[0])}
            folded += sorted(names - {""})
            keys += [first_key] * len(names - {""})
        self.folded: Sequence[str] = folded
        self.first_keys: I64 = np.array(keys, np.int64)


def match_names(snapshot: Snapshot, names: Names, text: str) -> Factored:
    """Finds the first chunks of documents whose title or file name is nearly a text, by how near it is."""
    keys, values = _most_similar(names, fold_text(text).strip())
    rows: list[U32] = []
    factors: list[F64] = []
    for segment in snapshot.segments:
        own = segment.reader.columns.chunk_keys
        places = np.minimum(np.searchsorted(own, keys), max(len(own) - 1, 0))
        is_here = own[places] == keys if len(own) else np.zeros(len(keys), bool)
        rows.append(places[is_here].astype(np.uint32))
        factors.append(values[is_here])
    return Factored(f"named “{text}”", "how like the name is, 1 for the same", rows, factors, ())


def _most_similar(names: Names, wanted: str) -> tuple[I64, F64]:
    """Returns the keys of the documents that have such a name, ascending, and how like the nearest is."""
    if not wanted or not names.folded:
        return np.zeros(0, np.int64), np.zeros(0)
    from rapidfuzz import process  # imported late: few searches need it
    from rapidfuzz.distance import OSA, JaroWinkler

    by_edits = process.cdist(
        [wanted], names.folded, scorer=OSA.normalized_similarity, score_cutoff=LEAST_BY_EDITS
    )[0]
    by_beginning = process.cdist(
        [wanted], names.folded, scorer=JaroWinkler.similarity, score_cutoff=LEAST_BY_BEGINNING
    )[0]
    similarity = np.maximum(by_edits, by_beginning).astype(np.float64)
    found = np.flatnonzero(similarity)
    order = found[np.lexsort((-similarity[found], names.first_keys[found]))]
    keys = names.first_keys[order]
    is_first = np.ones(len(keys), bool)
    is_first[1:] = keys[1:] != keys[:-1]
    return keys[is_first], similarity[order][is_first]
