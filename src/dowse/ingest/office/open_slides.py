"""An OpenDocument presentation or drawing as a whole: its pages in order, each with its notes."""

import re

from lxml import etree

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import value_of
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.open_package import OpenPackage
from dowse.ingest.office.open_story import OpenStory
from dowse.ingest.office.open_styles import OpenStyles
from dowse.ingest.office.open_text import read_objects
from dowse.ingest.office.paragraphs import Paragraph
from dowse.ingest.office.reading_order import Place, reading_order
from dowse.ingest.office.slide_headings import add_slide_into
from dowse.ingest.text_builder import TextBuilder

_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt|px|pc)?\Z")
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "px": 2.54 / 96, "pc": 2.54 / 6, None: 1.0}
_LEFT_OUT = frozenset({"page-number", "page"})
_PLACEHOLDERS = _LEFT_OUT | {"title", "outline", "notes"}


def extract_open_slides(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a presentation.

    Raises:
        UnextractableError: It is no OpenDocument file, or too broken to be one.
    """
    package = OpenPackage(data, allowance)
    builder = TextBuilder(path, allowance)
    styles = OpenStyles(package.style_roots)
    masters = _Masters(package, styles)
    for number, page in enumerate(package.body.iter("{*}page"), 1):
        if builder.is_full:
            break
        _compose_page_into(builder, number, page, package, styles)
        masters.compose_into(builder, value_of(page, "master-page-name"))
    properties = package.read_properties()
    return builder.finish(title=properties.title, tags=properties.tags, metadata=properties.metadata)


class _Masters:
    """What many pages show alike: the text of master pages, headers and footers; each is written once."""

    def __init__(self, package: OpenPackage, styles: OpenStyles) -> None:
        self._styles = styles
        self._pages = {
            value_of(element, "name"): element
            for element in (() if package.styles is None else package.styles.iter("{*}master-page"))
        }
        declared = package.body.iter("{*}header-decl", "{*}footer-decl", "{*}date-time-decl")
        self._declared = [(element.text or "").strip() for element in declared]

    def compose_into(self, builder: TextBuilder, name: str) -> None:
        """Writes a master page when the first page that uses it is written."""
        master = self._pages.pop(name, None)
        flow = Flow(None)
        for shape in () if master is None else master:
            is_own = value_of(shape, "placeholder") != "true" and local_name(shape) != "notes"
            if is_own and value_of(shape, "class") not in _PLACEHOLDERS:
                OpenStory(flow, self._styles).read(shape)
        texts = [*self._declared, *(paragraph.text.strip() for paragraph in flow.take_collected())]
        self._declared = []
        for text in dict.fromkeys(texts):
            builder.paragraph(text)


def _compose_page_into(
    builder: TextBuilder, number: int, page: etree._Element, package: OpenPackage, styles: OpenStyles
) -> None:
    flow = Flow(None)
    story = OpenStory(flow, styles)
    shapes = [(_place_of(child), child) for child in page if value_of(child, "class") not in _LEFT_OUT]
    titles: list[Paragraph] = []
    for _, shape in shapes:
        if value_of(shape, "class") == "title":
            story.read(shape)
            titles += flow.take_collected()
    for shape in reading_order([entry for entry in shapes if value_of(entry[1], "class") != "title"]):
        if local_name(shape) != "notes":
            story.read(shape)
    body = flow.take_collected() + read_objects(package, story.objects)
    for notes in page.iter("{*}notes"):
        body += _read_notes(notes, styles)
    add_slide_into(builder, number, titles, body)


def _read_notes(notes: etree._Element, styles: OpenStyles) -> list[Paragraph]:
    flow = Flow(None)
    for shape in notes:
        if value_of(shape, "class") in ("notes", ""):
            OpenStory(flow, styles).read(shape)
    read = flow.take_collected()
    return [read[0]._replace(text=f"Notes: {read[0].text.strip()}"), *read[1:]] if read else []


def _place_of(shape: etree._Element) -> Place | None:
    left, top = _length(value_of(shape, "x")), _length(value_of(shape, "y"))
    if left is None or top is None:
        return None
    return Place(left, top, _length(value_of(shape, "height")) or 0.0)


def _length(value: str) -> float | None:
    found = _LENGTH.match(value)
    return None if found is None else float(found[1]) * _CENTIMETRES[found[2]]
