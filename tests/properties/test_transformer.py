"""The compiled transformer and its plain twin are equal, and compute what a transformer is defined to."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import InvalidParameterError
from dowse.kernels.reference import transformer as plain
from dowse.kernels.transformer_weights import MAX_WEIGHT, Layer, Matrix, Norm, TransformerWeights

compiled = pytest.importorskip("dowse.kernels._transformer")

WORDS, PLACES = 50, 40


@pytest.fixture(autouse=True, scope="module", params=[512, 256, 0], ids=["AVX-512", "AVX2", "neither"])
def registers(request):
    """Runs everything with the widest registers that a processor may have, with less, and without."""
    if compiled._use_registers(request.param) != request.param:
        pytest.skip(f"this processor has no registers of {request.param} bits, or not all it takes")
    yield request.param
    compiled._use_registers(512)


def build_weights(
    seed: int, layers: int = 2, heads: int = 2, head_width: int = 32, inner: int = 96, reach: float = 1.0
) -> TransformerWeights:
    """Returns random weights; with a large `reach` values leave the curves' ranges."""
    source = np.random.default_rng(seed)
    width = heads * head_width

    def matrix(depth: int, columns: int) -> Matrix:
        numbers = source.integers(-64, 65, (depth, columns)).astype(np.int8)
        scales = source.uniform(0.2, 1.0, columns).astype(np.float32) * np.float32(reach * 0.05 / depth**0.5)
        return Matrix(numbers, scales, source.normal(size=columns).astype(np.float32))

    def norm() -> Norm:
        return Norm(*source.normal(1.0, 0.5, (2, width)).astype(np.float32))

    rows = tuple(
        Layer(
            matrix(width, 3 * width), matrix(width, width), norm(),
            matrix(width, inner), matrix(inner, width), norm(),
        )
        for _ in range(layers)
    )  # fmt: skip
    words = source.integers(0, 256, (WORDS, width)).astype(np.uint8)
    positions = source.normal(size=(PLACES, width)).astype(np.float32)
    return TransformerWeights(words, 0.01, 120, positions, norm(), rows, heads, 1e-12)


def exact_vector(weights: TransformerWeights, tokens: np.ndarray) -> np.ndarray:
    """Returns the first token's vector in float64, nothing rounded, written from the definition."""

    def normalise(rows: np.ndarray, norm: Norm) -> np.ndarray:
        apart = rows - rows.mean(1, keepdims=True)
        return apart / np.sqrt((apart**2).mean(1, keepdims=True)) * norm.weight + norm.bias

    def multiply(rows: np.ndarray, matrix: Matrix) -> np.ndarray:
        return rows @ (matrix.weights * matrix.scales.astype(np.float64)) + matrix.bias

    rows = weights.token_embeddings[tokens].astype(np.float64) - weights.token_zero_point
    rows *= weights.token_scale
    rows = normalise(rows + weights.positions[: len(tokens)], weights.norm)
    for layer in weights.layers:
        parts = []
        three = np.split(multiply(rows, layer.qkv), 3, axis=1)
        by_head = zip(*(np.split(part, weights.heads, axis=1) for part in three), strict=True)
        for queries, keys, values in by_head:
            scores = np.exp(queries @ keys.T / math.sqrt(queries.shape[1]))
            parts.append(scores / scores.sum(1, keepdims=True) @ values)
        rows = normalise(rows + multiply(np.hstack(parts), layer.output), layer.attention_norm)
        inner = multiply(rows, layer.ffn_in)
        inner *= 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        rows = normalise(rows + multiply(inner, layer.ffn_out), layer.norm)
    return rows[0]


TOKENS = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=PLACES)


