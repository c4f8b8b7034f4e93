"""What a workbook says outside its cells: title, author and dates, comments, text in drawings."""

import re
from collections.abc import Iterator

from lxml import etree

from dowse.ingest.limits import UnextractableError
from dowse.ingest.markup import local_name, parse_xml
from dowse.ingest.packages import Package

_PROPERTIES = ("docProps/core.xml", "meta.xml")
# Names in both standards, and ours.
_FACTS = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "subject": "subject",
    "description": "description",
    "created": "created",
    "creation-date": "created",
    "modified": "modified",
    "date": "modified",
    "language": "language",
}
_KEYWORDS = ("keywords", "keyword")
_TEXTS = re.compile(r"xl/(?:comments|drawings|threadedComments)/?[^/]*\.xml", re.IGNORECASE)


def read_metadata(package: Package) -> tuple[dict[str, str], list[str]]:
    """Returns title, author, dates and the like, and the keywords."""
    facts: dict[str, str] = {}
    keywords: list[str] = []
    for name in _PROPERTIES:
        root = _find_xml(package, name)
        for element in () if root is None else root.iter():
            text = (element.text or "").strip()
            key = local_name(element)
            if text and key in _FACTS:
                facts.setdefault(_FACTS[key], text)
            elif text and key in _KEYWORDS:
                keywords += [word.strip() for word in re.split("[,;]", text)]
    return facts, keywords


def iter_loose_texts(package: Package) -> Iterator[str]:
    """Yields comments and the paragraphs in an Excel workbook's drawings."""
    for name in package.names:
        root = _find_xml(package, name) if _TEXTS.fullmatch(name) else None
        for element in () if root is None else root.iter():
            if local_name(element) in ("comment", "p", "threadedComment"):
                parts = (part for part in element.iter() if local_name(part) in ("t", "text"))
                text = "".join(part.text or "" for part in parts)
                place = element.get("ref")
                if text.strip():
                    yield f"{place}: {text.strip()}" if place else text.strip()


def _find_xml(package: Package, name: str) -> etree._Element | None:
    try:
        content = package.find(name)
        return None if content is None else parse_xml(content)
    except UnextractableError as error:
        if error.code == "damaged-file":
            return None
        raise
