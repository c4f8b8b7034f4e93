"""Takes all forms of a pattern as one word; the plain twin."""

from collections.abc import Set as AbstractSet

import numpy as np

from dowse.kernels.layout import MAX_TERM_FREQ, U8, U32, Lists


def nearest_terms(word_terms: U32, words: U32, distances: U8) -> tuple[U32, U8]:
    """Returns the terms of words, ascending, each with the distance of its nearest word.

    Args:
        word_terms: The term of each word of the vocabulary.
        words: Ordinals of words, in any order.
        distances: Of each of them.

    Raises:
        ValueError: There is no such word.
    """
    if len(distances) != len(words):
        raise ValueError("every word has a distance")
    if len(words) and words.max() >= len(word_terms):
        raise ValueError(f"there is no word {words.max()}")
    terms = word_terms[words]
    order = np.lexsort((distances, terms))
    terms, first = np.unique(terms[order], return_index=True)
    return terms, distances[order][first]


def merge_terms(
    lists: Lists, row_count: int, terms: U32, fields: AbstractSet[int]
) -> tuple[list[tuple[int | tuple[U32, U8, int], int]], int]:
    """Returns the rows that have any of the terms, as if they were one.

    Args:
        lists: Of a segment.
        row_count: Its rows.
        terms: Ordinals, none twice.
        fields: Those that count.

    Returns:
        For each field that has any of the terms, ascending, what is searched for and the field: the number
        of the only list, or rows, the sums of their frequencies (saturating at 255) and the field; and how
        many rows there are in any field. O(postings + fields * rows / 64).

    Raises:
        ValueError: A term or its postings are not there.
    """
    by_field: dict[int, list[int]] = {}
    for term in terms.tolist():
        if term + 1 >= len(lists.term_lists) or lists.term_lists[term + 1] > len(lists.list_field):
            raise ValueError(f"there is no term {term}")
        for index in range(lists.term_lists[term], lists.term_lists[term + 1]):
            by_field.setdefault(int(lists.list_field[index]), []).append(index)
    in_any = np.zeros(row_count, bool)
    sources: list[tuple[int | tuple[U32, U8, int], int]] = []
    for field in sorted(by_field.keys() & fields):
        sums = np.zeros(row_count, np.int64)
        for index in by_field[field]:
            rows, freqs = _postings_of(lists, index)
            sums[rows] += freqs
        found = np.flatnonzero(sums)
        in_any[found] = True
        if len(by_field[field]) == 1:
            sources.append((by_field[field][0], field))
        else:
            freqs = np.minimum(sums[found], MAX_TERM_FREQ).astype(np.uint8)
            sources.append(((found.astype(np.uint32), freqs, field), field))
    return sources, int(in_any.sum())


def _postings_of(lists: Lists, index: int) -> tuple[U32, U8]:
    start, size = int(lists.list_postings[index]), int(lists.list_doc_freq[index])
    if start + 5 * size > len(lists.postings):
        raise ValueError(f"posting list {index} points outside the file")
    rows = np.frombuffer(lists.postings, "<u4", size, start)
    return rows, lists.postings[start + 4 * size : start + 5 * size]
