"""AsciiDoc: titles with equals signs, the header's author and attributes, listings."""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)\Z")
_ATTRIBUTE = re.compile(r":([\w-]{1,60}):(?:\s+(.*))?\Z")
_AUTHOR = re.compile(r"([^\W\d_][\w.'-]*(?: [\w.'-]+){0,3})(?:\s+<([^<>\s]{1,200})>)?(?:;|\Z)")
_REVISION = re.compile(r"(?:v[\w.]{1,30},?\s*)?(\d{4}-\d\d-\d\d)\b")
_FENCE = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|`{3,})(?:\w*)\Z")
_MARKUP = re.compile(
    r"\[\[[^\[\]]{0,200}\]\]|\[#[^\[\]]{0,200}\]|`|(?<!\w)[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?!\w)"
)
_CODE_MARKS = ("-", ".", "`")
# Its names, and ours.
_FACTS = {
    "author": "author",
    "email": "email",
    "revdate": "date",
    "description": "description",
    "lang": "language",
}


class AsciiDocExtractor:
    """Reads the structure of AsciiDoc; what it includes is a file of its own."""

    name = "asciidoc"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads an AsciiDoc file."""
        own = read_own_text(data, path)
        fenced = list(_iter_fenced(own.rows))
        headings = list(_iter_headings(own.rows, fenced))
        attributes = _read_header(own.rows)
        keywords = re.split(r"[,;]", f"{attributes.get('keywords', '')},{attributes.get('tags', '')}")
        return build_own_text(
            own,
            path,
            headings,
            title=attributes.get("doctitle", ""),
            code=[(first, after) for first, after, mark in fenced if mark in _CODE_MARKS],
            tags=keywords,
            metadata={fact: attributes.get(name, "") for name, fact in _FACTS.items()},
        )


def _iter_fenced(rows: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yields line ranges between fences, with the fence's mark; comments and pass-throughs included."""
    first, fence = 0, ""
    for index, row in enumerate(rows):
        if fence:
            if row == fence:
                if index > first:
                    yield first, index, fence[0]
                fence = ""
        elif found := _FENCE.match(row):
            first, fence = index + 1, found[1]


def _iter_headings(rows: list[str], fenced: list[tuple[int, int, str]]) -> Iterator[Heading]:
    """Yields titles; one equals sign is the document's own and as deep as two."""
    start = 0
    for first, after, _ in [*fenced, (len(rows), len(rows), "")]:
        for index in range(start, first):
            found = _TITLE.match(rows[index])
            title = " ".join(_MARKUP.sub("", found[2]).split()) if found else ""
            if found and title:
                yield Heading(len(found[1]), title, index)
        start = after


def _read_header(rows: list[str]) -> dict[str, str]:
    """Reads the author line and the attributes up to the first blank line after the title."""
    attributes: dict[str, str] = {}
    has_title = False
    for row in rows:
        attribute = _ATTRIBUTE.match(row)
        if attribute:
            attributes.setdefault(attribute[1].lower(), (attribute[2] or "").strip())
        elif not has_title and row.startswith("= "):
            has_title = True
        elif has_title and (revision := _REVISION.match(row)):
            attributes.setdefault("revdate", revision[1])
        elif has_title and (author := _AUTHOR.match(row)) and "author" not in attributes:
            attributes["author"] = author[1]
            attributes.setdefault("email", author[2] or "")
        elif not row and not has_title and not attributes:
            continue
        elif not row.startswith("//"):
            break
    return attributes
