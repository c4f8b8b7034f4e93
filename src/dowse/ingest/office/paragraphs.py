"""A paragraph of an office file, read and not yet placed."""

from typing import NamedTuple

Links = tuple[tuple[str, str], ...]
"""Targets with the words that are linked."""

TEXT, HEADING, ITEM, CODE, ROW = "text", "heading", "item", "code", "row"


class Paragraph(NamedTuple):
    """What stands between two paragraph marks.

    Attributes:
        text: As shown, the number or bullet before it included; line breaks stay.
        kind: `TEXT`, `HEADING`, `ITEM` (of a list), `CODE` or `ROW` (of a table inside a cell or a note).
        depth: Of a heading, from 1.
        is_bold: Whether all of it is bold, as the names above a table's columns are.
    """

    text: str
    kind: str = TEXT
    depth: int = 0
    links: Links = ()
    is_bold: bool = False
