"""ZIP packages, as office formats, books and archives are: read with care, never written to disk."""

import io
import zipfile
import zlib
from collections.abc import Iterator

from dowse.ingest.limits import Allowance, UnextractableError

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)
_PIECE_BYTES = 1 << 18


class Package:
    """A ZIP file in memory; what is unpacked is taken from the allowance.

    Raises:
        UnextractableError: It is not a ZIP file, or too broken to be one.
    """

    def __init__(self, data: bytes, allowance: Allowance) -> None:
        self._allowance = allowance
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise UnextractableError(
                "damaged-file",
                "this file is damaged or cut off",
                "open it in its own program and save it again",
            ) from error
        self._by_name = {entry.filename: entry for entry in self._archive.infolist()}

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names as written in the package, folders left out; they may be hostile."""
        return tuple(name for name in self._by_name if not name.endswith("/"))

    def find(self, name: str) -> bytes | None:
        """Returns a member's content, or None when there is no such member."""
        return self.read(name) if name in self._by_name else None

    def read(self, name: str) -> bytes:
        """Returns a member's content.

        Raises:
            UnextractableError: It is encrypted, damaged, not there, or unpacks to more than is allowed.
        """
        return b"".join(self.iter_pieces(name))

    def iter_pieces(self, name: str) -> Iterator[bytes]:
        """Yields a member's content piece by piece; what a header says of its size is not believed."""
        entry = self._by_name.get(name)
        if entry is None:
            raise UnextractableError("damaged-file", f"its part “{name}” is missing")
        if entry.flag_bits & 1:
            raise UnextractableError(
                "encrypted", "this file is protected by a password", "save a copy without a password"
            )
        unpacked = 0
        try:
            with self._archive.open(entry) as member:
                while piece := member.read(_PIECE_BYTES):
                    unpacked += len(piece)
                    self._allowance.expand(entry.compress_size, unpacked, len(piece))
                    yield piece
        except _BROKEN as error:
            raise UnextractableError("damaged-file", f"its part “{name}” is damaged") from error
