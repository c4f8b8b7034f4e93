"""Dowse through its library, three ways."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from engines.engine import Document, Query


class OnDowse:
    """Keys and scores of the best chunks: the same work as the other engines do."""

    name = "dowse"
    package = "dowse"
    kinds = frozenset({"union", "intersection", "phrase"})
    index_of = ""
    keeps_text = True
    note = "drops English stop words from queries of words"
    snippets = False

    def __init__(self, home: Path) -> None:
        self._home = home

    def build(self, documents: Iterable[Document]) -> None:
        """Adds everything and commits once."""
        import dowse

        self._index = dowse.open(self._home)
        for document in documents:
            self._index.add(document.doc_key, document.text, title=document.title)
        self._index.commit()

    def settle(self) -> None:
        """Merges into one segment."""
        self._index.optimize()
        self._index.close()

    def open(self) -> None:
        """Opens the index."""
        import dowse

        self._request = dowse.SearchRequest
        self._index = dowse.open(self._home, create=False)

    def translate(self, query: Query) -> str:
        """Returns words as they are, or with AND between them, or in quotes; no word is a keyword."""
        if query.kind == "intersection":
            return " AND ".join(word.lower() for word in query.words)
        text = " ".join(query.words)
        return f'"{text}"' if query.kind == "phrase" else text

    def search(self, text: str, limit: int) -> list[str]:
        """Returns the keys of the best chunks."""
        # No second look for similar words where little is found: the others do not take one.
        request = self._request(text, limit=limit, snippets=self.snippets, fuzzy="never")
        return [hit.doc_key for hit in self._index.search(request).hits]


class OnDowseKeepingStopWords(OnDowse):
    """The same index (stop words are always indexed), with queries that keep every word."""

    name = "dowse, stop words kept"
    index_of = OnDowse.name
    note = "every word of the query is scored, as in tantivy"

    def open(self) -> None:
        """Opens a copy of the index whose trees say that no word is a stop word."""
        import dowse
        from dowse.analysis import AnalysisSettings
        from dowse.planning.analyzers import encode_settings
        from dowse.storage.stored_trees import set_tree_analysis

        copy = self._home.with_name(self._home.name + "-stop-words-kept")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._home, copy)
        self._home = copy
        # There is no public way yet to say how a tree of pushed texts is analysed.
        with dowse.open(copy) as index:
            analysis = encode_settings(AnalysisSettings(stop_words="none"))
            for entry in index._trees.find_scope(None):
                with index._trees.open(entry).writing.transaction() as writer, writer.change() as catalog:
                    set_tree_analysis(catalog, 1, analysis)
                    writer.commit()
        super().open()


class OnDowseWithSnippets(OnDowse):
    """What a person gets: title, section, lines and a highlighted snippet for every hit."""

    name = "dowse, with snippets"
    index_of = OnDowse.name
    note = "also cuts and highlights a snippet for each hit; the others return keys only"
    snippets = True
