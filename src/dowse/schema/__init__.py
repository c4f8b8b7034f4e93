"""Which values travel through Dowse?

The frozen values every layer agrees on: a document with its sections and chunks on the way in, and a
problem when something was wrong but nothing had to stop. Values only; nothing here reads, decides or
scores.

May import: nothing but the standard library.

Reading order: `fields` (the six fields of a chunk) · `problem` · `document`.

Invariants:
1. A chunk lies inside one section, and its byte range lies inside its document's text.
2. Byte ranges and line numbers count in the document's *stored text*: for UTF-8 files that is the file
   itself, for other encodings and formats it is the extracted text. Lines start at 1, ends are inclusive;
   byte ranges are half open.

Not for: database rows (`storage`), requests and responses (`search`).
"""

from dowse.schema.document import Anchor, Chunk, Document, Link, Section, section_path
from dowse.schema.fields import FIELD_COUNT, Field
from dowse.schema.problem import Problem

__all__ = [
    "FIELD_COUNT",
    "Anchor",
    "Chunk",
    "Document",
    "Field",
    "Link",
    "Problem",
    "Section",
    "section_path",
]
