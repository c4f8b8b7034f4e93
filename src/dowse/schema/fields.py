"""The six fields of a chunk; their numbers are part of the segment format (FORMAT.md, S2).

Body comes last on purpose: scores are summed in field order, and the scoring kernel is fastest when the
longest list of a term is the last one.
"""

from enum import IntEnum


class Field(IntEnum):
    """A part of a chunk that has its own postings, lengths and boost."""

    TITLE = 0
    HEADINGS = 1
    PATH = 2
    TAGS = 3
    CODE = 4
    BODY = 5

    @property
    def label(self) -> str:
        """The field's name in queries, JSON and explanations."""
        return self.name.lower()


FIELD_COUNT = len(Field)
