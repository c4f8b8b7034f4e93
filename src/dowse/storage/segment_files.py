"""The files of a segment: header, arrays, checksum; and the manifest that describes them.

Each file starts with 16 bytes (magic, file kind, format version), followed by arrays at multiples of 16.
``segment.json`` lists every file's size and CRC-32 and every array's type, shape and offset; its own
CRC-32 is kept in the catalogue (S4). Segments of terms and of vectors (`vectors`) are two families of such
files, each with a magic, files and a version of its own.
"""

import json
import struct
import zlib
from typing import Any

import numpy as np
from msgspec import Struct, field, to_builtins

from dowse.errors import CorruptFileError, UnsupportedFormatError
from dowse.kernels.layout import U8, AnyArray
from dowse.storage.directory import Directory

FORMAT_VERSION = 3
MAGIC = b"DOWSEseg"
MANIFEST = "segment.json"
ALIGNMENT = 16
# Smaller pieces are written together. Not for the disk's sake: after each write a thread waits up to 5 ms for
# the interpreter while another one adds documents, and a segment has some hundred arrays and gaps.
GATHERED_BYTES = 1 << 20
FILES = ("terms", "postings", "positions", "lengths", "columns", "words", "signatures")
_HEADER = struct.Struct("<8sII")


class FileFamily(Struct, frozen=True):
    """What the files of one kind of segment have in common: first bytes, names, format version."""

    magic: bytes
    files: tuple[str, ...]
    version: int


TERM_FILES = FileFamily(MAGIC, FILES, FORMAT_VERSION)


class ArrayEntry(Struct, frozen=True):
    """Where an array is in its file."""

    name: str
    dtype: str
    shape: list[int]
    offset: int


class FileEntry(Struct, frozen=True):
    """A file's size, checksum and arrays."""

    size: int
    crc32: int
    arrays: list[ArrayEntry]


class Manifest(Struct, frozen=True):
    """What ``segment.json`` says.

    Attributes:
        total_lengths: Per field, the sum of the rows' decoded lengths.
        present_rows: Per field, the rows in which it is not empty.
    """

    format_version: int
    rows: int
    terms: int
    total_lengths: list[int]
    present_rows: list[int]
    files: dict[str, FileEntry] = field(default_factory=dict)

    def encode(self) -> bytes:
        """Returns the manifest as JSON."""
        return json.dumps(to_builtins(self), sort_keys=True, indent=1).encode()


def decode_manifest(raw: bytes, place: str) -> Manifest:
    """Reads a manifest; `place` names it in errors.

    Raises:
        CorruptFileError: It is no manifest, or one of an older format: such a segment is rebuilt like a
            damaged one, because the catalogue has all that it is made of.
        UnsupportedFormatError: A newer Dowse wrote it, and must not find it replaced.
    """
    try:
        value = json.loads(raw)
        check_version(int(value["format_version"]), FORMAT_VERSION, place)
        return Manifest(files=decode_entries(value.pop("files")), **value)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptFileError(path=place, expectation="it is not a segment manifest") from error


def check_version(found: int, supported: int, place: str) -> None:
    """Raises CorruptFileError for an older format and UnsupportedFormatError for a newer one."""
    if found > supported:
        raise UnsupportedFormatError(home=place, found=found, supported=supported)
    if found < supported:
        expectation = f"an older Dowse wrote it (format {found}, this one has {supported})"
        raise CorruptFileError(path=place, expectation=expectation)


def decode_entries(files: dict[str, Any]) -> dict[str, FileEntry]:
    """Returns what a manifest's JSON says of its files."""
    return {
        name: FileEntry(entry["size"], entry["crc32"], [ArrayEntry(**array) for array in entry["arrays"]])
        for name, entry in files.items()
    }


