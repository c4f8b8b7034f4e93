"""YAML front matter: what a note says about itself before it begins."""

import datetime
import math
import re
from collections.abc import Iterator

from msgspec import Struct, field

MAX_FRONT_MATTER_BYTES = 65_536
MAX_VALUES = 5_000
"""More values than this, aliases expanded, is an attack or an accident, not a description."""

_FENCED = re.compile(rb"---[ \t]*\r?\n(?:(.*?)\n)??(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL)
_TITLE_KEYS = ("title",)
_TAG_KEYS = ("tags", "tag", "keywords")
_ALIAS_KEYS = ("aliases", "alias")


class FrontMatter(Struct, frozen=True):
    """The front matter of one text.

    Attributes:
        end: Offset of the first byte after it; 0 when there is none.
        trouble: Why it could not be read; empty when it could.
    """

    end: int = 0
    title: str = ""
    tags: tuple[str, ...] = ()
    metadata: dict[str, object] = field(default_factory=dict)
    trouble: str = ""


class _TooManyValuesError(Exception):
    pass


def parse_front_matter(text: bytes) -> FrontMatter:
    """Reads the front matter at the start of `text`, if there is any.

    YAML that is not a list of keys and values (a line of prose between two rules) is not front
    matter and stays part of the text. Broken YAML is: its bytes are skipped and `trouble` says why.
    """
    if not text.startswith(b"---"):
        return FrontMatter()
    match = _FENCED.match(text, 0, MAX_FRONT_MATTER_BYTES)
    if match is None:
        return FrontMatter()
    try:
        loaded = _load((match[1] or b"").decode("utf-8"))
        if loaded is None:
            return FrontMatter(end=match.end())
        if not isinstance(loaded, dict):
            return FrontMatter()
        budget = iter(range(MAX_VALUES))
        values = {_text(key): _json_safe(value, budget) for key, value in loaded.items()}
    except _TooManyValuesError:
        return FrontMatter(end=match.end(), trouble="it holds too many values")
    except (ValueError, RecursionError, OverflowError) as failure:
        return FrontMatter(end=match.end(), trouble=_one_line(failure))
    return _from_values(match.end(), values)


def _load(source: str) -> object:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(source, loader)
    except yaml.YAMLError as failure:
        mark = getattr(failure, "problem_mark", None)
        where = f" (line {mark.line + 2})" if mark is not None else ""
        raise ValueError(f"{getattr(failure, 'problem', None) or failure}{where}") from failure
    except (TypeError, AttributeError, KeyError, IndexError) as failure:
        raise ValueError(f"a value could not be understood: {failure}") from failure


def _from_values(end: int, values: dict[str, object]) -> FrontMatter:
    by_lower = {key.lower(): value for key, value in values.items()}
    titles = (by_lower.get(key) for key in _TITLE_KEYS)
    title = next((_text(value).strip() for value in titles if value is not None), "")
    tags = [
        tag
        for key in _TAG_KEYS
        for tag in _names(by_lower.get(key), splits_spaces=key != "keywords")
    ]
    aliases = [
        alias for key in _ALIAS_KEYS for alias in _names(by_lower.get(key), splits_spaces=False)
    ]
    told = {*_TITLE_KEYS, *_TAG_KEYS, *_ALIAS_KEYS}
    metadata = {key: value for key, value in values.items() if key.lower() not in told}
    if aliases:
        metadata["aliases"] = aliases
    return FrontMatter(end, " ".join(title.split()), tuple(dict.fromkeys(tags)), metadata)


def _names(value: object, *, splits_spaces: bool) -> Iterator[str]:
    """Yields tags or aliases written as a list or as one line."""
    if isinstance(value, str):
        parts = re.split(r"[,\s]+" if splits_spaces else r",", value)
    elif isinstance(value, list):
        parts = [
            _text(item) for item in value if not isinstance(item, list | dict) and item is not None
        ]
    elif value is None or isinstance(value, dict):
        return
    else:
        parts = [_text(value)]
    for part in parts:
        name = part.strip().lstrip("#").strip()
        if name:
            yield name


def _json_safe(value: object, budget: Iterator[int]) -> object:
    """Turns what YAML made into what JSON can say; each value costs one of `budget`."""
    if next(budget, None) is None:
        raise _TooManyValuesError
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, dict):
        return {_text(key): _json_safe(item, budget) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_json_safe(item, budget) for item in value]
    return _text(value)


def _text(value: object) -> str:
    """Returns a value as text that can be stored: ISO for dates, no lone surrogates."""
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _one_line(failure: Exception) -> str:
    return " ".join(str(failure).split())[:200] or type(failure).__name__
