"""The package document of a book: its chapters in order, their names, and what the book says of itself."""

import posixpath
import re
from urllib.parse import unquote

from lxml import etree
from msgspec import Struct, field

from dowse.ingest.limits import UnextractableError
from dowse.ingest.markup import local_name, parse_xml
from dowse.ingest.packages import Package

_DATE = re.compile(r"-?\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?)?\Z")
_MAX_TAGS = 50
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "")


class Contents(Struct, dict=True):
    """What the package document says.

    Attributes:
        chapters: Names of the members that are chapters, in reading order, each once.
        names: Of chapters, from the table of contents, by member.
    """

    chapters: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    title: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, object] = field(default_factory=dict)


def read_contents(package: Package) -> Contents:
    """Reads the package document and the table of contents.

    Raises:
        UnextractableError: There is no package document.
    """
    name = _find_package_document(package)
    root = parse_xml(package.read(name))
    folder = posixpath.dirname(name)
    items = {
        element.get("id") or "": (resolve(folder, element.get("href") or ""), element)
        for element in root.iter("{*}item")
    }
    contents = Contents()
    references = [element.get("idref") or "" for element in root.iter("{*}itemref")]
    listed = [items[key] for key in references if key in items] or list(items.values())
    for member, element in listed:
        if (element.get("media-type") or "") in _PAGES and member not in contents.chapters:
            contents.chapters.append(member)
    for metadata in root.iter("{*}metadata"):
        for element in metadata.iter():
            _take_into(contents, element)
        break
    for member, element in items.values():
        is_navigation = "nav" in (element.get("properties") or "").split()
        if is_navigation or element.get("media-type") == "application/x-dtbncx+xml":
            _read_names_into(contents.names, package, member)
    return contents


def resolve(folder: str, target: str) -> str:
    """Returns the member that an address inside the book means; what follows ``#`` is left out."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(target.partition("#")[0]))).lstrip("/")


def _find_package_document(package: Package) -> str:
    container = package.find("META-INF/container.xml")
    for element in () if container is None else parse_xml(container).iter("{*}rootfile"):
        name = (element.get("full-path") or "").lstrip("/")
        if name in package.names:
            return name
    for name in package.names:
        if name.lower().endswith(".opf"):
            return name
    raise UnextractableError("damaged-file", "the list of its chapters is missing")


def _take_into(contents: Contents, element: etree._Element) -> None:
    name, value = local_name(element), " ".join((element.text or "").split())
    if not value:
        return
    if name == "title":
        contents.title = contents.title or value
    elif name == "subject":
        if len(contents.tags) < _MAX_TAGS:
            contents.tags.append(value)
    elif name == "creator":
        known = contents.metadata.get("author")
        contents.metadata["author"] = f"{known}, {value}" if known else value
    elif name in ("language", "description", "publisher"):
        contents.metadata.setdefault(name, value)
    elif name == "date" and _DATE.match(value):
        contents.metadata.setdefault("created", value)
    elif name == "meta" and element.get("property") == "dcterms:modified" and _DATE.match(value):
        contents.metadata["modified"] = value


def _read_names_into(names: dict[str, str], package: Package, member: str) -> None:
    """Reads a table of contents: the web page of newer books, or the list of older ones."""
    try:
        data = package.find(member)
        root = None if data is None else parse_xml(data)
    except UnextractableError as error:
        if error.code != "damaged-file":
            raise
        return
    folder = posixpath.dirname(member)
    for point in () if root is None else root.iter("{*}a", "{*}navPoint"):
        if local_name(point) == "a":
            target, name = point.get("href") or "", "".join(str(text) for text in point.itertext())
        else:
            content = point.find("{*}content")
            target = "" if content is None else content.get("src") or ""
            name = point.findtext("{*}navLabel/{*}text") or ""
        if target and name.strip():
            names.setdefault(resolve(folder, target), " ".join(name.split()))
