"""Org: headlines with their tags, keywords at the top, blocks of code."""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_HEADLINE = re.compile(r"(\*{1,40})[ \t]+(\S.*)\Z")
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAIT(?:ING)?|HOLD|CANCELL?ED|STARTED|SOMEDAY)\s+(?=\S)")
_PRIORITY = re.compile(r"\[#[A-Z0-9]\]\s*")
# Without the space before it, which is made one anyway: a long run of spaces would be looked at from each.
_COOKIE = re.compile(r"\[[0-9]{0,6}(?:/[0-9]{0,6}|%)\]")
_TAGS = re.compile(r"\s:([\w@#%:]+):\Z")
_LINK = re.compile(r"\[\[([^\[\]]{1,500})\](?:\[([^\[\]]{1,500})\])?\]")
_KEYWORD = re.compile(r"#\+([A-Za-z_]{1,30}):\s*(.*)\Z")
_BEGIN = re.compile(r"\s{0,40}#\+begin_(src|example|export)\b", re.IGNORECASE)
_END = re.compile(r"\s{0,40}#\+end_(src|example|export)\b", re.IGNORECASE)
_FACTS = ("author", "date", "email", "language", "description")
_MAX_DEPTH = 6
_MAX_VALUE_CHARS = 1_000


class OrgExtractor:
    """Reads Emacs' Org format."""

    name = "org"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads an Org file."""
        own = read_own_text(data, path)
        code = list(_iter_code(own.rows))
        headings: list[Heading] = []
        keywords: dict[str, str] = {}
        tags: list[str] = []
        for index in _lines_outside(code, len(own.rows)):
            row = own.rows[index]
            if headline := _HEADLINE.match(row):
                title, found = _plain_title(headline[2])
                tags += found
                if title:
                    headings.append(Heading(min(len(headline[1]), _MAX_DEPTH), title, index))
            elif keyword := _KEYWORD.match(row):
                name = keyword[1].lower()
                # Long enough for every author; without an end, a file of keywords would take for ever.
                if len(keywords.get(name, "")) < _MAX_VALUE_CHARS:
                    keywords[name] = f"{keywords.get(name, '')} {keyword[2]}".strip()
        file_tags = re.split(r"[:,\s]+", f"{keywords.get('filetags', '')} {keywords.get('keywords', '')}")
        return build_own_text(
            own,
            path,
            headings,
            title=keywords.get("title", ""),
            code=code,
            tags=[*file_tags, *tags],
            metadata={name: keywords.get(name, "") for name in _FACTS},
        )


def _plain_title(source: str) -> tuple[str, list[str]]:
    """Returns a headline's text without its state and priority, and its tags."""
    tags: list[str] = []
    if found := _TAGS.search(source):
        tags = [tag for tag in found[1].split(":") if tag]
        source = source[: found.start()]
    source = _COOKIE.sub("", _PRIORITY.sub("", _STATE.sub("", source, count=1), count=1))
    source = _LINK.sub(lambda link: link[2] or link[1], source)
    return " ".join(source.split()), tags


def _iter_code(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Yields line ranges of code, without the lines that open and close them."""
    first: int | None = None
    for index, row in enumerate(rows):
        if first is None:
            first = index + 1 if _BEGIN.match(row) else None
        elif _END.match(row):
            if index > first:
                yield first, index
            first = None


def _lines_outside(code: list[tuple[int, int]], count: int) -> Iterator[int]:
    start = 0
    for first, after in code:
        yield from range(start, first)
        start = after
    yield from range(start, count)
