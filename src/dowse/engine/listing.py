"""What is in an index, line by line: documents of a tree, chunks of a document."""


from dowse.schema import ListedChunk, ListedDocument, Section, section_path
from dowse.storage.catalog import decode_path
from dowse.storage.snapshot import Snapshot

_NO_HEADINGS = [Section(0, None, 0, "", "", 1, 1, 0, 0)]


def list_documents(snapshot: Snapshot, tree: str | None, under: str) -> tuple[ListedDocument, ...]:
    """Returns the live documents of a tree or of all, whose keys start with `under`, by tree and key."""
    rows = snapshot.catalog.fetch(
        "SELECT t.name, doc_key, title, format, chunk_count, file, file_size"
        " FROM documents d JOIN trees t ON t.tree_id = d.tree_id"
        " WHERE is_live AND (? IS NULL OR t.name = ?) AND substr(doc_key, 1, length(?)) = ?"
        " ORDER BY t.name, doc_key",
        (tree, tree, under, under),
    )
    return tuple(
        ListedDocument(
            name, doc_key, title, format_name, chunks, None if file is None else decode_path(file), size
        )
        for name, doc_key, title, format_name, chunks, file, size in rows
    )


def list_chunks(snapshot: Snapshot, tree: str | None, under: str) -> tuple[ListedChunk, ...]:
    """Returns the chunks of those documents, in the order of their texts."""
    sections: dict[int, list[Section]] = {}
    where = "is_live AND (? IS NULL OR t.name = ?) AND substr(doc_key, 1, length(?)) = ?"
    joined = "documents d ON d.doc_id = x.doc_id JOIN trees t ON t.tree_id = d.tree_id"
    asked = (tree, tree, under, under)
    for doc_id, *section in snapshot.catalog.fetch(
        "SELECT x.doc_id, ordinal, parent, depth, x.title, slug, line_start, line_end, byte_start, byte_end"
        f" FROM sections x JOIN {joined} WHERE {where} ORDER BY x.doc_id, ordinal",
        asked,
    ):
        sections.setdefault(doc_id, []).append(Section(*section))
    rows = snapshot.catalog.fetch(
        "SELECT t.name, doc_key, ordinal, x.doc_id, section, line_start, line_end, byte_start, byte_end"
        f" FROM chunks x JOIN {joined} WHERE {where} ORDER BY t.name, doc_key, ordinal",
        asked,
    )
    return tuple(
        ListedChunk(name, doc_key, ordinal, section_path(sections.get(doc_id, _NO_HEADINGS), section), *place)
        for name, doc_key, ordinal, doc_id, section, *place in rows
    )
