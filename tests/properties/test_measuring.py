"""Short ways give what the long ways give: texts measured at once, documents of one chunk."""

from hypothesis import example, given
from hypothesis import strategies as st

from dowse import kernels
from dowse.ingest import FORMATS, ChunkingSettings, get_extractor
from dowse.ingest.chunking import SectionChunker
from dowse.ingest.chunking.structure import StructureChunker
from dowse.ingest.formats import Kind
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.kernels.reference import measuring

TEXTS = st.one_of(
    st.text(alphabet="ab\n \t\r\x0b\x0cé日.", max_size=120).map(str.encode),
    st.lists(st.sampled_from([b" ", b"\n", b"a", b"word", b"\t" * 90, b"x" * 40]), max_size=40).map(
        b"".join
    ),
)

SIMPLE = tuple(get_extractor(row.name) for row in FORMATS if row.kind is Kind.SIMPLE_TEXT)


@given(TEXTS, st.integers(1, 8), st.integers(1, 5))
@example(b"", 1, 1)
@example(b"\n  aaaaaaaaa\n\nb\n", 3, 2)
def test_compiled_and_plain_measures_are_equal(text: bytes, long_run: int, bytes_per_word: int) -> None:
    """Words, edges, first and last line are the same numbers from both kernels."""
    expected = measuring.measure_text(text, long_run, bytes_per_word)
    assert expected == kernels.measure_text(text, long_run, bytes_per_word)


@given(TEXTS, st.sampled_from(SIMPLE), st.integers(8, 30))
@example(b" " * 81 + b"a", get_extractor("text"), 8)
@example(b" " * 80 + b"a", get_extractor("text"), 8)
def test_a_document_of_one_chunk_is_cut_as_all_are(text: bytes, extractor, max_words: int) -> None:
    """The short way of the default chunker gives the chunks of the way all chunkers share."""
    extracted = extractor.extract(text, "note", Allowance())
    chunker = StructureChunker(ChunkingSettings("structure", max_words, max_words // 4))
    assert SectionChunker.chunk(chunker, extracted) == chunker.chunk(extracted)


@given(TEXTS)
def test_lines_are_counted_as_they_are_listed(text: bytes) -> None:
    """The number of lines is the number of line starts."""
    lines = LineTable(text)
    assert len(lines.starts) == lines.count
