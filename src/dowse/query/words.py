r"""One word as typed, from backslashes to boost: a plain word, a prefix, a wildcard, a fuzzy word.

A word is read through its *mask*: the same text in which every escaped character is a neutral one. Whatever
has a meaning is looked for in the mask and cut from the text, so that ``a\*b`` needs no rules of its own.
"""

import re
from collections.abc import Callable

from dowse.query.names import URL
from dowse.query.nodes import Everything, Fuzzy, Leaf, Prefix, Wildcard, Word

# Limits of numbers in a query; what is typed beyond them is cut down to them, with a problem.
MAX_NUMBER = 1_000_000
MAX_EDITS = 2

Report = Callable[[int, str], None]

_NEUTRAL = "\0"
_ESCAPED = re.compile(r'\\([\\()"“”„«»^~*?:/!.,<>|&-])')
_ESCAPED_KEYWORD = re.compile(r"\\(?=(?:AND|OR|NOT|OF)(?:\^|\Z))")
_BOOST_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,400})?|\.[0-9]{1,400}")
_EDITS = re.compile(r"[0-9]*")
_WORD_CHARACTER = re.compile(r"\w")


def unescape(raw: str) -> tuple[str, str]:
    """Returns the text that was meant and its mask, of the same length."""
    if "\\" not in raw:
        return raw, raw
    raw = _ESCAPED_KEYWORD.sub("", raw, count=1) if raw[0] == "\\" else raw
    return _ESCAPED.sub(r"\1", raw), _ESCAPED.sub(_NEUTRAL, raw)


def split_boost(mask: str) -> tuple[int, float | None]:
    """Returns where a word ends and the boost after it; None when there is none."""
    caret = mask.rfind("^")
    if caret > 0 and _BOOST_NUMBER.fullmatch(mask, caret + 1):
        return caret, float(mask[caret + 1 :])
    return len(mask), None


def read_word(text: str, mask: str, position: int, report: Report) -> Leaf:
    """Returns what a word without its boost asks for.

    Args:
        text: What was meant; not empty.
        mask: Of the same length.
        position: Where the word starts in the query.
        report: Called with a position and a message for what is wrong.
    """
    if "^" in mask:
        report(position + mask.index("^"), "expected a number after “^”")
    if "://" in mask and URL.match(mask):
        return Word(text, position)
    tilde = mask.rfind("~")
    if tilde > 0 and _EDITS.fullmatch(mask, tilde + 1):
        edits = cut_number(mask[tilde + 1 :], MAX_EDITS, "edits", position + tilde, report)
        return Fuzzy(text[:tilde], edits, position)
    if "*" in mask or "?" in mask:
        return _read_wildcards(text, mask, position)
    return Word(text, position)


def cut_number(digits: str, most: int, what: str, position: int, report: Report) -> int | None:
    """Returns the number that digits stand for, at most `most`; None for no digits."""
    if not digits:
        return None
    # Python refuses numbers of thousands of digits.
    number = int(digits) if len(digits) < 20 else most + 1
    if number > most:
        report(position, f"expected at most {most:,} {what}")
    return min(number, most)


def _read_wildcards(text: str, mask: str, position: int) -> Leaf:
    stem = mask.rstrip("*")
    if not stem:
        return Everything(position)
    question = stem.find("?")
    if question == -1 and "*" not in stem:
        return Prefix(text[: len(stem)], position)
    if "*" not in mask and not _WORD_CHARACTER.search(mask, question):
        return Word(text, position)  # a question mark ends a question
    pattern: list[str] = []
    for character, sign in zip(text, mask, strict=True):
        if sign in "*?":
            if not (sign == "*" and pattern and pattern[-1] == "*"):
                pattern.append(sign)
        else:
            pattern.append("\\" + character if character in "*?\\" else character)
    return Wildcard("".join(pattern), position)
