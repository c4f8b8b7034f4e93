"""Spaces: rotation, codes and prepared queries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import InvalidParameterError
from dowse.storage.vectors.codes import block_bits, take_bits
from dowse.storage.vectors.rotation import Rotation
from dowse.storage.vectors.space import VectorSpace, build_space


def unit_vectors(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Returns random vectors of length 1 that all lean to one side, as those of models do."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, dimensions)) + random.standard_normal(dimensions)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


DIMENSIONS = st.sampled_from([1, 3, 64, 100, 384, 768, 1000])


@given(st.sampled_from([64, 128, 192, 384, 1024, 4096]), st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None)
def test_a_rotation_keeps_inner_products_and_can_be_undone(width, seed):
    """Rotated vectors have the angles they had; rotating back gives them again."""
    vectors, rotation = unit_vectors(5, width), Rotation(width, seed)
    rotated = rotation.rotate(vectors)
    assert np.allclose(vectors @ vectors.T, rotated @ rotated.T, atol=1e-5)
    assert np.allclose(vectors, rotation.rotate_back(rotated), atol=1e-5)
    assert np.allclose(rotated[2], rotation.rotate_one(vectors[2]), atol=1e-5)


def test_a_rotation_spreads_one_dimension_over_all():
    """A vector along an axis ends with no dimension that has much of it."""
    rotated = Rotation(384, 1).rotate(np.eye(384, dtype=np.float32))
    assert np.abs(rotated).max() < 0.35
    assert (np.abs(rotated) > 1e-6).mean() > 0.9


def test_a_rotation_is_the_same_for_ever():
    """Its first numbers are those written down here; another version must not turn vectors differently."""
    rotated = Rotation(64, 1).rotate(np.eye(64, dtype=np.float32)[:1])
    assert [0.1015625, 0.1484375, -0.1328125, 0.2265625] == rotated[0, :4].tolist()


@given(DIMENSIONS, st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_decoding_gives_vectors_back_to_twelve_bits(dimensions, seed):
    """No coordinate of a rotated vector is off by more than a sixteenth of a level, and few by half that."""
    vectors = unit_vectors(20, dimensions, seed)
    space = build_space(vectors[:10])
    codes = space.encode(vectors)
    errors = np.linalg.norm(space.decode(codes) - vectors, axis=1)
    bounds = codes.scales / 16 * np.sqrt(space.width)
    assert np.all(errors <= bounds + 1e-6)
    assert np.median(errors) <= np.median(bounds) / 2 + 1e-6


@given(st.sampled_from([100, 384, 768]), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_a_bit_a_dimension_estimates_without_bias(dimensions, seed):
    """The estimate from bits is off by about RaBitQ's bound, and exact for the vector itself on the whole."""
    vectors = unit_vectors(200, dimensions, seed)
    space = build_space(vectors)
    codes, query = space.encode(vectors), vectors[0]
    prepared = space.prepare(query)
    signs = np.unpackbits(codes.bits, axis=1, bitorder="little").astype(np.float32) * 2 - 1
    estimates = prepared.base + codes.biases + codes.factors * (signs @ prepared.levels) * prepared.level_step
    errors = estimates - vectors @ query
    # ε0 = 4 standard deviations of sqrt(π/2 - 1) |x| |y| / sqrt(width)
    lengths = np.linalg.norm(vectors - space.mean, axis=1)
    bound = 4 * np.sqrt((np.pi / 2 - 1) / (space.width - 1)) * lengths * lengths[0]
    assert (np.abs(errors) <= bound + 1e-3).mean() > 0.98
    assert abs(errors.mean()) < 0.02
    assert abs(errors[0]) < 1e-3


