"""The loop over a rich text file."""

import re
from collections.abc import Callable
from typing import NamedTuple

from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import CODE, HEADING, ITEM, TEXT, Paragraph
from dowse.ingest.rtf.cells import Cells
from dowse.ingest.rtf.code_pages import page_of_number
from dowse.ingest.rtf.destinations import (
    ASIDES,
    EDGES,
    INFO,
    KEPT_THOUGH_MARKED,
    PARAGRAPH_ENDS,
    SKIPPED,
    SYMBOLS,
)
from dowse.ingest.rtf.header import BODY_LEVEL, Header, language_of

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}]+)|(\\)", re.DOTALL
)
_LINK = re.compile(r'\s*HYPERLINK\s+"?([^"\s]+)')
_MAX_ASIDES = 32
_MAX_FIELDS = 32
_DELETED, _FOR_MAIL = 1, 2
# Hidden text (`v`) is not among them: nobody else leaves it out, and people search for it.
_HIDING = {"deleted": _DELETED, "htmlrtf": _FOR_MAIL}
_PAGES = {"mac": 10000, "pc": 437, "pca": 850}


# Where the text of a group goes.
_IN_TEXT, _IN_NOTHING, _IN_CAPTURE, _IN_FONTS, _IN_STYLES, _IN_INFO = range(6)


class _State(NamedTuple):
    """What holds inside a group and is as before when it ends."""

    target: int = _IN_TEXT
    page: str = ""
    fallback_count: int = 1
    hidden: int = 0
    is_bold: bool = False
    style: int = 0
    outline: int | None = None
    is_item: bool = False
    level: int = 0


class _OpenParagraph:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.after: list[Paragraph] = []
        self.is_item = False
        self.has_plain = False


class _Field:
    def __init__(self) -> None:
        self.instruction = ""
        self.paragraph: _OpenParagraph | None = None
        self.start = 0


