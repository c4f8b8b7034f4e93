"""Which graphs Dowse's own kernel runs, and that it agrees with onnxruntime."""

import numpy as np
import pytest
from msgspec.structs import replace

from dowse.embedding.bert_weights import open_bert, read_bert_weights
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, DEFAULT_MODEL, find_model
from dowse.embedding.onnx import OnnxEmbedder
from dowse.errors import ModelDamagedError, ModelMissingError
from dowse.kernels.reference.transformer import Transformer
from dowse.kernels.transformer_weights import MAX_WEIGHT

QUESTIONS = (
    "bread", "how to make bread rise", "", "日本語", "[MASK] \x00",
    "what is the best way to make bread rise in a cold kitchen", "yeast and sourdough " * 60,
)  # fmt: skip
ALIKE = 0.97
"""Cosine of vectors of one text that are rounded in two ways: onnxruntime's own are as far as 0.976 from what
they would be without rounding (of 200 questions; 0.996 in the mean)."""


@pytest.fixture(scope="module")
def files() -> ModelFiles:
    """The default model."""
    pytest.importorskip("onnxruntime", reason="pip install onnxruntime tokenizers")
    try:
        return find_model(DEFAULT_MODEL)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")


@pytest.fixture(scope="module")
def content(files) -> bytes:
    """Its graph."""
    return files.model.read_bytes()


def test_the_parts_of_the_default_model_are_found(content):
    """Twelve layers of twelve heads, and words for each token of its vocabulary."""
    weights = read_bert_weights(content)
    assert (12, 12, (30522, 384), (512, 384)) == (
        len(weights.layers), weights.heads, weights.token_embeddings.shape, weights.positions.shape,
    )  # fmt: skip
    assert 1e-12 == pytest.approx(weights.epsilon)


def test_the_plain_twin_agrees_with_onnxruntime(files, content):
    """Whatever the processor: the arithmetic is the graph's, but for how values are rounded."""
    embedder = OnnxEmbedder(files)
    transformer = Transformer(read_bert_weights(content))
    for question in QUESTIONS[:5]:
        text = files.card.query_prefix + question
        vector = transformer.cls_embedding(np.array(embedder.tokenizer.encode(text).ids, np.int64))
        expected = embedder.embed_passages([text])[0]
        assert vector @ expected / np.linalg.norm(vector) > ALIKE


def test_questions_and_passages_are_in_one_space(files):
    """A question's vector is that of the passage with its prefix, nearly: both are rounded."""
    embedder = OnnxEmbedder(files)
    questions = embedder.embed_queries(QUESTIONS)
    passages = embedder.embed_passages([files.card.query_prefix + text for text in QUESTIONS])
    assert (questions * passages).sum(axis=1).min() > ALIKE


def test_without_wide_registers_onnxruntime_embeds_questions(files):
    """A processor without AVX2 has the same space, and is only slower."""
    compiled = pytest.importorskip("dowse.kernels._transformer")
    fast = OnnxEmbedder(files).embed_queries(QUESTIONS[:3])
    compiled._use_registers(0)
    try:
        assert open_bert(files) is None
        plain = OnnxEmbedder(files).embed_queries(QUESTIONS[:3])
    finally:
        compiled._use_registers(512)
    assert (fast * plain).sum(axis=1).min() > ALIKE


def test_weights_leave_room_for_sums_of_16_bits(content):
    """What the kernel takes for granted holds for the graph of the table."""
    for layer in read_bert_weights(content).layers:
        for matrix in (layer.qkv, layer.output, layer.ffn_in, layer.ffn_out):
            assert np.int8 == matrix.weights.dtype
            assert np.abs(matrix.weights.astype(int)).max() <= MAX_WEIGHT


def test_only_graphs_of_the_table_are_run_by_the_kernel(files):
    """Whatever its names say: a graph of another hash, another pooling, or a judge is onnxruntime's."""
    for other in (
        replace(files, model_sha256="0" * 64),
        replace(files, card=replace(files.card, pooling="mean")),
        find_model(DEFAULT_CROSS_ENCODER),
    ):
        assert open_bert(other) is None


def test_a_graph_that_is_not_what_it_should_be_is_refused(files, tmp_path):
    """The kernel's weights are checked as onnxruntime's are."""
    altered = tmp_path / "model.onnx"
    altered.write_bytes(files.model.read_bytes() + b"\0")
    if open_bert(files) is None:
        pytest.skip("this processor has no AVX2, or there was no compiler")
    with pytest.raises(ModelDamagedError):
        open_bert(replace(files, model=altered))
