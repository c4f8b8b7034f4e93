"""Browses the vocabulary: terms with their frequencies and the forms in which texts have them."""

from typing import Literal, get_args

import numpy as np

from dowse.analysis import fold_text
from dowse.errors import InvalidParameterError
from dowse.kernels.layout import U32
from dowse.matching import Pattern, compile_wildcard, match_term, spell_terms
from dowse.matching.scored_term import ScoredTerm
from dowse.schema import TermEntry, TermPage
from dowse.storage.snapshot import Snapshot
from dowse.storage.word_dictionary import WordDictionary

Order = Literal["frequency", "alphabet"]
ORDERS: tuple[Order, ...] = get_args(Order)
MAX_TERMS = 10_000


def browse_terms(
    snapshot: Snapshot, pattern: str = "", order: Order = "frequency", limit: int = 50, offset: int = 0
) -> TermPage:
    """Returns terms that have a form which fits.

    Args:
        snapshot: Whose terms.
        pattern: With ``*`` or ``?`` a wildcard for whole words, otherwise how they start; empty for all.
        order: ``frequency``, those that most chunks have first, where segments count deleted chunks until
            they are merged; or ``alphabet``, in the order of code points.
        limit: Most terms to return, 1 to 10,000.
        offset: Terms to skip.

    Raises:
        InvalidParameterError: A limit, an offset or an order is none.
        PatternTooComplexError: The wildcard would take too long.
    """
    _check(order, limit, offset)
    found = _fitting_terms(snapshot, fold_text(pattern.strip()))
    has_deleted = any(segment.live is not None for segment in snapshot.segments)
    wanted = len(found) if has_deleted else offset + limit
    ordered = sorted(found)[:wanted] if order == "alphabet" else _most_frequent(found, wanted)
    kept: list[tuple[bytes, ScoredTerm]] = []
    for spelling in ordered if has_deleted else ordered[offset:]:
        leaf = match_term(snapshot, spelling.decode("utf-8", "replace"))
        if leaf.doc_freq:
            kept.append((spelling, leaf))
        if len(kept) == offset + limit:
            break
    page = kept[offset:] if has_deleted else kept
    forms = _forms(snapshot, [spelling for spelling, _ in page])
    return TermPage(
        tuple(
            TermEntry(leaf.label, leaf.doc_freq, _count_all(snapshot, leaf), forms[spelling])
            for spelling, leaf in page
        ),
        len(found),
        not has_deleted,
    )


def _most_frequent(found: dict[bytes, int], count: int) -> list[bytes]:
    """Returns the terms of the highest frequencies, highest first; of equal ones in order of bytes."""
    worst = 0
    if count < len(found):
        frequencies = np.fromiter(found.values(), np.int64, len(found))
        worst = int(np.partition(frequencies, len(found) - count)[len(found) - count])
    best = [spelling for spelling, doc_freq in found.items() if doc_freq >= worst]
    return sorted(best, key=lambda spelling: (-found[spelling], spelling))[:count]


def _check(order: str, limit: int, offset: int) -> None:
    if order not in ORDERS:
        legal = f"legal values are {', '.join(ORDERS)}"
        raise InvalidParameterError(name="order", value=order, legal=legal)
    if not 1 <= limit <= MAX_TERMS:
        legal = f"legal values are 1 to {MAX_TERMS}"
        raise InvalidParameterError(name="limit", value=limit, legal=legal)
    if offset < 0:
        raise InvalidParameterError(name="offset", value=offset, legal="legal values are 0 and up")


def _fitting_terms(snapshot: Snapshot, folded: str) -> dict[bytes, int]:
    """Returns the terms of the words that fit, each with the chunks of the segments where one does."""
    pattern = compile_wildcard(folded) if "*" in folded or "?" in folded else None
    totals: dict[bytes, int] = {}
    for segment in snapshot.segments:
        terms = _terms_in(segment.reader.words, folded, pattern)
        frequencies = segment.reader.term_doc_freqs[terms].tolist()
        for spelling, doc_freq in zip(spell_terms(segment.reader, terms), frequencies, strict=True):
            totals[spelling] = totals.get(spelling, 0) + doc_freq
    return totals


def _terms_in(words: WordDictionary, prefix: str, pattern: Pattern | None) -> U32:
    """Returns the terms of all words of a segment that match the pattern, or start with the prefix."""
    found: U32
    if pattern is None:
        start, stop = words.vocabulary.prefix_range(prefix.encode("utf-8", "replace"))
        found = np.unique(words.terms[start:stop])
    else:
        start, stop = words.vocabulary.prefix_range(pattern.literal_prefix)
        fitting, _ = words.vocabulary.matching(
            pattern.automaton, start, stop, len(words), pattern.literal_suffix
        )
        found = np.unique(words.terms[fitting])
    return found


def _count_all(snapshot: Snapshot, leaf: ScoredTerm) -> int:
    """Returns how often live chunks have a term."""
    total = 0
    for segment, lists in zip(snapshot.segments, leaf.lists, strict=True):
        for source, _ in lists:
            assert isinstance(source, int), "the lists of a term are the segment's"
            rows, freqs = segment.reader.postings.merge_lists([source])
            living = freqs if segment.live is None else freqs[segment.live[rows] != 0]
            total += int(living.sum(dtype=np.int64))
    return total


def _forms(snapshot: Snapshot, spellings: list[bytes]) -> dict[bytes, tuple[str, ...]]:
    """Returns the words that became each term, most frequent first."""
    counts: dict[bytes, dict[str, int]] = {spelling: {} for spelling in spellings}
    for segment in snapshot.segments:
        words = segment.reader.words
        numbers = segment.reader.postings.find_terms(spellings)
        names = {number: counts[spellings[at]] for at, number in enumerate(numbers) if number >= 0}
        for ordinal in np.flatnonzero(np.isin(words.terms, list(names))).tolist():
            own, form = names[int(words.terms[ordinal])], words.spelling(ordinal)
            own[form] = own.get(form, 0) + int(words.doc_freqs[ordinal])
    return {
        spelling: tuple(sorted(own, key=lambda form: (-own[form], form)))
        for spelling, own in counts.items()
    }
