"""All pages of a PDF, in order, with its bookmarks as headings."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from statistics import median

import pypdfium2

from dowse.ingest.limits import UnextractableError
from dowse.ingest.pdf.annotations import Annotations, read_annotations
from dowse.ingest.pdf.columns import order_lines
from dowse.ingest.pdf.hyphens import find_compounds, join_divided
from dowse.ingest.pdf.lines import PageText, TextLine
from dowse.ingest.pdf.metadata import PdfMetadata, read_metadata
from dowse.ingest.pdf.outline import Bookmark, place_bookmarks, read_outline
from dowse.ingest.pdf.running_heads import drop_running_heads
from dowse.ingest.text_builder import TextBuilder

_PASSWORD_ERROR = 4
_TITLE_FACTOR = 1.25
_MAX_TITLE_LINES = 3
_PARAGRAPH_FACTOR = 1.45
# The dots between an entry of a table of contents and its page. What both kinds begin with comes first, so
# that `re` skips to it.
_LEADERS = re.compile(
    r"[.\u2026·_](?:(?<=\.)[ \u00a0]?(?:\.[ \u00a0]?){4,}|(?<!\.)[\u2026·_]{3,})"
)


def compose_pdf(builder: TextBuilder, data: bytes, max_chars: int) -> PdfMetadata:
    """Adds the text of a PDF page by page, each with its anchor.

    Args:
        builder: Where it goes.
        data: The file.
        max_chars: After the page that reaches it, no more are read.

    Raises:
        UnextractableError: It is encrypted, too damaged, or has no text.
    """
    document = _open(data)
    try:
        facts = read_metadata(document)
        pages, annotations, damaged = _read_pages(document, max_chars)
        if not any(pages) and not any(notes.texts for notes in annotations):
            raise UnextractableError(
                "no-text-layer",
                "this PDF holds pictures of pages and no text",
                "recognise its text first, for example with: ocrmypdf in.pdf out.pdf",
            )
        title = facts.title or _find_title(pages[0])
        outline, labels = read_outline(document), _labels(document, len(pages))
        _compose(builder, drop_running_heads(pages), annotations, outline, labels)
    finally:
        document.close()
    if damaged:
        numbers = ", ".join(map(str, damaged[:10])) + (" …" if len(damaged) > 10 else "")
        builder.problem("damaged-page", f"pages that cannot be read: {numbers}")
    return facts._replace(title=title)


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
        if len(document):
            return document
    except pypdfium2.PdfiumError as error:
        if error.err_code == _PASSWORD_ERROR:
            raise UnextractableError(
                "encrypted", "this PDF is protected by a password", "save a copy without a password"
            ) from error
        raise UnextractableError(
            "damaged-file", "this PDF is damaged or cut off", "open it in its own program and save it again"
        ) from error
    raise UnextractableError("damaged-file", "this PDF has no pages")


def _read_pages(
    document: pypdfium2.PdfDocument, max_chars: int
) -> tuple[list[list[TextLine]], list[Annotations], list[int]]:
    """Returns each page's lines in reading order, what lies on it, and which pages cannot be read."""
    pages: list[list[TextLine]] = []
    annotations: list[Annotations] = []
    damaged = []
    chars = 0
    for number in range(len(document)):
        lines: list[TextLine] = []
        notes = Annotations()
        try:
            page = document[number]
            try:
                lines = _read_page(page)
                notes = read_annotations(document, page)
            finally:
                page.close()
        except pypdfium2.PdfiumError:
            damaged.append(number + 1)
        pages.append(lines)
        annotations.append(notes)
        chars += sum(len(line.text) for line in lines)
        if chars > max_chars:
            break
    return pages, annotations, damaged


def _read_page(page: pypdfium2.PdfPage) -> list[TextLine]:
    text = PageText(page)
    try:
        return order_lines(text.read_lines(), text)
    finally:
        text.close()


def _labels(document: pypdfium2.PdfDocument, count: int) -> list[str]:
    """Returns the pages' names as printed on them, else their numbers."""
    labels = []
    for number in range(count):
        try:
            label = document.get_page_label(number)
        except (pypdfium2.PdfiumError, UnicodeDecodeError):
            label = ""
        labels.append(label.strip() or str(number + 1))
    return labels


def _compose(
    builder: TextBuilder,
    pages: Sequence[Sequence[TextLine]],
    annotations: Sequence[Annotations],
    outline: dict[int, list[Bookmark]],
    labels: Sequence[str],
) -> None:
    compounds = find_compounds(line.text for line in chain.from_iterable(pages))
    for number, (page, notes, label) in enumerate(zip(pages, annotations, labels, strict=True)):
        if builder.is_full:
            return
        builder.anchor("page", label)
        for target in notes.targets:
            builder.link(target, target)
        _compose_page(builder, page, outline.get(number, ()), compounds)
        for text in notes.texts:
            builder.paragraph(text)


def _compose_page(
    builder: TextBuilder, page: Sequence[TextLine], bookmarks: Sequence[Bookmark], compounds: frozenset[str]
) -> None:
    texts = [_LEADERS.sub(" … ", line.text) for line in page]
    placed = place_bookmarks(bookmarks, texts)
    breaks = sorted({*_paragraph_starts(page), *placed, *_title_ends(placed), 0, len(page)})
    for start, end in zip(breaks, [*breaks[1:], len(page)], strict=True):
        is_title = False
        for bookmark, length in placed.get(start, ()):
            builder.heading(bookmark.depth, bookmark.title)
            is_title = is_title or length > 0
        if start < end and not (is_title and _says_the_same(texts[start:end], placed[start])):
            builder.paragraph("\n".join(join_divided(texts[start:end], compounds)))


def _title_ends(placed: dict[int, list[tuple[Bookmark, int]]]) -> Iterator[int]:
    for place, entries in placed.items():
        for _, length in entries:
            yield place + length


def _says_the_same(texts: Sequence[str], entries: Sequence[tuple[Bookmark, int]]) -> bool:
    """Says whether the heading holds every word of the lines: a number before the title is kept."""
    words = {word for text in texts for word in text.casefold().split()}
    return words <= {word for bookmark, _ in entries for word in bookmark.title.casefold().split()}


def _paragraph_starts(page: Sequence[TextLine]) -> Iterator[int]:
    """Yields the lines that stand further from the line before than lines of this page usually do."""
    steps = [above.bottom - below.bottom for above, below in pairwise(page)]
    usual = [step for step in steps if 1 < step < 60]
    pitch = median(usual) if usual else 0
    sizes = pairwise(line.size for line in page)
    for place, (step, (size_above, size_below)) in enumerate(zip(steps, sizes, strict=True), start=1):
        is_apart = step > pitch * _PARAGRAPH_FACTOR or step < -size_below
        if is_apart or not 0.8 < size_below / size_above < 1.25:
            yield place


def _find_title(page: Sequence[TextLine]) -> str:
    """Returns the largest lines of the first page when they stand out."""
    if len(page) < 2:
        return ""
    largest = max(line.size for line in page)
    if largest < _TITLE_FACTOR * median(line.size for line in page):
        return ""
    first = next(place for place, line in enumerate(page) if line.size > 0.95 * largest)
    title = []
    for line in page[first : first + _MAX_TITLE_LINES]:
        if line.size <= 0.95 * largest:
            break
        title.append(line.text)
    found = " ".join(join_divided(title, frozenset()))
    return found if sum(map(str.isalpha, found)) > 3 else ""
