"""What was read from files that are gone, kept for when they come back.

A folder that is moved, or moved away and back, has the same files under other paths. Reading them again would
cost minutes for what is known already. So a document that leaves is put on the shelf, and a new file with the
same content and the same name takes it from there.
"""

import hashlib
import json
import zlib

from msgspec import Struct, field

from dowse.indexing.catalog_writer import FileStat
from dowse.ingest.discovery import FoundFile
from dowse.ingest.reading import read_file
from dowse.schema import Anchor, Chunk, Document, Link, Problem, Section
from dowse.storage.catalog import Catalog, Row

SHELF_BYTES = 256 << 20
_PUT = "INSERT OR REPLACE INTO shelf VALUES (?, ?, ?, ?, ?)"
_PARTS = {
    "sections": "ordinal, parent, depth, title, slug, line_start, line_end, byte_start, byte_end",
    "links": "target, text, kind, line",
    "anchors": "byte_start, kind, label",
}


class Shelf(Struct):
    """The shelf of one index, for one run over one tree.

    Attributes:
        fingerprint: Of the settings that documents depend on; others' documents are of no use.
    """

    catalog: Catalog
    fingerprint: str
    _known: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        sql = "SELECT name, file_size FROM shelf WHERE fingerprint = ?"
        self._known = set(self.catalog.fetch(sql, (self.fingerprint,)))

    def take(self, file: FoundFile, max_bytes: int) -> tuple[Document, tuple[Problem, ...]] | None:
        """Returns the document of a file that has been here before, and what was wrong; None when it is new.

        Most files cost one look-up: only one with a known name and size is opened.
        """
        name = file.path.rpartition("/")[2]
        if (name, file.size) not in self._known:
            return None
        data = read_file(file, max_bytes)
        if isinstance(data, Problem):
            return None
        sql = "SELECT document FROM shelf WHERE content_hash = ? AND name = ? AND fingerprint = ?"
        digest = hashlib.sha256(data).hexdigest()
        row = self.catalog.fetch_one(sql, (digest, name, self.fingerprint))
        return None if row is None else decode_document(row[0], file.path, digest)

    def put(self, doc_id: int) -> tuple[str, Row] | None:
        """Returns the statement that puts a document on the shelf; None when it has no file."""
        document, stat = load_document(self.catalog, doc_id)
        if stat is None:
            return None
        name = document.path.rpartition("/")[2]
        self._known.add((name, stat.size))
        problems = self.catalog.fetch(
            "SELECT code, message, hint FROM problems WHERE location = ? AND tree_id ="
            " (SELECT tree_id FROM documents WHERE doc_id = ?)",
            (document.path, doc_id),
        )
        data = encode_document(document, problems)
        return _PUT, (document.content_hash, name, self.fingerprint, stat.size, data)

    def trim(self) -> tuple[str, Row]:
        """Returns the statement that takes the oldest documents off when there are too many."""
        sql = (
            "DELETE FROM shelf WHERE rowid IN (SELECT rowid FROM (SELECT rowid, sum(length(document))"
            " OVER (ORDER BY rowid DESC) AS newer_bytes FROM shelf) WHERE newer_bytes > ?)"
        )
        return sql, (SHELF_BYTES,)


def load_document(catalog: Catalog, doc_id: int) -> tuple[Document, FileStat | None]:
    """Returns a document as it was indexed, and what its file looked like."""
    row = catalog.fetch_one(
        "SELECT doc_key, path, content_hash, title, x.text, tags, format, metadata, keeps_lines, file,"
        " file_size, mtime_ns, first_key, first_key + chunk_count"
        " FROM documents d JOIN texts x ON x.doc_id = d.doc_id WHERE d.doc_id = ?",
        (doc_id,),
    )
    assert row is not None, f"document {doc_id} is in the catalogue"
    *names, title, text, tags, format_name, metadata, has_source_lines = row[:9]
    file, size, mtime_ns, first_key, after_key = row[9:]
    parts = {
        table: catalog.fetch(f"SELECT {columns} FROM {table} WHERE doc_id = ? ORDER BY ordinal", (doc_id,))
        for table, columns in _PARTS.items()
    }
    chunks = catalog.fetch(
        "SELECT ordinal, section, line_start, line_end, byte_start, byte_end, code_spans FROM chunks"
        " WHERE chunk_key >= ? AND chunk_key < ? ORDER BY chunk_key",
        (first_key, after_key),
    )
    document = _document(
        (names[0], names[1], names[2]),
        title,
        bytes(text),
        parts["sections"],
        [(*place, json.loads(spans) if spans else ()) for *place, spans in chunks],
        json.loads(tags),
        parts["links"],
        format_name,
        json.loads(metadata),
        parts["anchors"],
        bool(has_source_lines),
    )
    return document, None if file is None else FileStat(file, size, mtime_ns)


def encode_document(document: Document, problems: list[Row]) -> bytes:
    """Returns a document's content, without its names, and what was wrong with it, in few bytes."""
    value = (
        problems,
        document.title,
        document.text.decode(),
        document.sections,
        document.chunks,
        document.tags,
        document.links,
        document.format,
        dict(document.metadata),
        document.anchors,
        document.has_source_lines,
    )
    return zlib.compress(json.dumps(value, ensure_ascii=False, default=str).encode(), 1)


def decode_document(
    data: bytes, path: str, content_hash: str
) -> tuple[Document, tuple[Problem, ...]]:
    """Reads what `encode_document` made, for the file at `path`."""
    problems, title, text, *rest = json.loads(zlib.decompress(data))
    document = _document((path, path, content_hash), title, text.encode(), *rest)
    return document, tuple(Problem(code, path, message, hint) for code, message, hint in problems)


def _document(
    names: tuple[str, str, str],
    title: str,
    text: bytes,
    sections: list[Row],
    chunks: list[Row],
    tags: list[str],
    links: list[Row],
    format_name: str,
    metadata: dict[str, object],
    anchors: list[Row],
    has_source_lines: bool,
) -> Document:
    doc_key, path, content_hash = names
    whole = Section(0, None, 0, title, "", 1, max(1, text.count(b"\n")), 0, len(text))
    return Document(
        doc_key=doc_key,
        title=title,
        path=path,
        text=text,
        # A document without headings has only section 0, which the catalogue does not keep.
        sections=tuple(Section(*row) for row in sections) or (whole,),
        chunks=tuple(
            Chunk._make((*place, tuple((start, end) for start, end in spans))) for *place, spans in chunks
        ),
        tags=tuple(tags),
        links=tuple(Link(*row) for row in links),
        format=format_name,
        metadata=metadata,
        content_hash=content_hash,
        anchors=tuple(Anchor(*row) for row in anchors),
        has_source_lines=has_source_lines,
    )
