"""A Word document as a whole: its stories put together."""

from lxml import etree

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import value_of
from dowse.ingest.office.drawing_text import read_drawing_part
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import Paragraph
from dowse.ingest.office.parts import Parts, Relationship, web_links
from dowse.ingest.office.properties import read_core_properties
from dowse.ingest.office.word_numbering import WordNumbering
from dowse.ingest.office.word_story import WordStory
from dowse.ingest.office.word_styles import WordStyles
from dowse.ingest.packages import Package
from dowse.ingest.text_builder import TextBuilder

_NOTE_PARTS = {
    "footnotes": ("footnote", "footnoteReference"),
    "endnotes": ("endnote", "endnoteReference"),
    "comments": ("comment", "commentReference"),
}
_DRAWING_PARTS = ("diagramData", "chart")
Notes = dict[tuple[str, str], list[Paragraph]]


def extract_word(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a Word document: headers, the text with its notes after their paragraphs, diagrams, footers.

    Raises:
        UnextractableError: It is no such document, or too broken to be one.
    """
    document = _WordDocument(Parts(Package(data, allowance)))
    builder = TextBuilder(path, allowance)
    title = document.compose_into(builder)
    properties = read_core_properties(document.parts)
    if document.styles.language and not properties.metadata.get("language"):
        properties.metadata["language"] = document.styles.language
    return builder.finish(
        title=title or properties.title, tags=properties.tags, metadata=properties.metadata
    )


class _WordDocument:
    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._main = parts.find_main("word/document.xml")
        self._related = list(parts.iter_related(self._main))
        self.styles = WordStyles(self._find_related("styles"))
        self._numbering = WordNumbering(self._find_related("numbering"))

    def compose_into(self, builder: TextBuilder) -> str:
        """Writes the whole document and returns the title that is written in it."""
        root = self.parts.find_xml(self._main)
        notes = self._read_notes()
        flow = Flow(builder)
        seen: set[str] = set()
        self._add_edges("header", flow, seen)
        story = WordStory(flow, self.styles, self._numbering, notes, web_links(self._related))
        if root is None:
            builder.problem("damaged-file", "its main part cannot be read", "open it and save it again")
        else:
            story.read(root)
        for entry in self._related:
            if entry.kind in _DRAWING_PARTS and (drawing := self.parts.find_xml(entry.target)) is not None:
                flow.add_all(read_drawing_part(drawing))
        self._add_edges("footer", flow, seen)
        flow.finish()
        return story.title

    def _find_related(self, kind: str) -> etree._Element | None:
        for entry in self._related:
            if entry.kind == kind and not entry.is_external:
                return self.parts.find_xml(entry.target)
        return None

    def _read_notes(self) -> Notes:
        notes: Notes = {}
        for entry in self._related:
            if entry.kind in _NOTE_PARTS and (root := self.parts.find_xml(entry.target)) is not None:
                element_name, reference = _NOTE_PARTS[entry.kind]
                links = web_links(list(self.parts.iter_related(entry.target)))
                for element in root:
                    # Separators between text and notes are notes too, of a type.
                    if local_name(element) == element_name and value_of(element, "type") in ("", "normal"):
                        paragraphs = self._read_aside(element, links)
                        notes[reference, value_of(element, "id")] = _signed(paragraphs, element)
        return notes

    def _read_aside(self, element: etree._Element, links: dict[str, str]) -> list[Paragraph]:
        flow = Flow(None)
        WordStory(flow, self.styles, self._numbering, {}, links).read(element)
        return flow.take_collected()

    def _add_edges(self, kind: str, flow: Flow, seen: set[str]) -> None:
        """Adds headers or footers, each text once: most are the same on all kinds of pages."""
        for entry in self._related:
            if entry.kind == kind and (root := self.parts.find_xml(entry.target)) is not None:
                for paragraph in self._read_aside(root, self._links_of(entry)):
                    if paragraph.text.strip() not in seen:
                        seen.add(paragraph.text.strip())
                        flow.add(paragraph)

    def _links_of(self, entry: Relationship) -> dict[str, str]:
        return web_links(list(self.parts.iter_related(entry.target)))


def _signed(paragraphs: list[Paragraph], element: etree._Element) -> list[Paragraph]:
    """Puts a comment's author before it."""
    author = value_of(element, "author").strip()
    if author and paragraphs:
        return [paragraphs[0]._replace(text=f"{author}: {paragraphs[0].text.strip()}"), *paragraphs[1:]]
    return paragraphs
