"""Every chunker keeps the same promises on any text and with any settings."""

from itertools import pairwise

import pytest

from dowse.ingest import CHUNKERS, ChunkingSettings, Extracted, get_extractor
from dowse.ingest.chunking import MAX_CHUNK_BYTES, SectionChunker
from dowse.ingest.chunking.measure import count_words
from dowse.ingest.chunking.settings import STRATEGIES
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.schema import Chunk

SENTENCES = "A first thought. Then, perhaps, a second one! And a third? " * 40
TEXTS = {
    "empty": "",
    "blank": " \n\t\n ",
    "heading only": "# Lonely\n",
    "headings only": "# One\n## Two\n\n### Three\n",
    "preamble": "before\n\n# One\n\nafter\n",
    "indented preamble": "   before\n\n    code\n\n\n# One\n",
    "long section": f"# One\n\n{SENTENCES}\n\n{SENTENCES}\n\n## Two\n\n{SENTENCES}\n",
    "long lines": "\n".join(f"line {n} without any end" for n in range(2_000)),
    "crlf": "# One\r\n\r\n" + "Some words.\r\nMore words\r\n\r\n" * 300,
    "long code": "# One\n\ntext\n\n```py\n" + "value = compute(1)\n" * 900 + "```\n\ntext\n",
    "short codes": "# One\n\n" + "Words and words.\n\n```py\na = 1\n\nb = 2\n```\n\n" * 120,
    "one huge line": "word " * 20_000,
    "one huge run": "x" * 100_000,
    "runs": ("y" * 5_000 + " z ") * 20,
    "chinese": "这是一个没有空格的长句子。" * 4_000,
    "emoji": "👩‍👩‍👧‍👦" * 3_000 + "e\u0301" * 3_000,
    "marks only": "\u0301" * 5_000,
    "white gaps": ("word" + " " * 40_000) * 6,
    "blank gaps": "# One\n\n" + ("word\n" + "\n" * 20_000) * 8,
    "thai": "ภาษาไทยเขียนติดกัน " * 800,
}
SETTINGS = {
    "default": (320, 40),
    "tiny": (8, 4),
    "no overlap": (50, 0),
    "largest": (5_000, 2_500),
}
MARKDOWN = get_extractor("markdown")
EXTRACTED = {name: MARKDOWN.extract(text.encode(), "note.md", Allowance()) for name, text in TEXTS.items()}


@pytest.fixture(params=CHUNKERS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> type[SectionChunker]:
    """Each registered chunker in turn."""
    found: type[SectionChunker] = request.param
    return found


@pytest.fixture(params=SETTINGS, ids=lambda name: name.replace(" ", "-"))
def chunker(request: pytest.FixtureRequest, kind: type[SectionChunker]) -> SectionChunker:
    """Each chunker with each pair of limits."""
    max_words, overlap_words = SETTINGS[request.param]
    return kind(ChunkingSettings(kind.name, max_words, overlap_words))


@pytest.fixture(params=TEXTS, ids=lambda name: name.replace(" ", "-"))
def extracted(request: pytest.FixtureRequest) -> Extracted:
    """Each awkward text in turn."""
    return EXTRACTED[request.param]


def test_chunks_keep_all_promises(chunker: SectionChunker, extracted: Extracted) -> None:
    """Order, coverage, containment, lines, limits and code spans, checked on one set of chunks."""
    chunks = chunker.chunk(extracted)
    check_order(chunks)
    check_coverage(extracted, chunks)
    lines = LineTable(extracted.text)
    for chunk in chunks:
        check_place(extracted, chunk, lines)
        check_code_spans(extracted, chunk)
        check_length(extracted, chunk, chunker.settings.max_words)


def check_order(chunks: tuple[Chunk, ...]) -> None:
    """Ordinals count from 0 and both ends ascend."""
    assert list(range(len(chunks))) == [chunk.ordinal for chunk in chunks]
    for before, after in pairwise(chunks):
        assert before.byte_start < after.byte_start
        assert before.byte_end < after.byte_end


def check_coverage(extracted: Extracted, chunks: tuple[Chunk, ...]) -> None:
    """What lies in no chunk is white space."""
    position = 0
    for chunk in chunks:
        assert extracted.text[position : chunk.byte_start].strip() == b""
        position = max(position, chunk.byte_end)
    assert extracted.text[position:].strip() == b""


def check_place(extracted: Extracted, chunk: Chunk, lines: LineTable) -> None:
    """A chunk is text, lies in its section's own body, has the right lines and is short enough."""
    content = extracted.text[chunk.byte_start : chunk.byte_end]
    content.decode("utf-8")
    assert content.strip()
    assert len(content) <= MAX_CHUNK_BYTES
    section = extracted.sections[chunk.section]
    assert section.byte_start <= chunk.byte_start < chunk.byte_end <= section.byte_end
    if chunk.section + 1 < len(extracted.sections):
        assert chunk.byte_end <= extracted.sections[chunk.section + 1].byte_start
    assert lines.line_range(chunk.byte_start, chunk.byte_end) == (chunk.line_start, chunk.line_end)


def check_code_spans(extracted: Extracted, chunk: Chunk) -> None:
    """A chunk's code spans are the document's, clipped and counted from the chunk's start."""
    expected = tuple(
        (
            max(start, chunk.byte_start) - chunk.byte_start,
            min(end, chunk.byte_end) - chunk.byte_start,
        )
        for start, end in extracted.code_spans
        if start < chunk.byte_end and end > chunk.byte_start
    )
    assert expected == chunk.code_spans


def check_length(extracted: Extracted, chunk: Chunk, max_words: int) -> None:
    """No chunk counts more words than allowed, but for a cut moved to keep a character whole."""
    words = count_words(extracted.text, chunk.byte_start, chunk.byte_end)
    assert words <= max_words + max_words // 8 + 8


def test_every_section_with_text_has_a_chunk(kind: type[SectionChunker]) -> None:
    """A heading without a body can still be found."""
    chunks = kind(ChunkingSettings(kind.name)).chunk(EXTRACTED["headings only"])
    assert [chunk.section for chunk in chunks] == [1, 2, 3]


def test_work_stays_bounded(kind: type[SectionChunker]) -> None:
    """Overlap repeats at most about as much text as there is, whatever the text looks like."""
    chunker = kind(ChunkingSettings(kind.name))
    for extracted in EXTRACTED.values():
        total = sum(chunk.byte_end - chunk.byte_start for chunk in chunker.chunk(extracted))
        assert total <= 2.5 * len(extracted.text)


def test_the_registry_is_what_settings_accept() -> None:
    """Every strategy a user can name has a chunker, and the other way round."""
    assert set(STRATEGIES) == {kind.name for kind in CHUNKERS}
