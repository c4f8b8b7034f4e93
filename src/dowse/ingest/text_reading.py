"""The two ways in which a text format becomes a document.

Either the file is its own stored text and only its structure is looked for, so that line numbers hold; or
its text is put together anew, because the file as it is reads badly.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dowse.ingest.decoding import decode
from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import Heading, build_sections, first_top_heading
from dowse.ingest.text_builder import TextBuilder
from dowse.schema import Problem


class OwnText(NamedTuple):
    """A file that is its own stored text.

    Attributes:
        text: The stored text.
        rows: Its lines, without what ends them.
        problems: What was wrong with its characters.
    """

    text: bytes
    rows: list[str]
    problems: tuple[Problem, ...]


def read_own_text(data: bytes, path: str) -> OwnText:
    """Decodes a file and splits it at line feeds, as the stored text's lines are counted."""
    text, problems = decode(data, path)
    return OwnText(text, [row.rstrip() for row in text.decode("utf-8").split("\n")], problems)


def build_own_text(
    own: OwnText,
    path: str,
    headings: Sequence[Heading],
    *,
    title: str = "",
    is_titled_by_heading: bool = True,
    code: Sequence[tuple[int, int]] = (),
    tags: Sequence[str] = (),
    metadata: Mapping[str, object] | None = None,
) -> Extracted:
    """Returns the document.

    Args:
        own: From `read_own_text`.
        path: Names the document when nothing in it does.
        headings: In document order, at most one per line.
        title: As the file names itself; may be empty.
        is_titled_by_heading: Whether the first heading of depth 1 is the title when `title` is empty.
        code: Half-open ranges of line indexes, ascending; those that touch become one.
        tags: Repeated and blank ones are dropped.
        metadata: JSON-serialisable; blank entries are dropped.
    """
    lines = LineTable(own.text)
    heading_title = first_top_heading(headings) if is_titled_by_heading else ""
    chosen = choose_title(" ".join(title.split()), heading_title, path=path)
    return Extracted(
        text=own.text,
        title=chosen,
        sections=build_sections(chosen, headings, lines),
        lines=lines,
        code_spans=_byte_spans(code, lines),
        tags=tuple(dict.fromkeys(tag for name in tags if (tag := name.strip().lstrip("#")))),
        metadata={name: value for name, value in (metadata or {}).items() if value not in ("", [], None)},
        problems=own.problems,
    )


def _byte_spans(code: Sequence[tuple[int, int]], lines: LineTable) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for first, after in code:
        start, end = lines.start_of(first), lines.start_of(after)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start < end:
            spans.append((start, end))
    return tuple(spans)


def open_composer(data: bytes, path: str, allowance: Allowance) -> tuple[str, TextBuilder]:
    """Decodes a file whose text is put together anew; the builder knows what was wrong with it."""
    text, problems = decode(data, path)
    builder = TextBuilder(path, allowance)
    for problem in problems:
        builder.problem(problem.code, problem.message, problem.hint)
    return text.decode("utf-8"), builder
