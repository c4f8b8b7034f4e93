"""Which chunks have the query as it stands: its phrase, a title of one word, or a rare name that it spells
out."""

import re

from dowse.query import nodes
from dowse.schema import Field
from dowse.search.ranking import Ranked
from dowse.search.request import SearchRequest
from dowse.search.searcher import Searcher

MOST_WORDS = 8
EXACT_AT_MOST = 50
RARE_AT_MOST = 3
# Letters with a digit, an underscore, a dot or a capital inside: `HTTP2`, `read_file`, `node.js`, `getUser`.
_IDENTIFIER = re.compile(r"(?=.*[^\W_])(?:\w*(?:[a-z][A-Z]|\d[^\W\d]|[^\W\d]\d|\w[_.:/#]\w)[\w.:/#]*)\Z")


def find_exact(searcher: Searcher, request: SearchRequest, root: nodes.Node | None) -> frozenset[int]:
    """Returns the keys of chunks that have the query as a phrase or title, or a rare identifier of it."""
    words = _plain_words(root)
    if not words:
        return frozenset()
    found: set[int] = set()
    if 2 <= len(words) <= MOST_WORDS:
        found |= _keys(searcher, request, nodes.Phrase(" ".join(words)), EXACT_AT_MOST)
    if len(words) == 1:
        found |= _titled(searcher, request, words[0])
    for word in words[:MOST_WORDS]:
        if _IDENTIFIER.match(word):
            keys = _keys(searcher, request, nodes.Word(word), RARE_AT_MOST + 1)
            found |= keys if len(keys) <= RARE_AT_MOST else set()
    return frozenset(found)


def _plain_words(root: nodes.Node | None) -> list[str]:
    if isinstance(root, nodes.Word | nodes.Phrase):
        return root.text.split()
    if isinstance(root, nodes.Most):
        return [item.text for item in root.items if isinstance(item, nodes.Word)]
    return []


def _titled(searcher: Searcher, request: SearchRequest, word: str) -> set[int]:
    """Returns the best chunk of each document whose whole title is a word; longer ones are phrases."""
    root, segments = nodes.Scoped(Field.TITLE.label, nodes.Word(word)), searcher.snapshot.segments
    best = searcher.rank(request, root, EXACT_AT_MOST).page.best
    found: dict[int, Ranked] = {}
    for entry in best:
        reader = segments[entry.segment].reader
        if reader.buckets[Field.TITLE, entry.row] == 1:
            found.setdefault(int(reader.columns.doc_ids[entry.row]), entry)
    return set(searcher.keys_of(list(found.values())))


def _keys(searcher: Searcher, request: SearchRequest, root: nodes.Node, wanted: int) -> set[int]:
    return set(searcher.keys_of(searcher.rank(request, root, wanted).page.best))
