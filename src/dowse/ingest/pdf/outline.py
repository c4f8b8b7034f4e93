"""The bookmarks of a PDF, as headings on the pages where they lead."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import pypdfium2

_MAX_BOOKMARKS = 5000
_MAX_TITLE_LINES = 3


class Bookmark(NamedTuple):
    """An entry; depths count from 1."""

    depth: int
    title: str


def read_outline(document: pypdfium2.PdfDocument) -> dict[int, list[Bookmark]]:
    """Returns the bookmarks by index of the page they lead to, in order."""
    found: dict[int, list[Bookmark]] = {}
    try:
        for item in islice(document.get_toc(), _MAX_BOOKMARKS):
            target = item.get_dest()
            page = None if target is None else target.get_index()
            title = " ".join(item.get_title().split())
            if page is not None and title:
                found.setdefault(page, []).append(Bookmark(item.level + 1, title))
    except (pypdfium2.PdfiumError, ValueError, RecursionError):
        # A damaged outline costs what follows in it; the text has its headings all the same.
        return found
    return found


def place_bookmarks(
    bookmarks: Sequence[Bookmark], lines: Sequence[str]
) -> dict[int, list[tuple[Bookmark, int]]]:
    """Says at which line of its page each bookmark stands, and how many lines are its title.

    One whose words are not on the page stands before what follows the one before it, with no line.
    """
    placed: dict[int, list[tuple[Bookmark, int]]] = {}
    plain = [_plain(line) for line in lines] if bookmarks else []
    after = 0
    for bookmark in bookmarks:
        place, length = _find(_plain(bookmark.title), plain, after)
        placed.setdefault(place, []).append((bookmark, length))
        after = place + length
    return placed


def _find(title: str, plain: Sequence[str], start: int) -> tuple[int, int]:
    for place in range(start, len(plain)):
        joined = ""
        for length in range(1, min(_MAX_TITLE_LINES, len(plain) - place) + 1):
            joined += plain[place + length - 1]
            # A chapter's number may stand in the text only.
            if title and joined.endswith(title) and len(joined) <= len(title) + 6:
                return place, length
            if len(joined) > len(title) + 6:
                break
    return start, 0


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
