"""Documents as the catalogue keeps them."""

import json
from collections.abc import Sequence

from dowse.errors import DocumentNotFoundError
from dowse.schema import StoredDocument, StoredSection
from dowse.search.nearest_keys import nearest_keys
from dowse.storage.catalog import decode_path
from dowse.storage.snapshot import Snapshot


def get_document(snapshot: Snapshot, doc_key: str, tree: str | None) -> StoredDocument:
    """Returns a document by its key, in one tree or in any.

    Raises:
        DocumentNotFoundError: There is none; the hint has the nearest.
    """
    names = {entry.tree_id: entry.name for entry in snapshot.trees.values()}
    rows = snapshot.catalog.fetch(
        "SELECT d.doc_id, tree_id, doc_key, title, file, x.text, tags, format, metadata,"
        " chunk_count"
        " FROM documents d JOIN texts x ON x.doc_id = d.doc_id WHERE doc_key = ? AND is_live",
        (doc_key,),
    )
    for row in rows:
        if tree is None or names[row[1]] == tree:
            return _stored(snapshot, names[row[1]], row)
    raise not_found(snapshot, doc_key)


def not_found(snapshot: Snapshot, doc_key: str) -> DocumentNotFoundError:
    """Returns the error for a key that no document has, with those that may have been meant."""
    nearest = nearest_keys(snapshot, doc_key)
    hint = f"did you mean: {', '.join(nearest)}" if nearest else "`dowse status` lists the trees"
    return DocumentNotFoundError(key=doc_key, nearest=hint)


def _stored(snapshot: Snapshot, tree: str, row: Sequence[object]) -> StoredDocument:
    doc_id, _, doc_key, title, file, text, tags, format_name, metadata, chunk_count = row
    sections = snapshot.catalog.fetch(
        "SELECT ordinal, parent, depth, title, slug, line_start, line_end"
        " FROM sections WHERE doc_id = ? ORDER BY ordinal",
        (doc_id,),
    )
    return StoredDocument(
        tree,
        str(doc_key),
        str(title),
        None if file is None else decode_path(file),  # type: ignore[arg-type]
        bytes(text).decode("utf-8", "replace"),  # type: ignore[call-overload]
        tuple(json.loads(str(tags))),
        str(format_name),
        json.loads(str(metadata)),
        tuple(StoredSection(*section) for section in sections) or (_only_section(title, text),),
        int(str(chunk_count)),
    )


def _only_section(title: object, text: object) -> StoredSection:
    """Makes section 0 of a document without headings, which the catalogue does not keep."""
    content = bytes(text)  # type: ignore[call-overload]
    lines = max(1, content.count(b"\n") + (not content.endswith(b"\n")))
    return StoredSection(0, None, 0, str(title), "", 1, lines)


def storable(text: str) -> str:
    """Replaces what UTF-8 cannot hold, half a surrogate pair, by a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
