"""Keywords and dates, as people and programs write them."""

import re
from datetime import datetime

_MARKS = re.compile(r"[,;\n]")
_LONG_FRACTION = re.compile(r"(\.\d{6})\d+")
_MAX_TAGS = 50


def split_keywords(value: str) -> list[str]:
    """Returns the keywords in a list written by a person."""
    return [word for part in _MARKS.split(value) if (word := part.strip())][:_MAX_TAGS]


def iso_date(value: str) -> str:
    """Returns a date in ISO 8601 as it is written; empty for what is no date."""
    # Some programs write nine digits of a second, which are more than Python reads.
    value = _LONG_FRACTION.sub(r"\1", value.strip())
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return ""
    return value
