"""Compound files (OLE) written by hand: folders and streams, for Outlook items and old office files."""

import struct
from collections.abc import Mapping

_SECTOR = 512
_FREE, _END, _FAT_SECTOR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Tree = Mapping[str, "bytes | Tree"]


def build_compound_file(tree: Tree) -> bytes:
    """Returns a compound file; streams are padded to 4,096 bytes, so that all lie in whole sectors."""
    entries: list[list[object]] = [["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0]]
    streams: list[tuple[int, bytes]] = []
    waiting: list[tuple[int, Tree]] = [(0, tree)]
    while waiting:
        parent, children = waiting.pop()
        before = None
        # Siblings hang to the right of each other: an unbalanced tree, and a legal one.
        for name in sorted(children, key=lambda name: (len(name), name.upper())):
            index = len(entries)
            content = children[name]
            is_folder = isinstance(content, Mapping)
            entries.append([name, 1 if is_folder else 2, _FREE, _FREE, _FREE, _END if is_folder else 0, 0])
            entries[parent if before is None else before][4 if before is None else 3] = index
            before = index
            if isinstance(content, Mapping):
                waiting.append((index, content))
            else:
                streams.append((index, content))
    return _write(entries, streams)


def _write(entries: list[list[object]], streams: list[tuple[int, bytes]]) -> bytes:
    sectors: list[bytes] = []
    chains: list[int] = []
    for index, content in streams:
        padded = content.ljust(4096, b"\0")
        padded += b"\0" * (-len(padded) % _SECTOR)
        entries[index][5], entries[index][6] = len(sectors), max(len(content), 4096)
        _append(padded, sectors, chains)
    directory_at = len(sectors)
    directory = b"".join(_entry(*entry) for entry in entries)
    _append(directory + b"\0" * (-len(directory) % _SECTOR), sectors, chains)
    fat_count = 1
    while (len(sectors) + fat_count) * 4 > fat_count * _SECTOR:
        fat_count += 1
    fat_at = len(sectors)
    chains += [_FAT_SECTOR] * fat_count
    chains += [_FREE] * (fat_count * _SECTOR // 4 - len(chains))
    fat = struct.pack(f"<{len(chains)}I", *chains)
    places = [fat_at + number for number in range(fat_count)] + [_FREE] * (109 - fat_count)
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, fat_count, directory_at, 0, 4096,
        _END, 0, _END, 0,
    )  # fmt: skip
    return header + struct.pack("<109I", *places) + b"".join(sectors) + fat


def _append(data: bytes, sectors: list[bytes], chains: list[int]) -> None:
    first = len(sectors)
    count = len(data) // _SECTOR
    sectors += [data[start : start + _SECTOR] for start in range(0, len(data), _SECTOR)]
    chains += [first + number + 1 for number in range(count - 1)] + [_END]


def _entry(name: str, kind: int, left: int, right: int, child: int, start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16xI8x8xIQ",
        encoded, len(encoded) + 2, kind, 1, left, right, child, 0, start, size,
    )  # fmt: skip


def build_outlook_item(
    texts: Mapping[int, str], attachments: Mapping[str, bytes] | None = None, inner: Tree | None = None
) -> Tree:
    """Returns the folders of an Outlook item: texts by property, files by name, an item inside it."""
    tree: dict[str, bytes | Tree] = {
        "__properties_version1.0": bytes(32)
        + struct.pack("<HHIQ", 0x40, 0x39, 0, 133_500_000_000_000_000),
        **{f"__substg1.0_{key:04X}001F": _wide(text) for key, text in texts.items()},
    }
    for number, (name, content) in enumerate((attachments or {}).items()):
        tree[f"__attach_version1.0_#{number:08X}"] = {
            "__substg1.0_3707001F": _wide(name),
            "__substg1.0_37010102": content,
        }
    if inner is not None:
        tree["__attach_version1.0_#000000FF"] = {"__substg1.0_3701000D": inner}
    return tree


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")
