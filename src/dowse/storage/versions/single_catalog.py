"""A home of the time when all trees shared one catalogue (catalogue versions 1 and 2).

Everything is read through one read-only connection and one transaction: the old catalogue is not changed.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dowse.errors import UnsupportedFormatError
from dowse.schema import Anchor, Chunk, Document, Link, Problem, Section

FILE_NAME = "catalog.db"
NEWEST = 2
_DOCUMENTS = (
    "SELECT d.doc_id, doc_key, d.title, path, x.text, tags, format, metadata, content_hash, {keeps_lines},"
    " file, file_size, mtime_ns, first_key, first_key + chunk_count FROM documents d"
    " JOIN texts x ON x.doc_id = d.doc_id WHERE tree_id = ? AND is_live ORDER BY d.doc_id"
)
_SECTIONS = "ordinal, parent, depth, title, slug, line_start, line_end, byte_start, byte_end"
_MODELS = "fingerprint, name, dimensions, mean, seed, token_weights, correction, pairs, static_kind"


class CatalogTree(NamedTuple):
    """A tree as the single catalogue kept it; see `Tree`."""

    tree_id: int
    name: str
    root: str | None
    analysis: str
    fingerprint: str
    last_sync: float | None
    is_watched: bool


class CatalogFile(NamedTuple):
    """A document's file as it was when it was read."""

    file: str
    size: int
    mtime_ns: int


class SingleCatalog:
    """An old catalogue, open for reading.

    Args:
        home: The folder it is in.

    Raises:
        UnsupportedFormatError: It is of no version that had this layout.
    """

    def __init__(self, home: Path) -> None:
        uri = f"{(home / FILE_NAME).resolve().as_uri()}?mode=ro"
        self._connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        self._connection.execute("BEGIN")
        rows = self._fetch("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._tables = {row[0] for row in rows}
        found = self._fetch("SELECT value FROM meta WHERE key = 'catalog_version'")
        if not found or found[0][0] > NEWEST:
            self._connection.close()
            raise UnsupportedFormatError(
                home=home, found=found[0][0] if found else "unknown", supported=NEWEST
            )

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def trees(self) -> list[CatalogTree]:
        """Returns all trees, by name."""
        is_watched = "is_watched" if self._has("trees", "is_watched") else "0"
        sql = f"SELECT tree_id, name, root, analysis, fingerprint, last_sync, {is_watched} FROM trees"
        return [
            CatalogTree(tree_id, name, _decode(root), analysis, fingerprint, last_sync, bool(watched))
            for tree_id, name, root, analysis, fingerprint, last_sync, watched in self._fetch(
                f"{sql} ORDER BY name"
            )
        ]

    def iter_documents(self, tree_id: int) -> Iterator[tuple[Document, CatalogFile | None]]:
        """Yields the live documents of a tree as they were indexed, in that order, with their files."""
        keeps_lines = "keeps_lines" if self._has("documents", "keeps_lines") else "1"
        sql = _DOCUMENTS.format(keeps_lines=keeps_lines)
        for row in self._connection.execute(sql, (tree_id,)):
            file, size, mtime_ns = row[10:13]
            found = None if file is None else CatalogFile(os.fsdecode(file), size, mtime_ns)
            yield self._document(row), found

    def _document(self, row: tuple[Any, ...]) -> Document:
        doc_id, doc_key, title, path, text, tags, format_name, metadata, content_hash, keeps_lines = row[:10]
        data = bytes(text)
        whole = Section(0, None, 0, title, "", 1, max(1, data.count(b"\n")), 0, len(data))
        sections = self._of(doc_id, "sections", _SECTIONS)
        chunks = self._fetch(
            "SELECT ordinal, section, line_start, line_end, byte_start, byte_end, code_spans FROM chunks"
            " WHERE chunk_key >= ? AND chunk_key < ? ORDER BY chunk_key",
            row[13:15],
        )
        return Document(
            doc_key=doc_key,
            title=title,
            path=path,
            text=data,
            sections=tuple(Section(*section) for section in sections) or (whole,),
            chunks=tuple(_chunk(*chunk) for chunk in chunks),
            tags=tuple(json.loads(tags)),
            links=tuple(Link(*link) for link in self._of(doc_id, "links", "target, text, kind, line")),
            format=format_name,
            metadata=json.loads(metadata),
            content_hash=content_hash,
            anchors=tuple(Anchor(*one) for one in self._of(doc_id, "anchors", "byte_start, kind, label")),
            has_source_lines=bool(keeps_lines),
        )

    def problems(self, tree_id: int) -> list[Problem]:
        """Returns what was wrong with the files of a tree."""
        sql = "SELECT code, location, message, hint FROM problems WHERE tree_id = ?"
        return [Problem(*row) for row in self._fetch(sql, (tree_id,))]

    def models(self) -> list[tuple[Any, ...]]:
        """Returns what the catalogue knew of models; columns as in the table `models`, without the id."""
        return self._fetch(f"SELECT {_MODELS} FROM models") if "models" in self._tables else []

    def iter_vectors(self) -> Iterator[tuple[str, bytes, bytes]]:
        """Yields model fingerprint, text hash and vector, in 16-bit numbers, of all texts that were read."""
        if "embeddings" not in self._tables:
            return iter(())
        sql = "SELECT fingerprint, text_hash, vector FROM embeddings JOIN models USING (model_id)"
        return iter(self._connection.execute(sql))

    def _of(self, doc_id: int, table: str, columns: str) -> list[tuple[Any, ...]]:
        if table not in self._tables:
            return []
        return self._fetch(f"SELECT {columns} FROM {table} WHERE doc_id = ? ORDER BY ordinal", (doc_id,))

    def _has(self, table: str, column: str) -> bool:
        return any(row[1] == column for row in self._fetch(f"PRAGMA table_info({table})"))

    def _fetch(self, sql: str, parameters: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, parameters).fetchall()


def _decode(root: str | bytes | None) -> str | None:
    return None if root is None else os.fsdecode(root)


def _chunk(*row: Any) -> Chunk:
    *place, spans = row
    return Chunk._make((*place, tuple((start, end) for start, end in json.loads(spans)) if spans else ()))
