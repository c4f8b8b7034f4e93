"""What the name of a style says: heading, title, code or list."""

import re

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|заголовок|kop|rubrik)\s*([1-9])\b", re.IGNORECASE
)
_TITLES = frozenset({"title", "titel", "titolo"})
_CODE = re.compile(
    r"\b(?:code|html preformatted|preformatted text|listing|verbatim|macro text)\b|source ?code|code ?block",
    re.IGNORECASE,
)
_LIST = re.compile(r"\blist (?:bullet|number)\b", re.IGNORECASE)


def heading_depth(name: str) -> int:
    """Returns the depth of the heading that a style of this name makes; 0 for none."""
    found = _HEADING.match(name)
    return int(found[1]) if found else 0


def is_title(name: str) -> bool:
    """Says whether a style of this name makes the title of the whole document."""
    return name.lower() in _TITLES


def is_code(name: str) -> bool:
    """Says whether a style of this name is for code."""
    return _CODE.search(name) is not None


def is_list(name: str) -> bool:
    """Says whether a style of this name is for the items of a list."""
    return _LIST.search(name) is not None
