"""How does a document become searchable?

The meeting of `ingest`, `analysis` and `storage`: chunks are analysed into rows, rows become segments, and
one transaction makes documents and segments true together. Also: bringing a tree up to date with its
folder, merging, and rebuilding a segment from the catalogue.

May import: `ingest`, `analysis`, `storage`, `kernels`, `schema`, `errors`.

Main types: `IndexWriter` (add, delete, commit) · `FolderSync` (one run over a tree) ·
`rebuild_segment` · `SyncReport`, `SyncListener`.

Reading order: `fields` · `segment_builder` · `writer` · `reconciling` · `folder_sync` · `rebuilding`.

Invariants:
1. Nothing is visible before `commit`, everything after it.
2. Memory is bounded by the budget, whatever the number of documents (S12).
3. One bad file becomes a problem; the run goes on.

Not for: waiting for changes (`watch`), answering (`search`).
"""

from dowse.indexing.catalog_writer import FileStat
from dowse.indexing.folder_sync import FolderSync
from dowse.indexing.rebuilding import rebuild_segment
from dowse.indexing.report import SyncListener, SyncReport
from dowse.indexing.writer import IndexWriter

__all__ = [
    "FileStat",
    "FolderSync",
    "IndexWriter",
    "SyncListener",
    "SyncReport",
    "rebuild_segment",
]
