"""Formats known by their content, whatever their names say."""

import io
import zipfile

import pytest

from dowse.ingest.detection import detect_format
from dowse.ingest.extraction import choose_extractor, extract_member
from dowse.ingest.extractors import EXTRACTORS
from dowse.ingest.limits import Allowance, ExtractionLimits, UnextractableError
from dowse.ingest.packages import Package
from dowse.schema import Problem

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def package(**members: str) -> bytes:
    """Returns a ZIP with these members; double underscores are slashes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return stream.getvalue()


SAMPLES = {
    "docx": package(word__document="x"),
    "pptx": package(ppt__presentation="x"),
    "spreadsheet": package(xl__workbook="x"),
    "odt": package(mimetype="application/vnd.oasis.opendocument.text", content="x"),
    "odp": package(mimetype="application/vnd.oasis.opendocument.presentation", content="x"),
    "epub": package(mimetype="application/epub+zip"),
    "archive": package(readme="x"),
    "pdf": b"junk before\n%PDF-1.7\n",
    "rtf": b"{\\rtf1 text}",
    "html": b"\n<!-- c --><!DOCTYPE html><p>x",
    "outlook": OLE + "__substg1.0_0037".encode("utf-16-le"),
    "legacy-office": OLE + "WordDocument".encode("utf-16-le"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_content_shows_its_format(name: str) -> None:
    """A wrong file name changes nothing."""
    assert name == detect_format(SAMPLES[name])
    assert name == choose_extractor(SAMPLES[name], "picture.txt").name


def test_every_format_that_content_shows_has_an_extractor() -> None:
    """The two lists agree."""
    assert set(SAMPLES) <= {extractor.name for extractor in EXTRACTORS}


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.md", "markdown"), ("a.csv", "csv"), ("notes", "text"), ("a.pdf", "text"), ("a.weird", "text")],
)
def test_a_text_is_read_as_its_name_says(path: str, name: str) -> None:
    """Where content cannot tell, the name does; a text named like a PDF is a text."""
    assert name == choose_extractor(b"some words\n", path).name


def test_a_binary_file_of_no_format_is_refused() -> None:
    """Not even a name that promises more makes a document of it."""
    for path in ("a.xlsx", "a.bin", "a"):
        with pytest.raises(UnextractableError, match="not a text file"):
            choose_extractor(b"\x89PNG\r\n\0\0", path)


def test_a_package_is_unpacked_within_limits() -> None:
    """Sizes are counted as they come out, not as a header says."""
    data = package(big="a" * (3 << 20), small="b")
    with pytest.raises(UnextractableError, match="times its size"):
        Package(data, Allowance()).read("big")
    limits = ExtractionLimits(expansion_ratio=10**9, expanded_bytes=2 << 20)
    with pytest.raises(UnextractableError, match="more than 2 MB"):
        Package(data, Allowance(limits)).read("big")
    assert b"b" == Package(data, Allowance()).read("small")
    assert Package(data, Allowance()).find("none") is None


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", package(a="x")[:-20]], ids=["empty", "only a mark", "cut off"]
)
def test_a_broken_package_says_so(data: bytes) -> None:
    """The problem is for people."""
    with pytest.raises(UnextractableError, match="damaged or cut off"):
        Package(data, Allowance())


def test_files_inside_are_counted_and_bounded() -> None:
    """Too many, or too deep, ends the outermost file; a bad one is only its own problem."""
    allowance = Allowance(ExtractionLimits(members=2, depth=1))
    assert isinstance(extract_member(b"text", "a.txt", allowance), tuple)
    assert isinstance(extract_member(b"PK\x03\x04", "a.docx", allowance), Problem)
    with pytest.raises(UnextractableError, match="more than 2 files"):
        extract_member(b"text", "b.txt", allowance)
    deep = Allowance(ExtractionLimits(depth=0))
    with pytest.raises(UnextractableError, match="inside each other"):
        extract_member(b"text", "a.txt", deep)


@pytest.mark.parametrize("name", ["id_rsa", "a/.env", ".DS_Store"])
def test_secrets_and_junk_inside_are_passed_over(name: str) -> None:
    """In silence, as outside."""
    assert extract_member(b"text", name, Allowance()) is None
