"""tantivy through tantivy-py: two indexing threads, English stemming, keys stored."""

from collections.abc import Iterable
from pathlib import Path

from engines.engine import Document, Query

HEAP_BYTES = 256 << 20
THREADS = 2
FIELDS = ("title", "body")


class OnTantivy:
    """Title and body with positions; the text itself is not stored."""

    name = "tantivy"
    package = "tantivy"
    kinds = frozenset({"union", "intersection", "phrase"})
    index_of = ""
    keeps_text = False
    note = "2 threads, 256 MB heap, en_stem, keeps stop words"
    stores_text = False

    def __init__(self, home: Path) -> None:
        self._home = home

    def build(self, documents: Iterable[Document]) -> None:
        """Adds everything and commits once."""
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw")
        for field in FIELDS:
            builder.add_text_field(field, stored=self.stores_text, tokenizer_name="en_stem")
        index = tantivy.Index(builder.build(), path=str(self._home))
        self._writer = index.writer(HEAP_BYTES, THREADS)
        for document in documents:
            self._writer.add_document(
                tantivy.Document(key=document.doc_key, title=document.title, body=document.text)
            )
        self._writer.commit()

    def settle(self) -> None:
        """Waits for merging; this ends the writer."""
        self._writer.wait_merging_threads()

    def open(self) -> None:
        """Opens the index."""
        import tantivy

        self._index = tantivy.Index.open(str(self._home))
        self._index.reload()
        self._searcher = self._index.searcher()

    def translate(self, query: Query) -> str:
        """Returns the query in tantivy's syntax, where bare words are any of."""
        if query.kind == "phrase":
            return f'"{" ".join(query.words)}"'
        sign = "+" if query.kind == "intersection" else ""
        # AND, OR, NOT and IN are operators in capitals only.
        return " ".join(sign + word.lower() for word in query.words)

    def search(self, text: str, limit: int) -> list[str]:
        """Returns the keys of the best documents."""
        query = self._index.parse_query(text, list(FIELDS))
        found = self._searcher.search(query, limit, count=False).hits
        return [self._searcher.doc(address).get_first("key") for _, address in found]


class OnTantivyStoringText(OnTantivy):
    """The same with title and body stored, as Dowse and SQLite keep them; a hit's key costs reading both."""

    name = "tantivy, text stored"
    keeps_text = True
    note = "as tantivy, but keeps what it indexes"
    stores_text = True
