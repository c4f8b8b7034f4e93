"""What stands before the text of a rich text file: fonts, styles, and what the document says of itself."""

import locale
from typing import NamedTuple

from dowse.ingest.office.keywords import iso_date
from dowse.ingest.office.style_names import heading_depth, is_code, is_title
from dowse.ingest.rtf.code_pages import DEFAULT_PAGE, page_of_charset, page_of_number

BODY_LEVEL = 9
_MAX_CHAIN = 64
_TIMES = {"yr": 0, "mo": 1, "dy": 2, "hr": 3, "min": 4}


class RtfStyle(NamedTuple):
    """A paragraph style; `outline` is None when it says nothing about it."""

    name: str = ""
    outline: int | None = None
    parent: int = -1

    @property
    def is_title(self) -> bool:
        """Whether it is the title of the whole document."""
        return is_title(self.name)


class Header:
    """Fonts, styles and properties, filled while they are read."""

    def __init__(self) -> None:
        self.page = DEFAULT_PAGE
        self.default_font = 0
        self.metadata: dict[str, str] = {}
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._styles: dict[int, RtfStyle] = {}
        self._time: list[int] = []
        self.key: int | None = 0
        self.style = RtfStyle()

    def take_word(self, word: str, number: int) -> None:
        """Takes a word inside the tables of fonts and styles, and inside dates."""
        if word == "f":
            self._font = number
        elif word == "fcharset":
            self._fonts[self._font] = page_of_charset(number)
        elif word == "cpg":
            self._fonts[self._font] = page_of_number(number)
        elif word == "s":
            self.key = number
        elif word in ("cs", "ds", "ts", "tsrowd"):
            self.key = None
        elif word == "outlinelevel":
            self.style = self.style._replace(outline=number)
        elif word == "sbasedon":
            self.style = self.style._replace(parent=number)
        elif word in _TIMES:
            self._time = self._time or [0, 0, 0, 0, 0]
            self._time[_TIMES[word]] = number

    def open_style(self) -> None:
        """Begins a style; it is the default one until a number says otherwise."""
        self.key, self.style = 0, RtfStyle()

    def close_style(self, name: str) -> None:
        """Ends a style; those of characters and tables are not kept."""
        if self.key is not None and name.strip():
            self._styles.setdefault(self.key, self.style._replace(name=name.strip().rstrip(";").strip()))
        self.key = None

    def close_info(self, name: str, text: str) -> None:
        """Ends an entry of what the document says of itself."""
        if name in ("creatim", "revtim"):
            year, month, day, hour, minute = self._time or [0, 0, 0, 0, 0]
            self.metadata[name] = iso_date(f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00")
            self._time = []
        else:
            self.metadata.setdefault(name, text.strip())

    def page_of_font(self, number: int) -> str:
        """Returns the codec for text in a font."""
        return self._fonts.get(number) or self.page

    def find_style(self, number: int) -> RtfStyle:
        """Returns a style; one without a number of its own is a plain one."""
        return self._styles.get(number) or RtfStyle()

    def depth_of(self, number: int) -> int:
        """Returns the depth of the heading that a style makes; 0 for none."""
        seen: set[int] = set()
        while number in self._styles and number not in seen and len(seen) < _MAX_CHAIN:
            seen.add(number)
            style = self._styles[number]
            if style.outline is not None:
                return 0 if style.outline >= BODY_LEVEL else max(style.outline, 0) + 1
            if depth := heading_depth(style.name):
                return depth
            if style.is_title:
                return 1
            number = style.parent
        return 0

    def is_code(self, number: int) -> bool:
        """Says whether a style is for code."""
        return is_code(self.find_style(number).name)


def language_of(number: int) -> str:
    """Returns the language of one of Windows' numbers for it, such as ``de-DE``; empty when not known."""
    return locale.windows_locale.get(number, "").replace("_", "-")
