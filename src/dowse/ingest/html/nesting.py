"""Keeps a page from nesting too deep for the parser.

The parsing rules of HTML look through all open elements at every tag, so that two hundred thousand nested
elements take five minutes (measured with Lexbor). Beyond a depth that no page has on purpose, tags become
line breaks before the page is parsed; its text stays whole.
"""

import re
from collections.abc import Iterator

MAX_NESTING = 256
_TAG = re.compile(r"<!--|<(/?)([a-zA-Z][^\s/>]*)")
# These have no content, or need no closing tag and do not nest without something else in between.
_NOT_NESTING = frozenset(
    {
        "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
        "meta", "param", "source", "track", "wbr", "p", "li", "td", "th", "tr", "dd", "dt", "option",
        "optgroup", "thead", "tbody", "tfoot", "colgroup", "html", "head", "body", "rt", "rp",
    }
)  # fmt: skip
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})


def limit_nesting(text: str) -> str:
    """Returns the page with no more than `MAX_NESTING` elements open at once."""
    if text.count("<") <= MAX_NESTING:
        return text
    kept: list[str] = []
    copied = depth = 0
    for start, is_closing in _iter_tags(text):
        # What was never opened cannot be closed.
        depth = max(depth - 1, 0) if is_closing else depth + 1
        if depth + is_closing > MAX_NESTING:
            end = text.find(">", start)
            # Of tags in a row one break is left.
            kept += (text[copied:start], "<br>") if start > copied else ()
            copied = len(text) if end < 0 else end + 1
    return "".join((*kept, text[copied:])) if kept else text


def _iter_tags(text: str) -> Iterator[tuple[int, bool]]:
    """Yields place and kind of the tags that nest, past comments and scripts."""
    place = 0
    while found := _TAG.search(text, place):
        place = found.end()
        name = (found[2] or "").lower()
        if not name:
            place = text.find("-->", place)
        elif name in _RAW and not found[1]:
            closing = re.compile(f"</{name}", re.IGNORECASE).search(text, place)
            place = -1 if closing is None else closing.end()
        elif name not in _NOT_NESTING:
            yield found.start(), bool(found[1])
        if place < 0:
            return
