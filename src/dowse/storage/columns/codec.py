"""The bytes of columns: one pool of arrays, and a directory that says what lies where.

A segment has two arrays for all of them, however many keys the metadata of its documents have: opening it
costs the same, and only a filter pays for reading the directory.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dowse.errors import CorruptFileError
from dowse.kernels.layout import F64, I64, U8, U32, AnyArray

SEPARATOR = b"\xff"
# Longer values are kept as a digest: equality still holds, and a column stays small.
LONGEST_BYTES = 1024
DIGEST = b"\xfe"
_ALIGNMENT = 8
_DTYPES = {"|u1", "<u2", "<u4", "<i4", "<f8"}


class Part(msgspec.Struct, frozen=True, array_like=True):
    """Where an array of a column lies in the pool."""

    dtype: str
    offset: int
    count: int


class ColumnEntry(msgspec.Struct, frozen=True, array_like=True):
    """A column as the directory has it.

    Attributes:
        docs: Document of each value; None when there is one value per document.
        values: Numbers of dictionary entries, or the numbers themselves; None for names.
        folds: The dictionary, folded; None for numbers.
        texts: The dictionary as written, an entry empty where folding changes nothing; None when all are.
    """

    name: str
    kind: str
    docs: Part | None
    values: Part | None
    folds: Part | None
    texts: Part | None


class ColumnArrays(NamedTuple):
    """The columns of a segment as its file has them.

    Attributes:
        doc_rows: First row of each document, and the number of rows at the end.
        column_directory: Entries as JSON.
        column_values: The pool.
    """

    doc_rows: U32
    column_directory: U8
    column_values: U8


class Pool:
    """Gathers the arrays of columns."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._entries: list[ColumnEntry] = []

    def _put(self, array: AnyArray | None) -> Part | None:
        if array is None:
            return None
        raw = np.ascontiguousarray(array).tobytes()
        part = Part(array.dtype.str, self._size, len(array))
        self._pieces.append(raw + bytes(-len(raw) % _ALIGNMENT))
        self._size += len(self._pieces[-1])
        return part

    def add_keywords(self, name: str, keywords: "Keywords", doc_count: int) -> None:
        """Adds a keyword column; nothing when no document has a value."""
        if not len(keywords.numbers):
            return
        entries = keywords.entries
        numbers = keywords.numbers.astype(_narrowest(len(entries)))
        docs, numbers = _densest(keywords.docs, numbers, doc_count, 0)
        folds = [fold_entry(entry) for entry in entries]
        are_same = folds == list(entries)
        texts = [b"" if fold == entry else entry for fold, entry in zip(folds, entries, strict=True)]
        self._entries.append(
            ColumnEntry(
                name,
                "keyword",
                self._put(docs),
                self._put(numbers),
                self._put(join_entries(folds)),
                None if are_same else self._put(join_entries(texts)),
            )
        )

    def add_numbers(self, name: str, docs: I64, numbers: F64, doc_count: int) -> None:
        """Adds a column of numbers, ascending by document; nothing when no document has one."""
        if not len(numbers):
            return
        values: AnyArray = numbers
        with np.errstate(invalid="ignore"):
            whole = numbers.astype(np.int32)
        if len(docs) == doc_count and np.array_equal(whole, numbers) and _is_ascending(docs):
            values = whole
        dense, values = _densest(docs, values, doc_count, np.nan)
        self._entries.append(
            ColumnEntry(name, "number", self._put(dense), self._put(values), None, None)
        )

    def add_names(self, name: str, names: U8) -> None:
        """Adds one folded text per document."""
        self._entries.append(ColumnEntry(name, "names", None, None, self._put(names), None))

    def arrays(self, doc_rows: U32) -> ColumnArrays:
        """Returns what is written."""
        directory = msgspec.json.encode(self._entries)
        return ColumnArrays(
            doc_rows,
            np.frombuffer(directory, np.uint8),
            np.frombuffer(b"".join(self._pieces), np.uint8),
        )


