"""The stored texts of documents and chunks: the only place that knows how the catalogue keeps them."""

from collections.abc import Iterator, Sequence

from dowse.storage.catalog_parts import CatalogView, find_part, placeholders, split_keys

CHUNK_TEXT = "text_part(x.text, c.byte_start, c.byte_end)"


def iter_chunk_texts(view: CatalogView, chunk_keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yields the keys and texts of chunks, in any order; chunks that are gone are left out."""
    for part, keys in split_keys(view, chunk_keys):
        sql = (
            f"SELECT c.chunk_key, {CHUNK_TEXT} FROM chunks c JOIN texts x ON x.doc_id = c.doc_id"
            f" WHERE c.chunk_key IN ({placeholders(keys)})"
        )
        for key, text in part.catalog.fetch(sql, keys):
            yield key + part.key_base, text or b""


def iter_titled_texts(
    view: CatalogView, chunk_keys: Sequence[int]
) -> Iterator[tuple[int, str, str | None, bytes]]:
    """Yields key, document title, section title and text of chunks, in any order; gone ones are left out.

    The section title is None for a chunk that is in no section but the document itself.
    """
    for part, keys in split_keys(view, chunk_keys):
        sql = (
            f"SELECT c.chunk_key, d.title, s.title, {CHUNK_TEXT}"
            " FROM chunks c JOIN documents d ON d.doc_id = c.doc_id JOIN texts x ON x.doc_id = c.doc_id"
            " LEFT JOIN sections s ON s.doc_id = c.doc_id AND s.ordinal = c.section AND c.section > 0"
            f" WHERE c.chunk_key IN ({placeholders(keys)})"
        )
        for key, title, heading, text in part.catalog.fetch(sql, keys):
            yield key + part.key_base, title, heading, text or b""


def find_document_text(view: CatalogView, doc_id: int) -> bytes | None:
    """Returns the text of a document; None when the document is gone."""
    part, own_id = find_part(view, doc_id)
    row = part.catalog.fetch_one("SELECT text_part(text, 0, size) FROM texts WHERE doc_id = ?", (own_id,))
    return None if row is None else bytes(row[0])
