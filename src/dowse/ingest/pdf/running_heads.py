"""Lines that stand on most pages: headers, footers, page numbers."""

import re
from collections import Counter
from collections.abc import Sequence

from dowse.ingest.pdf.lines import TextLine

_MIN_PAGES = 4
_MIN_SHARE = 0.4
_EDGE_LINES = 3
_NUMBERS = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)
_PLACE_POINTS = 8.0


def drop_running_heads(pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """Returns the pages without the lines at top and bottom that many of them share.

    The first page that has such a line keeps it, so that its words can be found. Numbers in it may differ.
    """
    if len(pages) < _MIN_PAGES:
        return [list(page) for page in pages]
    edges = [_edge_keys(page) for page in pages]
    counts = Counter(key for keys in edges for key in set(keys.values()))
    needed = max(_MIN_PAGES - 1, len(pages) * _MIN_SHARE)
    repeated = {key for key, count in counts.items() if count >= needed}
    seen: set[tuple[str, int]] = set()
    kept = []
    for page, keys in zip(pages, edges, strict=True):
        dropped = {place for place, key in keys.items() if key in repeated and key in seen}
        seen.update(keys.values())
        kept.append([line for place, line in enumerate(page) if place not in dropped])
    return kept


def _edge_keys(page: Sequence[TextLine]) -> dict[int, tuple[str, int]]:
    """Returns wording and height, by index, of the lines at the top and at the bottom of a page."""
    by_height = sorted(range(len(page)), key=lambda place: page[place].bottom)
    edge = {*by_height[:_EDGE_LINES], *by_height[-_EDGE_LINES:]}
    return {
        place: (_NUMBERS.sub("#", page[place].text), round(page[place].bottom / _PLACE_POINTS))
        for place in edge
    }
