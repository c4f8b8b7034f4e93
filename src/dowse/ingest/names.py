"""File names as they are shown and kept: printable, composed, unique in their folder.

A name that is not UTF-8, or has control characters, is indexed under a path in which each odd byte
is written ``\\xNN``, and a problem says so. Skipping such a file would hide its content for a flaw
that concerns only its name.
"""

import unicodedata

_ODD_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")


def printable_names(names: set[str]) -> dict[str, tuple[str, str]]:
    """Maps names that cannot be shown to ones that can, unique in their folder, and a reason."""
    changed: dict[str, tuple[str, str]] = {}
    taken = names
    for name in sorted(name for name in names if not (name.isascii() and name.isprintable())):
        odd = any(unicodedata.category(char) in _ODD_CATEGORIES for char in name)
        shown = "".join(map(_escape_odd, name)) if odd else name
        shown = unicodedata.normalize("NFC", shown)
        if shown == name:
            continue
        trouble = (
            "its name has characters that cannot be shown; they are written as \\x.." if odd else ""
        )
        if shown in taken:
            trouble = f"its name looks like that of another file in this folder, “{shown}”"
            shown = _numbered(shown, taken)
        if taken is names:
            taken = set(names)
        taken.add(shown)
        changed[name] = (shown, trouble)
    return changed


def _numbered(name: str, taken: set[str]) -> str:
    """Adds ``~2`` before the extension, or a higher number when that is taken."""
    stem, dot, extension = name.rpartition(".")
    number = 2
    while True:
        candidate = f"{stem}~{number}{dot}{extension}" if stem else f"{name}~{number}"
        if candidate not in taken:
            return candidate
        number += 1


def _escape_odd(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cs":
        return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
    return (
        "".join(f"\\x{byte:02x}" for byte in char.encode())
        if category in ("Cc", "Zl", "Zp")
        else char
    )
