"""The properties of an Outlook item, out of its compound file (MS-OXMSG)."""

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import olefile

from dowse.ingest.mail.headers import decode_text

_TEXT = "001F"
_OLD_TEXT = "001E"
_BINARY = "0102"
_TIME = 0x0040
_NUMBER = 0x0003
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
# Sizes of what stands before the properties: of the outermost item, of an item inside, of all else.
_OUTER, _INNER, _OTHER = 32, 24, 8
Storage = tuple[str, ...]


class OutlookItem:
    """A message, an attachment or a recipient: a folder of properties in the file."""

    def __init__(self, file: olefile.OleFileIO, storage: Storage, children: dict[Storage, list[str]]) -> None:
        self._file = file
        self._children = children
        self.storage = storage
        self._numbers = self._read_numbers()
        page = self.number(0x3FDE) or self.number(0x3FFD) or 0
        self._charset = {65001: "utf-8", 20127: "cp1252", 28591: "cp1252"}.get(page, f"cp{page}")

    def text(self, key: int) -> str:
        """Returns a property that is text; empty when it is not there."""
        wide = self._stream(key, _TEXT)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        old = self._stream(key, _OLD_TEXT)
        return "" if old is None else decode_text(old.rstrip(b"\0"), self._charset)

    def binary(self, key: int) -> bytes:
        """Returns a property that is bytes; empty when it is not there."""
        return self._stream(key, _BINARY) or b""

    def number(self, key: int) -> int | None:
        """Returns a property that is a number, or None."""
        return self._numbers.get((key, _NUMBER))

    def time(self, key: int) -> str:
        """Returns a property that is a moment as ISO 8601; empty when it is not there."""
        ticks = self._numbers.get((key, _TIME))
        if not ticks:
            return ""
        try:
            return (_EPOCH + timedelta(microseconds=ticks // 10)).replace(microsecond=0).isoformat()
        except OverflowError:
            return ""

    def iter_items(self, kind: str) -> Iterator["OutlookItem"]:
        """Yields the attachments (``attach``) or recipients (``recip``) in order."""
        start = f"__{kind}_version1.0_#"
        for name in sorted(self._children.get(self.storage, ())):
            if name.lower().startswith(start):
                yield OutlookItem(self._file, (*self.storage, name), self._children)

    def find_inner(self) -> "OutlookItem | None":
        """Returns the item that is attached as an item, not as a file."""
        name = "__substg1.0_3701000D"
        if name not in self._children.get(self.storage, ()):
            return None
        return OutlookItem(self._file, (*self.storage, name), self._children)

    def _stream(self, key: int, kind: str) -> bytes | None:
        return self._read(f"__substg1.0_{key:04X}{kind}")

    def _read(self, name: str) -> bytes | None:
        path = [*self.storage, name]
        if self._file.get_type(path) != olefile.STGTY_STREAM:
            return None
        content: bytes = self._file.openstream(path).read()
        return content

    def _read_numbers(self) -> dict[tuple[int, int], int]:
        data = self._read("__properties_version1.0") or b""
        last = self.storage[-1] if self.storage else ""
        start = _OUTER if not last else _INNER if last.endswith("000D") else _OTHER
        found = {}
        for place in range(start, len(data) - 15, 16):
            kind, key, _, value = struct.unpack_from("<HHIQ", data, place)
            found[key, kind] = value if kind == _TIME else value & 0xFFFFFFFF
        return found


def open_item(file: olefile.OleFileIO) -> OutlookItem:
    """Returns the outermost item."""
    children: dict[Storage, list[str]] = {}
    for path in file.listdir(streams=False, storages=True):
        children.setdefault(tuple(path[:-1]), []).append(path[-1])
    return OutlookItem(file, (), children)
