"""Matches documents by their names: titles and file names that are nearly what was typed.

A whole name is compared, not its words, so this finds `REAMDE` and “Getting Started” with a slip in it. Two
measures, because they forgive different things: edits with swapped neighbours (Damerau-Levenshtein in its
restricted form, OSA) for slips, Jaro-Winkler for names that go on where the typing stopped.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dowse.analysis import fold_text
from dowse.kernels.layout import F64, I64, U8, U32
from dowse.matching.factored import Factored
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import list_document_names

# How like a name must be: 1 is the same.
LEAST_BY_EDITS = 0.75
LEAST_BY_BEGINNING = 0.92
# Jaro-Winkler of 0.92 is Jaro of 0.867 at least, of whose three shares the two of matching letters then add
# up to 1.6; so no name of less than 0.6 of the other's size is near enough, by edits even 0.75.
LEAST_SHARES = 1.6
LEAST_SIZE = 0.6
_KINDS = 64  # letters are told apart by their last six bits
_MOST = 255
_BATCH = 1_024


class Names:
    """Titles and file names of the live documents of one snapshot, each with the document's first chunk.

    Attributes:
        folded: Shortest first.
        sizes: Letters of each.
        first_keys: Keys of first chunks, by name.
        counts: How often each name has each kind of letter, saturating; shape (kinds, names).
    """

    def __init__(self, snapshot: Snapshot) -> None:
        keys: dict[str, list[int]] = {}
        for first_key, title, doc_key in list_document_names(snapshot):
            file_name = doc_key.rsplit("/", 1)[-1]
            for name in {_fold(title), _fold(file_name), _fold(file_name.rpartition(".")[0])}:
                keys.setdefault(name, []).append(first_key)
        keys.pop("", None)
        self.folded = sorted(keys, key=len)
        self.sizes: I64 = np.array([len(name) for name in self.folded], np.int64)
        self.first_keys = [keys[name] for name in self.folded]
        self.counts = _count_letters(self.folded, self.sizes)


def _fold(name: str) -> str:
    """Folds a name; most are plain ASCII, of which nothing but the case goes."""
    if name.isascii() and name.isprintable() and "  " not in name:
        return name.lower()
    return fold_text(name)


def _count_letters(names: Sequence[str], sizes: I64) -> U8:
    """Counts in batches, so that what is written stays in the cache."""
    counts: U8 = np.zeros((_KINDS, len(names)), np.uint8)
    for start in range(0, len(names), _BATCH):
        batch = "".join(names[start : start + _BATCH]).encode("utf-32-le", "surrogatepass")
        own = sizes[start : start + _BATCH]
        places = np.repeat(np.arange(len(own)), own)
        cells = (np.frombuffer(batch, "<u4") % _KINDS) * len(own) + places
        found = np.bincount(cells, minlength=_KINDS * len(own)).reshape(_KINDS, len(own))
        counts[:, start : start + _BATCH] = np.minimum(found, _MOST)
    return counts


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

    places = _similar_letters(names, wanted)
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


def _similar_letters(names: Names, wanted: str) -> list[int]:
    """Returns the places of the names that have enough letters in common with a text to be near enough.

    Whatever the order of letters: by edits, those that the longer one does not share are edited at least;
    by Jaro-Winkler, no others can match.
    """
    first = int(np.searchsorted(names.sizes, LEAST_SIZE * len(wanted) - 1e-6))
    stop = int(np.searchsorted(names.sizes, len(wanted) / LEAST_SIZE + 1e-6, side="right"))
    sizes = names.sizes[first:stop]
    common = np.zeros(len(sizes), np.int64)
    for letter, count in Counter(ord(letter) % _KINDS for letter in wanted).items():
        column = names.counts[letter, first:stop]
        if count < _MOST:
            common += np.minimum(column, np.uint8(count))
        else:
            common += np.where(column == _MOST, count, column)
    by_edits = common >= LEAST_BY_EDITS * np.maximum(sizes, len(wanted)) - 1e-6
    by_beginning = common / sizes + common / len(wanted) >= LEAST_SHARES - 1e-6
    return (first + np.flatnonzero(by_edits | by_beginning)).tolist()
