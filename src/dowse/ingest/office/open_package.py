"""The parts of an OpenDocument file, packed in a ZIP or flat in one XML."""

import posixpath
import re

from lxml import etree

from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.markup import local_name, parse_xml
from dowse.ingest.office.attributes import attributes_of
from dowse.ingest.office.keywords import iso_date, split_keywords
from dowse.ingest.office.properties import Properties
from dowse.ingest.packages import Package

# Pictures in a flat file; nothing reads them, and they can be larger than the parser takes.
_BINARY = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")
_TEXTS = {"subject": "subject", "description": "description", "language": "language"}
_DATES = {"creation-date": "created", "date": "modified"}


class OpenPackage:
    """An OpenDocument file.

    Raises:
        UnextractableError: It is none, or protected by a password.
    """

    def __init__(self, data: bytes, allowance: Allowance) -> None:
        self._package: Package | None = None
        if data.startswith(b"PK"):
            self._package = Package(data, allowance)
            self._refuse_encrypted(self._package)
            self.content = parse_xml(self._package.read("content.xml"))
            self.styles = self.find_xml("styles.xml")
            self._meta = self.find_xml("meta.xml")
        else:
            self.content = parse_xml(_BINARY.sub(b"", data))
            self.styles = self._meta = self.content
            if local_name(self.content) != "document":
                raise UnextractableError("damaged-file", "this is no OpenDocument file")

    @property
    def style_roots(self) -> list[etree._Element]:
        """Where styles are found; those of the text itself first."""
        is_apart = self.styles is not None and self.styles is not self.content
        return [self.content] + ([self.styles] if is_apart and self.styles is not None else [])

    @property
    def body(self) -> etree._Element:
        """What people see.

        Raises:
            UnextractableError: There is none.
        """
        for element in self.content.iter("{*}body"):
            return element
        raise UnextractableError("damaged-file", "there is no text in this document")

    def find_xml(self, name: str) -> etree._Element | None:
        """Parses a part; None when it is not there or is no XML."""
        if self._package is None:
            return None
        try:
            data = self._package.find(name)
            return None if data is None else parse_xml(data)
        except UnextractableError as error:
            if error.code == "damaged-file":
                return None
            raise

    def find_object(self, name: str) -> etree._Element | None:
        """Parses the content of a document that is embedded in this one."""
        return self.find_xml(posixpath.normpath(posixpath.join(name, "content.xml")))

    def read_properties(self) -> Properties:
        """Returns what the document says of itself."""
        properties = Properties()
        meta = None if self._meta is None else next(self._meta.iter("{*}meta"), None)
        for element in () if meta is None else meta:
            name, value = local_name(element), (element.text or "").strip()
            if name == "title":
                properties.title = value
            elif name == "keyword":
                properties.tags += split_keywords(value)
            elif name == "initial-creator" or (name == "creator" and "author" not in properties.metadata):
                properties.metadata["author"] = value
            elif name in _TEXTS:
                properties.metadata[_TEXTS[name]] = value
            elif name in _DATES:
                properties.metadata[_DATES[name]] = iso_date(value)
        if not properties.metadata.get("language"):
            properties.metadata["language"] = self._default_language()
        return properties

    def _default_language(self) -> str:
        for element in () if self.styles is None else self.styles.iter("{*}default-style"):
            for text in element.iter("{*}text-properties"):
                language, country = _attribute(text, "language"), _attribute(text, "country")
                if language and language != "none":
                    return f"{language}-{country}" if country and country != "none" else language
        return ""

    @staticmethod
    def _refuse_encrypted(package: Package) -> None:
        manifest = package.find("META-INF/manifest.xml")
        if manifest is not None and b"encryption-data" in manifest:
            raise UnextractableError(
                "encrypted", "this file is protected by a password", "save a copy without a password"
            )


def _attribute(element: etree._Element, name: str) -> str:
    """Returns an attribute of the formatting namespace; others have variants for Asian scripts."""
    for key, value in attributes_of(element):
        if key.endswith("}" + name) and "fo" in key:
            return value
    return ""
