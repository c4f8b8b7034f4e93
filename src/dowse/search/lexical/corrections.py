"""What to do about words that no chunk has: search for similar ones, and say what was likely meant."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dowse.analysis import PART, Analyzer
from dowse.matching import match_term
from dowse.matching.spelling import edit_budget, find_similar
from dowse.query import nodes
from dowse.storage.snapshot import Snapshot


def make_fuzzy(root: nodes.Node) -> nodes.Node:
    """Returns the query with every bare word standing for the words near it as well."""
    return _change_words(root, lambda word: nodes.Fuzzy(word.text, None, word.position))


def correct(root: nodes.Node, analyzers: Sequence[Analyzer], snapshot: Snapshot) -> nodes.Node:
    """Returns the query with words that no chunk has replaced by the likeliest ones near them."""

    def change(word: nodes.Word) -> nodes.Node:
        likely = correct_word(word.text, analyzers, snapshot)
        return word if likely is None else nodes.Word(likely, word.position)

    return _change_words(root, change)


def correct_word(text: str, analyzers: Sequence[Analyzer], snapshot: Snapshot) -> str | None:
    """Returns the likeliest known word near an unknown one; None when it is known or nothing is near."""
    for analyzer in analyzers:
        if any(match_term(snapshot, token.term).doc_freq for token in analyzer.query_tokens(text)):
            return None
    parts = [token for token in analyzers[0].query_tokens(text) if token.kind == PART]
    if len(parts) != 1:
        return None
    surface = parts[0].surface
    similar = find_similar(snapshot, surface, edit_budget(surface))
    return next((candidate.word for candidate in similar if candidate.doc_freq), None)


def _change_words(node: nodes.Node, change: Callable[[nodes.Word], nodes.Node]) -> nodes.Node:
    """Applies a change to every word that is looked for by itself; what is excluded stays as it is."""
    if isinstance(node, nodes.Word):
        return change(node)
    if isinstance(node, (nodes.And, nodes.Or, nodes.BagOfWords, nodes.Near, nodes.Quorum, nodes.WeakAnd)):
        return replace(node, items=tuple(_change_words(item, change) for item in node.items))
    if isinstance(node, (nodes.Scoped, nodes.Boosted, nodes.First)):
        return replace(node, item=_change_words(node.item, change))
    return node
