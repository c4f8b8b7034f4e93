"""Small PDF files written by hand: text at places on pages, an outline, page labels and facts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Placed = tuple[float, float, float, str]
"""Left, baseline and size in points, and the text."""


@dataclass
class PdfFile:
    """What to put into a file.

    Attributes:
        outline: Title, page index and the number of items directly under it, which follow it.
        label_style: Of all pages, such as ``r`` for Roman numbers; empty for none.
    """

    pages: list[Sequence[Placed]] = field(default_factory=list)
    outline: list[tuple[str, int]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    label_style: str = ""

    def build(self) -> bytes:
        """Returns the file's bytes."""
        objects: dict[int, bytes] = {}
        count = len(self.pages)
        first_page = 10
        kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(count))
        catalog = "/Type /Catalog /Pages 2 0 R"
        if self.outline:
            catalog += " /Outlines 5 0 R"
        if self.label_style:
            catalog += f" /PageLabels << /Nums [0 << /S /{self.label_style} >>] >>"
        objects[1] = f"<< {catalog} >>".encode()
        objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode()
        objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        facts = " ".join(f"/{name} ({_escape(value)})" for name, value in self.facts.items())
        objects[4] = b"<< " + facts.encode("cp1252") + b" >>"
        for number, page in enumerate(self.pages):
            at = first_page + 2 * number
            objects[at] = (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {at + 1} 0 R "
                "/Resources << /Font << /F1 3 0 R >> >> >>"
            ).encode()
            stream = b"\n".join(
                f"BT /F1 {size:g} Tf {left:g} {base:g} Td ({_escape(text)}) Tj ET".encode("cp1252")
                for left, base, size, text in page
            )
            objects[at + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
        self._add_outline(objects, first_page)
        return _write(objects)

    def _add_outline(self, objects: dict[int, bytes], first_page: int) -> None:
        first = first_page + 2 * len(self.pages)
        last = first + len(self.outline) - 1
        if self.outline:
            objects[5] = f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R >>".encode()
        for number, (title, page) in enumerate(self.outline):
            at = first + number
            following = f"/Next {at + 1} 0 R" if at < last else ""
            target = first_page + 2 * page
            objects[at] = (
                f"<< /Title ({_escape(title)}) /Parent 5 0 R {following} /Dest [{target} 0 R /Fit] >>"
            ).encode("cp1252")


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _write(objects: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    out += b"trailer << /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return bytes(out)