def test_a_query_has_sixteen_levels():
    """The table gives each pattern of four bits the sum of the levels, or of what is left to 15."""
    vectors = unit_vectors(30, 384)
    prepared = build_space(vectors).prepare(vectors[0])
    rotated = prepared.levels * prepared.level_step
    levels = np.rint((rotated / prepared.step + 15) / 2)
    assert levels.min() >= 0
    assert levels.max() <= 15
    first = levels[:4]
    assert prepared.lookup[0, 0b0101] == first[0] + 15 - first[1] + first[2] + 15 - first[3]
    assert np.all(prepared.lookup[:, 0] + prepared.lookup[:, 15] == 60)


@given(st.integers(0, 100))
def test_blocks_give_rows_back(count):
    """Bits of rows side by side are the bits of the rows."""
    bits = np.random.default_rng(count).integers(0, 256, (count, 8), np.uint8)
    assert np.array_equal(bits, take_bits(block_bits(bits), np.arange(count)))


def test_a_vector_that_is_the_mean_can_be_encoded():
    """One vector alone is its own mean: nothing is left of it, and its score is still 1."""
    vectors = unit_vectors(1, 384)
    space = build_space(vectors)
    codes = space.encode(vectors)
    assert (0, 0) == (codes.factors[0], codes.scales[0])
    assert 1 == pytest.approx(space.prepare(vectors[0]).base + codes.biases[0], abs=1e-5)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0, 1e30])
def test_vectors_without_a_direction_are_refused(value):
    """NaN, infinity, zero and other lengths are errors that name the vector."""
    vectors = unit_vectors(5, 64)
    space = build_space(vectors)
    vectors[3] = value
    with pytest.raises(InvalidParameterError, match="vector 3"):
        space.encode(vectors)
    with pytest.raises(InvalidParameterError, match="vector 0"):
        space.prepare(vectors[3])


def test_vectors_of_other_sizes_are_refused():
    """A model that answers with other dimensions is noticed; so are spaces that cannot be."""
    space = build_space(unit_vectors(5, 64))
    with pytest.raises(InvalidParameterError, match="shape"):
        space.encode(unit_vectors(5, 65))
    with pytest.raises(InvalidParameterError, match="shape"):
        space.prepare(unit_vectors(1, 65)[0])
    with pytest.raises(InvalidParameterError, match="4097"):
        VectorSpace(4097, np.zeros(4097, np.float32))
    with pytest.raises(InvalidParameterError, match="mean"):
        VectorSpace(3, np.full(3, np.nan, np.float32))


def test_spaces_that_differ_have_other_fingerprints():
    """Mean, seed and dimensions all count."""
    mean = np.zeros(64, np.float32)
    spaces = [VectorSpace(64, mean), VectorSpace(64, mean, 2), VectorSpace(64, mean + 1)]
    spaces.append(VectorSpace(63, mean[1:]))
    assert 4 == len({space.fingerprint for space in spaces})


def test_an_empty_sample_makes_a_space():
    """Before there are vectors the mean is 0."""
    assert 0 == build_space(np.zeros((0, 384), np.float32)).mean.max()


@given(DIMENSIONS, st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_what_is_rotated_is_as_good_as_what_is_not(dimensions, seed):
    """Decoded vectors and prepared queries are those that rotating gives, to their twelve bits."""
    vectors = unit_vectors(20, dimensions, seed)
    space = build_space(vectors[:5])
    rotated = np.array([space.rotate(vector) for vector in vectors])
    assert np.allclose(vectors @ vectors.T, rotated @ rotated.T, atol=1e-5)
    codes = space.encode(vectors)
    bounds = codes.scales / 16 * np.sqrt(space.width) + 1e-6
    decoded = space.decode_rotated(codes.levels, codes.remainders, codes.scales)
    assert np.all(np.linalg.norm(decoded - rotated, axis=1) <= bounds)
    prepared, again = space.prepare(vectors[0]), space.prepare_rotated(rotated[0])
    assert np.allclose(rotated[0], space.rotated(prepared), atol=1e-6)
    assert np.allclose(prepared.centred, again.centred, atol=1e-6)
    assert prepared.base == pytest.approx(again.base, abs=1e-6)
    assert prepared.fingerprint == again.fingerprint
    assert np.abs(prepared.levels - again.levels).max() <= 1
