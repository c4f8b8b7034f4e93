"""From a file's bytes to a document ready for the index."""

import hashlib

from dowse.ingest.chunking import Chunker
from dowse.ingest.chunking.structure import StructureChunker, cut_short
from dowse.ingest.decoding import is_plain_utf8
from dowse.ingest.extraction import choose_extractor, extract
from dowse.ingest.extractor import choose_title
from dowse.ingest.extractors import get_extractor
from dowse.ingest.extractors.plain_text import NAMED_BY_TEXT
from dowse.ingest.limits import DEFAULT_LIMITS, Allowance, ExtractionLimits, UnextractableError
from dowse.schema import Chunk, Document, Problem, Section

# What a blank document is found by is its title, path and tags; they need a chunk to belong to.
EMPTY_CHUNK = Chunk(0, 0, 1, 1, 0, 0)


def build_document(
    doc_key: str,
    path: str,
    data: bytes,
    extractor_name: str | None,
    chunker: Chunker,
    *,
    title: str | None = None,
    tags: tuple[str, ...] = (),
    limits: ExtractionLimits = DEFAULT_LIMITS,
) -> tuple[Document | None, list[Problem]]:
    """Reads, structures and cuts one document.

    Args:
        doc_key: Stable name of the document in its tree.
        path: What path queries match. May be empty for a pushed text, which then is titled by its key.
        data: The content as it is on disk.
        extractor_name: Format to read it as; None when content and path decide.
        chunker: Cuts the sections.
        title: Overrides the title found in the text.
        tags: Put before the tags found in the text.
        limits: What reading it may cost; time and memory are the caller's to watch.

    Returns:
        The document, or None when there is none in the content; and everything that was wrong.

    Raises:
        InvalidParameterError: There is no extractor of that name.
    """
    if extractor_name == "text" and title and not tags:
        short = _build_short_text(doc_key, path, data, chunker, title)
        if short is not None:
            return short, []
    name = path or doc_key
    named = None if extractor_name is None else get_extractor(extractor_name)
    try:
        extractor = named or choose_extractor(data, name)
        extracted = extract(data, name, extractor, Allowance(limits))
    except UnextractableError as error:
        return None, [Problem(error.code, name, error.message, error.hint)]
    problems = list(extracted.problems)
    if extracted.is_refused:
        return None, problems
    document = Document(
        doc_key=doc_key,
        title=title or extracted.title,
        path=path,
        text=extracted.text,
        sections=extracted.sections,
        chunks=chunker.chunk(extracted) or (EMPTY_CHUNK,),
        tags=tuple(dict.fromkeys((*tags, *extracted.tags))) if tags or extracted.tags else (),
        links=extracted.links,
        format=extractor.name,
        metadata=extracted.metadata,
        content_hash=hashlib.sha256(data).hexdigest(),
        anchors=extracted.anchors,
        has_source_lines=extracted.has_source_lines,
    )
    return document, problems


def _build_short_text(
    doc_key: str, path: str, data: bytes, chunker: Chunker, title: str
) -> Document | None:
    """Builds a plain text of one chunk, as most texts are that programs push, in a third of the time.

    Returns the very document that the general way makes of it; None for a text that needs that way.
    """
    name = path or doc_key
    if not isinstance(chunker, StructureChunker) or name.lower().endswith(NAMED_BY_TEXT):
        return None
    if not is_plain_utf8(data) or (chunk := cut_short(data, chunker.settings)) is None:
        return None
    lines = chunk.line_end + data.count(b"\n", chunk.byte_end, len(data) - 1)
    section = Section(0, None, 0, choose_title(path=name), "", 1, lines, 0, len(data))
    content_hash = hashlib.sha256(data).hexdigest()
    return Document(
        doc_key, title, path, data, (section,), (chunk,), (), (), "text", {}, content_hash
    )
