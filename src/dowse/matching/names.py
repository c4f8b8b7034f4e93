"""Matches documents by their names: titles and file names that are nearly what was typed.

A whole name is compared, not its words, so this finds `REAMDE` and “Getting Started” with a slip in it. Two
measures, because they forgive different things: edits with swapped neighbours (Damerau-Levenshtein in its
restricted form, OSA) for slips, Jaro-Winkler for names that go on where the typing stopped.
"""

from bisect import bisect_left, bisect_right

import numpy as np

from dowse.analysis import fold_text
from dowse.kernels.layout import F64, I64, U32, U64
from dowse.matching.factored import Factored
from dowse.storage.snapshot import Snapshot

# How like a name must be: 1 is the same.
LEAST_BY_EDITS = 0.75
LEAST_BY_BEGINNING = 0.92
# Jaro-Winkler of names of which one is half as long is 0.9 at most.
LEAST_SIZE = 0.5
# To be near enough, at most a quarter of the letters may be edited; by Jaro-Winkler two fifths may be
# lacking, because its two shares of matching letters add up to 1.6 at least.
MOST_LACKING = 0.4


class Names:
    """Titles and file names of the live documents of one snapshot, each with the document's first chunk."""

    def __init__(self, snapshot: Snapshot) -> None:
        rows = snapshot.catalog.fetch(
            "SELECT first_key, title, doc_key FROM documents WHERE is_live ORDER BY first_key"
        )
        keys: dict[str, list[int]] = {}
        for first_key, title, doc_key in rows:
            file_name = doc_key.rsplit("/", 1)[-1]
            for name in {fold_text(text) for text in (title, file_name, file_name.rpartition(".")[0])}:
                keys.setdefault(name, []).append(first_key)
        keys.pop("", None)
        self.folded = sorted(keys, key=len)
        self.sizes = [len(name) for name in self.folded]
        self.first_keys = [keys[name] for name in self.folded]
        self.letters: U64 = np.array([_letters(name) for name in self.folded], np.uint64)


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

    # No name that is much shorter or longer can be near enough by either measure.
    first = bisect_left(names.sizes, int(LEAST_SIZE * len(wanted)))
    stop = bisect_right(names.sizes, len(wanted) / LEAST_SIZE)
    # Nor can one that lacks too many of its letters.
    lacking = np.bitwise_count(np.uint64(_letters(wanted)) & ~names.letters[first:stop])
    places = (first + np.flatnonzero(lacking <= MOST_LACKING * len(wanted))).tolist()
    candidates = [names.folded[place] for place in places]
    if not candidates:
        return np.zeros(0, np.int64), np.zeros(0)
    by_edits = process.cdist(
        [wanted], candidates, scorer=OSA.normalized_similarity, score_cutoff=LEAST_BY_EDITS
    )[0]
    by_beginning = process.cdist(
        [wanted], candidates, scorer=JaroWinkler.similarity, score_cutoff=LEAST_BY_BEGINNING
    )[0]
    nearest: dict[int, float] = {}
    for place in np.flatnonzero(np.maximum(by_edits, by_beginning)).tolist():
        value = float(max(by_edits[place], by_beginning[place]))
        for key in names.first_keys[places[place]]:
            nearest[key] = max(nearest.get(key, 0.0), value)
    keys = sorted(nearest)
    return np.array(keys, np.int64), np.array([nearest[key] for key in keys], np.float64)


def _letters(name: str) -> int:
    """Returns which letters a name has, as bits; different letters may share one."""
    bits = 0
    for letter in name:
        bits |= 1 << (ord(letter) & 63)
    return bits

