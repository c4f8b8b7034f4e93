"""Do the sectors of an old office file form chains that end?

A compound file is a small file system: a table says for each sector which one follows. In a damaged table
sectors follow each other in a circle, and python-calamine would collect them until memory ends.
"""

import struct
from array import array

_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER_BYTES = 512
_TABLE_SECTORS_AT, _TABLE_SECTORS = 76, 109
_MAX_SECTOR_SHIFT = 16


def has_endless_chain(data: bytes) -> bool:
    """Says whether any chain of sectors of a compound file comes back to itself.

    Args:
        data: The file; one that is cut off, or of another kind, has no chains.
    """
    if not data.startswith(_MARK) or len(data) < _HEADER_BYTES:
        return False
    shift = struct.unpack_from("<H", data, 30)[0]
    if shift > _MAX_SECTOR_SHIFT:
        return False
    mini_start, more_start = (struct.unpack_from("<I", data, place)[0] for place in (60, 68))
    table = _read_table(data, 1 << shift, more_start)
    if table is None or _has_loop(table):
        return True
    mini = b"".join(_sector(data, 1 << shift, number) for number in _chain(table, mini_start))
    return _has_loop(_numbers(mini))


def _read_table(data: bytes, size: int, more_start: int) -> "array[int] | None":
    """Returns which sector follows each; None when the list of the table's own sectors is endless."""
    own = list(struct.unpack_from(f"<{_TABLE_SECTORS}I", data, _TABLE_SECTORS_AT))
    count, seen = len(data) // size, set()
    while more_start < count:
        if more_start in seen:
            return None
        seen.add(more_start)
        *more, more_start = _numbers(_sector(data, size, more_start)) or (count,)
        own += more
    return _numbers(b"".join(_sector(data, size, number) for number in own if number < count))


def _chain(table: "array[int]", number: int) -> list[int]:
    chain = []
    while number < len(table):
        chain.append(number)
        number = table[number]
    return chain


def _has_loop(links: "array[int]") -> bool:
    seen = array("q", bytes(8 * len(links)))
    for start in range(len(links)):
        at = start
        while at < len(links) and not seen[at]:
            seen[at] = start + 1
            at = links[at]
        if at < len(links) and seen[at] == start + 1:
            return True
    return False


def _sector(data: bytes, size: int, number: int) -> bytes:
    return data[(number + 1) * size : (number + 2) * size]


def _numbers(data: bytes) -> "array[int]":
    return array("I", struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
