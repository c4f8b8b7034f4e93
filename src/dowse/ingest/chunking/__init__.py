"""Where is a document cut into units of retrieval?

Always inside sections: a chunker sees one section's own body at a time (its heading line and what
follows, up to the next heading of any level) and decides where to cut it.

May import: `dowse.schema`, `dowse.errors`, `dowse.ingest`.

Reading order: `settings` · `chunker` (protocol, bodies, from ranges to chunks) · `measure` (how
long is a text in words) · `pieces` (where a text may be cut) · `packing` (pieces to windows) · then
the strategies: `structure` (the default), `paragraph`, `sentence`, `recursive`, `words`.

Invariants, held by the conformance suite over `CHUNKERS`:
1. Every byte that is not white space lies in at least one chunk, and every chunk in one section's
own body.
2. Chunks ascend in both ends, start and end at characters, and are at most `MAX_CHUNK_BYTES` long.
3. A section without text under its heading still gives a chunk, so that the heading can be found.

Not for: token limits of an embedding model (`embedding` truncates); what a term is (`analysis`).
"""

from dowse.ingest.chunking.chunker import MAX_CHUNK_BYTES, Chunker, SectionChunker
from dowse.ingest.chunking.paragraph import ParagraphChunker
from dowse.ingest.chunking.recursive import RecursiveChunker
from dowse.ingest.chunking.sentence import SentenceChunker
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.chunking.structure import StructureChunker
from dowse.ingest.chunking.words import WordsChunker

CHUNKERS: tuple[type[SectionChunker], ...] = (
    StructureChunker,
    ParagraphChunker,
    SentenceChunker,
    RecursiveChunker,
    WordsChunker,
)


def build_chunker(settings: ChunkingSettings) -> Chunker:
    """Returns the chunker that `settings` ask for."""
    by_name = {chunker.name: chunker for chunker in CHUNKERS}
    return by_name[settings.strategy](settings)


__all__ = [
    "CHUNKERS",
    "MAX_CHUNK_BYTES",
    "Chunker",
    "ChunkingSettings",
    "SectionChunker",
    "build_chunker",
]
