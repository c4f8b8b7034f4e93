"""Dates, sizes and numbers as bounds."""

from datetime import UTC, datetime

import pytest

from dowse.query.values import find_bounds

NOW = datetime(2024, 3, 31, 12, tzinfo=UTC).timestamp()


def moment(text):
    """Returns the seconds of an ISO time in UTC; None for nothing."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() if text else None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("2024-12", "2024-12-01", "2025-01-01"),
        ("2024-2-9", "2024-02-09", "2024-02-10"),
        ("2024-01..2024-06", "2024-01-01", "2024-07-01"),
        ("2024..", "2024-01-01", ""),
        ("..2024", "", "2025-01-01"),
        (">2024", "2025-01-01", ""),
        (">=2024-03-05", "2024-03-05", ""),
        ("<2024", "", "2024-01-01"),
        ("<=2024", "", "2025-01-01"),
        ("=2024", "2024-01-01", "2025-01-01"),
        ("1969", "1969-01-01", "1970-01-01"),
        ("2024-01-15T10:30", "2024-01-15T10:30", "2024-01-15T10:31"),
        ("2024-01-15T10:30:05Z", "2024-01-15T10:30:05", "2024-01-15T10:30:06"),
        ("2001-03-01/2002-05-01", "2001-03-01", "2002-05-02"),
        ("2001/", "2001-01-01", ""),
        ("/2003", "", "2004-01-01"),
        ("P2D/", "2024-03-29T12:00", ""),
        ("2010-01-01/P1Y", "2010-01-01", "2011-01-01"),
        ("P1M/2010-02-28", "2010-02-01", "2010-03-01"),
        ("today", "2024-03-31", "2024-04-01"),
        ("Yesterday", "2024-03-30", "2024-03-31"),
        ("7d", "2024-03-24T12:00", ""),
        ("12h", "2024-03-31", ""),
        ("2w", "2024-03-17T12:00", ""),
        ("1m", "2024-02-29T12:00", ""),
        ("1y", "2023-03-31T12:00", ""),
        ("30d..7d", "2024-03-01T12:00", "2024-03-24T12:00"),
        (">7d", "2024-03-24T12:00", ""),
        ("yesterday..now", "2024-03-30", "2024-03-31T12:00"),
    ],
)
def test_dates_are_stretches_of_time(text, low, high):
    """A date lasts as long as it says, and bounds are half open."""
    assert (moment(low), moment(high)) == find_bounds("date", text, NOW)


@pytest.mark.parametrize(
    "text",
    ["", "x", "..", "/", ">", ">>2024", "2024-13", "2023-02-29", "2024-00", "0000", "24", "P", "PD", "9999y",
     "2024-01-15T24:00", "2024..x", "x..2024", "1..2..3", "9" * 5000, "P9999Y/"],
)  # fmt: skip
def test_what_is_no_date_is_refused(text):
    """No text raises."""
    assert find_bounds("date", text, NOW) is None


def test_the_last_year_has_an_end():
    """The calendar's end is no error."""
    low, high = find_bounds("date", "9999", NOW)
    assert high - low == 365 * 86_400


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (">10k", 10_241, None),
        (">=10k", 10_240, None),
        ("<=2.5m", None, 2_621_441),
        ("<1g", None, 1 << 30),
        ("10k..2m", 10_240, 2_097_153),
        ("10K..", 10_240, None),
        ("10k", 10_240, 11_264),
        ("1.5k", 1536, 1638.4),
        ("=100", 100, 101),
        ("100b", 100, 101),
        ("3MiB", 3 << 20, 4 << 20),
    ],
)
def test_sizes_are_bytes(text, low, high):
    """Units are powers of 1,024; ranges hold both ends; a size alone is as exact as it is typed."""
    assert pytest.approx(low) == find_bounds("size", text, NOW).low
    assert pytest.approx(high) == find_bounds("size", text, NOW).high


@pytest.mark.parametrize("text", ["", "big", "-5", "10x", "1e5", "k", "..", "10k-20k", ">"])
def test_what_is_no_size_is_refused(text):
    """No text raises."""
    assert find_bounds("size", text, NOW) is None


def test_numbers_hold_their_ends():
    """A range of numbers includes both, and “>” leaves its number out."""
    low, high = find_bounds("meta.year", "2020..2024", NOW)
    assert 2020.0 == low
    assert 2024 < high < 2024.001
    low, high = find_bounds("meta.year", ">-1.5", NOW)
    assert -1.5 < low < -1.499
    assert high is None
    assert find_bounds("meta.year", "a..b", NOW) is None
