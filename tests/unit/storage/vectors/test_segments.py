"""Segments of vectors: written, opened, scanned, merged, damaged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import CorruptFileError, InvalidParameterError, UnsupportedFormatError
from dowse.storage.disk_directory import DiskDirectory
from dowse.storage.memory_directory import MemoryDirectory
from dowse.storage.vectors import (
    EXACT,
    FAST,
    VectorReader,
    build_space,
    choose_vector_merge,
    get_scan_mode,
    merge_vector_segments,
    write_vector_segment,
)
from dowse.storage.vectors.vector_files import decode_vector_manifest
from dowse.storage.vectors.writer import PIECE_ROWS

SPACE_SAMPLE = 50
TOLERANCE = 0.0003


def unit_vectors(count, dimensions=100, seed=0):
    """Returns random vectors of length 1, gathered in a few clusters."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(99).standard_normal((7, dimensions))
    vectors = random.standard_normal((count, dimensions)) + 1.5 * centres[random.integers(0, 7, count)]
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


SPACE = build_space(unit_vectors(SPACE_SAMPLE, seed=5))


def open_segment(directory, folder, keys, vectors, kinds=None):
    """Writes a segment and opens it."""
    kinds = np.zeros(len(keys), np.uint8) if kinds is None else kinds
    written = write_vector_segment(directory, folder, SPACE, np.asarray(keys, np.int64), vectors, kinds)
    return VectorReader(directory, folder, written.checksum)


def test_a_segment_gives_back_what_was_written():
    """Keys, kinds and space are equal; vectors are, to twelve bits; sizes are those of the files."""
    directory, vectors = MemoryDirectory(), unit_vectors(70)
    keys, kinds = np.arange(70) * 3 - 100, (np.arange(70) % 2).astype(np.uint8)
    written = write_vector_segment(directory, "v1", SPACE, keys, vectors, kinds)
    reader = VectorReader(directory, "v1", written.checksum)
    assert ("v1", 70, -100, 107) == (written.folder, written.rows, written.first_key, written.last_key)
    assert np.array_equal(keys, reader.keys)
    assert np.array_equal(kinds, reader.kinds)
    assert SPACE.fingerprint == reader.space.fingerprint
    assert np.abs(reader.vectors(np.array([5, 69, 0])) - vectors[[5, 69, 0]]).max() < TOLERANCE
    assert written.disk_bytes > reader.disk_bytes > 70 * 128
    assert [0, 69, -1, -1] == reader.find_rows(np.array([-100, 107, 108, 0])).tolist()
    assert reader.is_intact()


