"""A book as a whole: its chapters in reading order."""

import re

from dowse.ingest.epub.contents import Contents, read_contents
from dowse.ingest.extractor import Extracted
from dowse.ingest.html import compose_html
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.markup import parse_xml
from dowse.ingest.packages import Package
from dowse.ingest.text_builder import TextBuilder

_HAS_HEADING = re.compile(rb"<(?:\w+:)?h[1-6][\s>]", re.IGNORECASE)
_LIMITS = frozenset({"expands-too-much", "too-many-members"})


def extract_book(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a book.

    Raises:
        UnextractableError: It is no book, or its chapters are protected.
    """
    package = Package(data, allowance)
    contents = read_contents(package)
    locked = _locked_members(package)
    if contents.chapters and locked.issuperset(contents.chapters):
        raise UnextractableError("encrypted", "this book is protected against copying")
    builder = TextBuilder(path, allowance)
    for number, member in enumerate(contents.chapters, 1):
        if builder.is_full:
            break
        if member not in locked:
            _compose_chapter(builder, package, member, contents, number)
    return builder.finish(title=contents.title, tags=contents.tags, metadata=contents.metadata)


def _compose_chapter(
    builder: TextBuilder, package: Package, member: str, contents: Contents, number: int
) -> None:
    try:
        page = package.read(member)
    except UnextractableError as error:
        if error.code in _LIMITS:
            raise
        builder.problem(error.code, error.message, error.hint)
        return
    name = contents.names.get(member, "")
    builder.anchor("chapter", name or str(number))
    if name and not _HAS_HEADING.search(page):
        # The text begins without a heading, as in many books; the table of contents has its name.
        builder.heading(1, name)
    compose_html(builder, page, path=f"{builder.path} › {member}")


def _locked_members(package: Package) -> frozenset[str]:
    """Returns what is encrypted; fonts are in many books, chapters in those that are protected."""
    data = package.find("META-INF/encryption.xml")
    if data is None:
        return frozenset()
    references = parse_xml(data).iter("{*}CipherReference")
    return frozenset((element.get("URI") or "").lstrip("/") for element in references)
