"""The in-memory shape of a dictionary with its posting lists, shared by compiled and reference kernels.

One *list* is the postings of one term in one field. Its bytes are laid out so that a merge can stream:

- postings: ``rows`` as little-endian uint32, then ``term_freqs`` as uint8, padded to 4 bytes;
- positions: a skip table of uint32 (byte offset of posting 64, 128, … counted from the end of the table),
  then, posting after posting, LEB128 varints of ``delta << 1 | is_last``.

FORMAT.md (S3–S5) states the same as numbered invariants.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

SKIP_EVERY = 64
MAX_TERM_FREQ = 255
FIELD_SLOTS = 8  # list_id = term * FIELD_SLOTS + field
DROPPED = 0xFFFFFFFF  # in maps from old numbers to new ones: there is no new one
RESTART_EVERY = 16  # front-coded texts; reading can begin at each of these
# Half as many would do for long substrings, but of short ones more than the 1,000 texts that are read would
# be candidates: on 28k passages 806 on average for eight characters instead of 586, and hits were lost.
SIGNATURE_BITS = 4096
BLOCK_ROWS = 512  # signatures of so many rows stand side by side
MAX_LOOSE_WORDS = 64  # in a phrase with slop
MAX_UNORDERED = 10  # sets of spans brought together in any order
VECTOR_LANES = 32  # codes of so many vectors stand side by side
MAX_VECTOR_WIDTH = 4096  # dimensions; sums over more would not fit their registers
MAX_QUERY_LEVEL = 2047

I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
AnyArray = npt.NDArray[Any]


class Lists(NamedTuple):
    """A run of terms with their posting lists, in term order and, within a term, in field order.

    Attributes:
        term_lists: First list of each term, and the number of lists at the end; ``terms + 1`` values.
        term_doc_freq: Rows that have the term in any field.
        list_field: Field number.
        list_max_freq: Largest term frequency in the list (saturating at 255).
        list_min_bucket: Smallest length bucket among the list's rows.
        list_doc_freq: Postings in the list.
        list_postings: Byte offset of the list in `postings`; a multiple of 4.
        list_positions: Byte offset of the list in `positions`.
    """

    term_lists: U32
    term_doc_freq: U32
    list_field: U8
    list_max_freq: U8
    list_min_bucket: U8
    list_doc_freq: U32
    list_postings: U64
    list_positions: U64
    postings: U8
    positions: U8


class WordArrays(NamedTuple):
    """The words of a segment: its different surfaces as written, folded but not stemmed.

    Attributes:
        word_offsets: Start of each word in `word_bytes`, and the end of the last.
        word_bytes: UTF-8, ascending bytewise; the same word twice ascends by term.
        word_terms: The term each word became: its place in the segment's dictionary.
        word_doc_freq: Rows that have the word in any field, deleted ones included.
        word_sounds: Two numbers a word: how it is pronounced, and how else; 0 for not at all.
    """

    word_offsets: U64
    word_bytes: U8
    word_terms: U32
    word_doc_freq: U32
    word_sounds: U32


class Automaton(NamedTuple):
    """A deterministic automaton over code points, beginning in state 0.

    Attributes:
        transitions: Next state by [state, class]; -1 where no match can follow.
        accepting: 1 for states in which a word may end.
        bounds: First code point of each range, ascending from 0.
        classes: The class of each range.
    """

    transitions: I32
    accepting: U8
    bounds: U32
    classes: U16


def decoded_lengths() -> F64:
    """Returns the field length each of the 256 length buckets stands for, strictly ascending.

    Exact below 64 positions, then about 3.7 % apart, up to 65,535 and a little beyond.
    """
    buckets = np.arange(256)
    large = np.floor(64.0 * np.exp2((buckets - 64) / 19.0) + 0.5)
    return np.where(buckets < 64, buckets, large).astype(np.float64)


def length_buckets(lengths: AnyArray) -> U8:
    """Returns the bucket of each field length: the largest bucket that does not exceed it."""
    found = np.searchsorted(decoded_lengths(), lengths, side="right") - 1
    return found.astype(np.uint8)


def sliced_bytes(row_count: int) -> int:
    """Returns the size of the sliced signatures of so many rows."""
    full, rest = divmod(row_count, BLOCK_ROWS)
    return SIGNATURE_BITS * (full * BLOCK_ROWS // 8 + (rest + 7) // 8)