@given(st.integers(0, 400), st.integers(0, 30), st.sampled_from([None, 0.0, 0.1, 0.9]), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_looking_at_everything_equals_brute_force(count, k, share, seed):
    """Exact scores are inner products, and no row that was left out is better than one that was found."""
    vectors, query = unit_vectors(count, seed=seed), unit_vectors(1, seed=seed + 1000)[0]
    reader = open_segment(MemoryDirectory(), "v", np.arange(count), vectors)
    random = np.random.default_rng(seed)
    allowed = None if share is None else (random.random(count) < share).astype(np.uint8)
    rows, scores = reader.scan(SPACE.prepare(query), allowed, k, EXACT)
    may = np.arange(count) if allowed is None else np.flatnonzero(allowed)
    exact = vectors @ query
    assert min(k, len(may)) == len(rows) == len(set(rows.tolist()))
    assert set(rows.tolist()) <= set(may.tolist())
    assert np.allclose(exact[rows], scores, atol=TOLERANCE)
    assert np.all(scores[1:] <= scores[:-1])
    left_out = np.setdiff1d(may, rows)
    if len(rows) and len(left_out):
        assert exact[left_out].max() <= scores[-1] + TOLERANCE


def test_a_fast_scan_finds_what_brute_force_finds():
    """Of 5,000 clustered vectors nearly all of the ten nearest are found, and only allowed ones."""
    vectors = unit_vectors(5000)
    reader = open_segment(MemoryDirectory(), "v", np.arange(5000), vectors)
    allowed = (np.arange(5000) % 3 > 0).astype(np.uint8)
    found = 0
    for query in unit_vectors(50, seed=3):
        rows, scores = reader.scan(SPACE.prepare(query), allowed, 10, FAST)
        exact = np.where(allowed, vectors @ query, -2)
        found += len(set(np.argsort(-exact)[:10].tolist()) & set(rows.tolist()))
        assert allowed[rows].all()
        assert np.allclose(exact[rows], scores, atol=TOLERANCE)
    assert found >= 0.95 * 500


def test_equal_vectors_come_in_the_order_of_keys():
    """Ties are broken by row, in every mode."""
    vectors = np.repeat(unit_vectors(1), 900, axis=0)
    reader = open_segment(MemoryDirectory(), "v", np.arange(900), vectors)
    for mode in (FAST, EXACT):
        assert list(range(100)) == reader.scan(SPACE.prepare(vectors[0]), None, 100, mode)[0].tolist()


def test_an_empty_segment_answers_with_nothing():
    """No rows, no hits, no error."""
    reader = open_segment(MemoryDirectory(), "v", [], unit_vectors(0))
    rows, scores = reader.scan(SPACE.prepare(unit_vectors(1)[0]), None, 10)
    assert (0, 0, 0) == (reader.row_count, len(rows), len(scores))
    assert [-1] == reader.find_rows(np.array([1])).tolist()


def test_modes_have_names():
    """Exact is asked for by name; an unknown name is refused."""
    assert EXACT == get_scan_mode("exact")
    with pytest.raises(InvalidParameterError, match="fuzzy"):
        get_scan_mode("fuzzy")


def test_bad_vectors_leave_nothing_behind():
    """A vector with NaN is refused before a file is made; a key twice, too."""
    directory, vectors = MemoryDirectory(), unit_vectors(PIECE_ROWS + 3)
    vectors[PIECE_ROWS + 1, 7] = np.nan
    with pytest.raises(InvalidParameterError, match=f"vector {PIECE_ROWS + 1}"):
        open_segment(directory, "v", np.arange(len(vectors)), vectors)
    with pytest.raises(ValueError, match="ascend"):
        open_segment(directory, "v", [1, 2, 2], unit_vectors(3))
    with pytest.raises(ValueError, match="one vector"):
        open_segment(directory, "v", [1, 2], unit_vectors(3))
    assert [] == directory.folders()


def test_queries_of_another_space_are_refused():
    """Codes of one space mean nothing in another."""
    reader = open_segment(MemoryDirectory(), "v", [1, 2], unit_vectors(2))
    other = build_space(unit_vectors(20, seed=8))
    with pytest.raises(ValueError, match="another space"):
        reader.scan(other.prepare(unit_vectors(1)[0]), None, 1)


def test_masks_of_another_size_are_refused():
    """A mask of a row too few is an error in every mode, not a stray read."""
    reader = open_segment(MemoryDirectory(), "v", np.arange(600), unit_vectors(600))
    for mode in (FAST, EXACT):
        with pytest.raises(ValueError, match="row"):
            reader.scan(SPACE.prepare(unit_vectors(1)[0]), np.ones(599, np.uint8), 1, mode)


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=30), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_merging_keeps_the_newest_live_vector_of_each_key(histories):
    """The merged segment is what a dictionary would be, written to oldest segment first, code for code."""
    directory, sources, expected = MemoryDirectory(), [], {}
    for age, history in enumerate(histories):
        entries = sorted(dict(history).items())
        vectors = unit_vectors(len(entries), seed=age + 1)
        kinds = np.full(len(entries), age % 2, np.uint8)
        reader = open_segment(directory, f"v{age}", [key for key, _ in entries], vectors, kinds)
        sources.append((reader, np.array([live for _, live in entries], np.uint8)))
        codes = reader.codes(np.arange(len(entries)))
        for row, (key, is_live) in enumerate(entries):
            if is_live:
                expected[key] = (age % 2, codes.take(np.array([row])))
    written = merge_vector_segments(directory, "merged", sources)
    if not expected:
        assert written is None
        return
    merged = VectorReader(directory, "merged", written.checksum)
    assert sorted(expected) == merged.keys.tolist()
    for row, key in enumerate(sorted(expected)):
        kind, codes = expected[key]
        own = merged.codes(np.array([row]))
        assert kind == merged.kinds[row]
        for name in ("bits", "factors", "biases", "levels", "scales", "remainders"):
            assert np.array_equal(getattr(codes, name), getattr(own, name))


