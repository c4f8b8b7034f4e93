"""Which columns there are."""

from enum import StrEnum
from typing import NamedTuple

META = "meta."
# Filters look for parts of these values, so they are kept whole, however long.
SEARCHED_WITHIN = frozenset({"dir", f"{META}author", f"{META}authors"})


class Kind(StrEnum):
    """How the values of a column are kept."""

    KEYWORD = "keyword"
    NUMBER = "number"
    NAMES = "names"


class Column(NamedTuple):
    """One column that every document may have values in."""

    name: str
    kind: Kind
    purpose: str


COLUMNS: tuple[Column, ...] = (
    Column("dir", Kind.KEYWORD, "its folder, with a slash at both ends; `/` for the top"),
    Column("name", Kind.NAMES, "its file name, folded"),
    Column("ext", Kind.KEYWORD, "its file extension"),
    Column("type", Kind.KEYWORD, "its format"),
    Column("tag", Kind.KEYWORD, "its tags"),
    Column("date", Kind.NUMBER, "the date it gives itself, in seconds since 1970"),
    Column("file_time", Kind.NUMBER, "when its file was changed, in seconds since 1970"),
    Column("size", Kind.NUMBER, "bytes of its file, or else of its text"),
    Column(META, Kind.KEYWORD, "values under each key of its metadata, as text"),
    Column(META, Kind.NUMBER, "values under each key of its metadata that are numbers"),
)
