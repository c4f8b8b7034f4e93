"""What filters mean, told document by document: the oracle that columns are compared with."""

import datetime
import fnmatch
import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from dowse.matching.document_filters import AUTHOR_KEYS, KINDS, LANGUAGE_KEYS, Condition

Value = str | float


class FilteredDocument(NamedTuple):
    """A document as filters see it, metadata as JSON has it."""

    doc_key: str
    path: str
    format: str
    tags: tuple[str, ...]
    metadata: dict
    text: bytes
    file_size: int | None
    mtime_ns: int | None


def holds(condition: Condition, document: FilteredDocument, language: str = "english") -> bool:
    """Returns whether a document meets a condition."""
    found = list(values_of(condition.name, document, language))
    if not condition.values:
        return any(_is_within(condition, value) for value in found)
    texts = [(f"{value:g}" if isinstance(value, float) else value).casefold() for value in found]
    wanted = [value.casefold() for value in condition.values]
    return any(_fits(condition.name, one, text) for one in wanted for text in texts)


def values_of(name: str, document: FilteredDocument, language: str) -> Iterable[Value]:
    """Returns what a document has of what a filter asks for."""
    path = document.path or document.doc_key
    stem, dot, extension = path.rsplit("/", 1)[-1].rpartition(".")
    metadata = json.loads(json.dumps(document.metadata, default=str))
    match name:
        case "path" | "dir":
            return (path,)
        case "ext":
            return (extension,) if dot and stem else ()
        case "type":
            return (document.format, *(kind for kind, formats in KINDS.items() if document.format in formats))
        case "tag":
            return document.tags
        case "author":
            return [value for key in AUTHOR_KEYS for value in _read(metadata, key)]
        case "lang":
            return [value for key in LANGUAGE_KEYS for value in _read(metadata, key)] or (language,)
        case "date":
            return _dates(metadata, document.mtime_ns)
        case "size":
            return (float(len(document.text) if document.file_size is None else document.file_size),)
    return _read(metadata, name)


def _fits(name: str, wanted: str, found: str) -> bool:
    if name == "author":
        return wanted in found
    if name == "dir":
        return f"/{wanted.strip('/')}/" in f"/{found}"
    if name == "path" and any(char in wanted for char in "*?["):
        return fnmatch.fnmatchcase(found, wanted) or fnmatch.fnmatchcase(found, f"*/{wanted}")
    return wanted in found if name == "path" else wanted == found


def _dates(metadata: dict, mtime_ns: int | None) -> Iterable[float]:
    for key in ("date", "created", "modified"):
        for value in _read(metadata, f"meta.{key}"):
            try:
                moment = datetime.datetime.fromisoformat(str(value).strip())
            except ValueError:
                continue
            return (moment.replace(tzinfo=moment.tzinfo or datetime.UTC).timestamp(),)
    return () if mtime_ns is None else (mtime_ns / 1e9,)


def _read(metadata: dict, name: str) -> list[Value]:
    return list(_flatten(_look_up(metadata, name.removeprefix("meta.").casefold())))


def _look_up(value: object, key: str) -> object:
    if not isinstance(value, dict):
        return None
    folded = {name.casefold(): found for name, found in value.items()}
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


def _is_within(condition: Condition, value: Value) -> bool:
    if isinstance(value, str):
        if not re.fullmatch(r"[+-]?\d+(\.\d+)?", value.strip()):
            return False
        value = float(value)
    return (condition.low is None or condition.low <= value) and (
        condition.high is None or value < condition.high
    )
