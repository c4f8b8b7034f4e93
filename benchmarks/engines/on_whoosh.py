"""Whoosh (whoosh-reloaded): pure Python."""

from collections.abc import Iterable
from pathlib import Path

from engines.engine import Document, Query

HEAP_MB = 256


class OnWhoosh:
    """Title and body through its stemming analyzer; keys stored."""

    name = "whoosh"
    package = "whoosh-reloaded"
    kinds = frozenset({"union", "intersection", "phrase"})
    index_of = ""
    keeps_text = False
    note = "drops stop words while indexing"

    def __init__(self, home: Path) -> None:
        self._home = home

    def build(self, documents: Iterable[Document]) -> None:
        """Adds everything with one process and commits once."""
        from whoosh import fields, index
        from whoosh.analysis import StemmingAnalyzer

        analyzer = StemmingAnalyzer()
        schema = fields.Schema(
            key=fields.ID(stored=True), title=fields.TEXT(analyzer), body=fields.TEXT(analyzer)
        )
        writer = index.create_in(str(self._home), schema).writer(limitmb=HEAP_MB)
        for document in documents:
            writer.add_document(key=document.doc_key, title=document.title, body=document.text)
        writer.commit()

    def settle(self) -> None:
        """Its commit merges already."""

    def open(self) -> None:
        """Opens the index and its query parser."""
        from whoosh import index
        from whoosh.qparser import MultifieldParser, OrGroup

        opened = index.open_dir(str(self._home))
        self._searcher = opened.searcher()
        self._parser = MultifieldParser(["title", "body"], opened.schema, group=OrGroup)

    def translate(self, query: Query) -> str:
        """Returns the query in Whoosh's syntax."""
        words = [word.lower() for word in query.words]
        if query.kind == "phrase":
            return f'"{" ".join(words)}"'
        return (" AND " if query.kind == "intersection" else " ").join(words)

    def search(self, text: str, limit: int) -> list[str]:
        """Returns the keys of the best documents."""
        return [hit["key"] for hit in self._searcher.search(self._parser.parse(text), limit=limit)]
