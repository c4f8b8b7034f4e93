"""All that an index holds and answers, as plain values: equal dumps are equal indexes.

Left out on purpose is what may differ between equal indexes: document ids, chunk keys, segments,
generations, times.
"""

from pathlib import Path
from typing import Any

from dowse import Index, SearchRequest
from dowse.errors import IndexNotFoundError
from dowse.storage.catalog import Catalog, open_read_only_catalog
from support.open_trees import tree_folder, tree_folders

Dump = dict[str, Any]

_DOCUMENTS = (
    "SELECT t.name, d.doc_key, d.title, d.path, d.content_hash, d.format, d.tags, d.metadata,"
    " text_part(x.text, 0, x.size),"
    " d.doc_id FROM documents d JOIN trees t ON t.tree_id = d.tree_id"
    " JOIN texts x ON x.doc_id = d.doc_id WHERE d.is_live"
)
_CHUNKS = (
    "SELECT ordinal, section, line_start, line_end, byte_start, byte_end, code_spans"
    " FROM chunks WHERE doc_id = ? ORDER BY ordinal"
)
_SECTIONS = (
    "SELECT ordinal, parent, depth, title, slug, line_start, line_end, byte_start, byte_end"
    " FROM sections WHERE doc_id = ? ORDER BY ordinal"
)
_STRAYS = (
    "SELECT (SELECT count(*) FROM chunks WHERE doc_id NOT IN (SELECT doc_id FROM documents)),"
    " (SELECT count(*) FROM sections WHERE doc_id NOT IN (SELECT doc_id FROM documents)),"
    " (SELECT count(*) FROM texts WHERE doc_id NOT IN (SELECT doc_id FROM documents)),"
    " (SELECT count(*) FROM documents WHERE doc_id NOT IN (SELECT doc_id FROM texts))"
)


def dump_index(home: Path, index: Index, queries: tuple[str, ...]) -> Dump:
    """Returns the documents with their chunks and sections, and the answers to some queries.

    A tree without documents, or in the making, is as good as none.
    """
    documents: dict[str, Any] = {}
    strays = {}
    for folder in tree_folders(home):
        try:
            catalog = open_read_only_catalog(folder)
        except IndexNotFoundError:  # somebody died making it; had it been more, its documents are missed
            continue
        try:
            documents |= _documents(catalog)
            found = catalog.fetch_one(_STRAYS)
        finally:
            catalog.close()
        assert found is not None
        if any(found):
            strays[folder.name] = found
    answers = {query: hits_of(index, query) for query in queries}
    return {"documents": documents, "strays": strays, "answers": answers}


def _documents(catalog: Catalog) -> dict[str, Any]:
    found = {}
    for tree, key, *rest, text, doc_id in catalog.fetch(_DOCUMENTS):
        found[f"{tree}:{key}"] = (
            *rest,
            bytes(text),
            catalog.fetch(_CHUNKS, (doc_id,)),
            catalog.fetch(_SECTIONS, (doc_id,)),
        )
    return dict(sorted(found.items()))


def hits_of(index: Index, query: str) -> list[tuple[float, str, str, int]]:
    """Returns all hits, best first, equal scores in the order of their keys, not of their arrival."""
    response = index.search(SearchRequest(query, limit=10_000, snippets=False))
    assert () == response.problems, response.problems
    for hit in index.search(SearchRequest(query, limit=2)).hits:
        assert hit.snippet is not None, f"{hit.doc_key} has no snippet"
    return sorted((-hit.score, hit.tree, hit.doc_key, hit.chunk) for hit in response.hits)


def segment_folders(home: Path, table: str = "segments") -> tuple[set[str], set[str]]:
    """Returns the segments the catalogue of the only tree names, or those of vectors, and its folders."""
    return segment_folders_of(tree_folder(home), table)


def segment_folders_of(tree: Path, table: str) -> tuple[set[str], set[str]]:
    """Returns the segments a tree's catalogue names, or those of vectors, and the folders there are."""
    catalog = open_read_only_catalog(tree)
    try:
        named = {row[0] for row in catalog.fetch(f"SELECT folder FROM {table}")}
    finally:
        catalog.close()
    root = tree / {"segments": "segments", "vector_segments": "vectors"}[table]
    return named, {entry.name for entry in root.iterdir()} if root.is_dir() else set()
