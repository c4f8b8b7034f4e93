"""Writes one segment: all files, each synced, then the manifest."""

import zlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import asdict

from dowse.kernels import front_code
from dowse.kernels.layout import U8, U32, U64, AnyArray, Lists, decoded_lengths
from dowse.storage.columns import ColumnArrays
from dowse.storage.directory import Directory
from dowse.storage.segment_files import FORMAT_VERSION, MANIFEST, FileEntry, Manifest, SegmentFileWriter
from dowse.storage.word_dictionary import BuildWordDictionary

I64 = npt.NDArray[np.int64]
WORD_COLUMNS = ("word_terms", "word_doc_freq", "word_sounds")
LIST_COLUMNS = ("list_field", "list_max_freq", "list_min_bucket", "list_doc_freq")


class Columns(Struct, frozen=True):
    """What a segment knows of each row besides its terms.

    Attributes:
        chunk_keys: Strictly ascending (S6).
        doc_ids: The document each row belongs to.
        tree_ids: The tree each row belongs to.
        ordinals: The chunk's place in its document.
        key_offsets: Start of each row's document key in `key_bytes`, and the end of the last; with them
            an answer without snippets needs no catalogue.
        key_bytes: Document keys in UTF-8, one after the other.
    """

    chunk_keys: I64
    doc_ids: I64
    tree_ids: U32
    ordinals: U32
    key_offsets: U64
    key_bytes: U8

    def take(self, rows: I64) -> "Columns":
        """Returns the columns of some rows, in the order given."""
        starts = self.key_offsets[rows].astype(np.int64)
        sizes = self.key_offsets[rows + 1].astype(np.int64) - starts
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], sizes)
        return Columns(
            self.chunk_keys[rows],
            self.doc_ids[rows],
            self.tree_ids[rows],
            self.ordinals[rows],
            offsets.astype(np.uint64),
            self.key_bytes[places],
        )


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Returns the rows of all parts, one part after the other."""
    sizes = np.concatenate([np.diff(part.key_offsets) for part in parts])
    offsets = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
    return Columns(
        np.concatenate([part.chunk_keys for part in parts]),
        np.concatenate([part.doc_ids for part in parts]),
        np.concatenate([part.tree_ids for part in parts]),
        np.concatenate([part.ordinals for part in parts]),
        offsets,
        np.concatenate([part.key_bytes for part in parts]),
    )


class WrittenSegment(Struct, frozen=True):
    """A segment on disk that no generation names yet."""

    folder: str
    checksum: int
    manifest: Manifest
    first_key: int
    last_key: int
    disk_bytes: int


def write_segment(
    directory: Directory,
    folder: str,
    blocks: Iterable[tuple[U64, U8, Lists]],
    buckets: U8,
    columns: Columns,
    document_columns: ColumnArrays,
    make_words: BuildWordDictionary,
    signatures: Iterable[U8],
) -> WrittenSegment:
    """Writes a segment from blocks of terms in ascending order; leaves nothing behind when it fails.

    Nothing is true yet when this returns: the catalogue names the segment in its own transaction (S1).

    Args:
        directory: Where segments live.
        folder: Name of the new one.
        blocks: The sizes of its terms, their bytes, and their lists.
        buckets: Its lengths, [fields, rows].
        columns: Its rows.
        document_columns: What its documents can be filtered by.
        make_words: Makes its words, once the terms have their numbers.
        signatures: The signatures of its rows, sliced, a few blocks at a time.
    """
    try:
        return _write_files(
            directory, folder, blocks, buckets, columns, document_columns, make_words, signatures
        )
    except BaseException:
        directory.remove(folder)  # half a segment would fill a disk that is full already
        raise


def _write_files(
    directory: Directory,
    folder: str,
    blocks: Iterable[tuple[U64, U8, Lists]],
    buckets: U8,
    columns: Columns,
    document_columns: ColumnArrays,
    make_words: BuildWordDictionary,
    signatures: Iterable[U8],
) -> WrittenSegment:
    dictionary = _Dictionary()
    postings = SegmentFileWriter(directory, folder, "postings")
    positions = SegmentFileWriter(directory, folder, "positions")
    postings.begin("postings")
    positions.begin("positions")
    posting_bytes = position_bytes = 0
    for sizes, spellings, lists in blocks:
        dictionary.add(sizes, spellings, lists, posting_bytes, position_bytes)
        postings.append(lists.postings)
        positions.append(lists.positions)
        posting_bytes += len(lists.postings)
        position_bytes += len(lists.positions)
    postings.end("postings", "|u1", [posting_bytes])
    positions.end("positions", "|u1", [position_bytes])
    entries = {
        "postings": postings.close(),
        "positions": positions.close(),
        "signatures": _write_signatures(directory, folder, signatures),
    }
    term_offsets, term_bytes = dictionary.terms()
    words = make_words(term_offsets, term_bytes)
    arrays: dict[str, dict[str, AnyArray]] = {
        "terms": {**code_texts("term", term_offsets, term_bytes), **dictionary.arrays()},
        "words": {**code_texts("word", *words[:2]), **{name: getattr(words, name) for name in WORD_COLUMNS}},
        "lengths": {"buckets": buckets},
        "columns": {**asdict(columns), **document_columns._asdict()},
    }
    for name, members in arrays.items():
        file = SegmentFileWriter(directory, folder, name)
        for array_name, array in members.items():
            file.add(array_name, array)
        entries[name] = file.close()
    return _write_manifest(directory, folder, dictionary.term_count, buckets, columns, entries)


def _write_manifest(
    directory: Directory,
    folder: str,
    term_count: int,
    buckets: U8,
    columns: Columns,
    entries: dict[str, FileEntry],
) -> WrittenSegment:
    decoded = decoded_lengths()[buckets]
    manifest = Manifest(
        format_version=FORMAT_VERSION,
        rows=len(columns.chunk_keys),
        terms=term_count,
        total_lengths=[int(total) for total in decoded.sum(axis=1)],
        present_rows=[int(count) for count in (buckets > 0).sum(axis=1)],
        files=entries,
    )
    raw = manifest.encode()
    out = directory.create(folder, MANIFEST)
    out.write(raw)
    out.close()
    directory.sync(folder)
    return WrittenSegment(
        folder,
        zlib.crc32(raw),
        manifest,
        int(columns.chunk_keys[0]),
        int(columns.chunk_keys[-1]),
        len(raw) + sum(entry.size for entry in entries.values()),
    )


def _write_signatures(directory: Directory, folder: str, signatures: Iterable[U8]) -> FileEntry:
    file = SegmentFileWriter(directory, folder, "signatures")
    file.begin("signatures")
    size = 0
    for blocks in signatures:
        file.append(blocks)
        size += len(blocks)
    file.end("signatures", "|u1", [size])
    return file.close()


def code_texts(name: str, offsets: U64, spellings: U8) -> dict[str, AnyArray]:
    """Returns the arrays that a file has of sorted texts (S17)."""
    restarts, codes = front_code(offsets, spellings)
    return {f"{name}_restarts": restarts, f"{name}_codes": codes}


class _Dictionary:
    """Gathers the dictionaries of the blocks into one."""

    def __init__(self) -> None:
        self.term_count = 0
        self._sizes: list[U64] = []
        self._spellings: list[U8] = []
        self._blocks: list[Lists] = []
        self._list_starts: list[U32] = []
        self._offsets: list[tuple[U64, U64]] = []
        self._list_count = 0

    def add(
        self, sizes: U64, spellings: U8, lists: Lists, posting_base: int, position_base: int
    ) -> None:
        self.term_count += len(sizes)
        self._sizes.append(sizes)
        self._spellings.append(spellings)
        self._list_starts.append(lists.term_lists[:-1] + np.uint32(self._list_count))
        self._list_count += len(lists.list_field)
        self._offsets.append(
            (
                lists.list_postings + np.uint64(posting_base),
                lists.list_positions + np.uint64(position_base),
            )
        )
        # The streams are on disk already; keeping them here would keep the whole segment in memory.
        self._blocks.append(lists._replace(postings=lists.postings[:0], positions=lists.positions[:0]))

    def terms(self) -> tuple[U64, U8]:
        sizes = np.concatenate([np.zeros(1, np.uint64), *self._sizes])
        spellings = np.concatenate([np.zeros(0, np.uint8), *self._spellings])
        return np.cumsum(sizes, dtype=np.uint64), spellings

    def arrays(self) -> dict[str, AnyArray]:
        lists = {
            name: np.concatenate([np.zeros(0, kind), *(getattr(b, name) for b in self._blocks)])
            for name, kind in zip(
                LIST_COLUMNS, (np.uint8, np.uint8, np.uint8, np.uint32), strict=True
            )
        }
        none = np.zeros(0, np.uint64)
        return {
            "term_lists": np.concatenate(
                [*self._list_starts, np.array([self._list_count], np.uint32)]
            ),
            "term_doc_freq": np.concatenate(
                [np.zeros(0, np.uint32), *(block.term_doc_freq for block in self._blocks)]
            ),
            **lists,
            "list_postings": np.concatenate([none, *(start for start, _ in self._offsets)]),
            "list_positions": np.concatenate([none, *(start for _, start in self._offsets)]),
        }
