"""Writes `src/dowse/analysis/unicode.bin`: class and fold of every code point.

Run it after moving to a Python with a newer Unicode database, and commit the result;
`RULES_VERSION` in `dowse.analysis.settings` need not change, because the table's checksum is part
of the fingerprint.

Layout, all little-endian (the reader is `dowse.analysis.table`)::

    8 bytes   magic "DOWSEUT1"
    16 bytes  version of the Unicode database, ASCII, padded with zeros
    3 x u32   number of page numbers, of entries, of pool values
    u32[]     entries: pages of 128, one entry per code point
    u32[]     pool: fold sequences, each preceded by its length
    u16[]     page number of each run of 128 code points

An entry holds the class in bits 24-31, the kind of fold in bits 21-22 (0 itself, 1 one other code
point, 2 a sequence) and in bits 0-20 the code point or the place in the pool.
"""

import struct
import sys
import unicodedata
from pathlib import Path

PAGE = 128
OTHER, SPACE, OPEN, DASH, UNDERSCORE, DOT, COMMA, APOSTROPHE, PLUS, HASH = range(10)
SYMBOL, HAN, UNSEGMENTED, LETTER, UPPER, DIGIT, MARK, IGNORED = range(10, 18)
SELF, SINGLE, SEQUENCE = range(3)

APOSTROPHES = frozenset("'\u2018\u2019\u201b\u02bb\u02bc\u02bd\u05f3\uff07")
# Hyphens and the en dash tie words together; the em dash and its relatives set them apart.
DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2212\u05be\ufe63\uff0d")
OPENERS = frozenset('"`*<')
FRACTION_SLASH = "\u2044"

# What neither NFKC, nor case folding, nor dropping marks makes plain.
EXTRA = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
    "ŋ": "ng", "ĸ": "k", "ŧ": "t", "ƀ": "b", "ɓ": "b", "ƈ": "c", "ɖ": "d", "ɗ": "d", "ƒ": "f",
    "ɠ": "g", "ɨ": "i", "ƙ": "k", "ƚ": "l", "ɲ": "n", "ƞ": "n", "ƥ": "p", "ʈ": "t", "ƫ": "t",
    "ƭ": "t", "ʋ": "v", "ƴ": "y", "ƶ": "z", "ȷ": "j", "ё": "е",
}  # fmt: skip

# Letters and marks that show nothing, and signs that stand inside a word without being part of it.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u0640\u05f4"
) | {chr(c) for c in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x1F3FB, 0x1F400))}

UNSEGMENTED_SCRIPTS = (
    "HIRAGANA ", "KATAKANA ", "KATAKANA-HIRAGANA ", "HALFWIDTH KATAKANA", "HALFWIDTH HANGUL",
    "HENTAIGANA ", "HANGUL ", "THAI ", "LAO ", "KHMER ", "MYANMAR ",
)  # fmt: skip
DROPPED_MARKS = ("COMBINING ", "ARABIC ", "HEBREW ", "SYRIAC ")


def name_of(char: str) -> str:
    """The character's name, empty where it has none."""
    return unicodedata.name(char, "")


def is_han(char: str) -> bool:
    """True for ideographs and the signs that stand for one."""
    return name_of(char).startswith(
        ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION MARK",
         "IDEOGRAPHIC NUMBER ZERO", "IDEOGRAPHIC CLOSING MARK", "VERTICAL IDEOGRAPHIC ITERATION",
         "HANGZHOU NUMERAL", "TANGUT IDEOGRAPH", "NUSHU CHARACTER")
    )  # fmt: skip


def is_dropped_mark(char: str) -> bool:
    """True for marks that fold away: of Latin, Greek, Arabic, Hebrew, Syriac, and enclosing."""
    category, name = unicodedata.category(char), name_of(char)
    if category == "Me":
        return True
    if category != "Mn" or name.startswith("COMBINING KATAKANA"):
        return False
    return name.startswith(DROPPED_MARKS)


def without_marks(text: str) -> str:
    """Drops the marks of Latin and Greek letters; every other letter keeps its own."""
    kept = []
    for char in text:
        if name_of(char).startswith(("LATIN ", "GREEK ")):
            parts = unicodedata.normalize("NFD", char)
            kept.append("".join(c for c in parts if unicodedata.category(c) != "Mn"))
        else:
            kept.append(char)
    return "".join(kept)


