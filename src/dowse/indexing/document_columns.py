"""What a document has in each column: its folder, extension, dates, tags and metadata.

Both ways into a segment come here: a document on its way in, and a row of the catalogue when a segment is
rebuilt. So both see metadata as JSON has it.
"""

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dowse.schema import Document
from dowse.storage.columns import META, DocumentValues

# Where a document says its own date, first come first served: mail, web pages and front matter say `date`,
# office documents, PDF and books `created` and `modified`.
DATE_KEYS = ("date", "created", "modified")
Value = str | float

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def values_of_document(document: Document, file_size: int | None, mtime_ns: int | None) -> DocumentValues:
    """Returns the values of a document that is being added.

    Args:
        file_size: None for a pushed text.
        mtime_ns: When its file was changed; None for a pushed text.
    """
    return build_values(
        document.path or document.doc_key,
        document.format,
        document.tags,
        _as_json(document.metadata) if document.metadata else {},
        len(document.text) if file_size is None else file_size,
        mtime_ns,
    )


def build_values(
    path: str,
    format_name: str,
    tags: "tuple[str, ...] | list[str]",
    metadata: Mapping[str, Any],
    size: int,
    mtime_ns: int | None,
) -> DocumentValues:
    """Returns what a document has in its columns.

    Args:
        path: Its path, or else its key.
        metadata: As JSON has it.
        size: Bytes of its file, or else of its text.
    """
    folder, slash, name = path.rpartition("/")
    keywords = [("dir", f"/{folder}{slash}"), ("type", format_name)]
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        keywords.append(("ext", extension))
    if tags:
        keywords += [("tag", tag) for tag in dict.fromkeys(tags)]
    numbers: list[tuple[str, float]] = [("size", float(size))]
    if mtime_ns is not None:
        numbers.append(("file_time", mtime_ns / 1e9))
    if metadata:
        _add_metadata_into(keywords, numbers, metadata)
    return DocumentValues(name, keywords, numbers)


def _add_metadata_into(
    keywords: list[tuple[str, str]], numbers: list[tuple[str, float]], metadata: Mapping[str, Any]
) -> None:
    found = {key: list(_flatten(value)) for key, value in iter_keys(metadata)}
    date = find_date(found)
    if date is not None:
        numbers.append(("date", date))
    for key, values in found.items():
        name = META + key
        texts = [f"{value:g}" if isinstance(value, float) else value for value in values]
        keywords += [(name, text) for text in dict.fromkeys(texts)]
        own = [number for value in values if (number := _find_number(value)) is not None]
        numbers += [(name, number) for number in dict.fromkeys(own)]


def iter_keys(metadata: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yields each folded key that a filter can name, with what stands under it; ``a.b`` for keys within keys.

    A key that is written with a dot comes before one of that name within another.
    """
    folded = {key.casefold(): value for key, value in metadata.items()}
    for key, value in folded.items():
        if not isinstance(value, dict):
            yield key, value
        elif "." not in key:
            for rest, found in iter_keys(value):
                if rest and f"{key}.{rest}" not in folded:
                    yield f"{key}.{rest}", found


def _flatten(value: object) -> Iterator[Value]:
    if isinstance(value, list):
        for member in value:
            yield from _flatten(member)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif value is not None and not isinstance(value, dict):
        yield str(value)


def _find_number(value: Value) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value.strip()) else None
    return value if value == value else None


def find_date(metadata: Mapping[str, list[Value]]) -> float | None:
    """Returns the date that metadata gives, in seconds since 1970; None when it gives none.

    Args:
        metadata: Values by folded key.
    """
    for key in DATE_KEYS:
        for value in metadata.get(key, ()):
            seconds = parse_date(str(value))
            if seconds is not None:
                return seconds
    return None


def parse_date(text: str) -> float | None:
    """Returns the seconds since 1970 of an ISO date, UTC unless it says otherwise; None if it is none."""
    try:
        moment = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return moment.timestamp()


def _as_json(metadata: Mapping[str, object]) -> dict[str, Any]:
    """Returns metadata as the catalogue will have it."""
    if all(type(value) is str and type(key) is str for key, value in metadata.items()):
        return dict(metadata)
    found: dict[str, Any] = json.loads(json.dumps(dict(metadata), default=str))
    return found
