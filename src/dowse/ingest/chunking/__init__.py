"""Where is a document cut into units of retrieval?

Always inside sections: a chunker sees one section's own body at a time (its heading line and what
follows, up to the next heading of any level) and decides where to cut it.

May import: `dowse.schema`, `dowse.errors`, `dowse.ingest`.

Reading order: `settings` · `chunker` (protocol, bodies, from ranges to chunks) · `measure` (how
long is a text in words) · `pieces` (where a text may be cut) · `packing` (pieces to windows) · then
the strategies: `structure` (the default), `paragraph`, `sentence`, `recursive`, `words` · `registry`.

Invariants, held by the conformance suite over `CHUNKERS`:
1. Every byte that is not white space lies in at least one chunk, and every chunk in one section's
own body.
2. Chunks ascend in both ends, start and end at characters, and are at most `MAX_CHUNK_BYTES` long.
3. A section without text under its heading still gives a chunk, so that the heading can be found.

Not for: token limits of an embedding model (`embedding` truncates); what a term is (`analysis`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.ingest.chunking.chunker import MAX_CHUNK_BYTES, Chunker, SectionChunker
    from dowse.ingest.chunking.registry import CHUNKERS, build_chunker
    from dowse.ingest.chunking.settings import ChunkingSettings

__all__ = [
    "CHUNKERS",
    "MAX_CHUNK_BYTES",
    "Chunker",
    "ChunkingSettings",
    "SectionChunker",
    "build_chunker",
]

# Loaded when first used: a search over an unchanged folder needs little of it.
_HOMES = {
    "CHUNKERS": "dowse.ingest.chunking.registry",
    "Chunker": "dowse.ingest.chunking.chunker",
    "ChunkingSettings": "dowse.ingest.chunking.settings",
    "MAX_CHUNK_BYTES": "dowse.ingest.chunking.chunker",
    "SectionChunker": "dowse.ingest.chunking.chunker",
    "build_chunker": "dowse.ingest.chunking.registry",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dowse.ingest.chunking' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
