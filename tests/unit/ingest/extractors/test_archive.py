"""Archives and compressed files."""

import bz2
import contextlib
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, ExtractionLimits, UnextractableError
from support.format_samples import build_package
from support.well_formed import assert_well_formed

FILES = {"a/one.txt": "first words", "../../etc/two.md": "# Two\n\nsecond words", "/abs/three.txt": "third"}


def build_tar(files: dict[str, str]) -> bytes:
    """Returns a TAR archive with these files, a link and a device."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
        for name, kind in (("link.txt", tarfile.SYMTYPE), ("null", tarfile.CHRTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    return out.getvalue()


def read(data: bytes, path: str = "folder/file.zip", limits: ExtractionLimits | None = None) -> Extracted:
    """Reads an archive."""
    return get_extractor("archive").extract(data, path, Allowance(limits or ExtractionLimits()))


@pytest.mark.parametrize(
    "data",
    [
        build_package(dict(FILES)),
        build_tar(FILES),
        gzip.compress(build_tar(FILES)),
        bz2.compress(build_tar(FILES)),
        lzma.compress(build_tar(FILES)),
    ],
    ids=["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"],
)
def test_members_are_sections(data: bytes) -> None:
    """Every file is a section under its path, wherever the path leads; links and devices are not."""
    found = read(data)
    assert list(FILES) == [anchor.label for anchor in found.anchors]
    assert ["a/one.txt", "../../etc/two.md", "Two", "/abs/three.txt"] == [
        part.title for part in found.sections[1:]
    ]
    assert b"second words" in found.text
    assert () == found.problems


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_a_single_compressed_file_is_that_file(compress: object) -> None:
    """A compressed page is a page, with its own title and structure."""
    assert callable(compress)
    found = read(compress(b"# Heading\n\nwords"), "folder/notes.md.gz")
    assert ("Heading", b"# Heading\n\nwords") == (found.title, found.text)


def test_what_cannot_be_read_is_a_problem_or_nothing() -> None:
    """Damaged files are named; secrets and pictures are passed over; archives in archives are read."""
    inner = build_package({"deep.txt": "deep words"})
    files = {".env": "SECRET=1", "x.bin": b"\0\1", "broken.pdf": b"%PDF-1.4 x", "in.zip": inner}
    found = read(build_package(files))
    assert ["damaged-file"] == [entry.code for entry in found.problems]
    assert "broken.pdf" in found.problems[0].message
    assert b"deep words" in found.text
    assert b"SECRET" not in found.text


def test_encrypted_members_are_problems() -> None:
    """The rest is still read."""
    data = bytearray(build_package({"a.txt": "locked", "b.txt": "open"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    found = read(bytes(data))
    assert (["encrypted"], b"b.txt\n\nopen\n") == ([entry.code for entry in found.problems], found.text)


def zeros(size: int) -> bytes:
    """Returns a ZIP of one file of zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", b" " * size)
    return out.getvalue()


SIZE = 20 << 20


@pytest.mark.parametrize(
    "data",
    [zeros(SIZE), gzip.compress(bytes(SIZE)), bz2.compress(bytes(SIZE)), lzma.compress(bytes(SIZE))],
    ids=["zip", "gz", "bz2", "xz"],
)
def test_bombs_are_refused(data: bytes) -> None:
    """What unpacks to hundreds of times its size is not unpacked to its end."""
    with pytest.raises(UnextractableError) as caught:
        read(data)
    assert "expands-too-much" == caught.value.code


def test_the_files_before_a_limit_are_kept() -> None:
    """An archive of too many files is read up to the limit."""
    files = {f"{number}.txt": f"words {number}" for number in range(10)}
    found = read(build_package(dict(files)), limits=ExtractionLimits(members=5))
    assert (5, ["too-many-members"]) == (len(found.anchors), [entry.code for entry in found.problems])


def test_archives_in_archives_end_at_the_depth_allowed() -> None:
    """Deeper ones are a problem, and no more."""
    data = build_package({"bottom.txt": "bottom"})
    for _ in range(8):
        data = build_package({"in.zip": data, "beside.txt": "beside"})
    found = read(data)
    assert {"nested-too-deep"} == {entry.code for entry in found.problems}
    assert b"bottom" not in found.text


SAMPLES = [build_package(dict(FILES)), build_tar(FILES), gzip.compress(build_tar(FILES), mtime=0)]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SAMPLES), st.data())
def test_damage_costs_this_file_only(sample: bytes, data: st.DataObject) -> None:
    """Changed and cut files are read or refused, with nothing raised but the one error."""
    changed = bytearray(sample)
    for place in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=10)):
        changed[place] = data.draw(st.integers(0, 255))
    for damaged in (bytes(changed), bytes(changed[: data.draw(st.integers(0, len(changed)))])):
        with contextlib.suppress(UnextractableError):
            assert_well_formed(read(damaged))
