"""The paragraph styles of a Word document: which are headings, which are code, which number their text.

A style takes what it does not say itself from the style it is based on. Names of built-in styles are English
in the file whatever the language of the program; the style's key may be in any language.
"""

from typing import NamedTuple

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import number_of, value_of
from dowse.ingest.office.style_names import heading_depth, is_code, is_list, is_title

BODY_LEVEL = 9


class Style(NamedTuple):
    """What a paragraph style means.

    Attributes:
        depth: Of the heading, from 1; 0 for what is none.
        is_title: Whether it is the title of the whole document, a heading of depth 1.
        number_key: The list that numbers it; empty for none, ``0`` for explicitly none.
    """

    key: str = ""
    depth: int = 0
    is_title: bool = False
    is_code: bool = False
    is_item: bool = False
    number_key: str = ""
    number_level: int | None = None


class _Raw(NamedTuple):
    name: str
    parent: str
    outline: int | None
    number_key: str
    number_level: int | None


PLAIN = Style()


class WordStyles:
    """The styles of one document.

    Args:
        root: The styles part, or None when there is none; keys such as ``Heading1`` are known all the same.
    """

    def __init__(self, root: etree._Element | None) -> None:
        self._raw: dict[str, _Raw] = {}
        self._resolved: dict[str, Style] = {}
        self.language = ""
        self.default = ""
        for element in () if root is None else root:
            name = local_name(element)
            if name == "docDefaults":
                self.language = _default_language(element)
            elif name == "style" and value_of(element, "type") in ("paragraph", ""):
                key = value_of(element, "styleId")
                self._raw[key] = _read(element)
                if value_of(element, "default") in ("1", "true"):
                    self.default = key

    def get(self, key: str) -> Style:
        """Returns the style of this key; what is not known is judged by its key."""
        style = self._resolved.get(key)
        if style is None:
            style = self._resolved[key] = self._resolve(key)
        return style

    def _resolve(self, key: str) -> Style:
        style, outline = Style(key), None
        seen: set[str] = set()
        while key and key not in seen and len(seen) < 64:
            seen.add(key)
            raw = self._raw.get(key) or _Raw(key, "", None, "", None)
            if outline is None and not style.depth:
                outline = raw.outline
                style = _by_name(style, raw.name)
            if not style.number_key:
                style = style._replace(number_key=raw.number_key)
            if style.number_level is None:
                style = style._replace(number_level=raw.number_level)
            key = raw.parent
        if outline is not None:
            style = style._replace(depth=0 if outline >= BODY_LEVEL else outline + 1)
        return style


def _by_name(style: Style, name: str) -> Style:
    if depth := heading_depth(name):
        return style._replace(depth=depth)
    if is_title(name):
        return style._replace(depth=1, is_title=True)
    return style._replace(is_code=style.is_code or is_code(name), is_item=style.is_item or is_list(name))


def _read(style: etree._Element) -> _Raw:
    name, parent, outline, number_key, level = value_of(style, "styleId"), "", None, "", None
    for element in style.iter("{*}name", "{*}basedOn", "{*}outlineLvl", "{*}numId", "{*}ilvl"):
        kind = local_name(element)
        if kind == "name":
            name = value_of(element)
        elif kind == "basedOn":
            parent = value_of(element)
        elif kind == "outlineLvl":
            outline = number_of(element)
        elif kind == "numId":
            number_key = value_of(element)
        else:
            level = number_of(element)
    return _Raw(name, parent, outline, number_key, level)


def _default_language(defaults: etree._Element) -> str:
    for element in defaults.iter("{*}lang"):
        return value_of(element)
    return ""
