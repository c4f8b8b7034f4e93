"""Stored texts as bytes: compressed with Zstandard, by a dictionary where texts are small.

A text of up to `BLOCK_BYTES` is one frame. A longer one is a frame per block, then the sizes of the frames
and their number as u32, so that a chunk in the middle of a book costs one block. A text that would not become
smaller is kept as it is; so are those of older catalogues. The first bytes distinguish them: those of a frame
are not UTF-8. A frame names the dictionary it needs; dictionaries are rows of the catalogue.

Measured on 20,000 of the 100,000 passages (0.9 kB on average): level 3 alone 1.97 ×, with a dictionary of
64 kB 2.56 ×, and faster (11 instead of 15 µs to compress, 4 instead of 6 µs to decompress); level 12 with it
2.77 × for 90 µs. Hence level 3 and a dictionary.
"""

import sqlite3
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

LEVEL = 3
BLOCK_BYTES = 64 << 10
DICTIONARY_BYTES = 64 << 10
# A dictionary is worth its while from so many small texts on; training takes half a second.
LEAST_SAMPLES = 1_000
LEAST_SAMPLE_BYTES = 512 << 10
LARGEST_SAMPLE_BYTES = 4 << 10
MAGIC = b"\x28\xb5\x2f\xfd"
SMALLEST_BYTES = 64  # shorter texts do not become smaller
_SIZE = struct.Struct("<I")


@cache
def zstd() -> Any:
    """Returns the compiled half of `zstandard`; all of the package would take 6 ms of every search."""
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package = find_spec("zstandard")
    assert package is not None, "zstandard is a dependency"
    own = PathFinder.find_spec("zstandard.backend_c", package.submodule_search_locations)
    if own is None or own.loader is None:  # a build without it, as for PyPy
        import zstandard

        return zstandard
    module = module_from_spec(own)
    own.loader.exec_module(module)
    return module


class TextDecoder:
    """Reads stored texts of one connection; not for several threads at once, as the connection is not."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._decompressors: dict[int, Any] = {}

    def read(self, stored: bytes, start: int, stop: int) -> bytes:
        """Returns a part of a text, from one byte up to, not including, another.

        What it raises for damaged bytes SQLite does not pass on; `Catalog` calls it damage.
        """
        if not stored.startswith(MAGIC):
            return stored[start:stop]
        frames = split_frames(stored)
        first, last = start // BLOCK_BYTES, max(start, stop - 1) // BLOCK_BYTES
        text = b"".join(self._decompress(frame) for frame in frames[first : last + 1])
        part = text[start - first * BLOCK_BYTES : stop - first * BLOCK_BYTES]
        if len(part) != stop - start:  # a damaged header may promise less than was written
            raise ValueError(f"{len(part)} of {stop - start} bytes are left")
        return part

    def _decompress(self, frame: bytes) -> bytes:
        dict_id = zstd().get_frame_parameters(frame).dict_id
        decompressor = self._decompressors.get(dict_id)
        if decompressor is None:
            found = find_dictionary(self._connection, dict_id) if dict_id else None
            decompressor = self._decompressors[dict_id] = zstd().ZstdDecompressor(dict_data=found)
        text: bytes = decompressor.decompress(frame, max_output_size=BLOCK_BYTES)
        return text


class TextEncoder:
    """Compresses texts with the newest dictionary of a catalogue, and makes the first one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        sql = "SELECT max(dict_id) FROM text_dictionaries"
        (dict_id,) = connection.execute(sql).fetchone()
        self._has_dictionary = dict_id is not None
        self._use(find_dictionary(connection, dict_id) if self._has_dictionary else None)

    def _use(self, dictionary: Any) -> None:
        if dictionary is not None:
            dictionary.precompute_compress(level=LEVEL)
        self._compressor = zstd().ZstdCompressor(level=LEVEL, dict_data=dictionary)
        # What is not small has its own repetitions.
        self._plain = zstd().ZstdCompressor(level=LEVEL)

    def learn(self, texts: Iterable[bytes]) -> None:
        """Makes a dictionary of texts if there is none and they are many; part of the open transaction."""
        if self._has_dictionary:
            return
        samples = [text for text in texts if SMALLEST_BYTES <= len(text) <= LARGEST_SAMPLE_BYTES]
        sample_bytes = sum(map(len, samples))
        if len(samples) < LEAST_SAMPLES or sample_bytes < LEAST_SAMPLE_BYTES:
            return
        self._has_dictionary = True  # or none can be made: texts without anything in common
        try:
            dictionary = zstd().train_dictionary(min(DICTIONARY_BYTES, sample_bytes // 16), samples)
        except zstd().ZstdError:
            return
        self._connection.execute(
            "INSERT OR REPLACE INTO text_dictionaries VALUES (?, ?)",
            (dictionary.dict_id(), dictionary.as_bytes()),
        )
        self._use(dictionary)

    def encode(self, text: bytes) -> bytes:
        """Returns a text as the catalogue keeps it."""
        size = len(text)
        if size < SMALLEST_BYTES:
            return text
        if size < BLOCK_BYTES:
            compressor = self._compressor if size <= LARGEST_SAMPLE_BYTES else self._plain
            stored: bytes = compressor.compress(text)
        else:
            stored = _join_frames(
                [
                    self._plain.compress(text[start : start + BLOCK_BYTES])
                    for start in range(0, size, BLOCK_BYTES)
                ]
            )
        return stored if len(stored) < size else text


def split_frames(stored: bytes) -> Sequence[bytes]:
    """Returns the frames of a compressed text; one unless its first block is full."""
    if zstd().frame_content_size(stored) != BLOCK_BYTES:
        return (stored,)
    (count,) = _SIZE.unpack_from(stored, len(stored) - _SIZE.size)
    sizes = struct.unpack_from(f"<{count}I", stored, len(stored) - (count + 1) * _SIZE.size)
    frames, at = [], 0
    for size in sizes:
        frames.append(stored[at : at + size])
        at += size
    return frames


def _join_frames(frames: Sequence[bytes]) -> bytes:
    sizes = [len(frame) for frame in frames]
    return b"".join(frames) + struct.pack(f"<{len(sizes) + 1}I", *sizes, len(sizes))


def find_dictionary(connection: sqlite3.Connection, dict_id: int) -> Any:
    """Returns a dictionary of a catalogue; None when it is not there, and what needs it cannot be read."""
    sql = "SELECT dictionary FROM text_dictionaries WHERE dict_id = ?"
    row = connection.execute(sql, (dict_id,)).fetchone()
    return None if row is None else zstd().ZstdCompressionDict(row[0])


def add_text_function(connection: sqlite3.Connection) -> None:
    """Gives the SQL of a connection `text_part(text, start, stop)`."""
    connection.create_function("text_part", 3, TextDecoder(connection).read, deterministic=True)
