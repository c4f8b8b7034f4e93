"""Words that were divided at the end of a line are made whole."""

import re
from collections.abc import Iterable, Sequence

from dowse.ingest.pdf.lines import LINE_END_HYPHENS

_HYPHENS = ("-", "\u2010", *LINE_END_HYPHENS)
_DIVIDED = re.compile(rf"[^\W\d_]+(?:-[^\W\d_]+)*[{''.join(_HYPHENS)}]")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


def find_compounds(lines: Iterable[str]) -> frozenset[str]:
    """Returns the words with a hyphen inside a line: those keep it at a line's end too."""
    hyphened = (run for line in lines if "-" in line for run in line.split() if "-" in run)
    return frozenset(word.lower() for run in hyphened for word in _COMPOUND.findall(run))


def join_divided(lines: Sequence[str], compounds: frozenset[str]) -> list[str]:
    """Returns the lines with each divided word whole, on the line where it begins."""
    joined: list[str] = []
    for line in lines:
        is_cut = bool(joined) and joined[-1].endswith(_HYPHENS)
        head = _DIVIDED.fullmatch(joined[-1].rpartition(" ")[2]) if is_cut else None
        rest = _FIRST_WORD.match(line) if head else None
        if head is None or rest is None or not rest[0][0].islower():
            joined.append(line)
            continue
        first, second = head[0][:-1], rest[0]
        is_compound = f"{first}-{second}".lower() in compounds
        joined[-1] = joined[-1][:-1] + ("-" if is_compound else "") + second
        remainder = line[len(second) :]
        # A comma or full stop belongs to the word before it.
        marks = len(remainder) - len(remainder.lstrip(".,;:!?)”»"))
        joined[-1] += remainder[:marks]
        if remainder[marks:].strip():
            joined.append(remainder[marks:].strip())
    # Three searches for what is hardly ever there take a tenth of the time of one translation.
    return [line.replace("\x02", "-").replace("\ufffe", "-").replace("\xad", "") for line in joined]
