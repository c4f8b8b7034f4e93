"""What stands after a name and a colon, when it is not a text to search: values, ranges, quoted words."""

import re
from typing import NamedTuple

from dowse.query.names import KNOWN_NAMES, META, QUOTES, RANGES, find_nearest
from dowse.query.nodes import Exact, Filter, Leaf, Named, Phrase, RangeFilter, Sounds, Word
from dowse.query.values import find_bounds
from dowse.query.words import Report, split_boost, unescape

_STRAIGHT = re.compile(r'"((?:[^"\\]|\\.|\\\Z)*+)("?)', re.DOTALL)
_TYPOGRAPHIC = re.compile(r'[“”„«»]((?:[^"“”„«»\\]|\\.|\\\Z)*+)(["“”„«»]?)', re.DOTALL)
_ESCAPED_QUOTE = re.compile(r'\\(["“”„«»\\])')
# A boost ends a value. Fewer escapes than in words: values are often paths, some of them with backslashes.
_VALUE = re.compile(r'(?:\\[\\()"“”„«»,^]|[^\s()"“”„«»,^]|\^(?![0-9.]+(?:[\s(),]|\Z)))++')
_ESCAPED_IN_VALUE = re.compile(r'\\([\\()"“”„«»,^])')
_NEXT_VALUE = re.compile(r",++(?![\s)]|\Z)")
_SPOKEN = re.compile(r'(?:\\[\\()"“”„«»,]|[^\s()"“”„«»,])++')
_BETWEEN = re.compile(r"[\s,]*")
MAX_VALUES = 1_024
_EXPECTED = {
    "date": "a date such as 2024-01, 2024-01..2024-06, >2023 or 7d",
    "size": "a size such as >10k or 10k..2m",
}


class Values(NamedTuple):
    """Alternatives, and where they end.

    Attributes:
        is_bare: Whether there is one, without quotation marks or parentheses: only such a one can be a range.
    """

    texts: tuple[str, ...]
    end: int
    is_bare: bool


def read_quoted(query: str, start: int, report: Report) -> tuple[str, int]:
    """Returns the text between quotation marks, perhaps blank, and where it ends."""
    found = (_STRAIGHT if query[start] == '"' else _TYPOGRAPHIC).match(query, start)
    assert found is not None, "the caller saw a quotation mark"
    if not found[2]:
        report(start, "a quotation mark is opened but not closed")
    text = _ESCAPED_QUOTE.sub(r"\1", found[1])
    if not text.strip():
        report(start, "there is nothing between the quotation marks")
    return text, found.end()


def read_values(query: str, at: int, report: Report) -> Values:
    """Returns the values from here on: ``a,"b c"`` or ``(a OR "b c")``."""
    if query[at] == "(":
        return _read_group(query, at, report)
    texts: list[str] = []
    is_bare = True
    while True:
        text, is_quoted, at = _read_value(query, at, report)
        is_bare &= not is_quoted
        if text.strip():
            texts.append(text)
        comma = _NEXT_VALUE.match(query, at)
        if comma is None or query[comma.end()] == "(":
            return Values(tuple(texts), at, is_bare and len(texts) == 1)
        at = comma.end()


def _read_value(query: str, at: int, report: Report) -> tuple[str, bool, int]:
    if query[at] in QUOTES:
        text, end = read_quoted(query, at, report)
        return text, True, end
    found = _VALUE.match(query, at)
    if found is None:  # a boost and nothing before it
        return "", False, at
    return _ESCAPED_IN_VALUE.sub(r"\1", found[0]), False, found.end()


def _read_group(query: str, start: int, report: Report) -> Values:
    texts: list[str] = []
    at = start + 1
    is_apart = True
    while True:
        between = _BETWEEN.match(query, at)
        assert between is not None, "nothing may stand between"
        is_apart |= "," in between[0]
        at = between.end()
        if at == len(query):
            report(start, "a parenthesis is opened but not closed")
            break
        if query[at] == ")":
            at += 1
            break
        text, is_quoted, end = _read_value(query, at, report)
        if end == at or (text in ("AND", "&&", "NOT") and not is_quoted):
            report(at, "expected values with OR between them")
            at = max(end, at + 1)
        elif text in ("OR", "||") and not is_quoted:
            is_apart, at = True, end
        else:
            if not is_apart:
                report(at, "expected OR or a comma between values")
            texts += [text] if text.strip() else []
            is_apart, at = False, end
    if not texts:
        report(start, "there is nothing between the parentheses")
    return Values(tuple(texts), at, is_bare=False)


def build_filter(
    name: str, values: Values, source: str, position: int, now: float, report: Report
) -> Leaf | None:
    """Returns the filter that a name and values ask for; words when they ask for none.

    Args:
        source: What was typed, from the name on.
    """
    if not values.texts:
        return None
    if len(values.texts) > MAX_VALUES:
        report(position, f"a filter has at most {MAX_VALUES:,} values; the others are left out")
    first = values.texts[0]
    is_range = name in RANGES or (
        name.startswith(META) and values.is_bare and (first[0] in "<>=" or ".." in first)
    )
    bounds = find_bounds(name, first, now) if is_range and len(values.texts) == 1 else None
    if bounds is not None:
        low, high = bounds
        if low is not None and high is not None and high < low:
            report(position, f"“{first}” ends before it starts; read the other way round")
            start, joint, end = first.partition(".." if ".." in first else "/")
            low, high = find_bounds(name, end + joint + start, now) or bounds
        return RangeFilter(name, low, high, first, position)
    if name in RANGES:
        report(position, f"expected {_EXPECTED[name]} after “{name}:”")
        return Word(source, position) if values.is_bare else Phrase(" ".join(values.texts), 0, position)
    if is_range and first[0] in "<>":
        report(position, f"expected a number after “{name}:{first[0]}”")
    texts = values.texts[:MAX_VALUES]
    if name == "ext":
        texts = tuple(text.removeprefix(".") or text for text in texts)
    return Filter(name, texts, position)


_READINGS: dict[str, type[Sounds] | type[Exact] | type[Named]] = {
    "sounds": Sounds, "exact": Exact, "named": Named,
}  # fmt: skip


def read_reading(name: str, query: str, at: int, position: int, report: Report) -> tuple[Leaf | None, int]:
    """Returns what ``sounds:``, ``exact:`` or ``named:`` asks for and where it ends."""
    if query[at] in QUOTES:
        text, end = read_quoted(query, at, report)
    else:
        found = _SPOKEN.match(query, at)
        assert found is not None, "the caller saw a word"
        text, mask = unescape(found[0])
        size, factor = split_boost(mask)
        text = text[:size]
        # The boost is left for the lexer.
        end = found.end() if factor is None else at + found[0].rindex("^")
    if not text.strip():
        return None, end
    return _READINGS[name](text, position), end


def describe_unknown(name: str) -> tuple[str, bool]:
    """Returns what to say of a name nobody knows, and whether it looks like a slip for a known one."""
    nearest = find_nearest(name)
    guess = f"; did you mean “{nearest}:”?" if nearest else ""
    return f"there is no field “{name}:”{guess} (known: {', '.join(KNOWN_NAMES)}, {META}KEY)", bool(nearest)
