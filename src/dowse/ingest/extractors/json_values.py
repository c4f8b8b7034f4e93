"""JSON and JSON Lines: keys become headings and names, values stay readable.

Nothing here calls itself: how deep a file is nested is its author's choice, not ours. What is too deep even
for the parser, or is no JSON, is indexed as the plain text it is.
"""

import json
import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.text_builder import TextBuilder
from dowse.ingest.text_reading import OwnText, build_own_text, open_composer, read_own_text

MAX_HEADING_DEPTH = 3
MAX_HEADINGS_A_LEVEL = 200
MAX_PATH_CHARS = 200
_LINES = (".jsonl", ".ndjson")
_RELAXED = (".json5", ".jsonc")
_MAX_OPAQUE_CHARS = 500
_OPAQUE = re.compile(r"(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_%-]+\Z")
# Linear: each alternative takes its whole token, also when its end is missing.
_COMMENTS = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?', re.DOTALL)
_LAST_COMMAS = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)


class Members(list[tuple[str, object]]):
    """An object's members in order, repeated keys included."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=str, parse_float=str, parse_constant=str, strict=False
)


class JsonExtractor:
    """Reads JSON, with comments if need be, and JSON Lines."""

    name = "json"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a JSON file; numbers stay as they are written."""
        text, builder = open_composer(data, path, allowance)
        lowered = path.lower()
        if lowered.endswith(_LINES):
            _write_lines_into(builder, text)
            return builder.finish(title=choose_title(path=path))
        value = _parse(text)
        if value is None and text.strip():
            if _are_lines(text):
                _write_lines_into(builder, text)
                return builder.finish(title=choose_title(path=path))
            return _as_plain_text(data, path, is_wrong=not lowered.endswith(_RELAXED))
        _write_into(builder, value)
        return builder.finish(title=_title(value, path))


def _parse(text: str) -> object:
    """Returns the value, or None when there is none; a lone ``null`` is none either."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        pass
    try:
        relaxed = _COMMENTS.sub(lambda found: found[1] or " ", text)
        return _DECODER.decode(_LAST_COMMAS.sub(lambda found: found[1] or " ", relaxed))
    except (ValueError, RecursionError):
        return None


def _are_lines(text: str) -> bool:
    """Says whether the first two lines are values of their own."""
    rows = [row for row in text[:1_000_000].split("\n", 3)[:2] if row.strip()]
    return len(rows) == 2 and all(isinstance(_parse(row), Members) for row in rows)


def _as_plain_text(data: bytes, path: str, *, is_wrong: bool) -> Extracted:
    own = read_own_text(data, path)
    extracted = build_own_text(OwnText(own.text, own.rows, own.problems), path, ())
    if not is_wrong or extracted.is_refused:
        return extracted
    from dowse.schema import Problem

    problem = Problem("bad-json", path, "this is not valid JSON; it is indexed as plain text")
    return extracted._replace(problems=(*extracted.problems, problem))


def _title(value: object, path: str) -> str:
    members = dict(value) if isinstance(value, Members) else {}
    titles = (members.get(name) for name in ("title", "name"))
    return choose_title(*(title for title in titles if isinstance(title, str)), path=path)


def _write_lines_into(builder: TextBuilder, text: str) -> None:
    """Writes each line's value as one line."""
    broken = 0
    for row in text.split("\n"):
        if not row.strip():
            continue
        value = _parse(row)
        if value is None and row.strip() != "null":
            broken += 1
            builder.line(row)
        else:
            builder.line(" | ".join(_show(name, leaf) for name, leaf in _iter_leaves("", value)))
        if builder.is_full:
            return
    if broken:
        builder.problem("bad-json", f"{broken:,} of its lines are not valid JSON; they are indexed as text")


def _write_into(builder: TextBuilder, value: object) -> None:
    """Writes a value: plain members first, then each larger one under its own heading."""
    waiting: list[tuple[int, str, object]] = [(0, "", value)]
    while waiting and not builder.is_full:
        depth, name, part = waiting.pop()
        if depth:
            builder.heading(depth, name)
        if not isinstance(part, Members):
            _write_items_into(builder, part)
            continue
        large = [member for member in part if _is_large(member[1])]
        has_headings = depth < MAX_HEADING_DEPTH and len(large) <= MAX_HEADINGS_A_LEVEL
        for key, member in part:
            if has_headings and _is_large(member):
                continue
            for path, leaf in _iter_leaves(key, member):
                builder.line(_show(path, leaf))
        if has_headings:
            waiting += [(depth + 1, key, member) for key, member in reversed(large)]


def _write_items_into(builder: TextBuilder, value: object) -> None:
    """Writes a list, a line for each item."""
    for item in value if isinstance(value, list) else [value]:
        builder.line(" | ".join(_show(path, leaf) for path, leaf in _iter_leaves("", item)))
        if builder.is_full:
            return


def _is_large(value: object) -> bool:
    if isinstance(value, Members):
        return bool(value)
    return isinstance(value, list) and any(isinstance(item, list) for item in value)


def _iter_leaves(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yields what is inside a value, each with the path to it; a list of plain values is one leaf."""
    waiting = [(name, value)]
    while waiting:
        path, part = waiting.pop()
        if isinstance(part, Members) and part:
            prefix = f"{path[:MAX_PATH_CHARS]}." if path else ""
            waiting += [(prefix + key, member) for key, member in reversed(part)]
        elif isinstance(part, list) and any(isinstance(item, list) for item in part):
            waiting += [(path, item) for item in reversed(part)]
        elif isinstance(part, list):
            yield path, ", ".join(filter(None, map(_plain, part)))
        else:
            yield path, _plain(part)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "" if value is None else str(value)
    # Pictures and keys in text clothing: no word in them, and megabytes long.
    is_opaque = len(text) > _MAX_OPAQUE_CHARS and _OPAQUE.match(text) and not text.isdecimal()
    return "" if is_opaque else text


def _show(name: str, value: str) -> str:
    return f"{name}: {value}" if name and value else name or value
