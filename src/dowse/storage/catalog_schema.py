"""The tables of the catalogue; FORMAT.md explains them."""

CATALOG_VERSION = 3

# Tables that came with version 2.
_ADDED_IN_2 = """
CREATE TABLE anchors (
    doc_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    byte_start INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    PRIMARY KEY (doc_id, ordinal)
) WITHOUT ROWID;
CREATE TABLE refused_files (
    tree_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    file_size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    PRIMARY KEY (tree_id, path)
) WITHOUT ROWID;
CREATE TABLE shelf (
    content_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    file_size INTEGER NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (content_hash, name)
);
CREATE TABLE models (
    model_id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    mean BLOB NOT NULL,
    seed INTEGER NOT NULL,
    token_weights BLOB,
    correction BLOB,
    pairs INTEGER NOT NULL DEFAULT 0,
    static_kind INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE vector_segments (
    folder TEXT PRIMARY KEY,
    model_id INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    disk_bytes INTEGER NOT NULL,
    age INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE embeddings (
    model_id INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model_id, text_hash)
) WITHOUT ROWID;
"""

# Tables that came with version 3.
_ADDED_IN_3 = """
CREATE TABLE touched_files (doc_id INTEGER PRIMARY KEY);
CREATE TABLE text_dictionaries (dict_id INTEGER PRIMARY KEY, dictionary BLOB NOT NULL);
"""

_ADDED_IN_2_NOW = _ADDED_IN_2.replace(" age ", " generation ").replace("TABLE shelf", "TABLE document_cache")

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE trees (
    tree_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT UNIQUE,
    analysis TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    last_sync REAL,
    is_watched INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'folder'
);
CREATE TABLE documents (
    doc_id INTEGER PRIMARY KEY,
    tree_id INTEGER NOT NULL,
    doc_key TEXT NOT NULL,
    title TEXT NOT NULL,
    path TEXT NOT NULL,
    file TEXT,
    file_size INTEGER,
    mtime_ns INTEGER,
    content_hash TEXT NOT NULL,
    format TEXT NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL,
    first_key INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    is_live INTEGER NOT NULL,
    keeps_lines INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX live_documents ON documents (tree_id, doc_key) WHERE is_live;
CREATE TABLE texts (doc_id INTEGER PRIMARY KEY, size INTEGER NOT NULL DEFAULT 0, text BLOB NOT NULL);
CREATE TABLE sections (
    doc_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    parent INTEGER,
    depth INTEGER NOT NULL,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    byte_start INTEGER NOT NULL,
    byte_end INTEGER NOT NULL,
    PRIMARY KEY (doc_id, ordinal)
) WITHOUT ROWID;
CREATE TABLE chunks (
    chunk_key INTEGER PRIMARY KEY,
    doc_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    section INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    byte_start INTEGER NOT NULL,
    byte_end INTEGER NOT NULL,
    code_spans TEXT NOT NULL
);
CREATE TABLE links (
    doc_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    target TEXT NOT NULL,
    text TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (doc_id, ordinal)
) WITHOUT ROWID;
{_ADDED_IN_2_NOW}{_ADDED_IN_3}CREATE TABLE segments (
    folder TEXT PRIMARY KEY,
    checksum INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    disk_bytes INTEGER NOT NULL,
    first_key INTEGER NOT NULL,
    last_key INTEGER NOT NULL,
    deleted BLOB
) WITHOUT ROWID;
CREATE TABLE problems (
    tree_id INTEGER NOT NULL,
    location TEXT NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    hint TEXT NOT NULL
);
"""

UPGRADES = {
    1: f"""
ALTER TABLE trees ADD COLUMN is_watched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN keeps_lines INTEGER NOT NULL DEFAULT 1;
{_ADDED_IN_2}
""",
    2: f"""
ALTER TABLE trees ADD COLUMN kind TEXT NOT NULL DEFAULT 'folder';
UPDATE trees SET kind = 'pushed' WHERE root IS NULL;
ALTER TABLE vector_segments RENAME COLUMN age TO generation;
ALTER TABLE shelf RENAME TO document_cache;
ALTER TABLE texts ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
UPDATE texts SET size = length(text);
{_ADDED_IN_3}
""",
}
"""What makes a catalogue of each older version one of the next."""

# Counters of `meta`, with their first values.
COUNTERS = {"catalog_version": CATALOG_VERSION, "generation": 0, "next_chunk_key": 1, "next_doc_id": 1}
