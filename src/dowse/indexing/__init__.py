"""How does a document become searchable?

The meeting of `ingest`, `analysis` and `storage`: chunks are analysed into rows, rows become segments, and
one transaction makes documents and segments true together. Also: bringing a tree up to date with its
source, giving chunks their vectors, merging, and rebuilding a segment from the catalogue.

May import: `ingest`, `analysis`, `storage`, `kernels`, `schema`, `errors`, `logs`.

Main types: `IndexWriter` (add, delete, commit) · `SourceSync` (a tree follows its source) ·
`rebuild_segment` · `VectorIndexer`, `VectorWriter` · `SyncListener`.

Reading order: `fields` · `segment_builder` · `writer` · `document_cache` · `source_sync` · `rebuilding` ·
`embedding_plan` · `passages` · `vector_order` · `vector_writer` · `vector_indexing`.

Who runs where, while documents are added (one thread of each kind per writer; a thread starts when it is
first given something to do):

    caller            reads documents ── add ──┬───────────────────────────────┬── commit waits for all ──
    extraction        worker processes read ↗  │                               │
    dowse-analysis    analyses texts ──────────┘ ──┐ a full builder            │
    dowse-segments    inverts and writes a segment └── write ── sync ──┐       │
    dowse-inversion   two threads for its blocks of terms              │       │
    dowse-catalogue   inserts rows of documents ───────────────────────┴───────┘
    dowse-merge       merges older segments; the next commit after it is done swaps them

Only the caller's commit makes anything true; a thread that fails is noticed there, and nothing is kept.

Invariants:
1. Nothing is visible before `commit`, everything after it.
2. Memory is bounded by the budget, whatever the number of documents (S12).
3. One bad file becomes a problem; the run goes on.

Not for: waiting for changes (`watch`), answering (`search`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.indexing.rebuilding import rebuild_segment
    from dowse.indexing.report import SyncListener
    from dowse.indexing.writer import IndexWriter
    from dowse.storage.catalog_writer import FileStat

__all__ = [
    "FileStat",
    "IndexWriter",
    "SyncListener",
    "rebuild_segment",
]

# Loaded when first used: a search over an unchanged folder needs little of it.
_HOMES = {
    "FileStat": "dowse.storage.catalog_writer",
    "IndexWriter": "dowse.indexing.writer",
    "SyncListener": "dowse.indexing.report",
    "rebuild_segment": "dowse.indexing.rebuilding",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dowse.indexing' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
