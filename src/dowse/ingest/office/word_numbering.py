"""Numbers and bullets before the paragraphs of a Word document.

They are not in the text: a program counts. People search for “4.2 Scope”, so we count too.
"""

from typing import NamedTuple

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import number_of, value_of

BULLET = "-"
_MAX_LEVELS = 9
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_ROMAN = 3999


class _Level(NamedTuple):
    form: str
    start: int
    pattern: str
    style: str


class WordNumbering:
    """The lists of one document, counting while it is read in order.

    Args:
        root: The numbering part, or None when there is none.
    """

    def __init__(self, root: etree._Element | None) -> None:
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._kind: dict[str, str] = {}
        self._overrides: dict[str, dict[int, int]] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()
        for element in () if root is None else root:
            if local_name(element) == "abstractNum":
                self._abstract[value_of(element, "abstractNumId")] = _read_levels(element)
            elif local_name(element) == "num":
                self._read_list(element)

    def level_of_style(self, number_key: str, style_key: str) -> int:
        """Returns the level that a list keeps for a style."""
        for level, entry in self._levels(number_key).items():
            if entry.style and entry.style == style_key:
                return level
        return 0

    def next_label(self, number_key: str, level: int) -> str:
        """Counts one paragraph and returns what stands before it: a number, a bullet or nothing."""
        if number_key == "0" or number_key not in self._kind:
            return "" if number_key == "0" else BULLET
        levels = self._levels(number_key)
        level = min(max(level, 0), _MAX_LEVELS - 1)
        counts = self._counts.setdefault(self._kind[number_key], [None] * _MAX_LEVELS)
        if number_key not in self._begun:
            self._begun.add(number_key)
            for overridden, start in self._overrides.get(number_key, {}).items():
                counts[min(overridden, _MAX_LEVELS - 1)] = start - 1
        entry = levels.get(level)
        if entry is None or entry.form == "bullet":
            return BULLET
        current = counts[level]
        counts[level] = entry.start if current is None else current + 1
        counts[level + 1 :] = [None] * (_MAX_LEVELS - level - 1)
        return "" if entry.form == "none" else _fill(entry.pattern, counts, levels)

    def _levels(self, number_key: str) -> dict[int, _Level]:
        return self._abstract.get(self._kind.get(number_key, ""), {})

    def _read_list(self, element: etree._Element) -> None:
        key = value_of(element, "numId")
        for child in element:
            if local_name(child) == "abstractNumId":
                self._kind[key] = value_of(child)
            elif local_name(child) == "lvlOverride":
                for start in child.iter("{*}startOverride"):
                    level, value = number_of(child, "ilvl"), number_of(start)
                    if level is not None and value is not None:
                        self._overrides.setdefault(key, {})[level] = value


def _read_levels(abstract: etree._Element) -> dict[int, _Level]:
    levels = {}
    for element in abstract:
        number = number_of(element, "ilvl") if local_name(element) == "lvl" else None
        if number is not None and number < _MAX_LEVELS:
            values = {local_name(child): value_of(child) for child in element}
            start = values.get("start", "")
            levels[number] = _Level(
                values.get("numFmt", "decimal"),
                int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1,
                values.get("lvlText", ""),
                values.get("pStyle", ""),
            )
    return levels


def _fill(pattern: str, counts: list[int | None], levels: dict[int, _Level]) -> str:
    for place in range(_MAX_LEVELS):
        mark = f"%{place + 1}"
        if mark in pattern:
            entry = levels.get(place)
            count = counts[place]
            count = (entry.start if entry else 1) if count is None else count
            pattern = pattern.replace(mark, format_number(count, entry.form if entry else "decimal"))
    return pattern


def format_number(count: int, form: str) -> str:
    """Writes a number in one of the standard's forms; forms of other scripts are written in digits."""
    if form in ("lowerLetter", "upperLetter") and count > 0:
        # After z comes aa, then bb.
        letters = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 8)
        return letters.upper() if form == "upperLetter" else letters
    if form in ("lowerRoman", "upperRoman") and 0 < count <= _MAX_ROMAN:
        roman = ""
        for value, letters in _ROMAN:
            roman += letters * (count // value)
            count %= value
        return roman.upper() if form == "upperRoman" else roman
    return str(count)
