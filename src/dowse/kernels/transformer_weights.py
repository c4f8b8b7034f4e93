"""The shapes of a small transformer's weights, and the two curves its kernels share.

A transformer of BERT's kind (Devlin et al., 2019): each layer adds attention and a two-matrix network to
its rows, and normalises after each. Matrices are int8 with a scale a column.
"""

from typing import NamedTuple

import numpy as np

from dowse.errors import InvalidParameterError
from dowse.kernels.layout import F32, I8, I64, U8

MAX_LEVEL = 127
"""Rows are rounded to levels from 0 to this: four of them times weights of at most `MAX_WEIGHT` fit 16 bits,
so that a kernel may add two pairs before it widens the sum."""
MAX_WEIGHT = 64
WIDTH_STEP = 32
"""Widths are multiples of this."""

GELU_REACH = 4.5
GELU_CURVE = np.array(
    [
        0.15690206, -0.07717831, 0.054826684, -0.040479675, 0.027542964, -0.016957168, 0.012440613,
        -0.0091660256, 0.0031804724,
    ],
    np.float32,
)  # fmt: skip
"""P in gelu(x) = x * (1/2 + c * P(2 * (c / 4.5)² - 1)), where c is x cut to [-4.5, 4.5]: a least-squares fit
in Chebyshev's polynomials to (Phi(c) - 1/2) / c, lowest power first. gelu is off by 4e-5 at most, a
hundredth of the step to which its values are rounded afterwards."""
EXP2_CURVE = np.array([np.log(2.0) ** power / np.prod(range(1, power + 1)) for power in range(8)], np.float32)
"""2 to the power of f for f in [-1/2, 1/2], lowest power first: Taylor's series."""


class Matrix(NamedTuple):
    """Weights (depth, columns), the scale of each column, and what is added to each."""

    weights: I8
    scales: F32
    bias: F32


class Norm(NamedTuple):
    """What a normalised row is multiplied by, and what is added."""

    weight: F32
    bias: F32


class Layer(NamedTuple):
    """One layer; `qkv` makes queries, keys and values side by side."""

    qkv: Matrix
    output: Matrix
    attention_norm: Norm
    ffn_in: Matrix
    ffn_out: Matrix
    norm: Norm


class TransformerWeights(NamedTuple):
    """A whole transformer.

    Attributes:
        token_embeddings: (tokens, width), quantised.
        token_scale: What one step of them is worth.
        token_zero_point: The value that stands for 0.
        positions: (longest text, width) added to the words.
        norm: Of the sums.
        layers: From the first to the last.
        heads: Into so many parts attention divides the width.
        epsilon: Added to a variance before its root is taken.
    """

    token_embeddings: U8
    token_scale: float
    token_zero_point: int
    positions: F32
    norm: Norm
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float


def check_weights(weights: TransformerWeights) -> None:
    """Raises InvalidParameterError unless all shapes fit each other and the kernel."""
    width = weights.token_embeddings.shape[1]
    fits = [
        weights.positions.shape[1:] == (width,),
        weights.heads > 0 and width % (weights.heads * WIDTH_STEP) == 0,
        _fits_norm(weights.norm, width),
    ]
    inner = weights.layers[0].ffn_in.weights.shape[1] if weights.layers else WIDTH_STEP
    for layer in weights.layers:
        fits += [
            _fits_matrix(layer.qkv, width, 3 * width),
            _fits_matrix(layer.output, width, width),
            _fits_norm(layer.attention_norm, width),
            _fits_matrix(layer.ffn_in, width, inner),
            _fits_matrix(layer.ffn_out, inner, width),
            _fits_norm(layer.norm, width),
        ]
    if not all(fits) or inner % WIDTH_STEP or not width or not inner:
        legal = f"widths are multiples of {WIDTH_STEP}, and the same from layer to layer"
        raise InvalidParameterError(name="weights", value=f"{width} wide", legal=legal)


def _fits_matrix(matrix: Matrix, depth: int, columns: int) -> bool:
    return matrix.weights.shape == (depth, columns) and matrix.scales.shape == matrix.bias.shape == (columns,)


def _fits_norm(norm: Norm, width: int) -> bool:
    return norm.weight.shape == norm.bias.shape == (width,)


def check_tokens(tokens: I64, weights: TransformerWeights) -> None:
    """Raises InvalidParameterError unless each token has a word and a place."""
    if not 1 <= len(tokens) <= len(weights.positions):
        legal = f"legal values are 1 to {len(weights.positions)}"
        raise InvalidParameterError(name="number of tokens", value=len(tokens), legal=legal)
    if tokens.min() < 0 or tokens.max() >= len(weights.token_embeddings):
        legal = f"legal values are 0 to {len(weights.token_embeddings) - 1}"
        wrong = tokens.min() if tokens.min() < 0 else tokens.max()
        raise InvalidParameterError(name="token", value=int(wrong), legal=legal)
