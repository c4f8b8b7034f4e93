"""Which chunks have the query as it stands: its phrase, a title of one word, or a rare name that it spells
out."""

import re
from collections.abc import Iterator

from dowse.matching import match_term
from dowse.query import nodes
from dowse.schema import Field, SearchRequest
from dowse.search.lexical.ranking import Ranked
from dowse.search.lexical.row_addresses import keys_of
from dowse.search.lexical.searcher import LexicalSearcher

MOST_WORDS = 16
EXACT_AT_MOST = 120
"""Of more than that, the best by words; they fill the first pages."""
RARE_AT_MOST, RARE_SHARE = 3, 0.01
"""A name is rare that so many chunks have at most, or such a share of all, whichever is more."""
# Letters with a digit, an underscore, a dot or a capital inside, or a dash beside a digit: `HTTP2`,
# `read_file`, `node.js`, `getUser`, `ERR-1042`.
_IDENTIFIER = re.compile(
    r"(?=.*[^\W_])(?:[\w-]*(?:[a-z][A-Z]|\d[^\W\d]|[^\W\d]\d|\w[_.:/#]\w|\w-\d|\d-\w)[\w.:/#-]*)\Z"
)


def find_exact(searcher: LexicalSearcher, request: SearchRequest, root: nodes.Node | None) -> set[int]:
    """Returns the keys of chunks that have the query as a phrase or title, or a rare identifier of it.

    They may be anywhere in the tree: what else the query demands is not looked at.

    Args:
        root: The query as typed; of several, each counts.
    """
    found: set[int] = set()
    for words in _iter_queries(root):
        if 2 <= len(words) <= MOST_WORDS:
            phrase = nodes.Phrase(" ".join(words))
            best = searcher.rank(request, phrase, EXACT_AT_MOST).top.best
            found.update(keys_of(searcher.context.snapshot, best))
        if len(words) == 1:
            found |= _titled(searcher, request, words[0])
        for word in words[:MOST_WORDS]:
            if len(words) == 1 or _IDENTIFIER.match(word):
                found |= _named(searcher, request, word)
    return found


def _iter_queries(root: nodes.Node | None) -> Iterator[list[str]]:
    """Yields the words of a query, whichever of them must match, and those of each of several queries."""
    if isinstance(root, nodes.Word | nodes.Phrase):
        yield root.text.split()
    elif isinstance(root, nodes.BagOfWords | nodes.And | nodes.Or):
        yield [item.text for item in root.items if isinstance(item, nodes.Word)]
        if isinstance(root, nodes.Or):
            for item in root.items:
                if isinstance(item, nodes.BagOfWords | nodes.And):
                    yield from _iter_queries(item)


def _titled(searcher: LexicalSearcher, request: SearchRequest, word: str) -> set[int]:
    """Returns the best chunk of each document whose whole title is a word; longer ones are phrases."""
    root, snapshot = nodes.Scoped(Field.TITLE.label, nodes.Word(word)), searcher.context.snapshot
    best = searcher.rank(request, root, EXACT_AT_MOST).top.best
    found: dict[int, Ranked] = {}
    for entry in best:
        reader = snapshot.segments[entry.segment].reader
        if reader.buckets[Field.TITLE, entry.row] == 1:
            found.setdefault(int(reader.columns.doc_ids[entry.row]), entry)
    return set(keys_of(snapshot, list(found.values())))


def _named(searcher: LexicalSearcher, request: SearchRequest, word: str) -> set[int]:
    """Returns the chunks that have a word as it is written, not only its parts, where they are few."""
    context = searcher.context
    snapshot, masks = context.snapshot, context.scope_masks(request)
    few = min(max(RARE_AT_MOST, int(RARE_SHARE * snapshot.doc_count)), EXACT_AT_MOST)
    found: set[int] = set()
    for reading in context.word_reader(request.tree).read(word, keeps_stop_words=True):
        for term in reading.wholes or [term for term, _ in reading.parts[:1]]:
            leaf = match_term(snapshot, term)
            if leaf.doc_freq <= few:
                for number, (segment, mask) in enumerate(zip(snapshot.segments, masks, strict=True)):
                    rows = leaf.rows_in(number)
                    if mask is not None:
                        rows = rows[mask[rows] != 0]
                    found.update(segment.reader.columns.chunk_keys[rows].tolist())
    return found
