"""What a document says of itself: title, author, dates, language, keywords."""


from msgspec import Struct, field

from dowse.ingest.markup import local_name
from dowse.ingest.office.keywords import iso_date, split_keywords
from dowse.ingest.office.parts import Parts

# The names of core properties, and the names that all formats of ours use for them.
_TEXTS = {"creator": "author", "subject": "subject", "description": "description", "language": "language"}
_DATES = {"created": "created", "modified": "modified"}


class Properties(Struct, dict=True):
    """A document's own words on itself."""

    title: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, object] = field(default_factory=dict)


def read_core_properties(parts: Parts) -> Properties:
    """Reads the core properties of an Office Open XML package; empty when there are none."""
    names = [entry.target for entry in parts.iter_related("") if entry.kind == "core-properties"]
    properties = Properties()
    for name in (*names, "docProps/core.xml"):
        root = parts.find_xml(name)
        if root is not None:
            for element in root:
                _take_into(properties, local_name(element), (element.text or "").strip())
            break
    return properties


def _take_into(properties: Properties, name: str, value: str) -> None:
    if name == "title":
        properties.title = value
    elif name == "keywords":
        properties.tags += split_keywords(value)
    elif name in _TEXTS:
        properties.metadata[_TEXTS[name]] = value
    elif name in _DATES:
        properties.metadata[_DATES[name]] = iso_date(value)
