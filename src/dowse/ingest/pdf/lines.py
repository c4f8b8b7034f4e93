"""The lines of text of a page and where they stand."""

import ctypes
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

LINE_END_HYPHENS = "\x02\ufffe\xad"
"""What PDFium writes for a hyphen that only ends a line."""

_read_letter_box = pdfium.FPDFText_GetLooseCharBox
_find_letter = pdfium.FPDFText_GetCharIndexFromTextIndex


class TextLine(NamedTuple):
    """A line; points from the lower left of the page.

    Attributes:
        first: Index of its first letter in the page's text.
        size: Of its letters, in points, roughly.
    """

    text: str
    first: int
    left: float
    right: float
    bottom: float
    top: float

    @property
    def size(self) -> float:
        return max(self.top - self.bottom, 1.0)


class PageText:
    """The text of an open page."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._text_page = page.get_textpage()
        # Some hundred boxes are asked for on a page, so what each call needs is made once.
        self._raw = self._text_page.raw
        self._box = pdfium.FS_RECTF()
        self._box_reference = ctypes.byref(self._box)
        self._has_all_letters = False

    def close(self) -> None:
        """Frees the page's text."""
        self._text_page.close()

    def read_lines(self) -> list[TextLine]:
        """Returns the lines in the order drawn, blank ones left out."""
        text = self._text_page.get_text_range()
        # A letter beyond the first 65,536 of Unicode counts twice in PDFium.
        units = len(text.encode("utf-16-le")) // 2
        is_wide = units > len(text)
        self._has_all_letters = units == self._text_page.count_chars()
        lines = []
        place = 0
        for raw in text.split("\n"):
            length = len(raw) + 1 if not is_wide else len(raw.encode("utf-16-le")) // 2 + 1
            stripped = raw.strip()
            if stripped:
                start = place + len(raw) - len(raw.lstrip())
                lines.append(self._line(stripped, start, start + len(stripped) - 1))
            place += length
        return lines

    def letter_box(self, index: int) -> tuple[float, float, float, float] | None:
        """Returns left, right, bottom and top of a letter."""
        box = self._box
        if not _read_letter_box(self._raw, index, self._box_reference):
            return None
        bottom, top = box.bottom, box.top
        return (box.left, box.right, bottom, top) if bottom <= top else (box.left, box.right, top, bottom)

    def _line(self, text: str, first: int, last: int) -> TextLine:
        first = self._letter_at(first)
        start, end = self.letter_box(first), self.letter_box(self._letter_at(last))
        if start is None or end is None:
            return TextLine(text, first, 0.0, 0.0, 0.0, 0.0)
        left, right = min(start[0], end[0]), max(start[1], end[1])
        return TextLine(text, first, left, right, start[2], start[3])

    def _letter_at(self, text_index: int) -> int:
        if self._has_all_letters:
            return text_index
        index: int = _find_letter(self._raw, text_index)
        return index if index >= 0 else text_index
