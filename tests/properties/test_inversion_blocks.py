"""A segment inverted a block of terms at a time is the segment inverted at once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Tokens, tokens

from dowse import kernels
from dowse.analysis import Analyzer
from dowse.indexing import IndexWriter, segment_builder
from dowse.ingest.chunking import ChunkingSettings, build_chunker
from dowse.ingest.documents import build_document
from dowse.kernels.reference import inversion
from dowse.storage.store import Store


@given(tokens(max_rows=80), st.integers(0, 6), st.integers(0, 6))
@settings(deadline=None)
def test_a_block_is_inverted_alike_by_both_kernels(drawn: Tokens, first: int, count: int) -> None:
    """Tokens of terms outside the block are left out; the rest gives equal arrays."""
    first = min(first, len(drawn.terms))
    count = min(count, len(drawn.terms) - first)
    columns = drawn.list_ids, drawn.rows, drawn.positions
    expected = inversion.invert(*columns, count, drawn.buckets, first)
    actual = kernels.invert(*columns, count, drawn.buckets, first)
    assert [array.tolist() for array in expected] == [array.tolist() for array in actual]


@given(tokens(max_rows=80), st.integers(0, 6))
@settings(deadline=None)
def test_blocks_put_together_are_the_whole(drawn: Tokens, cut: int) -> None:
    """Postings and positions of two blocks, one after the other, are those of all terms."""
    cut, count = min(cut, len(drawn.terms)), len(drawn.terms)
    columns = drawn.list_ids, drawn.rows, drawn.positions
    whole = kernels.invert(*columns, count, drawn.buckets)
    parts = [
        kernels.invert(*columns, cut, drawn.buckets),
        kernels.invert(*columns, count - cut, drawn.buckets, cut),
    ]
    for name in ("postings", "positions", "list_doc_freq", "term_doc_freq", "list_max_freq"):
        joined = [value for part in parts for value in getattr(part, name).tolist()]
        assert getattr(whole, name).tolist() == joined


def written_files(texts: list[str]) -> dict[str, bytes]:
    """Indexes texts in memory and returns the files of the one segment."""
    chunker, analyzer = build_chunker(ChunkingSettings()), Analyzer()
    store = Store(":memory:", create=True)
    with IndexWriter(store, lock_timeout_s=0.0) as writer:
        for number, text in enumerate(texts):
            built, _ = build_document(str(number), "", text.encode(), "text", chunker)
            assert built is not None
            writer.add(1, built, analyzer)
        writer.commit()
    (folder,) = store.directory.folders()
    names = "terms", "postings", "positions", "lengths", "columns"
    return {name: store.directory.read(folder, name).tobytes() for name in names}


@pytest.mark.parametrize("block_tokens", [1, 7, 10_000])
def test_the_size_of_blocks_changes_no_byte(monkeypatch: pytest.MonkeyPatch, block_tokens: int) -> None:
    """Files are the same however many blocks, and threads, they were made with."""
    texts = [f"green tea {number} and black tea {number % 7}" for number in range(60)]
    expected = written_files(texts)
    monkeypatch.setattr(segment_builder, "BLOCK_TOKENS", block_tokens)
    assert expected == written_files(texts)
