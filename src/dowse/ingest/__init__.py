"""How does a source, such as a folder, become documents?

Finds the files worth reading, compares them with what is known of them, reads each into text with structure,
and cuts it into chunks. Values
out, nothing kept: the same bytes and settings give the same document on every machine.

May import: `dowse.schema`, `dowse.errors`, `dowse.remedy`, `dowse.kernels`, the standard library;
libraries that read a format only where that format is read, and when it is.

Main types: `Source` (where documents come from; `FolderSource` is one) · `SourceItem` · `Survey` (what is
to be read or removed) · `Format` (a row of `FORMATS`) · `Extracted` (text, sections, code, tags, links,
anchors) · `Extractor` and `Chunker` (the two protocols) · `TextBuilder` (puts together the text of what is
not text) · `Allowance` (what a file may become) · `dowse.schema.Document` (what comes out).

Reading order: `filters`, `gitignore` and `ignore_rules` (what is passed over) · `discovery` (the walk) ·
`explain_discovery` (why a path is in or out) · `reading` · `decoding` · `formats` · `detection` · `limits`
· `extractor`, `text_builder` and `extractors/`, each with a folder of its own beside where it is large ·
`extraction` (any file, also inside another) · `sections` (heading tree and slugs) · `chunking/` ·
`documents` (all of it for one file) · `jobs` and `isolation/` (in which process) · `source`, `reconciling`
and `folder_source` (what has changed).

Invariants:
1. No file stops a run: what is wrong with one is a `Problem` beside whatever could be read.
2. Secrets, pipes, sockets and devices are never opened; nothing outside the root is read.
3. The stored text of a UTF-8 file is the file, less its byte-order mark; byte ranges and lines hold
in it.
4. `sections[0]` spans the whole text; chunks hold every byte that is not white space.
5. Time and memory grow about linearly with the size of a file, whatever is in it.

Not for: terms (`analysis`), anything on disk but the source files, the index (`indexing`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.ingest.chunking import CHUNKERS, Chunker, ChunkingSettings, build_chunker
    from dowse.ingest.discovery import DiscoverySettings, Skipped, iter_files
    from dowse.ingest.documents import build_document
    from dowse.ingest.extractor import Extracted, Extractor
    from dowse.ingest.extractors import EXTRACTORS, get_extractor
    from dowse.ingest.formats import FORMATS, Format, find_format
    from dowse.ingest.reading import read_file
    from dowse.ingest.source import Source, SourceItem, Survey

__all__ = [
    "CHUNKERS",
    "EXTRACTORS",
    "FORMATS",
    "Chunker",
    "ChunkingSettings",
    "DiscoverySettings",
    "Extracted",
    "Extractor",
    "Format",
    "Skipped",
    "Source",
    "SourceItem",
    "Survey",
    "build_chunker",
    "build_document",
    "find_format",
    "get_extractor",
    "iter_files",
    "read_file",
]

# Loaded when first used: a search over an unchanged folder needs little of it.
_HOMES = {
    "CHUNKERS": "dowse.ingest.chunking",
    "Chunker": "dowse.ingest.chunking",
    "ChunkingSettings": "dowse.ingest.chunking",
    "DiscoverySettings": "dowse.ingest.discovery",
    "EXTRACTORS": "dowse.ingest.extractors",
    "Extracted": "dowse.ingest.extractor",
    "Extractor": "dowse.ingest.extractor",
    "Skipped": "dowse.ingest.discovery",
    "Source": "dowse.ingest.source",
    "SourceItem": "dowse.ingest.source",
    "Survey": "dowse.ingest.source",
    "build_chunker": "dowse.ingest.chunking",
    "build_document": "dowse.ingest.documents",
    "FORMATS": "dowse.ingest.formats",
    "Format": "dowse.ingest.formats",
    "find_format": "dowse.ingest.formats",
    "get_extractor": "dowse.ingest.extractors",
    "iter_files": "dowse.ingest.discovery",
    "read_file": "dowse.ingest.reading",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dowse.ingest' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
