"""The code pages of rich text, by the numbers it has for them."""

import codecs
from functools import cache

DEFAULT_PAGE = "cp1252"
# Windows character sets of fonts.
_BY_CHARSET = {
    0: "cp1252", 1: "", 2: "cp1252", 77: "mac_roman", 78: "shift_jis", 79: "cp949", 80: "gb2312", 81: "big5",
    83: "mac_greek", 85: "mac_turkish", 88: "mac_latin2", 89: "mac_cyrillic", 128: "cp932", 129: "cp949",
    130: "johab", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_BY_NUMBER = {
    10000: "mac_roman", 10001: "shift_jis", 10006: "mac_greek", 10007: "mac_cyrillic", 10029: "mac_latin2",
    10081: "mac_turkish", 65001: "utf-8", 936: "gbk", 0: "",
}  # fmt: skip


def page_of_charset(number: int) -> str:
    """Returns the codec of a font's character set; empty for the document's own."""
    return _BY_CHARSET.get(number, "")


@cache
def page_of_number(number: int) -> str:
    """Returns the codec of a code page's number; empty for the document's own, or one that is not known."""
    name = _BY_NUMBER.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return ""
