"""Parses a TOML text, and says on which line each key stands.

`tomllib` gives values without their places. This scan knows just enough of the syntax to find keys: headers,
dotted and quoted keys, and where strings and brackets that span lines end. The text was parsed before, so
that it is well formed.
"""

import re

_KEY_PART = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([A-Za-z0-9_-]+))\s*')
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)


class TomlSyntaxError(Exception):
    """A text is not TOML; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def parse_toml(text: str) -> dict[str, object]:
    """Returns the tables and values of a text.

    Raises:
        TomlSyntaxError: It is not TOML.
    """
    import tomllib  # late: most folders have no configuration

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        found = re.search(r"line (\d+)", place)
        last = max(1, text.rstrip().count("\n") + 1)
        raise TomlSyntaxError(message[:1].lower() + message[1:], int(found[1]) if found else last) from error
    except RecursionError as error:
        raise TomlSyntaxError("its values are nested too deep", 1) from error


def find_key_lines(text: str) -> dict[tuple[str, ...], int]:
    """Returns the line, from 1, of every key and table header, by its full path.

    The parts of an array of tables share a path; the first counts. What is inside an inline table is not
    listed: ask `find_line`, which falls back to the key around it.
    """
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    position = 0
    while position < len(text):
        if text[position] in " \t\r\n":
            position += 1
        elif text[position] == "#":
            position = _line_end(text, position)
        else:
            line = text.count("\n", 0, position) + 1
            if text[position] == "[":
                start = position + (2 if text.startswith("[[", position) else 1)
                table, _ = _read_key(text, start)
                for length in range(1, len(table) + 1):
                    lines.setdefault(table[:length], line)
                position = _line_end(text, position)
            else:
                key, position = _read_key(text, position)
                for length in range(1, len(key) + 1):
                    lines.setdefault(table + key[:length], line)
                position = _value_end(text, position)
    return lines


def find_line(lines: dict[tuple[str, ...], int], path: tuple[str, ...]) -> int:
    """Returns the line of a key, or of the nearest key around it; 1 when there is none."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1


def _read_key(text: str, position: int) -> tuple[tuple[str, ...], int]:
    parts = []
    while match := _KEY_PART.match(text, position):
        parts.append(_unescape(match))
        position = match.end()
        if text[position : position + 1] != ".":
            break
        position += 1
    return tuple(parts), max(position, 1)


def _unescape(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2] if match[2] is not None else match[3]
    return str(parse_toml(f'x = "{match[1]}"')["x"])


def _value_end(text: str, position: int) -> int:
    """Returns where a value ends that starts after the ``=`` at `position`."""
    depth = 0
    while position < len(text):
        char = text[position]
        if char in "\"'":
            match = _STRING.match(text, position)
            position = match.end() if match else position + 1
            continue
        if char == "#":
            position = _line_end(text, position)
            continue
        if char == "\n" and depth <= 0:
            return position
        depth += (char in "[{") - (char in "]}")
        position += 1
    return position


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
