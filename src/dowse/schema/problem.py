"""A problem: something wrong that stops nothing."""

from msgspec import Struct


class Problem(Struct, frozen=True):
    """What went wrong with one file, one part of a query or one segment while the rest went on.

    Attributes:
        code: Stable, kebab-case name for programs, for example ``unreadable-file``.
        location: Path, query position (``char 12``) or segment name.
        message: One sentence for people.
        hint: What the reader can do about it: a sentence, or the code of a `Remedy` with its data, which
            each face words; empty when we do not know.
    """

    code: str
    location: str
    message: str
    hint: str = ""
