"""How words and colours reach a person: streams, ANSI styles, clickable paths.

Results are coloured with plain escape sequences rather than with rich: importing rich costs more
than a whole search.
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TextIO

from dowse.errors import ResourceError

DEFAULT_WIDTH = 100

_CODES = {
    "path": "1;36",
    "line": "32",
    "dim": "2",
    "highlight": "1;33",
    "bold": "1",
    "error": "1;31",
    "good": "32",
}

# Everything a terminal may obey: C0 but tab and newline, DEL, C1, and the marks that reorder text.
_CONTROLS = dict.fromkeys(
    (
        *(code for code in range(0x20) if code not in (0x09, 0x0A)),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ),
    "\ufffd",
)


class Style(NamedTuple):
    """What one stream can show. `width` is ``None`` where lines need no wrapping."""

    has_color: bool = False
    has_links: bool = False
    width: int | None = None

    def paint(self, text: str, role: str) -> str:
        """Returns the text in the colours of its role, or as it is."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.has_color and text else text

    def link(self, text: str, file: str | None) -> str:
        """Returns the text as a link that a terminal opens on click (OSC 8)."""
        if not self.has_links or file is None:
            return text
        return f"\x1b]8;;{build_file_url(file)}\x1b\\{text}\x1b]8;;\x1b\\"


PLAIN = Style()


def build_file_url(file: str) -> str:
    """Returns ``file://host/path``; the host keeps links right over ssh."""
    from urllib.parse import quote

    host = os.uname().nodename if hasattr(os, "uname") else ""
    return f"file://{quote(host)}{quote(os.fsencode(file))}"


def detect_style(
    stream: TextIO, *, wants_color: bool, environment: Mapping[str, str] = os.environ
) -> Style:
    """Decides what a stream can show; ``NO_COLOR`` wins over ``FORCE_COLOR``, as in Python."""
    is_terminal = stream.isatty() and environment.get("TERM") != "dumb"
    refused = not wants_color or bool(environment.get("NO_COLOR"))
    forced = environment.get("FORCE_COLOR", "") not in ("", "0")
    return Style(
        has_color=not refused and (is_terminal or forced),
        has_links=not refused and is_terminal,
        width=find_width(stream) if stream.isatty() else None,
    )


def find_width(terminal: TextIO) -> int:
    """Returns the columns to fill: those of the terminal, but no more than is pleasant to read."""
    # As `shutil.get_terminal_size` does it, without the 3 ms of importing shutil.
    said = os.environ.get("COLUMNS", "")
    try:
        columns = int(said) if said.isdecimal() else os.get_terminal_size(terminal.fileno()).columns
    except (OSError, ValueError):  # nobody knows
        columns = 0
    return max(40, min(columns or DEFAULT_WIDTH, DEFAULT_WIDTH))


def without_controls(text: str) -> str:
    """Returns the text with each control character replaced, so that no file can steer a terminal.

    One character becomes one character: positions stay valid.
    """
    return text.translate(_CONTROLS)


def say(text: str) -> None:
    """Writes words for people to stderr, at once; words nobody can receive are dropped."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def write(text: str) -> None:
    """Writes data to stdout."""
    with stdout_failures():
        sys.stdout.write(text)


def flush() -> None:
    """Hands on all data written so far, so that words said next come after it."""
    with stdout_failures():
        sys.stdout.flush()


@contextlib.contextmanager
def stdout_failures() -> Iterator[None]:
    """Gives the operating system's refusal a name; a broken pipe stays what it is.

    Raises:
        ResourceError: The answer cannot be written, for example to a full disk.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"cannot write the answer: {error.strerror or error}"
        raise ResourceError(message=message) from error


def count(number: int, singular: str, plural: str = "") -> str:
    """Returns ``1 file`` or ``2,345 files``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def format_bytes(size: int) -> str:
    """Returns a size as people read it: ``532 bytes``, ``1.4 MB``."""
    if size < 1000:
        return count(size, "byte")
    amount = float(size)
    for unit in ("kB", "MB", "GB", "TB"):
        amount /= 1000
        if amount < 999.5 or unit == "TB":
            break
    return f"{amount:.1f} {unit}" if amount < 99.5 else f"{amount:.0f} {unit}"


def format_duration(seconds: float) -> str:
    """Returns a time as people read it: ``340 ms``, ``2.1 s``, ``3 min 5 s``."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"
