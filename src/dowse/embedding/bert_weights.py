"""Reads the weights of a BERT of int8 from its graph, for Dowse's own kernel.

Why there is one: docs/decisions/0011-questions-without-onnxruntime.md. Only graphs of the table are read,
known by their hash: one that differs in a single edge has the same names and other vectors, and questions
would be looked for in another space than passages.
"""

from itertools import count

import numpy as np

from dowse.embedding.graph_file import AnyArray, GraphFile, parse_graph
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.models import MODELS
from dowse.embedding.session import read_checked
from dowse.kernels import Transformer
from dowse.kernels.layout import F32
from dowse.kernels.transformer_weights import Layer, Matrix, Norm, TransformerWeights

_KNOWN_GRAPHS = frozenset(row.model_sha256 for row in MODELS if row.is_plain_bert)


def open_bert(files: ModelFiles) -> Transformer | None:
    """Returns a model that embeds short texts faster than onnxruntime; None for other models or processors.

    Raises:
        ModelMissingError: The graph is not there.
        ModelDamagedError: The graph is not what it should be.
    """
    is_known = files.model_sha256 in _KNOWN_GRAPHS and files.card.pooling == "cls"
    if not is_known or not Transformer.is_fast():
        return None
    return Transformer(read_bert_weights(read_checked(files, files.model, files.model_sha256)))


def read_bert_weights(content: bytes) -> TransformerWeights:
    """Returns the weights of a graph of the table; its bytes need not stay."""
    return _Parts(parse_graph(content)).join()


class _Parts:
    """A graph whose values are asked for by the names of BERT's parts."""

    def __init__(self, graph: GraphFile) -> None:
        self._tensors = graph.tensors
        self._nodes = {node.name: node for node in graph.nodes}
        self._layers = next(at for at in count() if f"/encoder/layer.{at}/output/Add" not in self._nodes)

    def join(self) -> TransformerWeights:
        words = self._tensors["embeddings.word_embeddings.weight_quantized"]
        # Scores are divided by the root of the width of a head.
        head_width = round(float(self._second_input("/encoder/layer.0/attention/self/Div")) ** 2)
        return TransformerWeights(
            token_embeddings=np.array(words, np.uint8),
            token_scale=float(self._tensors["embeddings.word_embeddings.weight_scale"]),
            token_zero_point=int(self._tensors["embeddings.word_embeddings.weight_zero_point"]),
            positions=self._dequantise("position_embeddings") + self._dequantise("token_type_embeddings")[0],
            norm=self._norm("embeddings"),
            layers=tuple(self._layer(at) for at in range(self._layers)),
            heads=words.shape[1] // head_width,
            epsilon=float(self._second_input("/embeddings/LayerNorm/Add")),
        )

    def _layer(self, at: int) -> Layer:
        parts = ("attention.self.query", "attention.self.key", "attention.self.value")
        three = [self._matrix(at, part) for part in parts]
        return Layer(
            qkv=Matrix(*(np.concatenate(arrays, axis=-1) for arrays in zip(*three, strict=True))),
            output=self._matrix(at, "attention.output.dense"),
            attention_norm=self._norm(f"encoder.layer.{at}.attention.output"),
            ffn_in=self._matrix(at, "intermediate.dense"),
            ffn_out=self._matrix(at, "output.dense"),
            norm=self._norm(f"encoder.layer.{at}.output"),
        )

    def _matrix(self, at: int, part: str) -> Matrix:
        node = self._nodes[f"/encoder/layer.{at}/{part.replace('.', '/')}/MatMul_quant"]
        name = node.inputs[1]  # numbers of the exporter's, such as onnx::MatMul_1536_quantized
        scales = self._tensors[name.removesuffix("_quantized") + "_scale"]
        bias = self._tensors[f"encoder.layer.{at}.{part}.bias"]
        return Matrix(self._tensors[name], scales.astype(np.float32), bias.astype(np.float32))

    def _norm(self, name: str) -> Norm:
        weight, bias = (self._tensors[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return Norm(weight.astype(np.float32), bias.astype(np.float32))

    def _dequantise(self, name: str) -> F32:
        levels, scale, zero = (
            self._tensors[f"embeddings.{name}.weight_{part}"] for part in ("quantized", "scale", "zero_point")
        )
        rows: F32 = (levels.astype(np.float32) - np.float32(zero)) * np.float32(scale)
        return rows

    def _second_input(self, name: str) -> AnyArray:
        return self._tensors[self._nodes[name].inputs[1]]
