"""Dates, sizes and numbers as ranges: text in, half-open bounds out.

Every value is read as a *stretch* from a start to an end that no longer belongs to it. ``2024`` is the
whole year, so ``>2024`` starts in 2025 and ``2024-01..2024-06`` ends with June; all times are UTC. ``now``,
``7d`` and ``P2D`` are moments, so long before `now`. A number is only itself, and so is a size: ``>10k``
leaves out 10,240 bytes and ``10k..2m`` holds both ends. Only a size on its own is as long as its last digit
says: ``10k`` is all from 10 up to 11 kibibytes, because nobody knows sizes to the byte.
"""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

_DAY_SECONDS = 86_400.0
_EPOCH_DAY = 719_163  # 1970-01-01, counted as `datetime` does
_LAST_YEAR = 9999

_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_SIZE = re.compile(r"([0-9]+(?:\.([0-9]*))?)([kmgt]?)(?:i?b)?", re.IGNORECASE)
_UNIT_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_TIME = re.compile(r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})t([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?z?")
_AGO = re.compile(r"([0-9]{1,6})([hdwmy])")
_PERIOD = re.compile(r"p(?=.)(?:([0-9]{1,4})y)?(?:([0-9]{1,5})m)?(?:([0-9]{1,5})w)?(?:([0-9]{1,6})d)?")
_MAX_CHARS = 60  # longer ones are mistakes, and slow to turn into numbers


class Bounds(NamedTuple):
    """``low <= value < high``; None is open."""

    low: float | None
    high: float | None


class Stretch(NamedTuple):
    """From `start` to before `end`; a moment has no length."""

    start: float
    end: float


class Period(NamedTuple):
    """A length of time; months have no length in seconds."""

    months: int
    seconds: float


def find_bounds(name: str, text: str, now: float) -> Bounds | None:
    """Returns the bounds that a text after ``name:`` asks for; None when it asks for none.

    Bounds are as typed: `high` may lie below `low`.

    Args:
        name: “date”, “size”, or anything else for plain numbers.
        text: As typed, without quotation marks.
        now: Seconds since 1970, from which relative dates count.
    """
    if len(text) > _MAX_CHARS:
        return None
    if name == "date":
        return _find_date_bounds(text.lower(), now)
    find = _find_size if name == "size" else _find_number
    if name == "size" and (found := _SIZE.fullmatch(text.removeprefix("="))):
        low = _find_size(found[0])
        digit = _UNIT_BYTES[found[3].lower()] / 10 ** len(found[2] or "")
        return low and Bounds(low.start, max(low.start + digit, low.end))
    return _find_compared(text, find) or _find_between(text, "..", find)


def _find_compared(text: str, find: Callable[[str], Stretch | None]) -> Bounds | None:
    """Reads ``>10k``, ``<=2024`` and the like; a value alone is equal to itself."""
    value = text.lstrip("<>=")
    sign = text[: len(text) - len(value)]
    stretch = find(value)
    if stretch is None:
        return None
    bounds = {
        "": Bounds(stretch.start, stretch.end),
        "=": Bounds(stretch.start, stretch.end),
        ">": Bounds(stretch.end, None),
        ">=": Bounds(stretch.start, None),
        "<": Bounds(None, stretch.start),
        "<=": Bounds(None, stretch.end),
    }
    return bounds.get(sign)


def _find_between(text: str, joint: str, find: Callable[[str], Stretch | None]) -> Bounds | None:
    """Reads ``10k..2m``; one end may be missing."""
    first, found, last = text.partition(joint)
    low, high = find(first), find(last)
    if not found or (first and low is None) or (last and high is None) or not (first or last):
        return None
    return Bounds(low and low.start, high and high.end)


def _find_number(text: str) -> Stretch | None:
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return Stretch(number, math.nextafter(number, math.inf))


def _find_size(text: str) -> Stretch | None:
    found = _SIZE.fullmatch(text)
    if found is None:
        return None
    size = float(found[1]) * _UNIT_BYTES[found[3].lower()]
    return Stretch(size, math.floor(size) + 1.0)


def _find_date_bounds(text: str, now: float) -> Bounds | None:
    def find(value: str) -> Stretch | None:
        return _find_stretch(value, now)

    single = _find_compared(text, find)
    if single is not None:
        # A moment alone asks for what came since.
        return Bounds(single.low, None) if single.low == single.high else single
    for joint in ("..", "/"):
        first, found, last = text.partition(joint)
        start, end = _find_period(first), _find_period(last)
        if found and start and (until := find(last)) and not end:
            return _bounded(_moved(until.end, start, -1), until.end)
        if found and end and (since := find(first)) and not start:
            return _bounded(since.start, _moved(since.start, end, 1))
        if bounds := _find_between(text, joint, find):
            return bounds
    return None


def _bounded(low: float | None, high: float | None) -> Bounds | None:
    return None if low is None or high is None else Bounds(low, high)


def _find_stretch(text: str, now: float) -> Stretch | None:
    """Reads one date or moment."""
    today = math.floor(now / _DAY_SECONDS) * _DAY_SECONDS
    if text == "now":
        return Stretch(now, now)
    if text in ("today", "yesterday"):
        start = today - (_DAY_SECONDS if text == "yesterday" else 0.0)
        return Stretch(start, start + _DAY_SECONDS)
    if found := _DAY.fullmatch(text):
        return _find_days(*[int(part) if part else None for part in found.groups()])
    if found := _TIME.fullmatch(text):
        return _find_time(found)
    period = _find_period(text) or _find_ago(text)
    moment = _moved(now, period, -1) if period else None
    return None if moment is None else Stretch(moment, moment)


def _find_days(year: int | None, month: int | None, day: int | None) -> Stretch | None:
    """Returns a year, a month or a day; None when the calendar has none such."""
    assert year is not None, "the expression for dates has a year"
    if day is not None:
        start = _day_seconds(year, month or 0, day)
        return None if start is None else Stretch(start, start + _DAY_SECONDS)
    first = _day_seconds(year, 1 if month is None else month, 1)
    last = _day_seconds(year, month or 12, 31 if month is None else _month_days(year, month))
    return None if first is None or last is None else Stretch(first, last + _DAY_SECONDS)


def _find_time(found: re.Match[str]) -> Stretch | None:
    day = _find_stretch(found[1], 0.0)
    hour, minute, second = int(found[2]), int(found[3]), int(found[4] or 0)
    if day is None or hour > 23 or minute > 59 or second > 59:
        return None
    start = day.start + hour * 3600 + minute * 60 + second
    return Stretch(start, start + (1.0 if found[4] else 60.0))


def _find_ago(text: str) -> Period | None:
    """Reads ``7d``."""
    found = _AGO.fullmatch(text)
    if found is None:
        return None
    count, unit = int(found[1]), found[2]
    months = count * {"m": 1, "y": 12}.get(unit, 0)
    return Period(months, count * {"h": 3600.0, "d": _DAY_SECONDS, "w": 7 * _DAY_SECONDS}.get(unit, 0.0))


def _find_period(text: str) -> Period | None:
    """Reads ``P2D`` and ``P1Y6M``, as ISO 8601 and Recoll write them."""
    found = _PERIOD.fullmatch(text)
    if found is None:
        return None
    years, months, weeks, days = [int(part or 0) for part in found.groups()]
    return Period(12 * years + months, (7 * weeks + days) * _DAY_SECONDS)


def _moved(moment: float, period: Period, direction: int) -> float | None:
    """Returns a moment that much earlier or later; None beyond the calendar. Short months end early."""
    if period.months:
        from datetime import date

        day, rest = divmod(moment, _DAY_SECONDS)
        ordinal = int(day) + _EPOCH_DAY
        if not 1 <= ordinal <= date.max.toordinal():
            return None
        start = date.fromordinal(ordinal)
        year, month = divmod(start.year * 12 + start.month - 1 + direction * period.months, 12)
        if not 1 <= year <= _LAST_YEAR:
            return None
        moved = _day_seconds(year, month + 1, min(start.day, _month_days(year, month + 1)))
        assert moved is not None, "the day is cut to the month"
        moment = moved + rest
    return moment + direction * period.seconds


def _month_days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _day_seconds(year: int, month: int, day: int) -> float | None:
    """Returns the start of a day; None when the calendar has none such."""
    from datetime import date  # only dates pay for it

    if not (1 <= year <= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= _month_days(year, month)):
        return None
    return (date(year, month, day).toordinal() - _EPOCH_DAY) * _DAY_SECONDS
