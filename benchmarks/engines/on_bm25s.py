"""bm25s: scores computed while indexing, kept as a sparse matrix."""

import json
from collections.abc import Iterable
from pathlib import Path

from engines.engine import Document, Query


class OnBm25s:
    """NumPy backend; no positions, so no phrases; no operators; no later changes either."""

    name = "bm25s"
    package = "bm25s"
    kinds = frozenset({"union"})
    index_of = ""
    keeps_text = False
    note = "words only, no phrases or updates, all in memory; drops stop words while indexing"

    def __init__(self, home: Path) -> None:
        self._home = home

    def build(self, documents: Iterable[Document]) -> None:
        """Tokenises all texts, makes the matrix and saves it; its interface wants all texts at once."""
        import bm25s

        keys, texts = [], []
        for document in documents:
            keys.append(document.doc_key)
            texts.append(f"{document.title}\n{document.text}")
        tokens = bm25s.tokenize(texts, stopwords="en", stemmer=_stemmer(), show_progress=False)
        retriever = bm25s.BM25()
        retriever.index(tokens, show_progress=False)
        retriever.save(str(self._home))
        (self._home / "keys.json").write_text(json.dumps(keys))

    def settle(self) -> None:
        """Nothing goes on in the background."""

    def open(self) -> None:
        """Loads everything into memory."""
        import bm25s

        self._tokenize, self._stemmer = bm25s.tokenize, _stemmer()
        self._retriever = bm25s.BM25.load(str(self._home))
        self._keys = json.loads((self._home / "keys.json").read_text())

    def translate(self, query: Query) -> str:
        """Returns the words."""
        return " ".join(query.words)

    def search(self, text: str, limit: int) -> list[str]:
        """Returns the keys of the best documents that match at all."""
        tokens = self._tokenize(
            text, stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        rows, scores = self._retriever.retrieve(tokens, k=limit, show_progress=False)
        return [self._keys[row] for row, score in zip(rows[0], scores[0], strict=True) if score > 0]


def _stemmer():
    import Stemmer

    return Stemmer.Stemmer("english")