class RtfReader:
    """Reads one file into a flow.

    Attributes:
        header: Fonts, styles, and what the document says of itself.
        title: The first paragraph in the style of a document's title.
        language: As the file names it.
        edges: Headers and footers, each text once.
    """

    def __init__(self, flow: Flow) -> None:
        self.header = Header()
        self.title = self.language = ""
        self.edges: dict[str, Paragraph] = {}
        self._flow = flow
        self._state = _State()
        # For each open group: what held outside it, and what is to be done when it ends.
        self._stack: list[tuple[_State, Callable[[], None] | None]] = []
        self._closer: Callable[[], None] | None = None
        self._bytes = bytearray()
        self._bytes_page = ""
        self._fallback_left = 0
        self._is_marked = self._expects_plain_twin = self._is_header_row = False
        self._captured: list[str] = []
        self._paragraph = _OpenParagraph()
        self._cells = Cells()
        self._aside_count = 0
        self._fields: list[_Field] = []
        self._author = ""

    def read(self, data: bytes) -> None:
        """Reads the file up to the end of its outermost group."""
        place, size, match = 0, len(data), _TOKEN.match
        while place < size:
            token = match(data, place)
            assert token is not None, "each byte begins a token"
            place = token.end()
            kind = token.lastindex
            if kind == 6:
                self._put_bytes(token[6])
            elif kind == 1 or kind == 2:
                word = token[1].decode("ascii")
                number = int(token[2]) if kind == 2 else None
                if word == "bin":
                    # A length that goes past the end is a lie; then what follows is read as it is.
                    place += number if number is not None and 0 < number <= size - place else 0
                else:
                    self._take_word(word, number)
            elif kind == 5:
                if token[5] == b"{":
                    self._open_group()
                elif not self._close_group() or self._flow.is_full:
                    break
            elif kind == 3:
                self._put_bytes(bytes((int(token[3], 16),)))
            elif kind == 4:
                self._take_symbol(token[4])
        self._finish()

    def _finish(self) -> None:
        while self._stack:
            self._close_group()
        self._end_paragraph()
        self._cells.flush_into(self._flow)
        self._flow.finish()

    # Groups.

    def _open_group(self) -> None:
        self._fallback_left = 0
        self._stack.append((self._state, self._closer))
        self._closer = None
        self._is_marked = False
        if self._expects_plain_twin:
            # The first of two groups that say the same: the second has all letters.
            self._expects_plain_twin = False
            self._skip_group()
        elif self._state.target == _IN_STYLES:
            self._flush_bytes()
            self._captured = []
            self.header.open_style()
            self._closer = self._close_style

    def _close_group(self) -> bool:
        """Ends a group; says whether there is one left."""
        self._fallback_left = 0
        self._is_marked = False
        if not self._stack:
            return False
        if self._closer is not None:
            self._flush_bytes()
            self._closer()
        self._state, self._closer = self._stack.pop()
        return bool(self._stack)

    def _close_style(self) -> None:
        self.header.close_style("".join(self._captured))

    def _capture(self, target: int, closer: Callable[[], None] | None) -> None:
        self._flush_bytes()
        self._state = self._state._replace(target=target)
        self._captured = []
        self._closer = closer or self._closer

    # Words.

    def _take_word(self, word: str, number: int | None) -> None:
        self._fallback_left = 0
        target = self._state.target
        if target == _IN_NOTHING:
            return
        is_marked, self._is_marked = self._is_marked, False
        if is_marked and self._begin_marked(word):
            return
        if target != _IN_TEXT and word not in ("u", "uc"):
            self._take_header_word(word, number or 0)
        elif word in PARAGRAPH_ENDS:
            self._end_paragraph()
        elif word == "u":
            self._put_character(number or 0)
        elif word in SYMBOLS:
            self._put(SYMBOLS[word])
        elif not self._begin_group_for(word) and not self._format(word, number):
            self._arrange(word, number or 0)

    def _begin_marked(self, word: str) -> bool:
        """Begins a group that readers may skip; says whether that is all there is to do."""
        if word in ("annotation", *KEPT_THOUGH_MARKED):
            return False
        if word == "fldinst" and self._fields and self._state.target == _IN_TEXT:
            self._capture(_IN_CAPTURE, self._close_instruction)
        elif word == "atnauthor" and self._state.target == _IN_TEXT:
            self._capture(_IN_CAPTURE, self._close_author)
        elif self._state.target == _IN_STYLES and word in ("cs", "ds", "ts", "tsrowd"):
            self.header.key = None
        else:
            self._skip_group()
        return True

    def _begin_group_for(self, word: str) -> bool:
        """Begins a group of a known purpose; says whether the word was one."""
        if word in SKIPPED:
            self._skip_group()
        elif word in ("listtext", "pntext"):
            self._paragraph.is_item = True
            self._skip_group()
        elif word == "fonttbl":
            self._capture(_IN_FONTS, self._close_fonts)
        elif word == "stylesheet":
            self._capture(_IN_STYLES, None)
        elif word == "info":
            self._capture(_IN_INFO, None)
        elif word in ASIDES or word in EDGES:
            self._open_aside(word)
        elif word == "field":
            self._open_field()
        elif word == "fldrslt":
            self._open_result()
        elif word == "upr":
            self._expects_plain_twin = True
        elif word == "ud":
            self._state = self._state._replace(target=_IN_TEXT)
        else:
            return False
        return True

    def _skip_group(self) -> None:
        self._state = self._state._replace(target=_IN_NOTHING)

    def _take_header_word(self, word: str, number: int) -> None:
        if self._state.target == _IN_INFO:
            if word in INFO:
                self._capture(_IN_INFO, lambda: self.header.close_info(word, "".join(self._captured)))
            elif word in SKIPPED:
                self._skip_group()
        elif word in SKIPPED:
            self._skip_group()
            return
        self.header.take_word(word, number)

    def _format(self, word: str, number: int | None) -> bool:
        """Takes a word on how text looks; says whether the word was one."""
        state = self._state
        if word in _HIDING:
            bit = _HIDING[word]
            self._state = state._replace(hidden=state.hidden & ~bit if number == 0 else state.hidden | bit)
        elif word == "f":
            self._state = state._replace(page=self.header.page_of_font(number or 0))
        elif word == "b":
            self._state = state._replace(is_bold=number != 0)
        elif word == "uc":
            self._state = state._replace(fallback_count=min(max(number or 0, 0), 64))
        elif word == "plain":
            page = self.header.page_of_font(self.header.default_font)
            self._state = state._replace(page=page, is_bold=False, hidden=state.hidden & _FOR_MAIL)
        elif word == "ansicpg":
            self.header.page = page_of_number(number or 0) or self.header.page
        elif word in _PAGES:
            self.header.page = page_of_number(_PAGES[word])
        elif word == "deff":
            self.header.default_font = number or 0
        elif word == "deflang":
            self.language = language_of(number or 0)
        else:
            return False
        return True

    def _arrange(self, word: str, number: int) -> None:
        """Takes a word on what a paragraph is, and on rows and cells."""
        state = self._state
        if word == "pard":
            self._state = state._replace(style=0, outline=None, is_item=False, level=0)
        elif word == "s":
            self._state = state._replace(style=number)
        elif word == "outlinelevel":
            self._state = state._replace(outline=number)
        elif word == "ls":
            self._state = state._replace(is_item=number > 0)
        elif word == "intbl":
            self._state = state._replace(level=max(state.level, 1))
        elif word == "itap":
            self._state = state._replace(level=number)
        elif word == "trowd":
            self._is_header_row = False
        elif word == "trhdr":
            self._is_header_row = True
        elif word in ("cell", "nestcell"):
            level = 1 if word == "cell" else max(state.level, 2)
            self._end_paragraph(level)
            self._cells.end_cell(level)
        elif word in ("row", "nestrow"):
            level = 1 if word == "row" else max(state.level, 2)
            self._cells.end_row(level, is_header=self._is_header_row)

    # Asides and fields.

    def _open_aside(self, word: str) -> None:
        if self._aside_count >= _MAX_ASIDES or self._state.target != _IN_TEXT:
            self._skip_group()
            return
        self._flush_bytes()
        outer, cells = self._paragraph, self._cells
        author, self._author = (self._author, "") if word == "annotation" else ("", self._author)
        self._paragraph, self._cells = _OpenParagraph(), Cells()
        self._aside_count += 1
        self._state = self._state._replace(style=0, outline=None, is_item=False, level=0)
        self._flow.open_aside()

        def close() -> None:
            self._end_paragraph()
            self._cells.flush_into(self._flow)
            inside = self._flow.close_aside()
            self._paragraph, self._cells = outer, cells
            self._aside_count -= 1
            if word in EDGES:
                self.edges.update({entry.text.strip(): entry for entry in inside})
            else:
                if author and inside:
                    inside[0] = inside[0]._replace(text=f"{author}: {inside[0].text.strip()}")
                outer.after += inside

        self._closer = close

    def _open_field(self) -> None:
        if len(self._fields) < _MAX_FIELDS:
            self._fields.append(_Field())
            self._closer = self._close_field

    def _open_result(self) -> None:
        if self._fields:
            self._flush_bytes()
            field = self._fields[-1]
            field.paragraph, field.start = self._paragraph, len(self._paragraph.pieces)

    def _close_instruction(self) -> None:
        if self._fields:
            self._fields[-1].instruction = "".join(self._captured)[:4096]

    def _close_field(self) -> None:
        field = self._fields.pop()
        link = _LINK.match(field.instruction)
        if link and field.paragraph is not None and field.paragraph is self._paragraph:
            field.paragraph.links.append((link[1], "".join(field.paragraph.pieces[field.start :])))

    def _close_author(self) -> None:
        self._author = "".join(self._captured).strip()

    def _close_fonts(self) -> None:
        self._captured = []
        outer = self._stack[-1][0]
        page = self.header.page_of_font(self.header.default_font)
        self._stack[-1] = (outer._replace(page=page), self._stack[-1][1])

    # Text.

    def _take_symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._is_marked = True
        elif symbol in (b"\r", b"\n"):
            if self._state.target == _IN_TEXT:
                self._end_paragraph()
        elif symbol == b"~":
            self._put("\N{NO-BREAK SPACE}")
        elif symbol == b"_":
            self._put("-")
        elif symbol in b"\\{}":
            self._put_bytes(symbol)

    def _put_bytes(self, data: bytes) -> None:
        target = self._state.target
        if target == _IN_NOTHING or (self._state.hidden and target == _IN_TEXT):
            return
        if b"\r" in data or b"\n" in data or b"\0" in data:
            data = data.translate(None, b"\r\n\0")
        if self._fallback_left:
            dropped = min(self._fallback_left, len(data))
            self._fallback_left -= dropped
            data = data[dropped:]
        if not data:
            return
        page = self._state.page or self.header.page
        if self._bytes and page != self._bytes_page:
            self._flush_bytes()
        self._bytes_page = page
        self._bytes += data
        if not self._state.is_bold and not data.isspace():
            self._paragraph.has_plain = True

    def _put_character(self, number: int) -> None:
        if self._state.hidden == 0 or self._state.target != _IN_TEXT:
            code = number & 0xFFFF
            # Letters of symbol fonts; what they show cannot be known.
            self._put(" " if 0xF000 <= code <= 0xF0FF else chr(code))
        self._fallback_left = self._state.fallback_count

    def _put(self, text: str) -> None:
        if self._state.target == _IN_NOTHING or (self._state.hidden and self._state.target == _IN_TEXT):
            return
        self._flush_bytes()
        (self._paragraph.pieces if self._state.target == _IN_TEXT else self._captured).append(text)

    def _flush_bytes(self) -> None:
        """Decodes what was read; letters of two bytes may come in two tokens."""
        if self._bytes:
            text = self._bytes.decode(self._bytes_page, "replace")
            self._bytes.clear()
            (self._paragraph.pieces if self._state.target == _IN_TEXT else self._captured).append(text)

    def _end_paragraph(self, level: int | None = None) -> None:
        self._flush_bytes()
        read, self._paragraph = self._paragraph, _OpenParagraph()
        level = self._state.level if level is None else level
        if level == 0 and self._cells.has_open_row:
            level = 1
        paragraph = self._build(read, level)
        if level:
            for entry in (paragraph, *read.after):
                self._cells.add(level, entry)
        elif paragraph.text.strip() or read.after:
            self._cells.flush_into(self._flow)
            self._flow.add(paragraph)
            self._flow.add_all(read.after)
        else:
            self._flow.add(paragraph)

    def _build(self, read: _OpenParagraph, level: int) -> Paragraph:
        state = self._state
        text = "".join(read.pieces)
        if not text.isascii():
            # Characters beyond the first plane are written in two halves.
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        depth = self.header.depth_of(state.style)
        if state.outline is not None:
            depth = 0 if not 0 <= state.outline < BODY_LEVEL else state.outline + 1
        if not level and not self.title and self.header.find_style(state.style).is_title:
            self.title = text
        is_item = (read.is_item or state.is_item) and not depth and bool(text.strip())
        is_code = self.header.is_code(state.style)
        kind = HEADING if depth else ITEM if is_item else CODE if is_code else TEXT
        text = f"- {text.strip()}" if is_item else text
        return Paragraph(text, kind, depth, tuple(read.links), not read.has_plain)
