"""The headers of a mail: decoded, on one line, whatever is wrong with them."""

import binascii
import re
from datetime import datetime
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime

from dowse.ingest.decoding import decode

_MAX_HEADER_BYTES = 1 << 18
_MAX_VALUE_CHARS = 4000
_END = re.compile(rb"\r?\n\r?\n|\A\r?\n|\r\r")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")


def read_headers(data: bytes, start: int, end: int) -> tuple[Message, int]:
    """Returns the headers that begin at `start`, and where the body begins."""
    if data[start : start + 1] in (b"\n", b"\r"):
        return Message(), start + (2 if data[start : start + 2] == b"\r\n" else 1)
    found = _END.search(data, start, end)
    stop, body = (end, end) if found is None else found.span()
    block = data[start : min(stop, start + _MAX_HEADER_BYTES)]
    return BytesHeaderParser(policy=compat32).parsebytes(block), body


def header_text(message: Message, name: str) -> str:
    """Returns a header's value as people read it; several of one name are joined by commas."""
    # As they came: `get_all` replaces bytes beyond ASCII.
    values = [value for key, value in message.raw_items() if key.lower() == name.lower()]
    return ", ".join(text for value in values[:20] if (text := decode_value(str(value))))


def decode_value(value: str) -> str:
    """Returns a header's value with its encoded words decoded."""
    value = value[:_MAX_VALUE_CHARS]
    try:
        pieces = decode_header(_BETWEEN_WORDS.sub(r"\1 ", value)) if "=?" in value else [(value, None)]
    except (HeaderParseError, MessageError, binascii.Error, ValueError):
        pieces = [(value, None)]
    return " ".join("".join(_decode_piece(piece, charset) for piece, charset in pieces).split())


def _decode_piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        # Bytes beyond ASCII that no rule allows stay as halves of characters; they are UTF-8 or old.
        piece = piece.encode("ascii", "surrogateescape") if _is_raw(piece) else piece
        if isinstance(piece, str):
            return piece
    return decode_text(piece, "" if charset in (None, "unknown-8bit") else str(charset))


def _is_raw(text: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in text) and all(
        char.isascii() or "\udc80" <= char <= "\udcff" for char in text
    )


def decode_text(data: bytes, charset: str) -> str:
    """Returns text in the encoding that a header names, when that is true; otherwise in a guessed one."""
    if charset:
        try:
            return data.decode("gb18030" if charset.lower() in ("gb2312", "gbk") else charset)
        except (LookupError, ValueError):
            pass
    return decode(data, "")[0].decode("utf-8")


def parse_mail_date(value: str) -> str:
    """Returns a mail's date as ISO 8601; empty when it is none."""
    try:
        found: datetime = parsedate_to_datetime(value)
        return found.isoformat()
    except (TypeError, ValueError, IndexError, OverflowError):
        return ""
