"""Paragraphs, tables and asides on their way into the builder, in reading order.

A word processor's file nests freely: a table in a cell, a text box in a paragraph, a note with a table. The
flow keeps what is open on a list; what is closed inside something open is flattened to paragraphs at once,
so nothing ever has to be walked twice.
"""

from collections.abc import Iterable

from dowse.ingest.office.paragraphs import CODE, HEADING, ITEM, ROW, Links, Paragraph
from dowse.ingest.office.tables import Table
from dowse.ingest.text_builder import TextBuilder


class Flow:
    """Takes a document's parts in the order of the file.

    Args:
        builder: Where the text goes; None to collect it (`take_collected`), as for notes.
    """

    def __init__(self, builder: TextBuilder | None) -> None:
        self._composer = builder
        self._collected: list[Paragraph] = []
        self._open: list[list[Paragraph]] = []
        self._tables: list[Table] = []
        self._code: list[str] = []
        self._code_links: Links = ()
        self._is_in_list = False

    @property
    def is_full(self) -> bool:
        """Whether no more text is wanted."""
        return self._composer is not None and self._composer.is_full

    def add(self, paragraph: Paragraph) -> None:
        """Adds a paragraph to the cell or aside that is open, else to the text."""
        if not paragraph.text.strip():
            # A blank line belongs to the code around it; elsewhere it says nothing.
            if paragraph.kind == CODE and self._code and not self._open:
                self._code.append("")
        elif self._open:
            self._open[-1].append(paragraph)
        elif self._composer is None:
            self._collected.append(paragraph)
        else:
            self._write_into(self._composer, paragraph)

    def add_all(self, paragraphs: Iterable[Paragraph]) -> None:
        """Adds several paragraphs."""
        for paragraph in paragraphs:
            self.add(paragraph)

    def open_aside(self) -> None:
        """Begins what stands beside the text, such as a text box or a note."""
        self._open.append([])

    def close_aside(self) -> list[Paragraph]:
        """Ends the aside and returns what was in it; the caller adds it where it belongs."""
        return self._open.pop()

    def open_table(self) -> None:
        """Begins a table."""
        self._tables.append(Table())

    def open_row(self, *, is_header: bool = False) -> None:
        """Begins a row; without a table it is none."""
        if self._tables:
            self._tables[-1].open_row(is_header=is_header)

    def mark_header(self) -> None:
        """Says that the row being read names the columns."""
        if self._tables:
            self._tables[-1].mark_header()

    def open_cell(self) -> None:
        """Begins a cell."""
        self._open.append([])

    def close_cell(self, columns: int = 1) -> None:
        """Ends a cell that spans so many columns."""
        paragraphs = self._open.pop()
        if self._tables:
            self._tables[-1].add_cell(paragraphs, columns)
        else:
            self.add_all(paragraphs)

    def close_table(self) -> None:
        """Ends a table and writes it."""
        table = self._tables.pop()
        if table.is_layout:
            self.add_all(table.iter_paragraphs())
        elif self._open or self._composer is None:
            self.add_all(Paragraph(row.text, ROW, links=row.links) for row in table.resolve())
        else:
            self.finish()
            for row in table.resolve():
                self._link_into(self._composer, row.links)
                self._composer.row(row.cells, row.names)

    def finish(self) -> None:
        """Writes what waits for more of its kind: lines of code."""
        self._is_in_list = False
        if self._code and self._composer is not None:
            self._link_into(self._composer, self._code_links)
            self._composer.code("\n".join(self._code))
        self._code, self._code_links = [], ()

    def take_collected(self) -> list[Paragraph]:
        """Returns what was collected and starts anew."""
        collected, self._collected = self._collected, []
        return collected

    def _write_into(self, builder: TextBuilder, paragraph: Paragraph) -> None:
        if paragraph.kind == CODE:
            self._is_in_list = False
            self._code.append(paragraph.text)
            self._code_links += paragraph.links
            return
        was_in_list = self._is_in_list
        self.finish()
        self._link_into(builder, paragraph.links)
        if paragraph.kind == HEADING:
            builder.heading(paragraph.depth, paragraph.text)
        elif paragraph.kind == ROW or (paragraph.kind == ITEM and was_in_list):
            builder.line(paragraph.text)
        else:
            builder.paragraph(paragraph.text)
        self._is_in_list = paragraph.kind == ITEM

    @staticmethod
    def _link_into(builder: TextBuilder, links: Links) -> None:
        for target, text in links:
            builder.link(target, text)
