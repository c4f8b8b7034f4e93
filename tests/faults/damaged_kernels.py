"""Runs the posting kernels on damaged arrays, each walled in by pages that may not be touched; a script.

    damaged_kernels.py HOME SEED ROUNDS

Damage that checksums would have caught may give an error or a wrong answer here, never a stray access: that
would hit a wall and end the process.
"""

import ctypes
import mmap
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dowse.kernels import (
    KERNELS,
    FieldTables,
    Postings,
    Vocabulary,
    expand_texts,
    find_candidates,
    map_terms,
    merge_words,
    unslice_rows,
)
from dowse.kernels.layout import Lists, WordArrays
from dowse.storage.catalog import open_read_only_catalog
from dowse.storage.disk_directory import DiskDirectory
from dowse.storage.segment_reader import SegmentReader

LIBC = ctypes.CDLL(None, use_errno=True)
NO_ACCESS = 0
EXPECTED = (ValueError, IndexError, OverflowError)


class Walled:
    """A copy of an array that ends where memory ends."""

    def __init__(self, array: Any) -> None:
        page = mmap.PAGESIZE
        pages = -(-array.nbytes // page)
        self._memory = mmap.mmap(-1, (pages + 2) * page)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        offset = (pages + 1) * page - array.nbytes
        # Elements stay aligned; what is left over at the end is less than one element.
        self.array = np.frombuffer(self._memory, array.dtype, array.size, offset).reshape(array.shape)
        self.array[...] = array
        self.intact = array.copy()
        for wall in (start, start + (pages + 1) * page):
            assert 0 == LIBC.mprotect(ctypes.c_void_p(wall), page, NO_ACCESS), "mprotect failed"


def damage(arrays: dict[str, Walled], dice: random.Random) -> str:
    """Changes a few bytes of one array, by a little or by a lot; returns its name."""
    name = dice.choice(sorted(name for name, walled in arrays.items() if walled.array.size))
    flat = arrays[name].array.reshape(-1).view(np.uint8)
    size = dice.choice((1, 1, 1, 4, 8))
    at = dice.randrange(len(flat))
    if size > 1:
        at -= at % size
    value = dice.choice((0, 255, None))
    for place in range(at, min(at + size, len(flat))):
        flat[place] = dice.randrange(256) if value is None else value
    return name


def attempts(postings: Any, terms: list[bytes], dice: random.Random) -> list[Callable[[], object]]:
    """Returns calls of every kernel that looks into a segment."""
    table = np.linspace(0.1, 3.0, 8 * 256).reshape(8, 256)
    wanted = dice.sample(terms, min(6, len(terms)))
    numbers = [postings.find_term(term) for term in wanted]
    lists = []
    for number in (number for number in numbers if number >= 0):
        try:
            found = postings.lists_of(number)
        except EXPECTED:
            continue
        assert len(found) <= len(postings.lists.list_field), "more lists than there are"
        lists.append([index for index, _ in found])
    calls: list[Callable[[], object]] = []
    mask = np.ones(postings.row_count, np.uint8)
    tables = [np.linspace(0.1, 3.0, 256 * 256).reshape(256, 256)] * 8
    whole = FieldTables(tables, tables, 1.2)
    for indices in lists:
        for index in indices:
            calls.append(lambda index=index: postings.rows_of(index))
            for row in (0, 1, postings.row_count - 1, dice.randrange(postings.row_count)):
                calls.append(lambda index=index, row=row: postings.freq_at(index, row))
                calls.append(lambda index=index, row=row: postings.positions_at(index, row))
    firsts = [indices[-1] for indices in lists if indices]
    if firsts:
        calls.append(lambda: postings.phrase(firsts[:2], list(range(len(firsts[:2])))))
        calls.append(lambda: postings.phrase(firsts, list(range(len(firsts)))))
        calls.append(lambda: postings.sloppy_phrase(firsts[:3], list(range(len(firsts[:3]))), 2))
        for slop in (0, 2):
            found = numbers[:2], [0, 1], slop
            calls.append(lambda found=found: postings.find_phrase(*found).count(mask))
            calls.append(lambda found=found: postings.find_phrase(*found).score(1.5, whole, mask, 10, -1.0))
    groups = [(1.5, 1.2, [(index, table) for index in indices]) for indices in lists if indices]
    for k in (1, 10, 1000):
        calls.append(lambda k=k: postings.score_top_k(groups, None, k, -1.0))
        calls.append(lambda k=k: postings.score_top_k(groups, mask, k, 0.5))
        calls.append(lambda k=k: postings.score_clauses(groups, lists, firsts[:1], mask, k, -1.0))
        calls.append(lambda k=k: postings.score_clauses(groups, [firsts], [], None, k, 0.5))
    weighed = numbers, [1.0] * len(numbers), whole
    for least in (1, 2, 5):
        calls.append(lambda least=least: postings.count_clauses(lists, least))
        calls.append(lambda least=least: postings.score_term_quorum(*weighed, least, mask, 10, -1.0))
    calls.append(lambda: postings.score_term_clauses(*weighed, [numbers[:2], numbers[2:]], [], None, 10, 0.5))
    calls.append(lambda: postings.sum_rows(groups, np.arange(postings.row_count, dtype=np.uint32)))
    return calls


def word_attempts(
    postings: Any, words: WordArrays, signatures: Any, dice: random.Random
) -> list[Callable[[], object]]:
    """Returns calls of every kernel that looks into the words or signatures of a segment."""
    offsets, spellings, count = words.word_offsets, words.word_bytes, len(words.word_terms)
    bits = np.array([dice.randrange(4096) for _ in range(3)], np.uint32)

    def walk() -> object:
        vocabulary = Vocabulary(offsets, spellings)
        start, stop = vocabulary.prefix_range(b"p")
        return vocabulary.within_edits("paeg", 2), start, stop, vocabulary.spelling(dice.randrange(count))

    return [
        walk,
        lambda: map_terms(offsets, spellings, offsets, spellings),
        lambda: expand_texts(postings.term_restarts, postings.term_codes, postings.term_count),
        lambda: postings.spell([dice.randrange(postings.term_count)]),
        lambda: postings.find_terms_of(postings, np.arange(postings.term_count, dtype=np.uint32)),
        lambda: merge_words([words, words]),
        lambda: find_candidates(signatures, postings.row_count, bits),
        lambda: unslice_rows(signatures, postings.row_count),
    ]


def main(home: Path, seed: int, rounds: int) -> None:
    """Damages, calls, restores; prints how many calls gave an error."""
    (tree,) = (home / "trees").iterdir()
    catalog = open_read_only_catalog(tree)
    sql = "SELECT folder, checksum FROM segments ORDER BY rows DESC LIMIT 1"
    folder, checksum = catalog.fetch(sql)[0]
    reader = SegmentReader(DiskDirectory(tree / "segments"), folder, checksum)
    whole = reader.postings
    arrays = {name: Walled(getattr(whole.lists, name)) for name in Lists._fields}
    arrays["term_restarts"] = Walled(whole.term_restarts)
    arrays["term_codes"] = Walled(whole.term_codes)
    arrays["buckets"] = Walled(whole.buckets)
    words = reader.expand_words()
    arrays |= {name: Walled(getattr(words, name)) for name in WordArrays._fields}
    arrays["signatures"] = Walled(reader.signatures.blocks)
    terms = whole.spell(range(whole.term_count))
    dice = random.Random(seed)
    calls = errors = 0
    for _ in range(rounds):
        name = damage(arrays, dice)
        lists = Lists(**{name: arrays[name].array for name in Lists._fields})
        postings = Postings(
            arrays["term_restarts"].array, arrays["term_codes"].array, lists, arrays["buckets"].array
        )
        words = WordArrays(**{name: arrays[name].array for name in WordArrays._fields})
        calls_of_words = word_attempts(postings, words, arrays["signatures"].array, dice)
        for call in (*attempts(postings, terms, dice), *calls_of_words):
            calls += 1
            try:
                call()
            except EXPECTED:
                errors += 1
        arrays[name].array[...] = arrays[name].intact
    print(f"{KERNELS} kernels, {calls} calls, {errors} errors")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
