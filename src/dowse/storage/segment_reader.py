"""Opens one committed segment for searching."""

from functools import cached_property

import numpy as np

from dowse.errors import CorruptFileError
from dowse.kernels import Postings, RowNames, expand_texts
from dowse.kernels.layout import F64, U8, U32, U64, Lists, WordArrays, decoded_lengths
from dowse.storage.columns import ColumnArrays, DocumentColumns
from dowse.storage.damage import build_guarded
from dowse.storage.directory import Directory
from dowse.storage.segment_files import (
    FILES,
    decode_manifest,
    read_arrays,
    read_file,
    read_manifest,
    verify_file,
)
from dowse.storage.segment_writer import Columns
from dowse.storage.signatures import Signatures
from dowse.storage.word_dictionary import WordDictionary, open_word_dictionary


class SegmentReader:
    """One segment, memory-mapped; immutable, shared by generations and threads.

    Args:
        directory: Where segments live.
        folder: The segment's folder.
        checksum: CRC-32 of its manifest, from the catalogue.

    Raises:
        CorruptFileError: A file is missing, has the wrong size or a wrong header.
    """

    def __init__(self, directory: Directory, folder: str, checksum: int) -> None:
        self.directory, self.folder = directory, folder
        self.manifest = decode_manifest(*read_manifest(directory, folder, checksum))
        self._raw: dict[str, U8] = {}
        arrays = {}
        for name in FILES:
            place = f"{folder}/{name}"
            self._raw[name] = read_file(directory, folder, name)
            arrays.update(read_arrays(self._raw[name], self.manifest.files[name], place))
        self.columns = Columns(**{name: arrays[name] for name in Columns.__struct_fields__})
        # Plain buffers: picking single numbers out of them is several times faster than out of arrays.
        columns = self.columns
        names = columns.key_offsets, columns.key_bytes, columns.tree_ids, columns.ordinals
        self.names = build_guarded(RowNames, self, *names)
        self.buckets: U8 = arrays["buckets"]
        self.term_doc_freqs: U32 = arrays["term_doc_freq"]
        self.doc_freqs = self.term_doc_freqs.data  # in any field, deleted rows included
        lists = Lists(**{name: arrays[name] for name in Lists._fields})
        terms = arrays["term_restarts"], arrays["term_codes"]
        self.postings = build_guarded(Postings, self, *terms, lists, self.buckets)
        self._words = {name: array for name, array in arrays.items() if name.startswith("word_")}
        self.row_count = self.manifest.rows
        self.signatures = Signatures(arrays["signatures"], self.row_count)
        document_arrays = ColumnArrays(*(arrays[name] for name in ColumnArrays._fields))
        self.document_columns = DocumentColumns(document_arrays, self.row_count, f"{folder}/columns")
        self.total_lengths: F64 = np.array(self.manifest.total_lengths, np.float64)
        self.present_rows: F64 = np.array(self.manifest.present_rows, np.float64)

    @cached_property
    def words(self) -> WordDictionary:
        """The dictionary of words, opened on first use: most searches do without."""
        return open_word_dictionary(self.expand_words())

    def expand_words(self) -> WordArrays:
        """Returns the words, written out (S17)."""
        own = self._words
        texts = self._expand(own["word_restarts"], own["word_codes"], len(own["word_terms"]))
        return WordArrays(*texts, own["word_terms"], own["word_doc_freq"], own["word_sounds"])

    def expand_terms(self) -> tuple[U64, U8]:
        """Returns offsets and bytes of the terms, written out (S17)."""
        postings = self.postings
        return self._expand(postings.term_restarts, postings.term_codes, postings.term_count)

    def _expand(self, restarts: U32, codes: U8, count: int) -> tuple[U64, U8]:
        try:
            return expand_texts(restarts, codes, count)
        except ValueError:
            self.verify()
            raise

    @property
    def disk_bytes(self) -> int:
        """Size of the segment's files."""
        return sum(entry.size for entry in self.manifest.files.values())

    def verify(self) -> None:
        """Compares every byte with the checksums; raises CorruptFileError at the first mismatch."""
        for name in FILES:
            verify_file(self._raw[name], self.manifest.files[name], f"{self.folder}/{name}")

    def is_intact(self) -> bool:
        """Says whether every byte is as it was written."""
        try:
            self.verify()
        except CorruptFileError:
            return False
        return True

    def lengths_without(self, deleted: U8) -> tuple[F64, F64]:
        """Returns (total lengths, present rows) per field, leaving out the rows marked in `deleted`."""
        gone = self.buckets[:, np.flatnonzero(deleted)]
        lost = decoded_lengths()[gone].sum(axis=1)
        return self.total_lengths - lost, self.present_rows - (gone > 0).sum(axis=1)


def verify_segment(directory: Directory, folder: str, checksum: int) -> list[CorruptFileError]:
    """Checks every file of a segment and returns all that is wrong, file by file."""
    try:
        manifest = decode_manifest(*read_manifest(directory, folder, checksum))
    except CorruptFileError as error:
        return [error]
    findings = []
    for name in FILES:
        try:
            verify_file(
                read_file(directory, folder, name), manifest.files[name], f"{folder}/{name}"
            )
        except CorruptFileError as error:
            findings.append(error)
    return findings
