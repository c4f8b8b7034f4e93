"""A PowerPoint presentation as a whole: its slides in order, each with its notes and comments."""

from lxml import etree

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import attributes_of, value_of
from dowse.ingest.office.drawing_text import DrawingText, read_drawing_part
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import ITEM, Paragraph
from dowse.ingest.office.parts import Parts, Relationship, web_links
from dowse.ingest.office.properties import read_core_properties
from dowse.ingest.office.reading_order import Place, reading_order
from dowse.ingest.office.slide_headings import add_slide_into
from dowse.ingest.packages import Package
from dowse.ingest.text_builder import TextBuilder

_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "cxnSp", "pic", "AlternateContent"})
_TITLES = frozenset({"title", "ctrTitle"})
_REPEATED = frozenset({"ftr", "hdr", "dt"})
_LISTS = frozenset({"", "body", "obj"})
_NO_TITLES = frozenset({"powerpoint presentation", "presentation"})
_DRAWING_PARTS = ("diagramData", "chart", "chartEx")


def extract_slides(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a presentation.

    Raises:
        UnextractableError: It is no presentation, or too broken to be one.
    """
    parts = Parts(Package(data, allowance))
    builder = TextBuilder(path, allowance)
    presentation = _Presentation(parts, builder)
    presentation.compose()
    properties = read_core_properties(parts)
    # Programs fill in a title of their own, in each language another.
    title = properties.title if properties.title.lower() not in _NO_TITLES else ""
    return builder.finish(title=title, tags=properties.tags, metadata=properties.metadata)


class _Shape:
    """A shape at the top of a slide's tree, or a group of shapes."""

    def __init__(self, element: etree._Element) -> None:
        self.element = element
        self.role: str | None = None
        self.index = ""
        self.place: Place | None = None
        for child in element.iter("{*}ph", "{*}xfrm"):
            if local_name(child) == "ph":
                if self.role is None and local_name(element) != "grpSp":
                    self.role, self.index = child.get("type") or "", child.get("idx") or ""
            elif self.place is None:
                self.place = _place_of(child)

    @property
    def keys(self) -> tuple[str, str]:
        """By which its place is found on the layout: its number, else its role."""
        return "#" + self.index, (self.role or "").replace("ctrTitle", "title")


class _Presentation:
    def __init__(self, parts: Parts, builder: TextBuilder) -> None:
        self._parts, self._composer = parts, builder
        self._layouts: dict[str, dict[str, Place]] = {}
        self._repeated: set[str] = set()
        self._read_parts: set[str] = set()

    def compose(self) -> None:
        """Writes all slides."""
        main = self._parts.find_main("ppt/presentation.xml")
        related = {entry.key: entry for entry in self._parts.iter_related(main)}
        root = self._parts.find_xml(main)
        names = [] if root is None else _slide_names(root, related)
        if not names:
            # A broken list of slides: what is there is read in the order of the relationships.
            names = [entry.target for entry in related.values() if entry.kind == "slide"]
        for number, name in enumerate(names, 1):
            if self._composer.is_full:
                break
            slide = self._parts.find_xml(name)
            if slide is None:
                self._composer.problem("damaged-file", f"its slide {number} cannot be read")
            else:
                self._compose_slide(number, slide, list(self._parts.iter_related(name)))

    def _compose_slide(self, number: int, slide: etree._Element, related: list[Relationship]) -> None:
        shapes = [_Shape(element) for element in _top_shapes(slide)]
        layout = next((self._layout(entry.target) for entry in related if entry.kind == "slideLayout"), {})
        for shape in shapes:
            if shape.place is None and shape.role is not None:
                shape.place = next((layout[key] for key in shape.keys if key in layout), None)
        ordered = reading_order([(shape.place, shape) for shape in shapes if shape.role not in _TITLES])
        flow, links = Flow(None), web_links(related)
        for shape in (shape for shape in shapes if shape.role in _TITLES):
            DrawingText(flow, links).read(shape.element)
        titles = flow.take_collected()
        for shape in ordered:
            self._read_shape(shape, flow, links)
        body = flow.take_collected()
        for entry in related:
            if entry.kind in _DRAWING_PARTS:
                body += self._read_drawing(entry.target)
        notes = [self._read_notes(entry.target) for entry in related if entry.kind == "notesSlide"]
        body += [paragraph for note in notes for paragraph in note]
        for entry in related:
            if entry.kind == "comments":
                body += self._read_comments(entry.target)
        add_slide_into(self._composer, number, titles, body)

    def _read_shape(self, shape: _Shape, flow: Flow, links: dict[str, str]) -> None:
        if shape.role == "sldNum":
            return
        DrawingText(flow, links).read(shape.element, is_list=shape.role in _LISTS)
        if shape.role in _REPEATED:
            self._keep_first(flow)

    def _keep_first(self, flow: Flow) -> None:
        """Drops a footer that an earlier slide had: it is on each of them."""
        collected = flow.take_collected()
        last = collected[-1] if collected else None
        if last is not None and last.text in self._repeated:
            collected.pop()
        elif last is not None:
            self._repeated.add(last.text)
        flow.add_all(collected)

    def _read_notes(self, name: str) -> list[Paragraph]:
        root = self._parts.find_xml(name)
        flow = Flow(None)
        for element in () if root is None else _top_shapes(root):
            shape = _Shape(element)
            # The picture of the slide, its number and the page's header are on the notes' page too.
            if shape.role not in ("sldImg", "sldNum", *_REPEATED):
                DrawingText(flow, {}).read(element)
        notes = flow.take_collected()
        return [notes[0]._replace(text=f"Notes: {notes[0].text}"), *notes[1:]] if notes else []

    def _read_drawing(self, name: str) -> list[Paragraph]:
        if name in self._read_parts:
            return []
        self._read_parts.add(name)
        root = self._parts.find_xml(name)
        return [] if root is None else read_drawing_part(root)

    def _read_comments(self, name: str) -> list[Paragraph]:
        root = self._parts.find_xml(name)
        texts = () if root is None else root.iter("{*}text", "{*}t")
        return [Paragraph(element.text, ITEM) for element in texts if element.text and element.text.strip()]

    def _layout(self, name: str) -> dict[str, Place]:
        """Returns where a layout puts its placeholders; many slides share one."""
        places = self._layouts.get(name)
        if places is None:
            places = self._layouts[name] = {}
            root = self._parts.find_xml(name)
            for element in () if root is None else _top_shapes(root):
                shape = _Shape(element)
                if shape.role is not None and shape.place is not None:
                    for key in shape.keys:
                        places.setdefault(key, shape.place)
        return places


def _slide_names(root: etree._Element, related: dict[str, Relationship]) -> list[str]:
    names = []
    for element in root.iter("{*}sldId"):
        # The element has an `id` of its own; the relationship is the one in a namespace.
        key = next((value for name, value in attributes_of(element) if name.endswith("}id")), "")
        if key in related and related[key].kind == "slide":
            names.append(related[key].target)
    return list(dict.fromkeys(names))


def _top_shapes(slide: etree._Element) -> list[etree._Element]:
    for tree in slide.iter("{*}spTree"):
        return [child for child in tree if local_name(child) in _SHAPES]
    return []


def _place_of(transform: etree._Element) -> Place | None:
    numbers: dict[str, float] = {}
    for child in transform:
        if local_name(child) in ("off", "ext"):
            for name in ("x", "y", "cy"):
                value = value_of(child, name)
                if value.lstrip("-").isdigit() and len(value) < 14:
                    numbers[name] = float(value)
    if "x" not in numbers or "y" not in numbers:
        return None
    return Place(numbers["x"], numbers["y"], numbers.get("cy", 0.0))
