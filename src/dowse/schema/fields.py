"""The six fields of a chunk; their numbers are part of the segment format (FORMAT.md, S2)."""

from enum import IntEnum


class Field(IntEnum):
    """A part of a chunk that has its own postings, lengths and boost."""

    TITLE = 0
    HEADINGS = 1
    PATH = 2
    TAGS = 3
    BODY = 4
    CODE = 5

    @property
    def label(self) -> str:
        """The field's name in queries, JSON and explanations."""
        return self.name.lower()


FIELD_COUNT = len(Field)
