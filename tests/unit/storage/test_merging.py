"""Which segments are merged next."""

import pytest

from dowse.storage.merging import (
    FANOUT,
    MOST_SEGMENTS,
    SMALLEST_TIER_ROWS,
    SegmentSize,
    choose_merge,
)

SMALL, MIDDLE, LARGE = SMALLEST_TIER_ROWS, SMALLEST_TIER_ROWS * FANOUT, SMALLEST_TIER_ROWS * FANOUT**2


def segments(*rows: int, deleted: dict[int, int] | None = None) -> list[SegmentSize]:
    """Names segments a, b, c, … in key order."""
    gone = deleted or {}
    return [SegmentSize(chr(97 + i), count, gone.get(i, 0)) for i, count in enumerate(rows)]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((), ""),
        ((1,), ""),
        ((SMALL,) * (FANOUT - 1), ""),
        ((SMALL,) * FANOUT, "abcdefgh"),
        ((LARGE, *(1,) * (FANOUT - 1)), ""),
        ((LARGE, *(1,) * FANOUT), "bcdefghi"),
        ((*(1,) * 4, LARGE, *(1,) * 4), ""),
        ((*(MIDDLE,) * 4, 1, *(MIDDLE,) * 4), "abcdefghi"),
        ((*(MIDDLE,) * FANOUT, *(1,) * FANOUT), "ijklmnop"),
    ],
)
def test_neighbours_of_one_tier_merge(sizes, expected):
    """Eight of a tier become one, the smallest tier first, with smaller ones between; larger ones part."""
    assert list(expected) == choose_merge(segments(*sizes))


@pytest.mark.parametrize(
    ("rows", "deleted", "expected"),
    [(100, 49, []), (100, 50, ["a"]), (100, 100, ["a"]), (1, 1, ["a"]), (1, 0, [])],
)
def test_a_mostly_deleted_segment_is_rewritten_alone(rows, deleted, expected):
    """Half of the rows is enough, in a segment of any size."""
    assert expected == choose_merge(segments(rows, deleted={0: deleted}))


def test_deletions_come_before_tiers():
    """Rewriting one segment frees space at once, so it is done first."""
    assert ["c"] == choose_merge(segments(*(10,) * FANOUT, deleted={2: 9}))


def test_only_live_rows_count_for_the_tier():
    """A segment that lost some of its rows merges with those of its new size."""
    sizes = segments(*(SMALL * 3 // 2,) * FANOUT, deleted=dict.fromkeys(range(FANOUT), SMALL * 5 // 8))
    assert list("abcdefgh") == choose_merge(sizes)


def merge_all(sizes: list[SegmentSize]) -> int:
    """Merges until the policy is content; returns how many rows were written."""
    written = 0
    while chosen := choose_merge(sizes):
        first = next(i for i, size in enumerate(sizes) if size.folder == chosen[0])
        merged = sizes[first : first + len(chosen)]
        assert chosen == [size.folder for size in merged]
        rows = sum(size.live for size in merged)
        sizes[first : first + len(chosen)] = [SegmentSize(f"{chosen[0]}+", rows, 0)]
        written += rows
    return written


def test_a_large_segment_is_not_rewritten_for_small_commits():
    """700 commits of one row on top of 100,000 write each row a few times, not the index a hundred."""
    sizes, written = [SegmentSize("large", 100_000, 0)], 0
    for number in range(700):
        sizes.append(SegmentSize(str(number), 1, 0))
        written += merge_all(sizes)
    assert written < 100_000
    assert len(sizes) < 2 * FANOUT


def test_small_segments_between_large_ones_do_not_pile_up():
    """Large and small commits in turn leave a bounded number of segments too."""
    sizes: list[SegmentSize] = []
    for number in range(600):
        sizes.append(SegmentSize(str(number), (1, LARGE, SMALL * 2, 3)[number % 4], 0))
        merge_all(sizes)
        assert len(sizes) <= MOST_SEGMENTS


def test_merging_ends():
    """Repeated merging of a thousand commits leaves few segments and then has nothing to do."""
    sizes: list[SegmentSize] = []
    for number in range(1000):
        sizes.append(SegmentSize(str(number), 10, 0))
        merge_all(sizes)
    assert 10_000 == sum(size.rows for size in sizes)
    assert len(sizes) <= 3 * FANOUT
