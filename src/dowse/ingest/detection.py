"""Which format is this? The content says it first, the name second.

A name lies now and then (a text saved as `.pdf`, a picture named `.xlsx`, a web page named `.doc`); the first
bytes of a format that is not text never do. Text formats look alike inside, and there the name decides.
"""

import re
import zipfile
from io import BytesIO

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Streams of a compound file by which its program is known; names are UTF-16 inside.
_OLE_STREAMS = (
    ("__substg1.0_", "outlook"),
    ("__properties_version1.0", "outlook"),
    ("WordDocument", "legacy-office"),
    ("PowerPoint Document", "legacy-office"),
    ("Workbook", "spreadsheet"),
    ("Book", "spreadsheet"),
)
_OPEN_DOCUMENT = {"text": "odt", "presentation": "odp", "spreadsheet": "spreadsheet", "graphics": "odp"}
_STARTS = (
    (b"{\\rtf", "rtf"),
    (b"\x1f\x8b", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\0", "archive"),
)
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_FLAT_OPEN_DOCUMENT = re.compile(rb"<office:document[^>]*office:mimetype=\"[^\"]*\.(\w+)\"")
_SNIFFED_BYTES = 8192
_PDF_WITHIN_BYTES = 1024
_TAR_MARK_AT = 257


def detect_format(data: bytes) -> str | None:
    """Returns the name of the format that the content shows; None when the name must say it.

    Args:
        data: The whole file; only its beginning, and a ZIP's list of members, are looked at.
    """
    head = data[:_SNIFFED_BYTES]
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _package_format(data)
    if head.startswith(_OLE):
        return _compound_format(data)
    for start, name in _STARTS:
        if head.startswith(start):
            return name
    if b"%PDF-" in head[:_PDF_WITHIN_BYTES]:
        return "pdf"
    if head[_TAR_MARK_AT : _TAR_MARK_AT + 5] == b"ustar":
        return "archive"
    if flat := _FLAT_OPEN_DOCUMENT.search(head):
        return _OPEN_DOCUMENT.get(flat[1].decode("ascii", "replace"))
    return "html" if _HTML.match(head) else None


def _package_format(data: bytes) -> str:
    """Tells office formats, books and plain archives apart by what a ZIP holds."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                kind = archive.read("mimetype").decode("ascii", "replace").strip()
                if "epub" in kind:
                    return "epub"
                if "opendocument" in kind:
                    return _OPEN_DOCUMENT.get(kind.rpartition(".")[2].removesuffix("-template"), "archive")
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, KeyError, EOFError):
        return _broken_package_format(data)
    if "META-INF/container.xml" in names:
        return "epub"
    for folder, name in (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "spreadsheet")):
        if any(member.startswith(folder) for member in names):
            return name
    return "archive"


def _broken_package_format(data: bytes) -> str:
    """Guesses from the names in what is left of a package, so that the right words can be said of it."""
    for mark, name in ((b"word/", "docx"), (b"ppt/", "pptx"), (b"xl/", "spreadsheet"), (b"epub", "epub")):
        if mark in data[:65536]:
            return name
    return "archive"


def _compound_format(data: bytes) -> str:
    for stream, name in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return name
    return "legacy-office"
