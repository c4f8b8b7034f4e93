"""Documents of files that are gone, by content and name, kept for when the files come back."""

from dowse.storage.catalog import Catalog

CACHE_BYTES = 256 << 20


def list_cached_files(catalog: Catalog, fingerprint: str) -> set[tuple[str, int]]:
    """Returns names and sizes of the files whose documents are kept.

    Args:
        fingerprint: Of the settings that documents depend on; others' documents are of no use.
    """
    sql = "SELECT name, file_size FROM document_cache WHERE fingerprint = ?"
    return set(catalog.fetch(sql, (fingerprint,)))


def find_cached_document(
    catalog: Catalog, content_hash: str, name: str, fingerprint: str
) -> bytes | None:
    """Returns an encoded document; None when there is none of this content, name and settings."""
    sql = "SELECT document FROM document_cache WHERE content_hash = ? AND name = ? AND fingerprint = ?"
    row = catalog.fetch_one(sql, (content_hash, name, fingerprint))
    return None if row is None else bytes(row[0])


def put_cached_document(
    catalog: Catalog, content_hash: str, name: str, fingerprint: str, file_size: int, document: bytes
) -> None:
    """Keeps an encoded document."""
    sql = "INSERT OR REPLACE INTO document_cache VALUES (?, ?, ?, ?, ?)"
    catalog.connection.execute(sql, (content_hash, name, fingerprint, file_size, document))


def trim_document_cache(catalog: Catalog, max_bytes: int = CACHE_BYTES) -> None:
    """Forgets the oldest documents beyond so many bytes."""
    catalog.connection.execute(
        "DELETE FROM document_cache WHERE rowid IN (SELECT rowid FROM (SELECT rowid, sum(length(document))"
        " OVER (ORDER BY rowid DESC) AS newer_bytes FROM document_cache) WHERE newer_bytes > ?)",
        (max_bytes,),
    )


def clear_document_cache(catalog: Catalog) -> int:
    """Forgets all documents that were kept; returns how many."""
    return catalog.connection.execute("DELETE FROM document_cache").rowcount


def count_cached_documents(catalog: Catalog) -> int:
    """Returns how many documents are kept."""
    row = catalog.fetch_one("SELECT count(*) FROM document_cache")
    return 0 if row is None else int(row[0])
