"""What filters can ask of a document, one row each."""

import datetime
import fnmatch
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from dowse.errors import UnknownFieldError
from dowse.storage.snapshot import Tree

META = "meta."
DEFAULT_LANGUAGE = "english"
# Kinds of document that several formats belong to.
KINDS: dict[str, tuple[str, ...]] = {"document": ("text", "markdown", "restructuredtext")}

Value = str | float
Trees = Mapping[int, Tree]


class Condition(NamedTuple):
    """What a document must have: one of the values, or a number with ``low <= number < high``.

    Attributes:
        name: A fact's name.
        values: For facts that are texts; empty for a range.
    """

    name: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class Fact(NamedTuple):
    """Something a document has.

    Attributes:
        columns: Those of the catalogue's `documents` that it is read from.
        read: Returns its values from a condition's name, the trees by id, and the columns.
        compare: Says whether a wanted value (folded) fits one of the document's (folded).
        is_one: Whether a document has one value of it, equal or not: filters for several, side by side, are
            then alternatives, because no document could meet them all.
    """

    name: str
    purpose: str
    columns: str
    read: Callable[..., Iterable[Value]]
    compare: Callable[[str, str], bool]
    is_one: bool = False


def fold(text: str) -> str:
    """Returns a text as filters compare it: letter case does not count."""
    return text.casefold()


def _is_same(wanted: str, found: str) -> bool:
    return wanted == found


def _is_in(wanted: str, found: str) -> bool:
    return wanted in found


def _fits_path(wanted: str, path: str) -> bool:
    """A pattern must fit the whole path, or all of it below some folder; other texts occur in it."""
    if any(char in wanted for char in "*?["):
        return fnmatch.fnmatchcase(path, wanted) or fnmatch.fnmatchcase(path, f"*/{wanted}")
    return wanted in path


def _is_below(wanted: str, path: str) -> bool:
    return f"/{wanted.strip('/')}/" in f"/{path}"


def _read_tree(name: str, trees: Trees, tree_id: int) -> Iterable[str]:
    return (trees[tree_id].name,) if tree_id in trees else ()


def _read_path(name: str, trees: Trees, path: str, doc_key: str) -> Iterable[str]:
    return (path or doc_key,)


def _read_extension(name: str, trees: Trees, path: str, doc_key: str) -> Iterable[str]:
    file_name = (path or doc_key).rsplit("/", 1)[-1]
    stem, dot, extension = file_name.rpartition(".")
    return (extension,) if dot and stem else ()


def _read_kind(name: str, trees: Trees, format_name: str) -> Iterable[str]:
    return (format_name, *(kind for kind, formats in KINDS.items() if format_name in formats))


def _read_tags(name: str, trees: Trees, tags: str) -> Iterable[str]:
    return json.loads(tags)  # type: ignore[no-any-return]


def _read_author(name: str, trees: Trees, metadata: str) -> Iterable[Value]:
    return (*_read_key(metadata, "author"), *_read_key(metadata, "authors"))


def _read_language(name: str, trees: Trees, tree_id: int, metadata: str) -> Iterable[Value]:
    """What the document says itself, or else the language its tree is analysed in."""
    own = (*_read_key(metadata, "lang"), *_read_key(metadata, "language"))
    if own or tree_id not in trees:
        return own
    return (json.loads(trees[tree_id].analysis).get("language", DEFAULT_LANGUAGE),)


def _read_meta(name: str, trees: Trees, metadata: str) -> Iterable[Value]:
    return _read_key(metadata, name.removeprefix(META))


def _read_key(metadata: str, key: str) -> tuple[Value, ...]:
    """Returns what stands under a key, in any letter case, or under keys within keys (``a.b``)."""
    return tuple(_flatten(_look_up(json.loads(metadata), fold(key)))) if metadata != "{}" else ()


def _look_up(value: object, key: str) -> object:
    if not isinstance(value, dict):
        return None
    folded = {fold(name): found for name, found in value.items()}
    if key in folded:
        return folded[key]
    first, _, rest = key.partition(".")
    return _look_up(folded.get(first), rest) if rest else None


def _flatten(value: object) -> Iterable[Value]:
    if isinstance(value, list):
        for member in value:
            yield from _flatten(member)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif value is not None and not isinstance(value, dict):
        yield str(value)


def _read_date(name: str, trees: Trees, metadata: str, mtime_ns: int | None) -> Iterable[float]:
    """The date a document gives itself, or else when its file was changed, in seconds since 1970."""
    for found in _read_key(metadata, "date"):
        seconds = parse_date(str(found))
        if seconds is not None:
            return (seconds,)
    return () if mtime_ns is None else (mtime_ns / 1e9,)


def parse_date(text: str) -> float | None:
    """Returns the seconds since 1970 of an ISO date, UTC unless it says otherwise; None if it is none."""
    try:
        moment = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return moment.timestamp()


def _read_size(name: str, trees: Trees, file_size: int | None, text_size: int | None) -> Iterable[float]:
    size = text_size if file_size is None else file_size
    return () if size is None else (float(size),)


_TEXT_SIZE = "(SELECT length(text) FROM texts WHERE texts.doc_id = documents.doc_id)"

FACTS: tuple[Fact, ...] = (
    Fact("tree", "the tree it belongs to", "tree_id", _read_tree, _is_same, is_one=True),
    Fact("path", "its path: a part of it, or a pattern", "path, doc_key", _read_path, _fits_path),
    Fact("dir", "a folder it lies in, at any depth", "path, doc_key", _read_path, _is_below),
    Fact("ext", "its file extension", "path, doc_key", _read_extension, _is_same, is_one=True),
    Fact("type", "its format, or a kind of format", "format", _read_kind, _is_same, is_one=True),
    Fact("tag", "one of its tags", "tags", _read_tags, _is_same),
    Fact("author", "who wrote it: a part of the name", "metadata", _read_author, _is_in),
    Fact("lang", "its language, or its tree's", "tree_id, metadata", _read_language, _is_same, is_one=True),
    Fact("date", "its own date, or when the file was changed", "metadata, mtime_ns", _read_date, _is_same),
    Fact("size", "its size in bytes", f"file_size, {_TEXT_SIZE}", _read_size, _is_same),
    Fact(META, "what its metadata has under a key", "metadata", _read_meta, _is_same),
)
_BY_NAME = {fact.name: fact for fact in FACTS}


def get_fact(name: str) -> Fact:
    """Returns a fact by the name a filter uses.

    Raises:
        UnknownFieldError: There is none.
    """
    found = _BY_NAME.get(META if name.startswith(META) else name)
    if found is None:
        raise UnknownFieldError(name=name, known=", ".join(_BY_NAME))
    return found


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def holds(condition: Condition, found: Iterable[Value]) -> bool:
    """Returns whether any of a document's values meets a condition."""
    if not condition.values:
        return any(_is_within(condition, value) for value in found)
    compare = get_fact(condition.name).compare
    folded = [fold(f"{value:g}" if isinstance(value, float) else value) for value in found]
    return any(compare(fold(wanted), value) for wanted in condition.values for value in folded)


def _is_within(condition: Condition, value: Value) -> bool:
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value.strip()):
            return False
        value = float(value)
    return (condition.low is None or condition.low <= value) and (
        condition.high is None or value < condition.high
    )
