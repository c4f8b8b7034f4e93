"""The map that corrects static vectors."""

import numpy as np
import pytest

from dowse.embedding.embedder import normalise
from dowse.embedding.linear_map import LinearMap, MapFitter, decode_map, fit, unlearned_map
from dowse.errors import InvalidParameterError

DIMENSIONS = 8


def pairs(count: int, seed: int = 0):
    """Returns static vectors, and a model's that are a straight map of them with a little noise."""
    source = np.random.default_rng(seed)
    static = normalise(source.normal(size=(count, DIMENSIONS)))
    matrix = np.random.default_rng(99).normal(size=(DIMENSIONS, DIMENSIONS)) * 0.3
    model = normalise(static @ matrix + 0.5 + source.normal(size=static.shape) * 0.01)
    return static, model


def cosines(left, right) -> np.ndarray:
    """Returns the cosine of each pair."""
    return (left * right).sum(axis=1)


def test_a_fitted_map_brings_unseen_vectors_nearer():
    """Vectors that the fit has not seen come close to the model's; more pairs bring them closer."""
    static, model = pairs(1000, seed=1)
    few, many = (fit(*pairs(count)) for count in (20, 2000))
    plain = cosines(static, model).mean()
    assert plain < cosines(few.apply(static), model).mean() < cosines(many.apply(static), model).mean()
    assert cosines(many.apply(static), model).mean() > 0.95


def test_parts_in_any_order_give_the_same_map():
    """Pairs may come as they please; the sums are the same."""
    static, model = pairs(300)
    fitter = MapFitter(DIMENSIONS)
    for start in (200, 0, 100):
        fitter.add(static[start : start + 100], model[start : start + 100])
    np.testing.assert_allclose(fitter.solve().matrix, fit(static, model).matrix, atol=1e-5)
    assert 300 == fitter.count


def test_the_map_solves_the_equations_of_ridge_regression():
    """The gradient of squared error plus penalty around the prior is zero at the solution."""
    static, model = pairs(50)
    found = fit(static, model, ridge=4.0)
    left, right = static - static.mean(axis=0), model - model.mean(axis=0)
    prior = unlearned_map(DIMENSIONS).matrix
    gradient = left.T @ (left @ found.matrix - right) + 4.0 * (found.matrix - prior)
    np.testing.assert_allclose(gradient, 0.0, atol=1e-4)


def test_without_pairs_the_map_is_the_prior():
    """Nothing known, nothing changed."""
    prior = LinearMap(np.full((DIMENSIONS, DIMENSIONS), 2.0, np.float32), np.ones(DIMENSIONS, np.float32))
    assert prior is MapFitter(DIMENSIONS, prior).solve()


def test_one_pair_is_enough_to_solve():
    """The penalty keeps the equations solvable, however few the pairs."""
    found = fit(*pairs(1)).apply(pairs(5, seed=2)[0])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-5)


def test_rows_that_do_not_pair_are_refused():
    """Static and model vectors are given row by row."""
    static, model = pairs(3)
    with pytest.raises(InvalidParameterError, match="model_vectors"):
        MapFitter(DIMENSIONS).add(static, model[:2])


@pytest.mark.parametrize("ridge", [0.0, -1.0, float("nan")])
def test_a_penalty_that_is_none_is_refused(ridge: float):
    """The ridge is above 0."""
    with pytest.raises(InvalidParameterError, match="ridge"):
        MapFitter(DIMENSIONS).solve(ridge)


def test_the_fingerprint_follows_the_numbers():
    """Another map is another fingerprint; the same numbers are the same one."""
    assert fit(*pairs(9)).fingerprint == fit(*pairs(9)).fingerprint != fit(*pairs(10)).fingerprint


def test_a_map_comes_back_from_bytes():
    """What was kept is what was learned; bytes of another size, or that are no numbers, are no map."""
    learned = fit(*pairs(9))
    found = decode_map(learned.encode(), DIMENSIONS)
    assert found is not None
    assert learned.fingerprint == found.fingerprint
    assert decode_map(learned.encode()[:-1], DIMENSIONS) is None
    assert decode_map(learned.encode(), DIMENSIONS + 1) is None
    assert decode_map(b"\xff" * len(learned.encode()), DIMENSIONS) is None


def test_the_offset_puts_the_mean_where_the_models_is():
    """Before they are brought to length 1, mapped vectors have the model's mean, however few they are."""
    static, model = pairs(7)
    found = fit(static, model)
    mean = (static @ found.matrix + found.offset).mean(axis=0)
    np.testing.assert_allclose(mean, model.mean(axis=0), atol=1e-5)
