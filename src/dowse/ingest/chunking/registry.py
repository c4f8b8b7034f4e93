"""The chunkers, listed: one file each, found by the name of their strategy."""

from dowse.ingest.chunking.chunker import Chunker, SectionChunker
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