class Keywords(NamedTuple):
    """The values of a keyword column, before they are encoded.

    Attributes:
        entries: Different values in UTF-8, ascending: what is in one folder stands together.
        docs: Document of each value, ascending.
        numbers: Entry of each value, counted from 1.
    """

    entries: Sequence[bytes]
    docs: I64
    numbers: I64


def fold_entry(entry: bytes) -> bytes:
    """Returns an entry as filters compare it: letter case does not count."""
    if entry.isascii():
        return entry.lower()
    if entry.startswith(DIGEST):
        return entry
    return entry.decode("utf-8", "replace").casefold().encode()


def encode_text(text: str, longest_bytes: int = LONGEST_BYTES) -> bytes:
    """Returns a value as its column keeps it; a long one becomes a digest of its folded text."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= longest_bytes:
        return raw
    return _digest(fold_entry(raw))


def encode_wanted(text: str) -> tuple[bytes, ...]:
    """Returns what a wanted value may be in a folded dictionary: itself, and its digest when it is long."""
    folded = text.casefold().encode("utf-8", "replace")
    # Folding changes the size, so which of the two it is the column knows.
    return (folded, _digest(folded)) if len(folded) > LONGEST_BYTES // 4 else (folded,)


def _digest(folded: bytes) -> bytes:
    import hashlib  # 3 ms that few columns and fewer filters need

    return DIGEST + hashlib.blake2b(folded, digest_size=16).hexdigest().encode()


def join_entries(entries: Iterable[bytes]) -> U8:
    """Returns entries with separators before, between and after them."""
    return np.frombuffer(SEPARATOR + b"".join(entry + SEPARATOR for entry in entries), np.uint8)


def split_entries(joined: U8) -> list[bytes]:
    """Reads what `join_entries` made."""
    return joined.tobytes().split(SEPARATOR)[1:-1]


def decode_directory(arrays: ColumnArrays, place: str) -> dict[tuple[str, str], ColumnEntry]:
    """Returns the directory by name and kind; `place` names the file in errors.

    Raises:
        CorruptFileError: It is no directory, or names what is not in the pool.
    """
    try:
        entries = msgspec.json.decode(arrays.column_directory.tobytes(), type=list[ColumnEntry])
    except msgspec.MsgspecError as error:
        raise CorruptFileError(path=place, expectation="its directory of columns cannot be read") from error
    size = len(arrays.column_values)
    for entry in entries:
        for part in (entry.docs, entry.values, entry.folds, entry.texts):
            if part is not None and not _is_inside(part, size):
                raise CorruptFileError(path=place, expectation=f"the column {entry.name!r} is not all there")
    return {(entry.name, entry.kind): entry for entry in entries}


def read_part(pool: U8, part: Part) -> Any:
    """Returns an array of the pool, without copying."""
    size = part.count * np.dtype(part.dtype).itemsize
    return pool[part.offset : part.offset + size].view(part.dtype)


def _is_inside(part: Part, size: int) -> bool:
    if part.dtype not in _DTYPES or part.offset < 0 or part.count < 0 or part.offset % _ALIGNMENT:
        return False
    return part.offset + part.count * np.dtype(part.dtype).itemsize <= size


def _narrowest(largest: int) -> type[np.unsignedinteger[Any]]:
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


def _is_ascending(docs: I64) -> bool:
    return bool((np.diff(docs) > 0).all())


def _densest(
    docs: I64, values: AnyArray, doc_count: int, missing: float
) -> tuple[U32 | None, AnyArray]:
    """Returns values for every document where that is smaller, or else pairs of document and value."""
    width = values.dtype.itemsize
    if not _is_ascending(docs) or doc_count * width > len(docs) * (4 + width):
        return docs.astype(np.uint32), values
    if len(docs) == doc_count:
        return None, values
    dense = np.full(doc_count, missing, values.dtype)
    dense[docs] = values
    return None, dense
