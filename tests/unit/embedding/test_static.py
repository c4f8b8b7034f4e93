"""The static tier: tokens by lookup, weights, sums, the table on disk."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.embedding.embedder import normalise
from dowse.embedding.linear_map import fit
from dowse.embedding.static import StaticEmbedder, TokenCounts
from dowse.embedding.static_table import MAGIC, StaticTable, build_static_table, load_static_table
from dowse.embedding.word_pieces import WordPieces
from dowse.errors import InvalidParameterError

tokenizers = pytest.importorskip("tokenizers", reason="pip install onnxruntime tokenizers")

WORDS = ("[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz.,-'é日", *(f"##{c}" for c in "abcdefgé"),
         "the", "fox", "bread", "##s")  # fmt: skip


def make_tokenizer():
    """Returns a small BERT tokenizer."""
    vocabulary = {word: at for at, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return tokenizer


TOKENIZER = make_tokenizer()
PIECES = WordPieces(TOKENIZER, 10_000)
TABLE = StaticTable(normalise(np.random.default_rng(5).normal(size=(len(WORDS), 12)) + 0.7), "model")
IDF = np.linspace(0.5, 3.0, len(WORDS)).astype(np.float32)


def make_embedder(**options) -> StaticEmbedder:
    """Returns a static embedder over the small table."""
    return StaticEmbedder("tiny", TABLE, PIECES, IDF, **options)


AWKWARD = "abcéÉß日. ,-'_€“”\u0301\u00a0\n\u200b\x00\x1f\x85\u2028"


@given(st.text(max_size=60) | st.text(alphabet=AWKWARD, max_size=60))
def test_looked_up_tokens_are_the_tokenizers_own(text: str):
    """Cutting at white space and ASCII marks first changes no token, whatever the text."""
    text = text.encode("utf-8", "replace").decode()
    assert TOKENIZER.encode(text, add_special_tokens=False).ids == PIECES.split(text).tolist()


def test_other_tokenizers_are_cut_at_white_space_alone():
    """Only BERT is known to cut at every mark; others get whole words."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0, "it's": 1}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    assert [1, 0] == WordPieces(tokenizer, 10).split("it's it").tolist()


def test_tokens_beyond_the_limit_do_not_count():
    """A long text is its start."""
    assert WordPieces(TOKENIZER, 3).split("the fox the fox").tolist() == PIECES.split("the fox the").tolist()


def test_the_store_of_words_stays_small(monkeypatch):
    """When it is full it starts anew, and the tokens stay right."""
    monkeypatch.setattr("dowse.embedding.word_pieces.MAX_KEPT", 3)
    pieces = WordPieces(TOKENIZER, 100)
    text = "é fé aé bé 日 fox é"
    for _ in range(2):
        assert PIECES.split(text).tolist() == pieces.split(text).tolist()
    assert 1 <= len(pieces._kept) <= 3


