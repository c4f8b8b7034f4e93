"""Questions made of a user's own texts: titles, headings and the words of links, each naming one document.

A known item is something a person has seen and looks for again, by what they remember of it. What other
documents call it when they link to it is the best question of that kind. Its title and its headings are
nearly as good, but they stand in the fields that are weighed, so that they speak for high boosts of those
fields; for that reason the kinds are kept apart as categories, and count alike.
"""

import re
from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from dowse.engine.engine import Engine
from dowse.errors import InvalidParameterError
from dowse.evaluation.judged import Collection, JudgedQuery
from dowse.schema import StoredDocument

MIN_WORDS, MAX_WORDS = 2, 12
MAX_DOCUMENTS = 2000
Item = TypeVar("Item")
KINDS = ("link", "heading", "title")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{3,200})\]\(([^()\s]+)\)")
_WIKILINK = re.compile(r"(?<!!)\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?\|([^\[\]\n]+)\]\]")
_NO_WORD = re.compile(r"[^\w.-]+|(?<!\w)[.-]+|[.-]+(?!\w)")


class KnownItem(NamedTuple):
    """A text that names one document."""

    kind: str
    text: str
    doc_key: str


def build_known_items(index: Engine, tree: str, limit: int = 200) -> Collection:
    """Returns questions about the documents of a tree, each with the one document that answers it.

    Texts that name several documents are left out, and so are single words. Of very many documents some are
    looked at, and of very many questions some are taken, always the same.

    Args:
        limit: Most questions of each kind, 1 and up.

    Raises:
        InvalidParameterError: Fewer than two questions can be made, or none are wanted.
        UnknownTreeError: There is no such tree.
    """
    if limit < 1:
        raise InvalidParameterError(name="limit", value=limit, legal="legal values are 1 and up")
    documents = [entry.doc_key for entry in index.list_documents(tree=tree)]
    chosen = _spread(documents, MAX_DOCUMENTS)
    keys = frozenset(documents)
    named: dict[str, list[KnownItem]] = {}
    for doc_key in chosen:
        for item in _iter_items(index.get(doc_key, tree=tree), keys):
            named.setdefault(item.text.casefold(), []).append(item)
    clear = [items[0] for items in named.values() if len({item.doc_key for item in items}) == 1]
    taken = [item for kind in KINDS for item in _spread([one for one in clear if one.kind == kind], limit)]
    if len(taken) < 2:
        legal = "it has too few titles, headings and links of two words and more to ask for"
        raise InvalidParameterError(name="the tree", value=tree, legal=legal)
    queries = tuple(
        JudgedQuery(f"{item.kind}-{place}", item.text, item.kind, {item.doc_key: 1})
        for place, item in enumerate(taken, 1)
    )
    return Collection(tree, queries, iter_texts=lambda: iter(()))


def _spread(items: Sequence[Item], limit: int) -> list[Item]:
    """Returns at most so many of the items, from all over them."""
    step = max(1.0, len(items) / limit)
    return [items[int(place * step)] for place in range(min(limit, len(items)))]


def _iter_items(document: StoredDocument, keys: frozenset[str]) -> Iterator[KnownItem]:
    """Yields what a document is called by others, by itself, and in its parts."""
    for text, target in _iter_links(document.text):
        found = _resolve(target, document.doc_key, keys)
        if found is not None and found != document.doc_key:
            yield from _make("link", text, found)
    for section in document.sections:
        if section.depth and section.title.casefold() != document.title.casefold():
            yield from _make("heading", section.title, document.doc_key)
    yield from _make("title", document.title, document.doc_key)


def _make(kind: str, text: str, doc_key: str) -> Iterator[KnownItem]:
    """Yields the item when its text is a question: plain words, so that no query language is read into it."""
    words = _NO_WORD.sub(" ", text).split()
    if MIN_WORDS <= len(words) <= MAX_WORDS:
        yield KnownItem(kind, " ".join(words), doc_key)


def _iter_links(text: str) -> Iterator[tuple[str, str]]:
    """Yields text and target of each Markdown link, and of wikilinks with a text of their own."""
    for shown, target in _LINK.findall(text):
        yield shown, unquote(target.split("#")[0])
    for target, shown in _WIKILINK.findall(text):
        yield shown, target.strip()


def _resolve(target: str, doc_key: str, keys: frozenset[str]) -> str | None:
    """Returns the document a link leads to; None when it leads out of the tree."""
    if not target or ":" in target:
        return None
    below = normpath(join(dirname(doc_key), target))
    candidates = (below, f"{below}.md", target.lstrip("/"), f"{target}.md")
    return next((candidate for candidate in candidates if candidate in keys), None)
