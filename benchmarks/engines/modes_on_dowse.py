"""Query sets of `modes.py` on Dowse: each becomes a request, as any face would make it."""

from pathlib import Path

from engines.on_dowse import OnDowse
from mode_queries import ModeQuery

_PARAMETERS = {
    "sloppy phrase": (("slop", 2.0),),
    "fuzzy, 1 edit": (("edits", 1.0),),
    "fuzzy, 2 edits": (("edits", 2.0),),
    "proximity": (("distance", 5.0),),
    "named": (("key", 1.0),),
}
_FOLDERS = ("rfc", "mdn", "kubernetes")


class ModesOnDowse(OnDowse):
    """Answers every query set."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)

    def ask(self, query: ModeQuery, limit: int) -> list[str]:
        """Returns the keys of the best chunks."""
        kind = query.kind
        if kind == "more like this":
            return self._ask_similar(query.words[0], limit)
        if kind.startswith("autocomplete"):
            return [completion.text for completion in self._index.suggest(query.words[0], limit)]
        request = self._request(
            self._text(query),
            limit=limit,
            snippets=False,
            fuzzy="auto" if kind == "typing errors" else "never",
            mode=_MODES.get(kind, kind),
            parameters=_PARAMETERS.get(kind, ()),
        )
        return [hit.doc_key for hit in self._index.search(request).hits]

    def _text(self, query: ModeQuery) -> str:
        words = query.words
        if query.kind == "intersection":
            return " AND ".join(words)
        if query.kind == "boolean":
            return f"{words[0]} AND ({words[1]} OR {words[2]}) AND NOT {words[3]}"
        if query.kind == "span":
            return f"NEAR({words[0]}, ONEAR({words[1]}, {words[2]}, 8), 8)"
        if query.kind == "regex":
            return f"/{words[0]}/"
        if query.kind == "wildcard, leading":
            return f"*{words[0]}"
        if query.kind == "filter":
            return f"dir:{_FOLDERS[len(words[0]) % len(_FOLDERS)]} {' '.join(words)}"
        return " ".join(words)

    def _ask_similar(self, text: str, limit: int) -> list[str]:
        from dowse.similar import SimilarSettings

        settings = SimilarSettings(min_doc_freq=5, min_term_freq=2)
        response = self._index.similar(text=text, settings=settings, limit=limit, snippets=False)
        return [hit.doc_key for hit in response.hits]


_MODES = {
    "term": "bm25f",
    "union": "bm25f",
    "intersection": "boolean",
    "sloppy phrase": "phrase",
    "wildcard, leading": "wildcard",
    "wildcard, inner": "wildcard",
    "regex": "bm25f",
    "fuzzy, 1 edit": "fuzzy",
    "fuzzy, 2 edits": "fuzzy",
    "filter": "bm25f",
    "typing errors": "bm25f",
    "named": "fuzzy",
}
