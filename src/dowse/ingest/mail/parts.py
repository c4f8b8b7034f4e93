"""The parts of a mail, by one walk over its lines.

The standard library's parser nests one generator for each level of parts and fails at a few hundred; here the
open boundaries lie on a list.
"""

import binascii
import re
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from msgspec import Struct, field

from dowse.ingest.mail.headers import decode_value, read_headers

_BOUNDARY_LINE = re.compile(rb"^--[^\r\n]+", re.MULTILINE)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
MAX_PARTS = 20_000


class Part(NamedTuple):
    """A part without parts.

    Attributes:
        alternative: Number of the group of parts that say the same; 0 for none.
        name: Of the attached file; empty when it is not named.
        is_attached: Whether it is a file, and not text of the mail itself.
    """

    content_type: str
    charset: str
    content: bytes
    name: str
    is_attached: bool
    alternative: int


class MailMessage(Struct):
    """A message, or one forwarded inside it; `depth` counts from 0."""

    headers: Message
    depth: int
    parts: list[Part] = field(default_factory=list)


class _Multipart(NamedTuple):
    boundary: bytes
    alternative: int
    message: MailMessage


def read_messages(data: bytes) -> list[MailMessage]:
    """Returns the message and those inside it, outermost first."""
    walk = _Walk(data)
    walk.run()
    return walk.messages


class _Walk:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._open: list[_Multipart] = []
        self._depth_of: dict[bytes, int] = {}
        self._alternatives = 0
        self._count = 0
        self._leaf: tuple[Message, int, MailMessage] | None = None
        self.messages: list[MailMessage] = []

    def run(self) -> None:
        boundaries = self._iter_boundaries()
        self._start_part(0, is_message=True)
        for start, end, boundary, is_last in boundaries:
            self._end_part(start)
            del_from = self._depth_of[boundary] + (0 if is_last else 1)
            for closed in self._open[del_from:]:
                self._depth_of.pop(closed.boundary, None)
            del self._open[del_from:]
            if is_last:
                self._leaf = None
            else:
                self._start_part(end, is_message=False)
            self._count += 1
            if self._count > MAX_PARTS:
                return
        self._end_part(len(self._data))

    def _iter_boundaries(self) -> Iterator[tuple[int, int, bytes, bool]]:
        """Yields the lines that end a part: start, end, boundary, and whether no part follows."""
        place = 0
        while found := _BOUNDARY_LINE.search(self._data, place):
            place = found.end()
            line = found[0][2:].rstrip()
            boundary, is_last = line, False
            if boundary not in self._depth_of and line.endswith(b"--"):
                boundary, is_last = line[:-2], True
            if boundary in self._depth_of:
                after = self._data.find(b"\n", place)
                place = len(self._data) if after < 0 else after + 1
                yield found.start(), place, boundary, is_last

    def _start_part(self, start: int, *, is_message: bool) -> None:
        """Reads the headers at `start`; a message inside a message begins with headers again."""
        size = len(self._data)
        while True:
            headers, start = read_headers(self._data, start, size)
            if is_message:
                depth = self._open[-1].message.depth + 1 if self._open else 0
                if self.messages and not self._open:
                    depth = self.messages[-1].depth + 1
                self.messages.append(MailMessage(headers, depth))
            message = self.messages[-1] if is_message or not self._open else self._open[-1].message
            content_type = headers.get_content_type()
            is_message = content_type == "message/rfc822" and not _is_encoded(headers)
            if not is_message:
                break
        self._leaf = (headers, start, message)
        boundary = _boundary(headers) if content_type.startswith("multipart/") else b""
        if boundary and boundary not in self._depth_of:
            self._leaf = None
            alternative = self._open[-1].alternative if self._open else 0
            if content_type == "multipart/alternative":
                self._alternatives += 1
                alternative = self._alternatives
            self._depth_of[boundary] = len(self._open)
            self._open.append(_Multipart(boundary, alternative, message))

    def _end_part(self, end: int) -> None:
        if self._leaf is None:
            return
        headers, start, message = self._leaf
        self._leaf = None
        alternative = self._open[-1].alternative if self._open else 0
        message.parts.append(_read_part(headers, self._data[start:end], alternative))


def _read_part(headers: Message, raw: bytes, alternative: int) -> Part:
    content_type = headers.get_content_type()
    name = decode_value(str(headers.get_filename() or ""))
    disposition = (headers.get_content_disposition() or "").lower()
    is_text = content_type.startswith("text/") or content_type.startswith("multipart/")
    return Part(
        content_type=content_type,
        charset=str(headers.get_param("charset") or "").strip("\"' "),
        content=_decode_content(raw, _encoding(headers)),
        name=name,
        is_attached=disposition == "attachment" or not is_text or (bool(name) and disposition != "inline"),
        alternative=alternative,
    )


def _decode_content(raw: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        kept = _NOT_BASE64.sub(b"", raw)
        # A cut-off group of one letter holds no byte.
        kept = kept[: len(kept) - (len(kept) % 4 == 1)]
        return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))
    if encoding == "quoted-printable":
        return binascii.a2b_qp(raw)
    return raw


def _encoding(headers: Message) -> str:
    return str(headers.get("content-transfer-encoding") or "").strip().lower()


def _is_encoded(headers: Message) -> bool:
    return _encoding(headers) in ("base64", "quoted-printable")


def _boundary(headers: Message) -> bytes:
    return (headers.get_boundary() or "").encode("utf-8", "surrogateescape").rstrip()
