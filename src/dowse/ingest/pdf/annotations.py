"""What lies on top of a page: form fields that were filled in, comments, links."""

import ctypes
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

_MAX_ANNOTATIONS = 2000
_MAX_BYTES = 1 << 16
# Kinds whose note is a reader's or writer's own words.
_NOTES = frozenset(
    {
        pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_HIGHLIGHT,
        pdfium.FPDF_ANNOT_UNDERLINE, pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_SQUIGGLY,
        pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_POLYGON, pdfium.FPDF_ANNOT_INK,
    }
)  # fmt: skip


class Annotations(NamedTuple):
    """Texts of fields and comments, and addresses that the page links to; both in order."""

    texts: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def read_annotations(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Annotations:
    """Reads what lies on top of a page."""
    count = min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)
    if count <= 0:
        return Annotations()
    texts: list[str] = []
    targets: list[str] = []
    for number in range(count):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, number)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                texts.append(_text(annotation, b"V"))
            elif kind in _NOTES:
                texts.append(_text(annotation, b"Contents"))
            elif kind == pdfium.FPDF_ANNOT_LINK:
                targets.append(_target(document, annotation))
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return Annotations(tuple(filter(None, texts)), tuple(dict.fromkeys(filter(None, targets))))


def _text(annotation: object, key: bytes) -> str:
    size = min(pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0), _MAX_BYTES)
    if size <= 2:
        return ""
    buffer = (pdfium.FPDF_WCHAR * (size // 2 + 1))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").partition("\0")[0].strip()


def _target(document: pypdfium2.PdfDocument, annotation: object) -> str:
    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = min(pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0), _MAX_BYTES)
    buffer = ctypes.create_string_buffer(max(size, 1))
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, size)
    return buffer.value.decode("utf-8", "replace").strip()
