"""Every embedder keeps the promises of `embedding`: a row in EMBEDDERS or MODELS joins by itself.

Models that are not installed are skipped, with the command that installs them.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from dowse.embedding import (
    EMBEDDERS,
    MODELS,
    Embedder,
    EmbeddingSettings,
    HttpSettings,
    Runtime,
    StaticEmbedder,
    StaticTable,
    WordPieces,
    build_embedder,
    find_model,
    fit,
)
from dowse.embedding.embedder import normalise
from dowse.errors import ModelMissingError
from support.embedding_service import running_service, well_behaved

KINDS = (
    *(f"onnx {row.card.name}" for row in MODELS if row.card.kind == "embedder"),
    *(row.name for row in EMBEDDERS if row.name not in ("onnx", "none")),
    "static",
    "static, corrected",
)
TEXTS = (
    "how to make bread rise",
    "",
    "x",
    "é",
    "日本語のテキスト",
    "🙂" * 50,
    "word " * 400,
    "a" * 50_000,
    "The quick brown fox jumps over the lazy dog. " * 1200,
    "\x00\x01\ufeff",
    " \n\t ",
    "lone \ud800 surrogate",
    "how to make bread rise",
)
NO_TIME = Runtime(clock=lambda: 0.0, sleep=lambda seconds: None)


def static_embedder(is_corrected: bool) -> StaticEmbedder:
    """Returns a static embedder over random token vectors and a tokenizer made here."""
    tokenizers = pytest.importorskip("tokenizers", reason="pip install onnxruntime tokenizers")
    words = ["[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz", "bread", "rise", "##s", "the", "fox"]
    pieces = tokenizers.models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(pieces)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    source = np.random.default_rng(1)
    table = StaticTable(normalise(source.normal(size=(len(words), 24)) + 1.0), "model")
    idf = source.uniform(0.1, 5.0, len(words)).astype(np.float32)
    left, right = (normalise(source.normal(size=(50, 24))) for _ in range(2))
    correction = fit(left, right) if is_corrected else None
    return StaticEmbedder("tiny", table, WordPieces(tokenizer), idf, correction=correction)


def build(kind: str, url: str, threads: int) -> Embedder:
    """Returns an embedder of a kind, or skips."""
    if kind.startswith("static"):
        return static_embedder("corrected" in kind)
    name, _, model = kind.partition(" ")
    http = HttpSettings(url, "tiny", 16, batch_size=3)
    try:
        # A quarter of the default length: long texts are cut all the same, and the suite stays quick.
        settings = EmbeddingSettings(name, model, max_tokens=64, threads=threads, http=http)
        embedder = build_embedder(settings, NO_TIME)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")
    assert embedder is not None
    return embedder


@pytest.fixture(scope="module")
def service_url() -> Iterator[str]:
    """The address of a service that works."""
    with running_service(well_behaved(16)) as service:
        yield service.url


@pytest.fixture(scope="module", params=KINDS)
def embedder(request, service_url) -> Embedder:
    """Each embedder, loaded once."""
    return build(request.param, service_url, threads=2)


def both_ways(embedder: Embedder):
    """Returns the two ways to embed."""
    return embedder.embed_queries, embedder.embed_passages


def test_vectors_are_of_length_one_whatever_the_text(embedder):
    """Empty, one character, 50 KB, other scripts, half a surrogate pair: float32, finite, length 1."""
    for embed in both_ways(embedder):
        vectors = embed(TEXTS)
        assert ((len(TEXTS), embedder.dimensions), np.float32) == (vectors.shape, vectors.dtype)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_the_same_text_gets_the_same_vector(embedder):
    """Twice in one call, and in a second call, up to the last bit of a sum."""
    for embed in both_ways(embedder):
        vectors = embed(TEXTS)
        np.testing.assert_allclose(vectors[0], vectors[-1], atol=1e-6)
        np.testing.assert_allclose(vectors, embed(TEXTS), atol=1e-6)


def test_a_text_alone_gets_the_vector_it_gets_among_others(embedder):
    """Neighbours change nothing, and neither does the order: row n is text n."""
    for embed in both_ways(embedder):
        together = embed(TEXTS)
        alone = np.concatenate([embed([text]) for text in TEXTS])
        np.testing.assert_allclose(together, alone, atol=1e-3)
        np.testing.assert_allclose(embed(TEXTS[::-1]), together[::-1], atol=1e-3)


def test_different_texts_get_different_vectors(embedder):
    """Meaning shows: unlike texts do not collapse into one direction."""
    left, right = embedder.embed_passages(["bread rise", "the fox"])
    assert float(left @ right) < 0.999


def test_nothing_to_embed_is_an_empty_answer(embedder):
    """No texts give no rows, of the right width."""
    for embed in both_ways(embedder):
        assert (0, embedder.dimensions) == embed([]).shape


def test_it_says_what_it_is(embedder):
    """Name, fingerprint, dimensions and limit are there."""
    assert embedder.name
    assert len(embedder.fingerprint) >= 16
    assert embedder.dimensions > 1
    assert embedder.max_tokens > 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_one_is_the_same(kind: str, service_url):
    """Built again, with another number of threads, it has the same fingerprint and the same vectors."""
    pair = [build(kind, service_url, threads) for threads in (1, 2)]
    assert pair[0].fingerprint == pair[1].fingerprint
    np.testing.assert_array_equal(pair[0].embed_passages(TEXTS[:4]), pair[1].embed_passages(TEXTS[:4]))


EMBEDDING_MODELS = [row for row in MODELS if row.card.kind == "embedder"]


@pytest.mark.parametrize("row", EMBEDDING_MODELS, ids=lambda row: row.card.name)
def test_models_put_like_meanings_together(row):
    """A question is nearer to its answer than to another text: pooling and prefixes are right."""
    try:
        find_model(row.card.name)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")
    embedder = build(f"onnx {row.card.name}", "http://localhost/v1", 1)
    query = embedder.embed_queries(["How do I bake a loaf that is light and airy?"])[0]
    passages = embedder.embed_passages(
        [
            "Let the dough rest until it has doubled, so that the bread becomes fluffy.",
            "The treaty was signed in 1648 and ended thirty years of war.",
            "To open a socket, call connect with the address of the server.",
        ]
    )
    scores = passages @ query
    assert 0 == int(scores.argmax())
    assert scores[0] > scores[1:].max() + 0.05
