"""Finds the parts of a BERT of int8 in a graph, for Dowse's own kernel.

Why there is one: docs/decisions/0011-questions-without-onnxruntime.md. Whatever is not exactly the graph that
it was written for is left to onnxruntime.
"""

from collections import Counter
from itertools import count

import numpy as np

from dowse.embedding.graph_file import AnyArray, Content, GraphFile, parse_graph
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.session import map_checked
from dowse.errors import InvalidParameterError
from dowse.kernels import Transformer
from dowse.kernels.layout import F32
from dowse.kernels.transformer_weights import (
    MAX_WEIGHT,
    Layer,
    Matrix,
    Norm,
    TransformerWeights,
    check_weights,
)

OF_A_LAYER = {"MatMulInteger": 6, "MatMul": 2, "DynamicQuantizeLinear": 4, "Softmax": 1, "Erf": 1}
"""Steps of a layer that say what it computes; those of another kind of model differ in one of them."""
PLAIN_STEPS = frozenset(
    (
        "Add", "Cast", "Concat", "DequantizeLinear", "Div", "Gather", "Mul", "Pow", "ReduceMean", "Reshape",
        "Shape", "Slice", "Sqrt", "Sub", "Transpose", "Unsqueeze",
    )
)  # fmt: skip


def open_bert(files: ModelFiles) -> Transformer | None:
    """Returns a model that embeds faster than onnxruntime; None when this is another model or processor.

    Raises:
        ModelMissingError: The graph is not there.
        ModelDamagedError: The graph is not what it should be.
    """
    if files.card.pooling != "cls" or not Transformer.is_fast():
        return None
    weights = find_bert_weights(map_checked(files, files.model, files.model_sha256))
    return None if weights is None else Transformer(weights)


def find_bert_weights(content: Content) -> TransformerWeights | None:
    """Returns the weights of the BERT that an ONNX file holds; None when it holds something else.

    Args:
        content: The file, whose weights are quantised by onnxruntime: int8 by column, rows dynamically.
    """
    try:
        weights = _Parts(parse_graph(content)).join()
        check_weights(weights)
    # A name, a number or a byte is not where a BERT has it.
    except (LookupError, ValueError, TypeError, ArithmeticError, InvalidParameterError):
        return None
    return weights


class _Parts:
    """A graph whose values are asked for by the names of BERT's parts."""

    def __init__(self, graph: GraphFile) -> None:
        self._tensors = graph.tensors
        self._nodes = {node.name: node for node in graph.nodes}
        self._layers = next(at for at in count() if f"/encoder/layer.{at}/output/Add" not in self._nodes)
        kinds = Counter(node.kind for node in graph.nodes)
        expected = {kind: self._layers * number for kind, number in OF_A_LAYER.items()}
        if not self._layers or {kind: kinds[kind] for kind in kinds.keys() - PLAIN_STEPS} != expected:
            raise ValueError("the steps are not those of a BERT")

    def join(self) -> TransformerWeights:
        words = self._tensors["embeddings.word_embeddings.weight_quantized"]
        width = words.shape[1]
        positions = self._dequantise("position_embeddings") + self._dequantise("token_type_embeddings")[0]
        # Scores are divided by the root of the width of a head.
        head_width = round(float(self._second_input("/encoder/layer.0/attention/self/Div")) ** 2)
        if words.dtype != np.uint8 or width % head_width:
            raise ValueError("the words are quantised in another way, or the heads differ in width")
        return TransformerWeights(
            words=np.array(words, np.uint8),  # a copy: the file's bytes need not stay
            word_scale=float(self._tensors["embeddings.word_embeddings.weight_scale"]),
            word_zero=int(self._tensors["embeddings.word_embeddings.weight_zero_point"]),
            positions=positions,
            norm=self._norm("embeddings"),
            layers=tuple(self._layer(at) for at in range(self._layers)),
            heads=width // head_width,
            epsilon=float(self._second_input("/embeddings/LayerNorm/Add")),
        )

    def _layer(self, at: int) -> Layer:
        parts = ("attention.self.query", "attention.self.key", "attention.self.value")
        three = [self._matrix(at, part) for part in parts]
        return Layer(
            joined=Matrix(*(np.concatenate(arrays, axis=-1) for arrays in zip(*three, strict=True))),
            output=self._matrix(at, "attention.output.dense"),
            attention_norm=self._norm(f"encoder.layer.{at}.attention.output"),
            widening=self._matrix(at, "intermediate.dense"),
            narrowing=self._matrix(at, "output.dense"),
            norm=self._norm(f"encoder.layer.{at}.output"),
        )

    def _matrix(self, at: int, part: str) -> Matrix:
        node = self._nodes[f"/encoder/layer.{at}/{part.replace('.', '/')}/MatMul_quant"]
        _, numbers, _, zero = node.inputs
        weights = self._tensors[numbers]
        if np.any(self._tensors[zero]) or weights.dtype != np.int8:
            raise ValueError("the weights are quantised in another way")
        if weights.max() > MAX_WEIGHT or weights.min() < -MAX_WEIGHT:
            raise ValueError("the weights leave no room for sums of 16 bits")
        scales = self._tensors[numbers.removesuffix("_quantized") + "_scale"]
        bias = self._tensors[f"encoder.layer.{at}.{part}.bias"]
        return Matrix(weights, scales.astype(np.float32), bias.astype(np.float32))

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
