"""Small office files, written part by part: what a test says is in them, and nothing else."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"
_OPEN_NAMES = (
    " ".join(
        f'xmlns:{name}="{_OPEN}:{name}:1.0"'
        for name in ("office", "text", "table", "style", "meta", "presentation")
    )
    + f' xmlns:draw="{_OPEN}:drawing:1.0" xmlns:svg="{_OPEN}:svg-compatible:1.0"'
    + f' xmlns:fo="{_OPEN}:xsl-fo-compatible:1.0"'
    + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">{}</cp:coreProperties>'
)


def build_zip(members: dict[str, str | bytes]) -> bytes:
    """Returns a ZIP file with these members."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def relations(*rows: tuple[str, str, str]) -> str:
    """Returns a part of relationships: key, kind and target; a target with ``://`` is outside."""
    entries = "".join(
        f'<Relationship Id="{key}" Type="{_RELATIONS}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if "://" in target else "")
        + "/>"
        for key, kind, target in rows
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{entries}</Relationships>'


def word_part(element: str, content: str) -> str:
    """Returns a part of a Word document."""
    return f'<w:{element} xmlns:w="{WORD}" xmlns:r="{_RELATIONS}">{content}</w:{element}>'


def paragraph(text: str, properties: str = "") -> str:
    """Returns a paragraph of one run."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def build_docx(body: str, *, parts: dict[str, str] | None = None, core: str = "", **related: str) -> bytes:
    """Returns a Word document.

    Args:
        body: What is inside ``w:body``.
        parts: More members, as they are.
        core: What is inside the core properties.
        related: Kind and content of parts that the document refers to.
    """
    rows = [(kind, kind, f"{kind}.xml") for kind in related]
    return build_zip(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": word_part("document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relations(*rows, ("web", "hyperlink", "https://example.org/a")),
            "docProps/core.xml": _CORE.format(core),
            **{f"word/{kind}.xml": content for kind, content in related.items()},
            **(parts or {}),
        }
    )


def shape(text: str, role: str = "", place: tuple[int, int] | None = None) -> str:
    """Returns a shape with one paragraph for each line of the text."""
    mark = f'<p:nvPr><p:ph type="{role}"/></p:nvPr>' if role else ""
    where = (
        f'<a:xfrm><a:off x="{place[0]}" y="{place[1]}"/><a:ext cx="10" cy="10"/></a:xfrm>' if place else ""
    )
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:sp><p:nvSpPr>{mark}</p:nvSpPr><p:spPr>{where}</p:spPr><p:txBody>{lines}</p:txBody></p:sp>"


def slide_part(element: str, shapes: str) -> str:
    """Returns a slide, or its notes."""
    names = f'xmlns:p="{_SLIDES}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATIONS}"'
    return f"<p:{element} {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{element}>"


def build_pptx(*slides: str, notes: dict[int, str] | None = None, core: str = "") -> bytes:
    """Returns a presentation of slides, given by their shapes; notes by the number of their slide."""
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in numbers)
    members: dict[str, str | bytes] = {
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{_SLIDES}" xmlns:r="{_RELATIONS}">'
        f"<p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{number}", "slide", f"slides/slide{number}.xml") for number in reversed(numbers))
        ),
        "docProps/core.xml": _CORE.format(core),
    }
    for number, shapes in enumerate(slides, 1):
        members[f"ppt/slides/slide{number}.xml"] = slide_part("sld", shapes)
        if number in (notes or {}):
            members[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(
                ("n", "notesSlide", f"../notesSlides/notes{number}.xml")
            )
            members[f"ppt/notesSlides/notes{number}.xml"] = slide_part("notes", (notes or {})[number])
    return build_zip(members)


def build_open_document(
    body: str, *, kind: str = "text", styles: str = "", meta: str = "", automatic: str = ""
) -> bytes:
    """Returns an OpenDocument file; `body` is what is inside ``office:text`` or ``office:presentation``."""
    return build_zip(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {_OPEN_NAMES}>"
            f"<office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {_OPEN_NAMES}>{styles}</office:document-styles>",
            "meta.xml": f"<office:document-meta {_OPEN_NAMES}>"
            f"<office:meta>{meta}</office:meta></office:document-meta>",
        }
    )


def build_flat_open_document(body: str, *, kind: str = "text", meta: str = "") -> bytes:
    """Returns a flat OpenDocument file."""
    return (
        f'<?xml version="1.0"?><office:document {_OPEN_NAMES} '
        f'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:meta>{meta}</office:meta>'
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def build_epub(
    chapters: dict[str, str], *, metadata: str = "", order: list[str] | None = None, **more: str
) -> bytes:
    """Returns a book; chapters by member name, read in `order`."""
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in order or chapters)
    ncx = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    return build_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
            "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{metadata}</metadata>'
            f"<manifest>{items}{ncx}</manifest><spine>{spine}</spine></package>",
            **{f"OEBPS/{name}": page for name, page in chapters.items()},
            **more,
        }
    )