class SegmentFileWriter:
    """Writes one file of a segment: arrays one after the other, each possibly in several pieces."""

    def __init__(
        self, directory: Directory, folder: str, name: str, family: FileFamily = TERM_FILES
    ) -> None:
        self._out = directory.create(folder, name)
        self._size, self._crc = 0, 0
        self._waiting = bytearray()
        self._arrays: list[ArrayEntry] = []
        self._write(_HEADER.pack(family.magic, family.files.index(name), family.version))

    def _write(self, chunk: bytes | memoryview) -> None:
        self._size += len(chunk)
        if len(self._waiting) + len(chunk) > GATHERED_BYTES:
            self._flush()
        if len(chunk) > GATHERED_BYTES:
            self._put(chunk)
        else:
            self._waiting += chunk

    def _flush(self) -> None:
        if self._waiting:
            self._put(self._waiting)
            self._waiting = bytearray()

    def _put(self, chunk: bytes | bytearray | memoryview) -> None:
        self._out.write(chunk)
        self._crc = zlib.crc32(chunk, self._crc)

    def add(self, name: str, array: AnyArray) -> None:
        """Writes a whole array."""
        self.begin(name)
        self.append(array)
        self.end(name, array.dtype.str, list(array.shape))

    def begin(self, name: str) -> None:
        """Starts an array whose pieces follow with `append`."""
        self._write(bytes(-self._size % ALIGNMENT))
        self._start = self._size

    def append(self, piece: AnyArray) -> None:
        """Writes a piece of the current array."""
        if piece.size:
            self._write(np.ascontiguousarray(piece).data.cast("B"))

    def end(self, name: str, dtype: str, shape: list[int]) -> None:
        """Ends the current array."""
        self._arrays.append(ArrayEntry(name, dtype, shape, self._start))

    def close(self) -> FileEntry:
        """Syncs the file and returns its manifest entry."""
        self._flush()
        self._out.close()
        return FileEntry(self._size, self._crc, self._arrays)


def read_file(directory: Directory, folder: str, name: str) -> U8:
    """Returns a file's bytes, mapped; raises CorruptFileError when it cannot be read."""
    try:
        return directory.read(folder, name)
    except OSError as error:
        place = f"{folder}/{name}"
        raise CorruptFileError(path=place, expectation=f"it cannot be read ({error})") from error


def read_manifest(directory: Directory, folder: str, checksum: int) -> tuple[bytes, str]:
    """Returns a manifest's bytes, and its place for errors; CorruptFileError when they have changed."""
    raw = read_file(directory, folder, MANIFEST).tobytes()
    place = f"{folder}/{MANIFEST}"
    if zlib.crc32(raw) != checksum:
        raise CorruptFileError(path=place, expectation="its checksum does not match")
    return raw, place


def read_arrays(
    raw: U8, entry: FileEntry, place: str, family: FileFamily = TERM_FILES
) -> dict[str, AnyArray]:
    """Returns the arrays of a mapped file, without copying, after checking size and header."""
    if len(raw) != entry.size:
        raise CorruptFileError(
            path=place, expectation=f"it has {len(raw)} bytes, {entry.size} were written"
        )
    magic, _, version = _HEADER.unpack(raw[: _HEADER.size].tobytes())
    if magic != family.magic or version != family.version:
        raise CorruptFileError(path=place, expectation="its first 16 bytes are not a segment header")
    arrays = {}
    for array in entry.arrays:
        dtype = np.dtype(array.dtype)
        size = int(np.prod(array.shape)) * dtype.itemsize
        view = raw[array.offset : array.offset + size].view(dtype)
        arrays[array.name] = view.reshape(array.shape)
    return arrays


def verify_file(raw: U8, entry: FileEntry, place: str) -> None:
    """Raises CorruptFileError unless the file is byte for byte what was written."""
    if len(raw) != entry.size:
        raise CorruptFileError(
            path=place, expectation=f"it has {len(raw)} bytes, {entry.size} were written"
        )
    if zlib.crc32(raw.data) != entry.crc32:
        raise CorruptFileError(path=place, expectation="its checksum does not match")
