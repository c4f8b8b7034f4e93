"""What is in an index, line by line: documents of a tree, chunks of a document."""


from dowse.schema import ListedChunk, ListedDocument, Section, section_path
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_lists import list_chunk_rows, list_document_rows, list_sections_below

_NO_HEADINGS = [Section(0, None, 0, "", "", 1, 1, 0, 0)]


def list_documents(snapshot: Snapshot, tree: str | None, under: str) -> tuple[ListedDocument, ...]:
    """Returns the live documents of a tree or of all, whose keys start with `under`, by tree and key."""
    return tuple(ListedDocument(*row) for row in list_document_rows(snapshot, tree, under))


def list_chunks(snapshot: Snapshot, tree: str | None, under: str) -> tuple[ListedChunk, ...]:
    """Returns the chunks of those documents, in the order of their texts."""
    sections = list_sections_below(snapshot, tree, under)
    return tuple(
        ListedChunk(
            name, doc_key, ordinal, section_path(sections.get(doc_id, _NO_HEADINGS), section), *place
        )
        for name, doc_key, ordinal, doc_id, section, *place in list_chunk_rows(snapshot, tree, under)
    )