@given(
    st.integers(0, 1000), st.integers(0, 3), st.integers(1, 3), st.sampled_from([32, 64]),
    st.sampled_from([32, 96]), st.sampled_from([0.0, 1.0, 30.0, 1e30]), TOKENS,
)  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_both_twins_return_the_same(seed, layers, heads, head_width, inner, reach, tokens):
    """Vectors are equal to the last bit, whatever the widths and however far values go."""
    weights = build_weights(seed, layers, heads, head_width, inner, reach)
    numbers = np.array(tokens, np.int64)
    with np.errstate(all="ignore"):
        expected = plain.Transformer(weights).cls_embedding(numbers)
        actual = compiled.Transformer(weights).cls_embedding(numbers)
    if np.isfinite(expected).all():
        np.testing.assert_array_equal(expected, actual)
    assert expected.dtype == actual.dtype


def test_only_wide_registers_are_fast(registers):
    """Without them onnxruntime is asked, and whoever has a transformer all the same gets its vectors."""
    assert (registers > 0) == compiled.Transformer.is_fast()


def test_threads_may_share_a_transformer():
    """Each call has room of its own."""
    transformer = compiled.Transformer(build_weights(1))
    source = np.random.default_rng(2)
    texts = [source.integers(0, WORDS, length) for length in source.integers(1, PLACES, 200)]
    expected = [transformer.cls_embedding(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        np.testing.assert_array_equal(expected, list(pool.map(transformer.cls_embedding, texts)))


@pytest.mark.parametrize("number", [MAX_WEIGHT, -MAX_WEIGHT])
def test_the_largest_sums_fit(number):
    """Rows whose every level is the highest, times the largest weights: nothing wraps around in 16 bits."""
    weights = build_weights(1, layers=1)

    def largest(matrix: Matrix) -> Matrix:
        return matrix._replace(weights=np.full_like(matrix.weights, number))

    level = Norm(np.zeros(64, np.float32), np.ones(64, np.float32))
    layers = [layer._replace(qkv=largest(layer.qkv), ffn_in=largest(layer.ffn_in),
                             attention_norm=level) for layer in weights.layers]  # fmt: skip
    weights = weights._replace(norm=level, layers=tuple(layers))
    tokens = np.arange(5)
    np.testing.assert_array_equal(
        plain.Transformer(weights).cls_embedding(tokens), compiled.Transformer(weights).cls_embedding(tokens)
    )


@given(st.integers(0, 1000), TOKENS)
@settings(max_examples=25, deadline=None)
def test_rounding_hardly_turns_a_vector(seed, tokens):
    """The cosine to what the definition gives is near 1."""
    weights = build_weights(seed)
    numbers = np.array(tokens, np.int64)
    expected, actual = exact_vector(weights, numbers), compiled.Transformer(weights).cls_embedding(numbers)
    assert expected @ actual > 0.999 * np.linalg.norm(expected) * np.linalg.norm(actual)


@pytest.mark.parametrize("twin", [plain, compiled])
@pytest.mark.parametrize("tokens", [[], [-1], [WORDS], [1] * (PLACES + 1)])
def test_tokens_without_a_word_or_a_place_are_refused(twin, tokens):
    """No memory beyond the tables is read."""
    with pytest.raises(InvalidParameterError):
        twin.Transformer(build_weights(1)).cls_embedding(np.array(tokens, np.int64))


@pytest.mark.parametrize("twin", [plain, compiled])
def test_weights_that_do_not_fit_are_refused(twin):
    """No memory beyond the matrices is read."""
    weights = build_weights(1)
    first, *rest = weights.layers
    short = first.output._replace(bias=first.output.bias[:-1])
    narrow = first.ffn_in._replace(weights=first.ffn_in.weights[:, :-1])
    for broken in (
        weights._replace(heads=3),
        weights._replace(heads=4),
        weights._replace(positions=weights.positions[:, :-1]),
        weights._replace(layers=(first._replace(output=short), *rest)),
        weights._replace(layers=(first, first._replace(ffn_in=narrow))),
    ):
        with pytest.raises(InvalidParameterError):
            twin.Transformer(broken)
