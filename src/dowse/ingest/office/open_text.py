"""An OpenDocument text as a whole: header, text, embedded documents, footer."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.open_package import OpenPackage
from dowse.ingest.office.open_story import OpenStory
from dowse.ingest.office.open_styles import OpenStyles
from dowse.ingest.office.paragraphs import HEADING, TEXT, Paragraph
from dowse.ingest.text_builder import TextBuilder

_HEADERS = ("{*}header", "{*}header-first", "{*}header-left")
_FOOTERS = ("{*}footer", "{*}footer-first", "{*}footer-left")


def extract_open_text(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a text document.

    Raises:
        UnextractableError: It is no OpenDocument file, or too broken to be one.
    """
    package = OpenPackage(data, allowance)
    builder = TextBuilder(path, allowance)
    styles = OpenStyles(package.style_roots)
    flow = Flow(builder)
    seen: set[str] = set()
    _add_edges(package, styles, flow, _HEADERS, seen)
    story = OpenStory(flow, styles)
    story.read(package.body)
    flow.add_all(read_objects(package, story.objects))
    _add_edges(package, styles, flow, _FOOTERS, seen)
    flow.finish()
    properties = package.read_properties()
    return builder.finish(
        title=story.title or properties.title, tags=properties.tags, metadata=properties.metadata
    )


def read_objects(package: OpenPackage, names: list[str]) -> list[Paragraph]:
    """Returns the text of embedded documents, such as a sheet on a slide; each once, none inside those."""
    flow = Flow(None)
    for name in dict.fromkeys(names):
        content = package.find_object(name)
        for body in () if content is None else content.iter("{*}body"):
            OpenStory(flow, OpenStyles([content] if content is not None else [])).read(body)
            break
    return [
        paragraph._replace(kind=TEXT) if paragraph.kind == HEADING else paragraph
        for paragraph in flow.take_collected()
    ]


def _add_edges(
    package: OpenPackage, styles: OpenStyles, flow: Flow, tags: tuple[str, ...], seen: set[str]
) -> None:
    """Adds headers or footers, each text once: most are the same on all kinds of pages."""
    collected = Flow(None)
    for masters in () if package.styles is None else package.styles.iter("{*}master-styles"):
        for element in masters.iter(*tags):
            OpenStory(collected, styles).read(element)
    for paragraph in collected.take_collected():
        if paragraph.text.strip() not in seen:
            seen.add(paragraph.text.strip())
            flow.add(paragraph)
