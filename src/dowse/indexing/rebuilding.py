"""Makes a segment again from the catalogue."""

import json
from collections.abc import Callable

from dowse.analysis import Analyzer
from dowse.indexing.document_columns import build_values
from dowse.indexing.fields import field_texts, whole_text
from dowse.indexing.segment_builder import SegmentBuilder
from dowse.indexing.writer import IndexWriter
from dowse.schema import Section, section_path
from dowse.storage.catalog import Catalog
from dowse.storage.columns import DocumentValues

_CHUNKS = (
    "SELECT c.chunk_key, c.doc_id, d.tree_id, d.title, d.path, d.tags, c.section, c.code_spans,"
    " c.ordinal, d.doc_key, d.format, d.metadata, coalesce(d.file_size, length(x.text)), d.mtime_ns,"
    " substr(x.text, c.byte_start + 1, c.byte_end - c.byte_start)"
    " FROM chunks c JOIN documents d ON d.doc_id = c.doc_id JOIN texts x ON x.doc_id = c.doc_id"
    " WHERE c.chunk_key BETWEEN ? AND ? AND d.is_live ORDER BY c.chunk_key"
)


def rebuild_segment(
    writer: IndexWriter, folder: str, analyzer_of_tree: Callable[[int], Analyzer]
) -> int:
    """Replaces a segment by what the catalogue says it should hold; part of the next commit.

    Args:
        writer: Whose transaction it becomes part of.
        folder: The segment to replace; its files need not be readable.
        analyzer_of_tree: How each tree is analysed.

    Returns:
        The number of live rows in its place.
    """
    row = writer.catalog.fetch_one(
        "SELECT first_key, last_key FROM segments WHERE folder = ?", (folder,)
    )
    if row is None:
        return 0
    writer.begin()
    writer.drop_segments([folder])
    sections = _Sections(writer.catalog)
    builder: SegmentBuilder | None = None
    last_doc: int | None = None
    count = 0
    for chunk in writer.catalog.iter_rows(_CHUNKS, row):
        key, doc_id, tree_id, title, path, tags, section, spans, ordinal, doc_key, *facts, text = chunk
        analyzer = analyzer_of_tree(tree_id)
        if builder is None or builder.analyzer is not analyzer or builder.nbytes > writer.row_budget:
            writer.write_builder(builder)
            builder, last_doc = writer.new_builder(analyzer), None
        if doc_id != last_doc:
            last_doc = doc_id
            builder.begin_document(_column_values(path or doc_key, tags, *facts))
        raw = text or b""  # SQLite makes NULL of an empty part
        code_spans = json.loads(spans) if spans else ()
        texts = field_texts(
            title=title,
            headings=section_path(sections.of(doc_id), section),
            path=path,
            tags=json.loads(tags),
            chunk_text=raw,
            code_spans=code_spans,
        )
        whole = whole_text(raw, code_spans, texts)
        builder.add(key, doc_id, tree_id, ordinal, doc_key, texts, whole)
        count += 1
    writer.write_builder(builder)
    return count


def _column_values(
    path: str, tags: str, format_name: str, metadata: str, size: int, mtime_ns: int | None
) -> DocumentValues:
    return build_values(path, format_name, json.loads(tags), json.loads(metadata), size, mtime_ns)


class _Sections:
    """The sections of the document at hand; chunks come document by document."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._doc_id = -1
        self._sections: list[Section] = []

    def of(self, doc_id: int) -> list[Section]:
        if doc_id != self._doc_id:
            sql = (
                "SELECT ordinal, parent, depth, title, slug, line_start, line_end, byte_start,"
                " byte_end FROM sections WHERE doc_id = ? ORDER BY ordinal"
            )
            rows = self._catalog.fetch(sql, (doc_id,)) or [(0, None, 0, "", "", 1, 1, 0, 0)]
            self._sections = [Section(*row) for row in rows]
            self._doc_id = doc_id
        return self._sections
