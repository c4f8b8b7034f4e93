"""LaTeX: the file is its own text; sections are headings, verbatim environments are code."""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_HEADING = re.compile(r"\\(part|chapter|(?:sub){0,2}section|paragraph)\*?\s*(?:\[[^\]]{0,300}\]\s*)?\{")
_FACT = re.compile(r"\\(title|author|date|keywords|subject)\s*(?:\[[^\]]{0,300}\]\s*)?\{")
_BEGIN = re.compile(r"\s*\\begin\{(verbatim\*?|lstlisting|minted|Verbatim|alltt|comment)\}")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_MAX_VALUE_CHARS = 2_000
_MAX_VALUE_LINES = 30


class LatexExtractor:
    """Reads the structure of LaTeX; what it inputs is a file of its own."""

    name = "latex"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a LaTeX file."""
        own = read_own_text(data, path)
        code = list(_iter_code(own.rows))
        in_code = {index for first, after in code for index in range(first, after)}
        found: list[tuple[str, str, int]] = []
        facts: dict[str, str] = {}
        for index, row in enumerate(own.rows):
            if index in in_code or "\\" not in row:
                continue
            if heading := _HEADING.match(row.lstrip()):
                title = _plain(_value(own.rows, index, len(row) - len(row.lstrip()) + heading.end()))
                if title:
                    found.append((heading[1], title, index))
            elif fact := _FACT.match(row.lstrip()):
                value = _plain(_value(own.rows, index, len(row) - len(row.lstrip()) + fact.end()))
                facts.setdefault(fact[1], value)
        keywords = re.split("[,;]", facts.pop("keywords", ""))
        title = facts.pop("title", "")
        headings = _levelled(found)
        return build_own_text(own, path, headings, title=title, code=code, tags=keywords, metadata=facts)


def _levelled(found: list[tuple[str, str, int]]) -> list[Heading]:
    """Gives depth 1 to the highest level that the file uses: an article has no chapters."""
    used = [_LEVELS.index(level) for level, _, _ in found]
    top = min(used, default=0)
    return [
        Heading(level - top + 1, title, index) for level, (_, title, index) in zip(used, found, strict=True)
    ]


def _iter_code(rows: list[str]) -> Iterator[tuple[int, int]]:
    first, end = 0, ""
    for index, row in enumerate(rows):
        if end:
            if end in row:
                if index > first:
                    yield first, index
                end = ""
        elif found := _BEGIN.match(row):
            first, end = index + 1, f"\\end{{{found[1]}}}"
            if end in row:
                end = ""


def _value(rows: list[str], index: int, start: int) -> str:
    """Returns what stands in the braces that were just opened, over lines if need be."""
    below = (row[:_MAX_VALUE_CHARS] for row in rows[index + 1 : index + _MAX_VALUE_LINES])
    source = "\n".join((rows[index][start : start + _MAX_VALUE_CHARS], *below))[:_MAX_VALUE_CHARS]
    depth = 1
    was_escape = False
    for place, char in enumerate(source):
        if was_escape:
            was_escape = False
        elif char == "\\":
            was_escape = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return source[:place]
    return ""


def _plain(source: str) -> str:
    """Drops commands and braces; ``\\and`` and line breaks part authors."""
    source = re.sub(r"(?<!\\)%[^\n]*", " ", source)
    source = re.sub(r"\s*\\and\b|\\\\", ", ", source)
    source = re.sub(r"\\(?:label|cite\w{0,2}|ref|thanks|footnote|inst)\{[^{}]{0,500}\}", " ", source)
    source = re.sub(r"\\([%&$#_{}])", r"\1", _COMMAND.sub(" ", source))
    return " ".join(source.replace("{", "").replace("}", "").replace("~", " ").split()).strip(", ")