def test_the_vector_is_the_weighted_sum_of_telling_parts():
    """Computed the long way: centred, without the components of largest variance, weighted, added."""
    centred = TABLE.vectors - TABLE.vectors.mean(axis=0)
    components = np.linalg.svd(centred.astype(np.float64))[2][: centred.shape[1] // 4]
    for component in components:
        centred = centred - np.outer(centred @ component, component)
    total = sum(IDF[token] * centred[token] for token in PIECES.split("the fox, the breads"))
    found = make_embedder().embed_passages(["the fox, the breads"])[0]
    np.testing.assert_allclose(found, total / np.linalg.norm(total), atol=1e-5)


def test_order_of_words_and_white_space_change_nothing():
    """A sum has no order."""
    left, right = make_embedder().embed_passages(["the fox  bread", "bread\nthe fox"])
    np.testing.assert_allclose(left, right, atol=1e-6)


def test_the_correction_comes_after_the_sum():
    """With a map the vectors are those of the map; `embed_uncorrected` stays as it was."""
    source = np.random.default_rng(0)
    correction = fit(normalise(source.normal(size=(40, 12))), normalise(source.normal(size=(40, 12))))
    plain, corrected = make_embedder(), make_embedder(correction=correction)
    texts = ["the fox", "bread", ""]
    expected = correction.apply(plain.embed_passages(texts))
    np.testing.assert_allclose(corrected.embed_passages(texts), expected, atol=1e-6)
    np.testing.assert_array_equal(corrected.embed_uncorrected(texts), plain.embed_passages(texts))
    late = plain.with_correction(correction)
    np.testing.assert_array_equal(late.embed_passages(texts), corrected.embed_passages(texts))
    assert plain.fingerprint != corrected.fingerprint == late.fingerprint


def test_counts_are_of_passages_not_of_occurrences():
    """A token counts once a passage; rarer tokens weigh more, and all weigh something."""
    counts = TokenCounts(len(WORDS))
    for text in ("the the fox", "the", ""):
        counts.add(PIECES.split(text))
    the, fox, bread = (WORDS.index(word) for word in ("the", "fox", "bread"))
    assert (3, 2, 1, 0) == (counts.doc_count, *(int(counts.doc_freq[word]) for word in (the, fox, bread)))
    idf = counts.idf()
    assert 0.0 < idf[the] < idf[fox] < idf[bread]
    np.testing.assert_allclose(idf[the], np.log(1 + 1.5 / 2.5), rtol=1e-6)


def test_counts_of_nothing_weigh_all_tokens_alike():
    """An index without passages yet has weights all the same."""
    assert 1 == len(set(TokenCounts(5).idf().tolist()))


@pytest.mark.parametrize("idf", [IDF[:-1], np.full(len(WORDS), np.nan, np.float32)])
def test_weights_that_do_not_fit_are_refused(idf):
    """One finite weight a token."""
    with pytest.raises(InvalidParameterError, match="idf"):
        StaticEmbedder("tiny", TABLE, PIECES, idf)


def test_a_table_comes_back_from_disk(tmp_path: Path):
    """Half precision is near enough, and the folder is made when needed."""
    path = tmp_path / "deep" / "table.bin"
    TABLE.save(path)
    loaded = load_static_table(path, "model")
    assert loaded is not None
    np.testing.assert_allclose(loaded.vectors, TABLE.vectors, atol=1e-3)
    assert TABLE.fingerprint == loaded.fingerprint
    assert ["table.bin"] == [file.name for file in path.parent.iterdir()]


def test_another_models_table_is_no_table(tmp_path: Path):
    """The model's fingerprint decides."""
    TABLE.save(tmp_path / "table.bin")
    assert load_static_table(tmp_path / "table.bin", "other") is None
    assert load_static_table(tmp_path / "nothing.bin", "model") is None


def test_any_flipped_or_missing_byte_is_noticed(tmp_path: Path):
    """A damaged table is made again, never used, wherever the damage is."""
    path = tmp_path / "table.bin"
    TABLE.save(path)
    content = path.read_bytes()
    for at in (0, len(MAGIC) + 5, content.index(b"shape") + 9, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x41]) + content[at + 1 :])
        assert load_static_table(path, "model") is None, at
        path.write_bytes(content[:at])
        assert load_static_table(path, "model") is None, at


def test_a_table_of_another_version_is_made_again(tmp_path: Path):
    """The way tables are made may change."""
    path = tmp_path / "table.bin"
    TABLE.save(path)
    content = path.read_bytes()
    end = content.index(b"\n", len(MAGIC))
    head = json.loads(content[len(MAGIC) : end]) | {"version": 999}
    path.write_bytes(MAGIC + json.dumps(head).encode() + content[end:])
    assert load_static_table(path, "model") is None


class FakeTransformer:
    """Stands in for an ONNX embedder: the vector of a token shows its number and its frame."""

    dimensions = 3
    tokenizer = TOKENIZER

    class files:  # noqa: N801  an attribute of the embedder, not a class of its own
        fingerprint = "fake"

    def special_tokens(self):
        return [101], [102, 103]

    def map(self, work, parts):
        for part in parts:
            work(part)

    def embed_tokens(self, tokens):
        assert {(101, 102, 103)} == {(row[0], *row[2:]) for row in tokens.tolist()}
        return normalise(np.stack([tokens[:, 1], tokens[:, 1] * 0 + 7, tokens[:, 1] % 3], axis=1))


def test_every_token_is_run_once_within_its_frame():
    """Row n of the table is token n between the special tokens, and progress ends at the whole."""
    told = []
    table = build_static_table(FakeTransformer(), lambda done, total: told.append((done, total)))
    numbers = np.arange(len(WORDS))
    expected = normalise(np.stack([numbers, numbers * 0 + 7, numbers % 3], axis=1))
    np.testing.assert_array_equal(table.vectors, expected)
    assert ("fake", (len(WORDS), len(WORDS))) == (table.model, told[-1])
