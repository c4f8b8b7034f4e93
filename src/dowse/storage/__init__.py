"""Where is everything kept, and why can it not be lost?

One SQLite catalogue holds what is true: trees, documents, their texts, sections and chunks, and the list
of live segments with their deleted rows. Segments hold what is derived: posting lists, positions, lengths,
columns, words and signatures, written once, memory-mapped, checked by checksum, and rebuilt from the
catalogue at any time. FORMAT.md at the root of the repository states the format and its numbered invariants
(S1–S17, C1–C7, T1).

May import: `schema`, `explanation`, `kernels`, `errors`. It never sees text rules: terms, positions,
lengths and stored bytes come in ready made.

Main types: `Directory` (bytes by name: disk or memory) · `Catalog` (SQLite) · `SegmentWriter`,
`SegmentReader` · `WordDictionary` · `Signatures` · `Snapshot` (one generation, open for reading) ·
`CatalogTransaction` · `WriterLock` · `choose_merge` · `Backend` · `columns` (a package: what documents are
filtered by) · `vectors` (a package: segments of vectors, and the scan for the nearest).

Reading order: `directory` · `segment_files` · `columns` · `segment_writer` · `segment_reader` · `catalog` ·
`catalog_parts` · `catalog_transaction` · `text_codec` · `catalog_writer` · `touched_files` · `snapshot` ·
`stored_texts` · `stored_chunks` ·
`stored_documents` and the other `stored_…` (named queries, one table or question each) ·
`word_dictionary` · `signatures` · `merging` · `store` · `commit_seqlock` · `vectors` · `live_vectors` ·
`impressions` · `vector_cache` · `home` · `backend` · `local_backend`.

Invariants that hold everywhere here:
1. Bytes of a committed segment never change; one SQLite transaction makes them true (S1).
2. A reader keeps its generation; a writer never waits for it, nor it for a writer (S9).
3. Rows of a segment ascend by chunk key, and segments of terms do not overlap in chunk keys (S6).

Not for: deciding what to index (`indexing`) or how to rank (`scoring`).
"""
