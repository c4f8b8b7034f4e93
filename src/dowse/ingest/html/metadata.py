"""What a web page says of itself: title, language, author, date."""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

_AUTHOR = ("author", "dc.creator", "dcterms.creator", "article:author", "citation_author")
_DESCRIPTION = ("description", "og:description", "dc.description", "dcterms.description")
_TITLE = ("og:title", "dc.title", "dcterms.title", "citation_title", "twitter:title")
_DATE = (
    "article:published_time", "date", "dc.date", "dcterms.date", "dcterms.created", "dc.date.created",
    "pubdate", "citation_publication_date", "created", "article:modified_time", "dcterms.modified",
    "last-modified", "og:updated_time",
)  # fmt: skip
_MAX_KEYWORDS = 50


class HtmlMetadata(NamedTuple):
    """A page's own words on itself; empty where it says nothing.

    Attributes:
        language: As in ``<html lang>``, such as ``de`` or ``en-GB``.
        date: As written; usually ISO 8601.
        has_text: Whether the page gave any text.
    """

    title: str = ""
    language: str = ""
    author: str = ""
    description: str = ""
    date: str = ""
    keywords: tuple[str, ...] = ()
    has_text: bool = False

    @property
    def metadata(self) -> dict[str, object]:
        """The facts as a document's metadata."""
        return {
            "author": self.author,
            "language": self.language,
            "description": self.description,
            "date": self.date,
        }


def read_metadata(page: LexborHTMLParser) -> HtmlMetadata:
    """Reads the head of a page."""
    named: dict[str, str] = {}
    for node in page.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
        content = " ".join((attributes.get("content") or "").split())
        if content:
            named.setdefault(name.strip().lower(), content)
    return HtmlMetadata(
        title=_text(page.css_first("head title")) or _first(named, _TITLE),
        language=_language(page) or named.get("content-language", ""),
        author=_first(named, _AUTHOR),
        description=_first(named, _DESCRIPTION),
        date=_first(named, _DATE),
        keywords=_keywords(named.get("keywords", "")),
    )


def _text(node: LexborNode | None) -> str:
    return "" if node is None else " ".join(node.text().split())


def _first(named: dict[str, str], names: tuple[str, ...]) -> str:
    return next((named[name] for name in names if name in named), "")


def _language(page: LexborHTMLParser) -> str:
    root = page.root
    attributes = {} if root is None else root.attributes
    return (attributes.get("lang") or attributes.get("xml:lang") or "").strip()


def _keywords(value: str) -> tuple[str, ...]:
    return tuple(word for part in re.split("[,;]", value) if (word := part.strip()))[:_MAX_KEYWORDS]
