"""A compressed file read piece by piece, each taken from the allowance."""

import bz2
import gzip
import io
import lzma
import zlib
from typing import BinaryIO, cast

from dowse.ingest.limits import Allowance, UnextractableError

_PIECE_BYTES = 1 << 18
_TAR_BLOCK = 512
_TAR_MARK_AT = 257
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)


class UnpackedStream(io.RawIOBase):
    """What is in a gzip, bzip2 or xz file, or a file as it is; read once from its start to its end.

    Attributes:
        is_packed: Whether it is compressed.
        is_tar: Whether its content is marked as a TAR archive.
        is_tar_like: Whether it may be one without the mark, as the oldest are.
    """

    def __init__(self, data: bytes, allowance: Allowance) -> None:
        super().__init__()
        self._packed_bytes = len(data)
        self._allowance = allowance
        self._unpacked_bytes = 0
        self._source, self.is_packed = _open(data)
        self._ahead = b""
        self._ahead = self.read(_TAR_BLOCK)
        self.is_tar = self._ahead[_TAR_MARK_AT : _TAR_MARK_AT + 5] == b"ustar"
        self.is_tar_like = len(self._ahead) == _TAR_BLOCK and b"\0" in self._ahead

    def readable(self) -> bool:
        """Says yes."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Returns the next bytes; all that are left for a negative size.

        Raises:
            UnextractableError: It is damaged, or unpacks to more than is allowed.
        """
        wanted = -1 if size is None else size
        pieces = []
        if self._ahead:
            piece = self._ahead if wanted < 0 else self._ahead[:wanted]
            self._ahead = self._ahead[len(piece) :]
            pieces.append(piece)
        left = wanted - sum(map(len, pieces))
        while wanted < 0 or left > 0:
            piece = self._read_piece(_PIECE_BYTES if wanted < 0 else min(left, _PIECE_BYTES))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def _read_piece(self, size: int) -> bytes:
        try:
            piece = self._source.read(size)
        except _BROKEN as error:
            raise UnextractableError(
                "damaged-file", "this file is damaged or cut off", "make the archive again"
            ) from error
        if self.is_packed:
            self._unpacked_bytes += len(piece)
            self._allowance.expand(self._packed_bytes, self._unpacked_bytes, len(piece))
        return piece


def _open(data: bytes) -> tuple[BinaryIO, bool]:
    source = io.BytesIO(data)
    if data.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.GzipFile(fileobj=source)), True
    if data.startswith(b"BZh"):
        return cast(BinaryIO, bz2.BZ2File(source)), True
    if data.startswith(b"\xfd7zXZ\0"):
        return cast(BinaryIO, lzma.LZMAFile(source)), True
    return source, False
