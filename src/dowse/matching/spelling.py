"""Words of the vocabulary that a mistyped one may stand for."""

from typing import NamedTuple

from dowse.storage.snapshot import Snapshot


class Candidate(NamedTuple):
    """A known word.

    Attributes:
        word: As texts have it, folded.
        distance: Edits from what was typed; one in the first letter counts double.
        doc_freq: Chunks that have it, in this very form.
    """

    word: str
    distance: int
    doc_freq: int

    @property
    def score(self) -> float:
        """How likely it is meant: frequent words before rare ones, near ones before far ones."""
        return self.doc_freq / (self.distance + 1)


def edit_budget(word: str) -> int:
    """Returns how many typing errors a word may have: none below 5 letters, 1 up to 8, then 2."""
    return 0 if len(word) < 5 else 1 if len(word) < 9 else 2


def find_similar(snapshot: Snapshot, word: str, max_edits: int) -> list[Candidate]:
    """Returns the known words near a folded word, most likely first; the word itself may be among them."""
    found: dict[str, tuple[int, int]] = {}
    for segment in snapshot.segments:
        words = segment.reader.words
        ordinals, distances = words.vocabulary.within_edits(word, max_edits, 2)
        for ordinal, distance in zip(ordinals.tolist(), distances.tolist(), strict=True):
            spelling = words.spelling(ordinal)
            _, before = found.get(spelling, (distance, 0))
            found[spelling] = distance, before + int(words.doc_freqs[ordinal])
    candidates = [Candidate(spelling, *values) for spelling, values in found.items()]
    return sorted(candidates, key=lambda entry: (-entry.score, entry.distance, entry.word))
