"""Makes a segment again from the catalogue."""

from collections.abc import Callable

from dowse.analysis import Analyzer
from dowse.indexing.document_columns import build_values
from dowse.indexing.fields import field_texts, whole_text
from dowse.indexing.segment_builder import SegmentBuilder
from dowse.indexing.writer import IndexWriter
from dowse.schema import Section, section_path
from dowse.storage.catalog import Catalog
from dowse.storage.columns import DocumentValues
from dowse.storage.indexed_chunks import IndexedChunk, iter_indexed_chunks
from dowse.storage.stored_sections import list_sections
from dowse.storage.stored_segments import drop_segments, find_segment


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
    segment = find_segment(writer.catalog, folder)
    if segment is None:
        return 0
    with writer.change() as catalog:
        drop_segments(catalog, [folder])
    sections = _Sections(writer.catalog)
    builder: SegmentBuilder | None = None
    last_doc: int | None = None
    count = 0
    for chunk in iter_indexed_chunks(writer.catalog, segment.first_key, segment.last_key):
        analyzer = analyzer_of_tree(chunk.tree_id)
        if builder is None or builder.analyzer is not analyzer or builder.nbytes > writer.row_budget:
            writer.write_builder(builder)
            builder, last_doc = writer.new_builder(analyzer), None
        if chunk.doc_id != last_doc:
            last_doc = chunk.doc_id
            builder.begin_document(_column_values(chunk))
        headings = section_path(sections.of(chunk.doc_id), chunk.section)
        _add_chunk(builder, chunk, headings)
        count += 1
    writer.write_builder(builder)
    return count


def _add_chunk(builder: SegmentBuilder, chunk: IndexedChunk, headings: tuple[str, ...]) -> None:
    texts = field_texts(
        title=chunk.title,
        headings=headings,
        path=chunk.path,
        tags=chunk.tags,
        chunk_text=chunk.text,
        code_spans=chunk.code_spans,
    )
    whole = whole_text(chunk.text, chunk.code_spans, texts)
    builder.add(chunk.chunk_key, chunk.doc_id, chunk.tree_id, chunk.ordinal, chunk.doc_key, texts, whole)


def _column_values(chunk: IndexedChunk) -> DocumentValues:
    path, size = chunk.path or chunk.doc_key, chunk.document_size
    return build_values(path, chunk.format, chunk.tags, chunk.metadata, size, chunk.mtime_ns)


_NO_HEADINGS = Section(0, None, 0, "", "", 1, 1, 0, 0)


class _Sections:
    """The sections of the document at hand; chunks come document by document."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._doc_id = -1
        self._sections: list[Section] = []

    def of(self, doc_id: int) -> list[Section]:
        if doc_id != self._doc_id:
            self._sections = list_sections(self._catalog, doc_id) or [_NO_HEADINGS]
            self._doc_id = doc_id
        return self._sections