def fold(char: str) -> str:
    """The folded form of one character: a fixed point of every step."""
    if "\uffa1" <= char <= "\uffdc":  # to the other compatibility jamo, which stand alone as well
        return chr(int(unicodedata.decomposition(char).split()[1], 16))
    if "\u3131" <= char <= "\u318e":
        return char
    now = char
    while True:
        before = now
        now = without_marks(unicodedata.normalize("NFKC", now))
        now = unicodedata.normalize("NFKC", now.casefold())
        now = "".join(EXTRA.get(c, c) for c in without_marks(now))
        now = "".join(
            str(unicodedata.digit(c)) if unicodedata.category(c) == "Nd" else c for c in now
        )
        if now == before:
            break
    wordlike = [
        c for c in now
        if c == FRACTION_SLASH
        or (unicodedata.category(c)[0] in "LMN" and c not in APOSTROPHES and c not in INVISIBLE
            and not is_dropped_mark(c))
    ]  # fmt: skip
    return "".join(wordlike)


def mark_class(char: str) -> tuple[int, str]:
    """Class and fold of a combining mark."""
    folded = fold(char)
    return (IGNORED, "") if is_dropped_mark(char) or not folded else (MARK, folded)


def letter_class(char: str) -> tuple[int, str]:
    """Class and fold of a letter or a number."""
    category, folded = unicodedata.category(char), fold(char)
    if not folded:
        return IGNORED, ""
    if is_han(char) or (len(folded) == 1 and is_han(folded)):
        return HAN, folded
    if category[0] == "N":
        return (LETTER if folded[0].isalpha() else DIGIT), folded
    if name_of(char).startswith(UNSEGMENTED_SCRIPTS):
        # Half-width voicing marks are letters by category and marks by meaning.
        return (MARK if char in "\uff9e\uff9f" else UNSEGMENTED), folded
    return (UPPER if category in ("Lu", "Lt") else LETTER), folded


def symbol_class(char: str) -> tuple[int, str]:
    """Class and fold of a pictograph; lines, blocks and stand-ins for lost characters are none."""
    if char <= "\u2190" or "\u2500" <= char <= "\u259f" or char in "\ufffc\ufffd":
        return OTHER, char
    folded = fold(char)
    if len(folded) == 1 and is_han(folded):
        return HAN, folded
    return SYMBOL, folded or char


def punctuation_class(char: str) -> tuple[int, str]:
    """Class and fold of everything that is not part of a word."""
    if char in APOSTROPHES:
        return APOSTROPHE, "'"
    if char in DASHES:
        return DASH, "-"
    category = unicodedata.category(char)
    plain = unicodedata.normalize("NFKC", char)
    exact = {".": DOT, ",": COMMA, "+": PLUS, "#": HASH, "_": UNDERSCORE}
    if plain in exact:
        return exact[plain], plain
    if category == "Pc":
        return UNDERSCORE, "_"
    if category in ("Ps", "Pi") or plain in OPENERS:
        return OPEN, char
    return OTHER, char


def classify(code: int) -> tuple[int, str]:
    """Class and fold of one code point."""
    char = chr(code)
    category = unicodedata.category(char)
    if char in INVISIBLE:
        return IGNORED, ""
    if char in "\0\t\n\v\f\r\x1c\x1d\x1e\x1f\x85" or category in ("Zs", "Zl", "Zp"):
        return SPACE, char
    if category in ("Cc", "Cf"):
        return IGNORED, ""
    if category[0] == "C":
        return OTHER, char
    if char in APOSTROPHES:
        return APOSTROPHE, "'"
    if category[0] == "M":
        return mark_class(char)
    if category[0] in "LN":
        return letter_class(char)
    if category == "So":
        return symbol_class(char)
    return punctuation_class(char)


def build_table() -> bytes:
    """The bytes of the whole file."""
    pool: list[int] = []
    places: dict[str, int] = {}
    pages: dict[tuple[int, ...], int] = {}
    numbers = []
    for first in range(0, sys.maxunicode + 1, PAGE):
        page = []
        for code in range(first, first + PAGE):
            kind, folded = classify(code)
            if folded in ("", chr(code)):
                entry = 0
            elif len(folded) == 1:
                entry = SINGLE << 21 | ord(folded)
            else:
                if folded not in places:
                    places[folded] = len(pool)
                    pool += [len(folded), *map(ord, folded)]
                entry = SEQUENCE << 21 | places[folded]
            page.append(kind << 24 | entry)
        numbers.append(pages.setdefault(tuple(page), len(pages)))
    entries = [entry for page in pages for entry in page]
    return b"".join(
        (
            b"DOWSEUT1",
            unicodedata.unidata_version.encode().ljust(16, b"\0"),
            struct.pack("<3I", len(numbers), len(entries), len(pool)),
            struct.pack(f"<{len(entries)}I", *entries),
            struct.pack(f"<{len(pool)}I", *pool),
            struct.pack(f"<{len(numbers)}H", *numbers),
        )
    )


if __name__ == "__main__":
    target = Path(__file__).parent.parent / "src" / "dowse" / "analysis" / "unicode.bin"
    content = build_table()
    target.write_bytes(content)
    print(f"{target}: {len(content):,} bytes, Unicode {unicodedata.unidata_version}")
