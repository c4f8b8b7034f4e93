"""Notebooks: cells in order, prose as prose, code as code, and what the code printed."""

import json
import re
from collections.abc import Iterator, Mapping

from dowse.ingest.extractor import Extracted
from dowse.ingest.extractors.markdown import MarkdownExtractor
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.text_builder import TextBuilder
from dowse.ingest.text_reading import open_composer

MAX_OUTPUT_CHARS = 2_000
"""Of one cell: what a program printed says what it does in its first lines."""

_PICTURE = re.compile(r"data:[\w/+.;=-]{0,100},[A-Za-z0-9+/=%]{100,}")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_TEXT_KINDS = ("text/markdown", "text/plain", "text/latex")


class NotebookExtractor:
    """Reads Jupyter notebooks of all versions."""

    name = "notebook"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a notebook; pictures are left out."""
        text, builder = open_composer(data, path, allowance)
        try:
            notebook = json.loads(text, parse_int=str) if text.strip() else {}
        except (ValueError, RecursionError):
            builder.problem("bad-json", "this is no valid notebook; it is indexed as plain text")
            builder.paragraph(text)
            return builder.finish()
        if not isinstance(notebook, dict):
            notebook = {}
        for number, cell in enumerate(_iter_cells(notebook), start=1):
            builder.anchor("cell", str(number))
            _write_cell_into(builder, cell, allowance)
        facts = _mapping(notebook.get("metadata"))
        return builder.finish(title=_text(facts.get("title")), metadata=_metadata(facts))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    """Joins a text that may be written as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _iter_cells(notebook: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yields the cells; before version 4 they lay in worksheets."""
    sheets = notebook.get("worksheets")
    holders = [notebook, *(_mapping(sheet) for sheet in (sheets if isinstance(sheets, list) else ()))]
    for holder in holders:
        cells = holder.get("cells")
        for cell in cells if isinstance(cells, list) else ():
            if isinstance(cell, dict):
                yield cell


def _write_cell_into(builder: TextBuilder, cell: Mapping[str, object], allowance: Allowance) -> None:
    source = _PICTURE.sub("", _text(cell.get("source", cell.get("input"))))
    kind = cell.get("cell_type")
    if kind == "code":
        builder.code(source)
        printed = "\n".join(_iter_outputs(cell.get("outputs")))
        builder.paragraph(printed[:MAX_OUTPUT_CHARS])
    elif kind == "heading":
        level = str(cell.get("level", 1))
        builder.heading(int(level) if level.isdecimal() and len(level) == 1 else 1, source)
    elif kind == "markdown" and source.strip():
        try:
            prose = MarkdownExtractor().extract(source.encode("utf-8", "replace"), builder.path, allowance)
        except UnextractableError:
            builder.paragraph(source)
        else:
            builder.include(prose, 0)
    else:
        builder.paragraph(source)


def _iter_outputs(outputs: object) -> Iterator[str]:
    """Yields what a cell printed, returned, or failed with."""
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        shown = _mapping(output.get("data"))
        kinds = [_text(shown.get(kind)) for kind in _TEXT_KINDS]
        failure = " ".join(_text(output.get(part)) for part in ("ename", "evalue"))
        found = _text(output.get("text")) or next(filter(None, kinds), "") or failure
        # Cut before the pattern sees it: a printed table may have megabytes.
        yield _COLOUR.sub("", found[: 4 * MAX_OUTPUT_CHARS])


def _metadata(facts: Mapping[str, object]) -> dict[str, object]:
    kernel, language = _mapping(facts.get("kernelspec")), _mapping(facts.get("language_info"))
    authors = facts.get("authors")
    names = [_text(_mapping(author).get("name")) for author in (authors if isinstance(authors, list) else ())]
    return {
        "language": _text(language.get("name")) or _text(kernel.get("language")),
        "author": ", ".join(filter(None, names)),
    }
