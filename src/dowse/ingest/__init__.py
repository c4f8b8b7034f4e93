"""How does a folder become documents?

Finds the files worth reading, reads each into text with structure, and cuts it into chunks. Values
out, nothing kept: the same bytes and settings give the same document on every machine.

May import: `dowse.schema`, `dowse.errors`, `dowse.kernels`, the standard library; markdown-it-py and
PyYAML inside `markdown/` only, when a Markdown file is read.

Main types: `FoundFile` (a file to index) · `Extracted` (text, sections, code, tags, links) ·
`Extractor` and `Chunker` (the two protocols) · `dowse.schema.Document` (what comes out).

Reading order: `filters` and `gitignore` (what is passed over) · `discovery` (the walk) · `reading`
· `decoding` · `extractor` and `extractors/` · `sections` (heading tree and slugs) · `markdown/` ·
`chunking/` · `documents` (all of it for one file).

Invariants:
1. No file stops a run: what is wrong with one is a `Problem` beside whatever could be read.
2. Secrets, pipes, sockets and devices are never opened; nothing outside the root is read.
3. The stored text of a UTF-8 file is the file, less its byte-order mark; byte ranges and lines hold
in it.
4. `sections[0]` spans the whole text; chunks hold every byte that is not white space.
5. Time and memory grow about linearly with the size of a file, whatever is in it.

Not for: deciding what has changed (`indexing`), terms (`analysis`), anything on disk but the source
files.
"""

from dowse.ingest.chunking import CHUNKERS, Chunker, ChunkingSettings, build_chunker
from dowse.ingest.discovery import DiscoverySettings, FoundFile, Skipped, iter_files
from dowse.ingest.documents import build_document
from dowse.ingest.extractor import Extracted, Extractor
from dowse.ingest.extractors import EXTRACTORS, find_extractor, get_extractor
from dowse.ingest.reading import read_file

__all__ = [
    "CHUNKERS",
    "EXTRACTORS",
    "Chunker",
    "ChunkingSettings",
    "DiscoverySettings",
    "Extracted",
    "Extractor",
    "FoundFile",
    "Skipped",
    "build_chunker",
    "build_document",
    "find_extractor",
    "get_extractor",
    "iter_files",
    "read_file",
]
