"""From the bytes of a file to its stored text in UTF-8.

A UTF-8 file is its own stored text, byte for byte, so that byte ranges and line numbers hold in the
file itself. Only a byte-order mark is dropped. Everything else is converted and says so.
"""

import codecs
import re

from dowse.schema import Problem

BINARY_FILE = "binary-file"
SECRET_FILE = "secret-file"
REFUSED = frozenset({BINARY_FILE, SECRET_FILE})
"""Codes of problems that mean: there is no document in this file."""

_SNIFFED_BYTES = 8192
_PRIVATE_KEY = re.compile(rb"\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
# The marks of UTF-32 come first: one of them begins with one of UTF-16.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_STARTS = tuple(mark for mark, _ in _WIDE_MARKS)
_MARKS = (*_WIDE_STARTS, codecs.BOM_UTF8)


def decode(data: bytes, path: str) -> tuple[bytes, tuple[Problem, ...]]:
    """Makes stored text of a file's content.

    Args:
        data: The whole content.
        path: Named in problems.

    Returns:
        The text as valid UTF-8 and what was wrong with it. When a problem's code is in `REFUSED`,
        the text is empty and the file must not become a document.
    """
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return _from_wide(data[len(mark) :], encoding, path)
    text = data.removeprefix(codecs.BOM_UTF8)
    sniffed = text[:_SNIFFED_BYTES]
    if looks_binary(text):
        return b"", (Problem(BINARY_FILE, path, "this is not a text file"),)
    if _PRIVATE_KEY.match(sniffed):
        return b"", (Problem(SECRET_FILE, path, "this is a private key; it is not indexed"),)
    if _is_utf8(text):
        return text, ()
    return _from_other_encoding(text, path)


def looks_binary(data: bytes) -> bool:
    """Says whether `decode` would refuse the content as no text."""
    return not data.startswith(_WIDE_STARTS) and b"\0" in data[:_SNIFFED_BYTES]


def is_plain_utf8(data: bytes) -> bool:
    """Says whether `decode` gives the data back as it is, with nothing wrong."""
    return not (
        data.startswith(_MARKS) or data.find(0, 0, _SNIFFED_BYTES) >= 0 or _PRIVATE_KEY.match(data)
    ) and _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _from_wide(data: bytes, encoding: str, path: str) -> tuple[bytes, tuple[Problem, ...]]:
    try:
        return data.decode(encoding).encode("utf-8"), ()
    except UnicodeDecodeError:
        problem = Problem(
            "damaged-text",
            path,
            f"damaged {encoding[:6].upper()} characters are shown as “\N{REPLACEMENT CHARACTER}”",
        )
        return data.decode(encoding, "replace").encode("utf-8"), (problem,)


def _from_other_encoding(data: bytes, path: str) -> tuple[bytes, tuple[Problem, ...]]:
    from dowse.ingest.encoding_guess import guess_encoding  # late: few files are not UTF-8

    codec, name = guess_encoding(data)
    text = data.decode(codec, "replace")
    problem = Problem(
        "not-utf8",
        path,
        f"this file is not UTF-8; it was read as {name}",
        "save it as UTF-8 if letters look wrong",
    )
    return text.encode("utf-8"), (problem,)
