"""The parts of an Office Open XML package and the relationships between them."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from dowse.ingest.limits import UnextractableError
from dowse.ingest.markup import local_name, parse_xml
from dowse.ingest.packages import Package


class Relationship(NamedTuple):
    """A reference from one part to another part, or to an address outside.

    Attributes:
        kind: The last word of its type, the same in both flavours of the standard: ``slide``, ``hyperlink``.
        target: A member's name, or an address when `is_external`.
    """

    key: str
    kind: str
    target: str
    is_external: bool


class Parts:
    """A package as its parts see each other."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._by_folded_name = {name.replace("\\", "/").lstrip("/").lower(): name for name in package.names}

    def find_main(self, *fallbacks: str) -> str:
        """Returns the name of the main part.

        Raises:
            UnextractableError: There is none.
        """
        for relationship in self.iter_related(""):
            if relationship.kind == "officeDocument" and relationship.target.lower() in self._by_folded_name:
                return relationship.target
        for name in fallbacks:
            if name.lower() in self._by_folded_name:
                return name
        raise UnextractableError(
            "damaged-file", "its main part is missing", "open it in its own program and save it again"
        )

    def find_xml(self, name: str) -> etree._Element | None:
        """Parses a part; None when it is not there or is no XML. Names differ in case now and then."""
        stored = self._by_folded_name.get(name.lower())
        try:
            return None if stored is None else parse_xml(self._package.read(stored))
        except UnextractableError as error:
            if error.code == "damaged-file":
                return None
            raise

    def iter_related(self, name: str) -> Iterator[Relationship]:
        """Yields what a part refers to, in the order of the file; the package itself is the part ``""``."""
        folder, _, base = name.rpartition("/")
        root = self.find_xml(posixpath.join(folder, "_rels", base + ".rels"))
        if root is None:
            return
        for element in root:
            if local_name(element) == "Relationship":
                target = element.get("Target") or ""
                is_external = element.get("TargetMode") == "External"
                kind = (element.get("Type") or "").rpartition("/")[2]
                if not is_external:
                    target = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
                yield Relationship(element.get("Id") or "", kind, target, is_external)


def web_links(relationships: list[Relationship]) -> dict[str, str]:
    """Returns the addresses outside, by the key that the text uses for them."""
    outside = (entry for entry in relationships if entry.kind == "hyperlink" and entry.is_external)
    return {entry.key: entry.target for entry in outside}
