"""What the conformance suite must know about a format that its extractor does not say.

A new format adds a row to `SAMPLES`: a small file that is right in every way, and a word that must be found
in its text. A format whose stored text is the file itself is named in `OWN_TEXT`.
"""

from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

from support.compound_files import build_compound_file, build_outlook_item
from support.office_files import build_docx, build_epub, build_open_document, build_pptx, paragraph, shape
from support.pdf_files import PdfFile

OWN_TEXT = frozenset(
    {"asciidoc", "code", "ini", "latex", "markdown", "org", "restructuredtext", "text", "toml", "yaml"}
)
CONVERTED = frozenset({"legacy-office"})
"""Formats that another program reads, which need not be installed; they have tests of their own."""


def build_package(members: dict[str, str | bytes]) -> bytes:
    """Returns a ZIP file with these members."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def build_open_document_sheet(rows: str) -> bytes:
    """Returns an OpenDocument spreadsheet with one table, “Plan”, of these rows of XML."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table")
    )
    return build_package(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"<office:document-content {names}><office:body><office:spreadsheet>"
            f'<table:table table:name="Plan">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


SAMPLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "html": (lambda: b"<!doctype html><title>Title</title><p>Some <b>words</b></p>", "words"),
    "pdf": (lambda: PdfFile([[(50, 700, 12, "Some words")]]).build(), "words"),
    "docx": (lambda: build_docx(paragraph("Some words")), "words"),
    "pptx": (lambda: build_pptx(shape("Title", "title") + shape("Some words")), "words"),
    "odt": (lambda: build_open_document("<text:p>Some words</text:p>"), "words"),
    "odp": (
        lambda: build_open_document(
            "<draw:page><draw:custom-shape><text:p>Some words</text:p></draw:custom-shape></draw:page>",
            kind="presentation",
        ),
        "words",
    ),
    "rtf": (lambda: b"{\\rtf1\\ansi Some words\\par}", "words"),
    "epub": (lambda: build_epub({"a.xhtml": "<html><body><p>Some words</p></body></html>"}), "words"),
    "email": (lambda: b"Subject: Title\nFrom: a@example.com\n\nSome words\n", "words"),
    "mailbox": (lambda: b"From a@b.c Mon Jul 20 01:01:07 2015\nSubject: One\n\nSome words\n", "words"),
    "outlook": (
        lambda: build_compound_file(build_outlook_item({0x37: "Title", 0x1000: "Some words"})),
        "words",
    ),
    "archive": (lambda: build_package({"folder/one.txt": "Some words"}), "words"),
    "text": (lambda: b"Some words\n", "words"),
    "markdown": (lambda: b"# Title\n\nSome words\n", "words"),
    "restructuredtext": (lambda: b"Title\n=====\n\nSome words\n", "words"),
    "spreadsheet": (
        lambda: build_open_document_sheet(
            "<table:table-row><table:table-cell><text:p>words</text:p></table:table-cell></table:table-row>"
        ),
        "words",
    ),
    "csv": (lambda: b"name,born\nAda,1815\n", "Ada"),
    "json": (lambda: b'{"name": "Ada", "born": 1815}', "Ada"),
    "yaml": (lambda: b"name: Ada\nborn: 1815\n", "Ada"),
    "toml": (lambda: b'[person]\nname = "Ada"\n', "Ada"),
    "ini": (lambda: b"[person]\nname = Ada\n", "Ada"),
    "notebook": (
        lambda: b'{"cells": [{"cell_type": "markdown", "source": ["Some words"]}], "nbformat": 4}',
        "words",
    ),
    "subtitles": (lambda: b"1\n00:00:01,000 --> 00:00:02,000\nSome words\n", "words"),
    "org": (lambda: b"* Title\nSome words\n", "words"),
    "asciidoc": (lambda: b"= Title\n\nSome words\n", "words"),
    "latex": (lambda: b"\\section{Title}\nSome words\n", "words"),
    "code": (lambda: b"def words():\n    pass\n", "words"),
}
"""For each format, how to build a small right file, and a word of its text."""
