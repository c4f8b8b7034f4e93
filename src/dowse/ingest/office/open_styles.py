"""The styles of an OpenDocument file: which paragraphs are headings or code, which lists have numbers."""

from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import number_of, value_of
from dowse.ingest.office.style_names import is_code, is_title

_MAX_CHAIN = 64
_MAX_LEVELS = 10


class OpenStyle(NamedTuple):
    """What a paragraph style means; `depth` is 0 for what is no heading."""

    depth: int = 0
    is_title: bool = False
    is_code: bool = False
    is_header_cell: bool = False


class _Raw(NamedTuple):
    name: str
    parent: str
    outline: int | None


class OpenStyles:
    """The styles of one file.

    Args:
        roots: The content and the styles; in a flat file they are one.
    """

    def __init__(self, roots: Iterable[etree._Element]) -> None:
        self._raw: dict[str, _Raw] = {}
        self._resolved: dict[str, OpenStyle] = {}
        self._numbered: dict[str, set[int]] = {}
        for root in roots:
            for element in root.iter("{*}style", "{*}list-style"):
                key = value_of(element, "name")
                if local_name(element) == "list-style":
                    self._numbered.setdefault(key, _numbered_levels(element))
                elif value_of(element, "family") == "paragraph":
                    name = value_of(element, "display-name") or key
                    outline = number_of(element, "default-outline-level")
                    self._raw.setdefault(key, _Raw(name, value_of(element, "parent-style-name"), outline))

    def get(self, key: str) -> OpenStyle:
        """Returns the style of this key; what is not known is judged by its key."""
        style = self._resolved.get(key)
        if style is None:
            style = self._resolved[key] = self._resolve(key)
        return style

    def has_numbers(self, list_style: str, level: int) -> bool:
        """Says whether a list counts its items at a level, from 1."""
        return level in self._numbered.get(list_style, ())

    def _resolve(self, key: str) -> OpenStyle:
        style = OpenStyle()
        seen: set[str] = set()
        while key and key not in seen and len(seen) < _MAX_CHAIN:
            seen.add(key)
            raw = self._raw.get(key) or _Raw(key, "", None)
            name = raw.name.replace("_20_", " ").replace("_", " ").lower()
            style = OpenStyle(
                style.depth or raw.outline or 0,
                style.is_title or is_title(name),
                style.is_code or is_code(name),
                style.is_header_cell or name == "table heading",
            )
            key = raw.parent
        return style._replace(depth=1) if style.is_title and not style.depth else style


def _numbered_levels(list_style: etree._Element) -> set[int]:
    levels = set()
    for element in list_style:
        level = number_of(element, "level")
        # A level may count without showing it.
        is_shown = local_name(element) == "list-level-style-number" and bool(value_of(element, "num-format"))
        if is_shown and level and level <= _MAX_LEVELS:
            levels.add(level)
    return levels
