"""Markdown: front matter, heading tree, code blocks, links, wikilinks and tags."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.ingest.decoding import decode
from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import Heading, build_sections, first_top_heading
from dowse.schema import Problem

if TYPE_CHECKING:
    from dowse.ingest.markdown.blocks import Blocks
    from dowse.ingest.markdown.front_matter import FrontMatter


class MarkdownExtractor:
    """Reads CommonMark with tables, YAML front matter, wikilinks and tags."""

    name = "markdown"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a Markdown file; its front matter stays in the stored text, in section 0."""
        # Imported late: a search that reads no Markdown should not wait for the parser's patterns.
        from dowse.ingest.markdown.blocks import scan_blocks
        from dowse.ingest.markdown.front_matter import parse_front_matter
        from dowse.ingest.markdown.inline import plain_title, scan_inline

        text, problems = decode(data, path)
        lines = LineTable(text)
        front = parse_front_matter(text)
        blocks = scan_blocks(text, front.end, lines)
        headings = [
            Heading(raw.depth, plain_title(raw.source), raw.line_index) for raw in blocks.headings
        ]
        title = choose_title(front.title, first_top_heading(headings), path=path)
        code_spans = tuple(_code_spans(blocks, lines))
        inline = scan_inline(text, _prose(front.end, code_spans, len(text)), lines)
        return Extracted(
            text=text,
            title=title,
            sections=build_sections(title, headings, lines),
            lines=lines,
            code_spans=code_spans,
            tags=tuple(dict.fromkeys((*front.tags, *inline.tags))),
            links=tuple(inline.links),
            metadata=front.metadata,
            problems=(*problems, *_front_matter_problems(front, path)),
        )


def _code_spans(blocks: "Blocks", lines: LineTable) -> Iterator[tuple[int, int]]:
    for first, after in blocks.code:
        yield lines.starts[first], lines.start_of(after)


def _prose(
    start: int, code_spans: tuple[tuple[int, int], ...], size: int
) -> Iterator[tuple[int, int]]:
    """Yields what lies between the code spans."""
    for code_start, code_end in code_spans:
        if code_start > start:
            yield start, code_start
        start = code_end
    if start < size:
        yield start, size


def _front_matter_problems(front: "FrontMatter", path: str) -> Iterator[Problem]:
    if front.trouble:
        yield Problem(
            "bad-front-matter",
            path,
            f"the YAML at the top cannot be read: {front.trouble}",
            "put values with a colon in quotes; the rest of the file is indexed",
        )
