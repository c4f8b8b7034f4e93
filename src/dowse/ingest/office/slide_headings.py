"""A slide in the builder: an anchor, its title as a heading, and what is on it."""

from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import Paragraph
from dowse.ingest.text_builder import TextBuilder

_MAX_HEADING_CHARS = 80


def add_slide_into(builder: TextBuilder, number: int, titles: list[Paragraph], body: list[Paragraph]) -> None:
    """Adds one slide.

    A slide without a title is named by its first line if that is short, else by its number; so no slide's
    text falls into the section of the slide before it.

    Args:
        number: From 1.
        titles: The paragraphs of its title; empty when it has none.
        body: Everything else, in reading order.
    """
    builder.anchor("slide", str(number))
    if titles:
        for paragraph in titles:
            for target, text in paragraph.links:
                builder.link(target, text)
        builder.heading(1, " ".join(paragraph.text for paragraph in titles))
    else:
        first = body[0].text.removeprefix("- ") if body else ""
        if first and len(first) <= _MAX_HEADING_CHARS and not first.startswith("Notes: "):
            builder.heading(1, first)
            body = body[1:]
        else:
            builder.heading(1, f"Slide {number}")
    flow = Flow(builder)
    flow.add_all(body)
    flow.finish()
