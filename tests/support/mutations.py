"""Damaged copies of sample files: what a bad disk, a bad program or a bad person makes of them.

Every format gets the same number of copies, whatever the number of its samples. The same seed gives the same
copies. A package is damaged in three ways: as it lies on disk, inside one of its members (so that its parser
meets the damage and not the unpacker), and by losing or doubling a member.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import NamedTuple

from support.format_samples import SAMPLES
from support.pdf_files import PdfFile

MAX_RUN_BYTES = 200_000
MAX_MEMBERS_BYTES = 4 << 20
_MARKS = b"<>/&;\"'=[]{}()\\%|*#`:-\n\r\t\0\xff\x80 "
_NUMBERS = (b"0", b"-1", b"65536", b"2147483648", b"18446744073709551616", b"9" * 400, b"1e999", b"NaN")
_PARSED_ENDINGS = (".xml", ".rels", ".xhtml", ".opf", ".html")
_SLOW_ENDINGS = (".doc", ".ppt")


class Sample(NamedTuple):
    """A file; its name ends as files of its format do."""

    name: str
    data: bytes


def built_samples(extensions: dict[str, tuple[str, ...]]) -> list[Sample]:
    """Returns a small file of each format that has one in `format_samples`, and a PDF.

    Args:
        extensions: By the name of the format.
    """
    samples = [
        Sample(f"{name}{extensions[name][0]}", build())
        for name, (build, _) in SAMPLES.items()
        if name in extensions
    ]
    pages = [[(50, 700 - 20 * line, 12, f"Some words on line {line}") for line in range(5)]] * 3
    pdf = PdfFile([*pages], [("Start", 0), ("End", 2)], {"Title": "Words"}, label_style="r")
    return [*samples, Sample("built.pdf", pdf.build())]


def collected_samples(folder: Path, max_bytes: int, *, with_old_office: bool = False) -> list[Sample]:
    """Returns the files below a folder that are not larger than `max_bytes`.

    Args:
        folder: Nothing when it is missing.
        max_bytes: Of a file.
        with_old_office: Whether formats that another program must convert, which takes seconds, are wanted.
    """
    return [
        Sample(path.name, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.stat().st_size <= max_bytes
        and (with_old_office or path.suffix.lower() not in _SLOW_ENDINGS)
    ]


def iter_mutants(samples: Iterable[Sample], count: int, seed: int) -> Iterator[Sample]:
    """Yields damaged copies, the formats in turn; names are unique and end as before."""
    by_ending: dict[str, list[Sample]] = {}
    for sample in samples:
        by_ending.setdefault(Path(sample.name).suffix.lower(), []).append(sample)
    source, endings = Random(seed), sorted(by_ending)
    everything = [sample.data for group in by_ending.values() for sample in group]
    for number in range(count):
        group = by_ending[endings[number % len(endings)]]
        chosen = source.choice(group)
        other = source.choice([sample.data for sample in group] + [source.choice(everything)])
        yield Sample(f"{number:05}-{chosen.name}", _damage(chosen.data, source, other))


def _damage(data: bytes, source: Random, other: bytes) -> bytes:
    if data.startswith(b"PK\x03\x04") and source.random() < 0.75:
        members = _read_members(data)
        if members:
            return _damage_package(members, source, other)
    return _damage_bytes(data, source, other)


def _damage_bytes(data: bytes, source: Random, other: bytes) -> bytes:
    """Applies one to three kinds of damage."""
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        data = source.choice(DAMAGES)(data, source, other)
    return data


def flip_bits(data: bytes, source: Random, _: bytes) -> bytes:
    """Changes single bits."""
    changed = bytearray(data)
    for _ in range(source.choice((1, 2, 8, 64)) if data else 0):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def place_marks(data: bytes, source: Random, _: bytes) -> bytes:
    """Puts characters that mean something to parsers over others."""
    changed = bytearray(data)
    for _ in range(source.choice((1, 4, 32)) if data else 0):
        changed[source.randrange(len(changed))] = source.choice(_MARKS)
    return bytes(changed)


def truncate(data: bytes, source: Random, _: bytes) -> bytes:
    """Cuts off the end, or now and then the beginning."""
    place = source.randrange(len(data) + 1)
    return data[place:] if source.random() < 0.1 else data[:place]


def splice(data: bytes, source: Random, other: bytes) -> bytes:
    """Goes on with another file in the middle."""
    return data[: source.randrange(len(data) + 1)] + other[source.randrange(len(other) + 1) :]


def repeat(data: bytes, source: Random, _: bytes) -> bytes:
    """Says a part many times over."""
    start, end = _span(data, source, 2_000)
    times = min(source.choice((2, 10, 1_000, 20_000)), MAX_RUN_BYTES // max(end - start, 1))
    return data[:end] + data[start:end] * times + data[end:]


def insert_run(data: bytes, source: Random, _: bytes) -> bytes:
    """Inserts a long run of one character."""
    place = source.randrange(len(data) + 1)
    run = bytes((source.choice(_MARKS),)) * source.choice((10, 1_000, MAX_RUN_BYTES))
    return data[:place] + run + data[place:]


def zero_block(data: bytes, source: Random, _: bytes) -> bytes:
    """Overwrites a part with zeros, as a lost disk block is."""
    start, end = _span(data, source, 4_096)
    return data[:start] + bytes(end - start) + data[end:]


def remove_block(data: bytes, source: Random, _: bytes) -> bytes:
    """Leaves a part out."""
    start, end = _span(data, source, 4_096)
    return data[:start] + data[end:]


def change_number(data: bytes, source: Random, _: bytes) -> bytes:
    """Replaces a number by one that is out of all bounds."""
    start = source.randrange(len(data) + 1)
    while start < len(data) and not 0x30 <= data[start] <= 0x39:
        start += 1
    end = start
    while end < len(data) and 0x30 <= data[end] <= 0x39:
        end += 1
    return data[:start] + source.choice(_NUMBERS) + data[end:]


DAMAGES: tuple[Callable[[bytes, Random, bytes], bytes], ...] = (
    flip_bits,
    place_marks,
    truncate,
    splice,
    repeat,
    insert_run,
    zero_block,
    remove_block,
    change_number,
)


def _span(data: bytes, source: Random, max_bytes: int) -> tuple[int, int]:
    start = source.randrange(len(data) + 1)
    return start, min(len(data), start + source.randrange(1, max_bytes))


def _read_members(data: bytes) -> list[tuple[str, bytes]]:
    """Returns the members of a package; none when it is broken already, or large."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_MEMBERS_BYTES:
                return []
            return [(info.filename, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        return []


def _damage_package(members: list[tuple[str, bytes]], source: Random, other: bytes) -> bytes:
    changed = list(members)
    deed = source.random()
    # Most bytes of a package are pictures and styles; most parsing is of XML.
    parsed = [at for at, (name, _) in enumerate(changed) if name.endswith(_PARSED_ENDINGS)]
    at = source.choice(parsed) if parsed and source.random() < 0.8 else source.randrange(len(changed))
    name, content = changed[at]
    if deed < 0.05:
        del changed[at]
    elif deed < 0.1:
        changed.insert(source.randrange(len(changed)), (name, source.choice(changed)[1]))
    elif deed < 0.15:
        changed[at] = (name, source.choice(changed)[1])
    else:
        inner = source.choice(changed)[1] if source.random() < 0.5 else other
        changed[at] = (name, _damage_bytes(content, source, inner))
    return _write_package(changed)


def _write_package(members: Iterable[tuple[str, bytes]]) -> bytes:
    file = BytesIO()
    written = set()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members:
            if name not in written:  # a second one of the same name would only draw a warning
                written.add(name)
                archive.writestr(name, content)
    return file.getvalue()
