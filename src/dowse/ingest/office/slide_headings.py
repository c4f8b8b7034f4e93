"""A slide in the composer: an anchor, its title as a heading, and what is on it."""

from dowse.ingest.composing import Composer
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import Paragraph

_MAX_HEADING_CHARS = 80


def add_slide_into(composer: Composer, number: int, titles: list[Paragraph], body: list[Paragraph]) -> None:
    """Adds one slide.

    A slide without a title is named by its first line if that is short, else by its number; so no slide's
    text falls into the section of the slide before it.

    Args:
        number: From 1.
        titles: The paragraphs of its title; empty when it has none.
        body: Everything else, in reading order.
    """
    composer.anchor("slide", str(number))
    if titles:
        for paragraph in titles:
            for target, text in paragraph.links:
                composer.link(target, text)
        composer.heading(1, " ".join(paragraph.text for paragraph in titles))
    else:
        first = body[0].text.removeprefix("- ") if body else ""
        if first and len(first) <= _MAX_HEADING_CHARS and not first.startswith("Notes: "):
            composer.heading(1, first)
            body = body[1:]
        else:
            composer.heading(1, f"Slide {number}")
    flow = Flow(composer)
    flow.add_all(body)
    flow.finish()
