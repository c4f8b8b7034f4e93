"""The loop over a rich text file."""

import re
from collections.abc import Callable
from typing import ClassVar

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
from dowse.ingest.rtf.state import (
    CHANGES,
    FOR_MAIL,
    IN_CAPTURE,
    IN_FONTS,
    IN_INFO,
    IN_NOTHING,
    IN_STYLES,
    IN_TEXT,
    State,
)

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}]+)|(\\)", re.DOTALL
)
_LINK = re.compile(r'\s*HYPERLINK\s+"?([^"\s]+)')
_MAX_ASIDES = 32
_MAX_FIELDS = 32
_PAGES = {"mac": 10000, "pc": 437, "pca": 850}


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
        self._state = State()
        # For each open group: what held outside it, and what is to be done when it ends.
        self._stack: list[tuple[State, Callable[[], None] | None]] = []
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
        elif self._state.target == IN_STYLES:
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
        if target == IN_NOTHING:
            return
        is_marked, self._is_marked = self._is_marked, False
        if is_marked and self._begin_marked(word):
            return
        if target != IN_TEXT and word not in ("u", "uc"):
            self._take_header_word(word, number or 0)
        elif (change := CHANGES.get(word)) is not None:
            self._state = change(self._state, number)
        elif (action := self._ACTIONS.get(word)) is not None:
            action(self, word, number or 0)

    def _begin_marked(self, word: str) -> bool:
        """Begins a group that readers may skip; says whether that is all there is to do."""
        if word in ("annotation", *KEPT_THOUGH_MARKED):
            return False
        if word == "fldinst" and self._fields and self._state.target == IN_TEXT:
            self._capture(IN_CAPTURE, self._close_instruction)
        elif word == "atnauthor" and self._state.target == IN_TEXT:
            self._capture(IN_CAPTURE, self._close_author)
        elif self._state.target == IN_STYLES and word in ("cs", "ds", "ts", "tsrowd"):
            self.header.key = None
        else:
            self._skip_group()
        return True

    def _skip_group(self) -> None:
        self._state = self._state._replace(target=IN_NOTHING)

    def _take_header_word(self, word: str, number: int) -> None:
        if self._state.target == IN_INFO:
            if word in INFO:
                self._capture(IN_INFO, lambda: self.header.close_info(word, "".join(self._captured)))
            elif word in SKIPPED:
                self._skip_group()
        elif word in SKIPPED:
            self._skip_group()
            return
        self.header.take_word(word, number)

    # What a word does, where it does more than change the state.

    def _on_paragraph_end(self, word: str, number: int) -> None:
        self._end_paragraph()

    def _on_character(self, word: str, number: int) -> None:
        self._put_character(number)

    def _on_symbol(self, word: str, number: int) -> None:
        self._put(SYMBOLS[word])

    def _on_skipped(self, word: str, number: int) -> None:
        self._skip_group()

    def _on_list_mark(self, word: str, number: int) -> None:
        self._paragraph.is_item = True
        self._skip_group()

    def _on_fonts(self, word: str, number: int) -> None:
        self._capture(IN_FONTS, self._close_fonts)

    def _on_styles(self, word: str, number: int) -> None:
        self._capture(IN_STYLES, None)

    def _on_info(self, word: str, number: int) -> None:
        self._capture(IN_INFO, None)

    def _on_aside(self, word: str, number: int) -> None:
        self._open_aside(word)

    def _on_field(self, word: str, number: int) -> None:
        self._open_field()

    def _on_result(self, word: str, number: int) -> None:
        self._open_result()

    def _on_twins(self, word: str, number: int) -> None:
        self._expects_plain_twin = True

    def _on_second_twin(self, word: str, number: int) -> None:
        self._state = self._state._replace(target=IN_TEXT)

    def _on_font(self, word: str, number: int) -> None:
        self._state = self._state._replace(page=self.header.page_of_font(number))

    def _on_plain(self, word: str, number: int) -> None:
        page = self.header.page_of_font(self.header.default_font)
        hidden = self._state.hidden & FOR_MAIL
        self._state = self._state._replace(page=page, is_bold=False, hidden=hidden)

    def _on_code_page(self, word: str, number: int) -> None:
        self.header.page = page_of_number(number) or self.header.page

    def _on_named_page(self, word: str, number: int) -> None:
        self.header.page = page_of_number(_PAGES[word])

    def _on_default_font(self, word: str, number: int) -> None:
        self.header.default_font = number

    def _on_language(self, word: str, number: int) -> None:
        self.language = language_of(number)

    def _on_row_start(self, word: str, number: int) -> None:
        self._is_header_row = False

    def _on_header_row(self, word: str, number: int) -> None:
        self._is_header_row = True

    def _on_cell_end(self, word: str, number: int) -> None:
        level = 1 if word == "cell" else max(self._state.level, 2)
        self._end_paragraph(level)
        self._cells.end_cell(level)

    def _on_row_end(self, word: str, number: int) -> None:
        level = 1 if word == "row" else max(self._state.level, 2)
        self._cells.end_row(level, is_header=self._is_header_row)

    # Where a word is in two rows, the later one counts.
    _ACTIONS: ClassVar[dict[str, "Callable[[RtfReader, str, int], None]"]] = {
        "row": _on_row_end, "nestrow": _on_row_end, "cell": _on_cell_end, "nestcell": _on_cell_end,
        "trowd": _on_row_start, "trhdr": _on_header_row,
        "f": _on_font, "plain": _on_plain, "deff": _on_default_font, "deflang": _on_language,
        "ansicpg": _on_code_page, **dict.fromkeys(_PAGES, _on_named_page),
        "upr": _on_twins, "ud": _on_second_twin, "field": _on_field, "fldrslt": _on_result,
        **dict.fromkeys((*ASIDES, *EDGES), _on_aside),
        "fonttbl": _on_fonts, "stylesheet": _on_styles, "info": _on_info,
        "listtext": _on_list_mark, "pntext": _on_list_mark, **dict.fromkeys(SKIPPED, _on_skipped),
        **dict.fromkeys(SYMBOLS, _on_symbol), "u": _on_character,
        **dict.fromkeys(PARAGRAPH_ENDS, _on_paragraph_end),
    }  # fmt: skip

    # Asides and fields.

    def _open_aside(self, word: str) -> None:
        if self._aside_count >= _MAX_ASIDES or self._state.target != IN_TEXT:
            self._skip_group()
            return
        self._flush_bytes()
        outer, cells = self._paragraph, self._cells
        author, self._author = (self._author, "") if word == "annotation" else ("", self._author)
        self._paragraph, self._cells = _OpenParagraph(), Cells()
        self._aside_count += 1
        self._state = self._state.outside_lists()
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
            if self._state.target == IN_TEXT:
                self._end_paragraph()
        elif symbol == b"~":
            self._put("\N{NO-BREAK SPACE}")
        elif symbol == b"_":
            self._put("-")
        elif symbol in b"\\{}":
            self._put_bytes(symbol)

    def _put_bytes(self, data: bytes) -> None:
        target = self._state.target
        if target == IN_NOTHING or (self._state.hidden and target == IN_TEXT):
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
        if self._state.hidden == 0 or self._state.target != IN_TEXT:
            code = number & 0xFFFF
            # Letters of symbol fonts; what they show cannot be known.
            self._put(" " if 0xF000 <= code <= 0xF0FF else chr(code))
        self._fallback_left = self._state.fallback_count

    def _put(self, text: str) -> None:
        if self._state.target == IN_NOTHING or (self._state.hidden and self._state.target == IN_TEXT):
            return
        self._flush_bytes()
        (self._paragraph.pieces if self._state.target == IN_TEXT else self._captured).append(text)

    def _flush_bytes(self) -> None:
        """Decodes what was read; letters of two bytes may come in two tokens."""
        if self._bytes:
            text = self._bytes.decode(self._bytes_page, "replace")
            self._bytes.clear()
            (self._paragraph.pieces if self._state.target == IN_TEXT else self._captured).append(text)

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
