"""The table of character classes and folds, read on first use from `unicode.bin`.

A file rather than `unicodedata` at run time: looking up a million code points takes a second,
reading the finished table well under a millisecond, and an index does not change its terms because
Python was upgraded. `tools/make_unicode_table.py` writes the file and documents its layout.
"""

import functools
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dowse.errors import CorruptFileError
from dowse.kernels.layout import U16, U32

_PATH = Path(__file__).with_name("unicode.bin")
_MAGIC = b"DOWSEUT1"
_HEADER_BYTES = 36


class UnicodeTable(NamedTuple):
    """The arrays a `Tokenizer` is built from; read-only.

    Attributes:
        pages: Page number of each run of 128 code points.
        entries: Class and fold of each code point of each page.
        pool: Fold sequences, each preceded by its length.
        version: Version of the Unicode database and checksum of the file.
    """

    pages: U16
    entries: U32
    pool: U32
    version: str


@functools.cache
def load_table() -> UnicodeTable:
    """Reads the table once per process.

    Raises:
        CorruptFileError: If the installed file is not what the tool wrote.
    """
    content = _PATH.read_bytes()
    if content[:8] != _MAGIC:
        raise CorruptFileError(path=_PATH, expectation="it should start with DOWSEUT1")
    counts = np.frombuffer(content, "<u4", 3, _HEADER_BYTES - 12)
    page_count, entry_count, pool_count = counts.tolist()
    pool_start = _HEADER_BYTES + 4 * entry_count
    pages_start = pool_start + 4 * pool_count
    if len(content) != pages_start + 2 * page_count:
        raise CorruptFileError(path=_PATH, expectation="its size should match its header")
    unicode_version = content[8:24].rstrip(b"\0").decode("ascii")
    return UnicodeTable(
        pages=np.frombuffer(content, "<u2", page_count, pages_start),
        entries=np.frombuffer(content, "<u4", entry_count, _HEADER_BYTES),
        pool=np.frombuffer(content, "<u4", pool_count, pool_start),
        version=f"{unicode_version}-{zlib.crc32(content):08x}",
    )
