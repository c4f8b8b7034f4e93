"""From the bytes of a web page to its characters: mark, declaration, UTF-8, and a guess at last."""

import codecs
import re

from dowse.ingest.encoding_guess import guess_encoding

_DECLARED_WITHIN_BYTES = 4096
_DECLARED = re.compile(
    rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)|<meta\b[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)",
    re.IGNORECASE,
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Browsers read these names as the larger set, and pages are written for browsers.
_READ_AS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "big5": "big5hkscs",
}


def decode_html(data: bytes, declared: str = "") -> tuple[str, str]:
    """Returns a page's characters, and the name of the encoding when it had to be guessed.

    Args:
        data: The page as it is.
        declared: An encoding named outside of it, as a mail's header does.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), ""
    if data[:4].count(b"\0") == 2 and (data[:1] == b"\0" or data[1:2] == b"\0"):
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace"), ""
    for name in (declared, _find_declared(data), "utf-8"):
        text = _decode_as(data, name)
        if text is not None:
            return text, ""
    codec, shown = guess_encoding(data)
    return data.decode(codec, "replace"), shown


def _find_declared(data: bytes) -> str:
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN_BYTES)
    return "" if found is None else (found[1] or found[2]).decode("ascii", "replace")


def _decode_as(data: bytes, name: str) -> str | None:
    """Returns the characters when the name is known and true."""
    if not name:
        return None
    try:
        codec = codecs.lookup(name)
        # A declaration that can be read as ASCII is not in UTF-16; and codecs such as "hex" make no text.
        if codec.name.startswith(("utf-16", "utf-32", "utf-7")) or not codec._is_text_encoding:
            return None
        return data.decode(_READ_AS.get(codec.name, codec.name))
    except (LookupError, ValueError):
        return None
