"""Checks the spelling of a text by the only dictionary there is: what the indexed texts have."""

from collections.abc import Sequence

from dowse.analysis import PART, Analyzer, QueryToken
from dowse.matching import match_term
from dowse.matching.spelling import edit_budget, find_similar
from dowse.schema import Misspelling, SpellingCandidate, SpellingReport
from dowse.storage.snapshot import Snapshot
from dowse.suggest.frequent_words import is_alive

MAX_CANDIDATES = 5


def check_spelling(text: str, analyzers: Sequence[Analyzer], snapshot: Snapshot) -> SpellingReport:
    """Finds the words of a text that no chunk has, in any form.

    Numbers, words with digits and scripts without spaces are passed over. A compound that is known counts
    as a word, whatever its parts.

    Args:
        text: Plain text, not a query.
        analyzers: One for each way in which texts were analysed; what one of them knows is known.
        snapshot: What is known.
    """
    unknown: dict[str, bool] = {}
    suspects: dict[tuple[int, int], str] = {}
    for number, analyzer in enumerate(analyzers):
        found = {}
        tokens = analyzer.query_tokens(text)
        for token in _unknown_parts(tokens, snapshot, unknown):
            found[token.start, token.end] = token.surface
        suspects = found if number == 0 else {at: suspects[at] for at in suspects if at in found}
    likely: dict[str, tuple[SpellingCandidate, ...]] = {}
    misspellings = []
    for (start, end), surface in sorted(suspects.items()):
        if surface not in likely:
            likely[surface] = _candidates(snapshot, surface)
        misspellings.append(Misspelling(text[start:end], start, end, likely[surface]))
    return SpellingReport(tuple(misspellings), _correct(text, misspellings))


def _unknown_parts(
    tokens: Sequence[QueryToken], snapshot: Snapshot, unknown: dict[str, bool]
) -> list[QueryToken]:
    """Returns the words that no chunk has; remembers in `unknown` which terms these are."""

    def is_unknown(term: str) -> bool:
        if term not in unknown:
            unknown[term] = match_term(snapshot, term).doc_freq == 0
        return unknown[term]

    found, known_to, last_end = [], 0, 0
    for place, token in enumerate(tokens):
        if token.kind != PART:
            if not is_unknown(token.term):
                known_to = token.end
            continue
        # Pairs of letters in scripts without spaces overlap; they are no words.
        following = next((other for other in tokens[place + 1 :] if other.kind == PART), None)
        is_pair = token.start < last_end or (following is not None and following.start < token.end)
        last_end = token.end
        if is_pair or token.end <= known_to or not token.surface.isalpha():
            continue
        if is_unknown(token.term):
            found.append(token)
    return found


def _candidates(snapshot: Snapshot, surface: str) -> tuple[SpellingCandidate, ...]:
    budget = edit_budget(surface)
    if not budget:
        return ()
    alive = []
    for candidate in find_similar(snapshot, surface, budget):
        if is_alive(snapshot, candidate.word):
            alive.append(candidate)
        if len(alive) == MAX_CANDIDATES:
            break
    return tuple(alive)


def _correct(text: str, misspellings: Sequence[Misspelling]) -> str:
    pieces, at = [], 0
    for entry in misspellings:
        if entry.candidates:
            pieces += [text[at : entry.start], _in_case_of(entry.word, entry.candidates[0].word)]
            at = entry.end
    return "".join([*pieces, text[at:]])


def _in_case_of(written: str, word: str) -> str:
    """Writes a folded word in capitals where the other one is."""
    if len(written) > 1 and written.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if written[:1].isupper() else word
