"""The scan of vectors: compiled and plain twins agree, and both agree with sums written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.layout import VECTOR_LANES
from dowse.kernels.reference import vectors as plain

compiled = pytest.importorskip("dowse.kernels._vectors")


@pytest.fixture(autouse=True, scope="module", params=[True, False], ids=["wide", "narrow"])
def registers(request):
    """Runs everything with the loops for this processor and with the portable ones."""
    if compiled._use_wide_registers(request.param) is not request.param:
        pytest.skip("this processor has no wide registers")
    yield
    compiled._use_wide_registers(True)


@st.composite
def scans(draw):
    """Random codes, few different factors and biases (so that estimates tie), a query and a mask."""
    rows, width = draw(st.integers(0, 100)), draw(st.sampled_from([8, 16, 48, 512]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    blocks = -(-rows // VECTOR_LANES)
    bits = random.integers(0, draw(st.sampled_from([2, 256])), (blocks, width, VECTOR_LANES), np.uint8)
    factors = random.choice(np.array([0, 0.5, -1, 1e-3], np.float32), rows)
    biases = random.choice(np.array([-0.0, 0, 0.25, np.nan], np.float32), rows)
    levels = random.integers(0, 16, (2 * width, 4))
    nibbles = np.arange(16)[:, None] >> np.arange(4) & 1
    lookup = np.where(nibbles, levels[:, None], 15 - levels[:, None]).sum(axis=2).astype(np.uint8)
    allowed = draw(st.sampled_from([None, 0.0, 0.05, 0.5, 1.0]))
    mask = None if allowed is None else (random.random(rows) < allowed).astype(np.uint8)
    return bits, factors, biases, lookup, draw(st.sampled_from([0.0, 1.0, 0.013])), mask, levels


@given(scans(), st.sampled_from([0, 1, 2, 10, 33, 1000]))
@settings(deadline=None)
def test_both_scans_return_the_same_rows(case, count):
    """Rows are equal, ties and rows without a number included."""
    *arguments, _ = case
    expected = plain.scan_bits(*arguments, count)
    assert np.array_equal(expected, compiled.scan_bits(*arguments, count))


@given(scans())
@settings(deadline=None)
def test_a_scan_is_the_sum_over_bit_planes(case):
    """The best rows are those of estimates written out as popcounts of the query's four planes."""
    bits, factors, biases, lookup, step, allowed, levels = case
    rows, planes = len(factors), levels.reshape(-1)[:, None] >> np.arange(4) & 1
    scores = {}
    for row in range(rows):
        own = np.unpackbits(bits[row // VECTOR_LANES, :, row % VECTOR_LANES], bitorder="little")
        total = ((own[:, None] == planes).sum(axis=0) * [1, 2, 4, 8]).sum()
        dot = np.float32(step) * np.float32(2 * total - 15 * len(own))
        score = biases[row] + factors[row] * dot
        if (allowed is None or allowed[row]) and not np.isnan(score):
            scores[row] = score
    ordered = sorted(scores, key=lambda row: (-scores[row], row))
    for count in {0, 1, 5, rows // 2, rows}:
        found = plain.scan_bits(bits, factors, biases, lookup, step, allowed, count)
        assert sorted(ordered[:count]) == found.tolist()


@given(st.data())
@settings(deadline=None)
def test_both_second_looks_return_the_same_scores(data):
    """Rows and scores are equal to the bit, at the largest levels too."""
    total, width = data.draw(st.integers(0, 60)), data.draw(st.sampled_from([64, 384, 4096]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    levels = random.integers(-127, 128, (total, width), np.int8)
    query = random.integers(-2047, 2048, width).astype(np.int16)
    if data.draw(st.booleans()):
        levels[:], query[:] = 127, -2047
    scales = random.choice(np.array([0, 1e-3, 2, -1], np.float32), total)
    biases = random.choice(np.array([-0.0, 0.5, np.nan], np.float32), total)
    rows = np.flatnonzero(random.random(total) < 0.7).astype(np.uint32)
    count = data.draw(st.sampled_from([0, 1, 3, 100]))
    expected = plain.score_levels(levels, scales, biases, query, 0.01, rows, count)
    actual = compiled.score_levels(levels, scales, biases, query, 0.01, rows, count)
    assert np.array_equal(expected[0], actual[0])
    assert np.array_equal(expected[1].view(np.uint32), actual[1].view(np.uint32))


@given(st.data())
@settings(deadline=None)
def test_both_last_looks_return_the_same_sums(data):
    """Equal whole numbers, at the largest levels too, and those of the formula."""
    total, width = data.draw(st.integers(1, 40)), data.draw(st.sampled_from([64, 384, 4096]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    levels = random.integers(-127, 128, (total, width), np.int8)
    remainders = random.integers(0, 256, (total, width // 2)).astype(np.uint8)
    query = random.integers(-2047, 2048, width).astype(np.int16)
    if data.draw(st.booleans()):
        levels[:], remainders[:], query[:] = -127, 255, 2047
    rows = random.integers(0, total, data.draw(st.integers(0, 30))).astype(np.uint32)
    expected = plain.score_int12(levels, remainders, query, rows)
    assert expected.tolist() == compiled.score_int12(levels, remainders, query, rows).tolist()
    if len(rows):
        own, left = levels[rows[0]].tolist(), remainders[rows[0]].tolist()
        fine = [16 * own[i] - 8 + (left[i // 2] >> 4 * (i % 2) & 15) for i in range(width)]
        assert sum(one * int(level) for one, level in zip(fine, query, strict=True)) == expected[0]


@pytest.mark.parametrize("twin", [plain, compiled], ids=["plain", "compiled"])
def test_what_does_not_fit_together_is_refused(twin):
    """Shapes that disagree, rows out of order and levels out of range are errors, never stray reads."""
    bits, ones = np.zeros((1, 8, 32), np.uint8), np.ones(20, np.float32)
    lookup = np.zeros((16, 16), np.uint8)
    more = np.ones(33, np.float32)
    for wrong in [(bits[:, :7].copy(), ones, ones), (bits, ones[:5], ones), (bits, more, more)]:
        with pytest.raises(ValueError, match="fit together"):
            twin.scan_bits(*wrong, lookup, 1.0, None, 5)
    with pytest.raises(ValueError, match="fit together"):
        twin.scan_bits(bits, ones, ones, lookup, 1.0, np.ones(19, np.uint8), 5)
    levels, query = np.zeros((20, 64), np.int8), np.zeros(64, np.int16)
    for rows in ([20], [1, 1], [2, 1]):
        with pytest.raises(ValueError, match="ascend"):
            twin.score_levels(levels, ones, ones, query, 1.0, np.array(rows, np.uint32), 5)
    with pytest.raises(ValueError, match="range"):
        twin.score_levels(levels, ones, ones, query + np.int16(2048), 1.0, np.array([1], np.uint32), 5)
    with pytest.raises(ValueError, match="fit together"):
        twin.score_levels(levels, ones, ones, query[:32], 1.0, np.array([1], np.uint32), 5)
    halves = np.zeros((20, 32), np.uint8)
    with pytest.raises(ValueError, match="there"):
        twin.score_int12(levels, halves, query, np.array([20], np.uint32))
    with pytest.raises(ValueError, match="range"):
        twin.score_int12(levels, halves, query - np.int16(2048), np.array([1], np.uint32))
    for wrong in (halves[:19], halves[:, :31].copy()):
        with pytest.raises(ValueError, match="fit together"):
            twin.score_int12(levels, wrong, query, np.array([1], np.uint32))