@pytest.mark.parametrize(
    ("sizes", "first"),
    [
        ([], 0),
        ([(5, 5)] * 8, 8),
        ([(5, 5)] * 9, 0),
        ([(10_000, 10_000)] + [(5, 5)] * 8, 1),
        ([(10_000, 10_000), (40, 40)] + [(5, 5)] * 8, 1),
        ([(10_000, 10_000), (500, 500)] + [(5, 5)] * 8, 2),
        ([(10_000, 10_000), (9_000, 9_000)], 2),
        ([(10_000, 1_000), (9_000, 9_000)], 2),
        ([(10_000, 0), (9_000, 9_000)], 0),
        ([(8_000, 8_000), (10_000, 500), (5, 5)], 1),
        ([(7, 0)], 0),
    ],
)
def test_small_segments_become_one_and_large_ones_stay(sizes, first):
    """Where there are too many the newest are merged, with no segment much larger; waste goes at a half."""
    assert first == choose_vector_merge(sizes)


def test_a_long_run_writes_each_vector_a_few_times():
    """Of a million vectors that come 256 at a time, each is written about ten times, in few segments."""
    sizes, written, most = [], 0, 0
    for _ in range(4096):
        sizes.append((256, 256))
        first = choose_vector_merge(sizes)
        merged = sum(rows for rows, _ in sizes[first:])
        written += merged
        sizes[first:] = [(merged, merged)] if merged else []
        most = max(most, len(sizes))
    assert 4096 * 256 == sum(rows for rows, _ in sizes)
    assert most <= 9
    assert written < 12 * 4096 * 256


def test_merging_different_spaces_is_refused():
    """Codes are copied, so they must be of one space."""
    directory = MemoryDirectory()
    one = open_segment(directory, "a", [1], unit_vectors(1))
    other = build_space(unit_vectors(20, seed=8))
    written = write_vector_segment(
        directory, "b", other, np.array([2]), unit_vectors(1), np.zeros(1, np.uint8)
    )
    two = VectorReader(directory, "b", written.checksum)
    with pytest.raises(ValueError, match="different spaces"):
        merge_vector_segments(directory, "c", [(one, np.ones(1, np.uint8)), (two, np.ones(1, np.uint8))])


@pytest.mark.parametrize("name", ["rows", "bits", "levels", "remainders", "segment.json"])
@pytest.mark.parametrize("place", [0.0, 0.5, 0.999])
def test_a_flipped_bit_is_noticed(tmp_path, name, place):
    """One bit anywhere in any file is found when it is opened, or when it is checked."""
    directory = DiskDirectory(tmp_path)
    kinds = np.zeros(40, np.uint8)
    written = write_vector_segment(directory, "v", SPACE, np.arange(40), unit_vectors(40), kinds)
    assert VectorReader(directory, "v", written.checksum).is_intact()
    path = next(tmp_path.rglob(name))
    raw = bytearray(path.read_bytes())
    raw[int(place * len(raw))] ^= 4
    path.chmod(0o600)
    path.write_bytes(raw)
    try:
        is_intact = VectorReader(directory, "v", written.checksum).is_intact()
    except CorruptFileError:
        is_intact = False
    assert not is_intact


@pytest.mark.parametrize("name", ["rows", "bits", "levels", "remainders", "segment.json"])
def test_a_missing_or_shortened_file_is_an_error(tmp_path, name):
    """What cannot be opened says so, and names the file."""
    directory = DiskDirectory(tmp_path)
    kinds = np.zeros(40, np.uint8)
    written = write_vector_segment(directory, "v", SPACE, np.arange(40), unit_vectors(40), kinds)
    path = next(tmp_path.rglob(name))
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CorruptFileError, match=name):
        VectorReader(directory, "v", written.checksum)
    path.unlink()
    with pytest.raises(CorruptFileError, match=name):
        VectorReader(directory, "v", written.checksum)


def test_newer_formats_are_left_alone_and_older_ones_made_again():
    """A newer version is refused as such; an older one counts as damage, as S15 says of terms."""
    with pytest.raises(UnsupportedFormatError):
        decode_vector_manifest(b'{"format_version": 2}', "v/segment.json")
    with pytest.raises(CorruptFileError, match="older"):
        decode_vector_manifest(b'{"format_version": 0}', "v/segment.json")
    with pytest.raises(CorruptFileError, match="manifest"):
        decode_vector_manifest(b"[]", "v/segment.json")


def test_rows_are_scored_in_the_order_asked_for():
    """As a scan scores them: to twelve bits, none left out."""
    vectors = unit_vectors(300)
    reader = open_segment(MemoryDirectory(), "v1", np.arange(300), vectors)
    query = unit_vectors(1, seed=8)[0]
    rows = np.array([7, 299, 0, 150], np.uint32)
    assert np.allclose(vectors[rows] @ query, reader.score(SPACE.prepare(query), rows), atol=TOLERANCE)
