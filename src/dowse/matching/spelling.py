"""Words of the vocabulary that a mistyped one may stand for."""


from dowse.schema import SpellingCandidate
from dowse.storage.snapshot import Snapshot


def edit_budget(word: str) -> int:
    """Returns how many typing errors a word may have: none below 5 letters, 1 up to 8, then 2."""
    return 0 if len(word) < 5 else 1 if len(word) < 9 else 2


def find_similar(snapshot: Snapshot, word: str, max_edits: int) -> list[SpellingCandidate]:
    """Returns the known words near a folded word, most likely first; the word itself may be among them."""
    found: dict[str, tuple[int, int]] = {}
    for segment in snapshot.segments:
        words = segment.reader.words
        ordinals, distances = words.vocabulary.within_edits(word, max_edits, 2)
        for ordinal, distance in zip(ordinals.tolist(), distances.tolist(), strict=True):
            spelling = words.spelling(ordinal)
            _, before = found.get(spelling, (distance, 0))
            found[spelling] = distance, before + int(words.doc_freqs[ordinal])
    candidates = [SpellingCandidate(spelling, *values) for spelling, values in found.items()]
    return sorted(candidates, key=lambda entry: (-entry.score, entry.distance, entry.word))
