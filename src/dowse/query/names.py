"""The names that may stand before a colon, and the words of the grammar.

Only these names are prefixes: ``12:30``, ``std::vector`` and ``http://x`` are words. One visible list per
kind, so that messages, docs and planning agree on what exists.
"""

import re
from functools import lru_cache

# Text that is searched: ``title:tea``.
FIELDS = ("title", "headings", "tags", "code", "body")
FIELD_ALIASES = {"hierarchy": "headings"}
# Facts that hits must have: ``ext:pdf,md``. `META` stands before any key of a document's metadata.
FILTERS = ("tree", "path", "dir", "ext", "lang", "tag", "author", "type")
META = "meta."
# Facts with an order: ``date:2024-01..2024-06``.
RANGES = ("date", "size")
# Ways to read one word or phrase: ``sounds:smith``.
READINGS = ("sounds", "exact", "named")

KNOWN_NAMES = (*FIELDS, *FIELD_ALIASES, *FILTERS, *RANGES, *READINGS)

# Words of the grammar, in capitals only: “or”, “and” and “not” are words that people type in sentences.
KEYWORDS = ("AND", "OR", "NOT", "OF")
OPERATORS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT"}

QUOTES = "\"“”„«»"

# What looks like a prefix: a name of two letters or more and one colon that starts neither “::” nor “://”.
NAME_PREFIX = re.compile(r"([A-Za-z][\w.-]++):(?!:|//)")
# What is read as a comparison without a colon, as Recoll writes it: ``size>10k``.
COMPARED_NAME = re.compile(r"(date|size|meta\.\w[\w.-]*+)(?=[<>])")
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://")
# A bare ``.pdf``: lower case, so that .NET stays a word, and with a letter, so that .5 does.
BARE_EXTENSION = re.compile(r"\.(?=[0-9]*[a-z])([a-z0-9]{1,5})")


def is_known(name: str) -> bool:
    """Returns whether a name may stand before a colon."""
    return name in KNOWN_NAMES or (name.startswith(META) and len(name) > len(META))


@lru_cache(maxsize=256)
def find_nearest(name: str) -> str | None:
    """Returns the known name that a mistyped one most likely means, if one is near enough.

    One edit is near for names of three letters or more, two for six or more; letter case is no edit.
    """
    folded = name.lower()
    allowed = 0 if len(folded) < 3 else 1 if len(folded) < 6 else 2
    distances = [(edit_distance(folded, known), known) for known in KNOWN_NAMES]
    distance, nearest = min(distances)
    return nearest if distance <= allowed else None


def edit_distance(left: str, right: str) -> int:
    """Returns how many letters must be added, dropped, changed or swapped with a neighbour; 3 may be more."""
    if abs(len(left) - len(right)) > 2:
        return 3  # too far for any caller; long words stay cheap
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
    return row[-1]
