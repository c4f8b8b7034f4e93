"""Splits a chunk into the texts of its six fields."""

from collections.abc import Iterator, Sequence

from dowse.schema import Chunk, Document, Field, section_path

# Bounds a title or tag list out of hostile front matter. Composing (NFC) makes at most three characters
# of one, and analysis takes 65,535; a chunk's own text is bounded in bytes by construction.
MAX_NAME_CHARS = 20_000
FieldTexts = list[tuple[int, str]]

# Plain numbers: looking a member up takes longer than all the rest of a short document's fields.
_TITLE, _HEADINGS, _PATH, _TAGS, _CODE, _BODY = map(int, Field)


def field_texts(
    *,
    title: str,
    headings: Sequence[str],
    path: str,
    tags: Sequence[str],
    chunk_text: bytes,
    code_spans: Sequence[tuple[int, int]],
) -> FieldTexts:
    """Returns the non-empty fields of one chunk, in field order."""
    prose, code = _split_code(chunk_text, code_spans)
    texts: FieldTexts = []
    if title:
        texts.append((_TITLE, title[:MAX_NAME_CHARS]))
    if headings and (joined := "\n".join(headings)):
        texts.append((_HEADINGS, joined[:MAX_NAME_CHARS]))
    if path:
        texts.append((_PATH, path.replace("/", " ")[:MAX_NAME_CHARS]))
    if tags and (joined := "\n".join(tags)):
        texts.append((_TAGS, joined[:MAX_NAME_CHARS]))
    if code:
        texts.append((_CODE, code))
    if prose:
        texts.append((_BODY, prose))
    return texts


def _split_code(text: bytes, spans: Sequence[tuple[int, int]]) -> tuple[str, str]:
    if not spans:
        return text.decode("utf-8", "replace"), ""
    prose, code, at = [], [], 0
    for start, stop in spans:
        prose.append(text[at:start])
        code.append(text[start:stop])
        at = stop
    prose.append(text[at:])
    return (
        b"\n".join(prose).decode("utf-8", "replace"),
        b"\n".join(code).decode("utf-8", "replace"),
    )


def whole_text(
    chunk_text: bytes, code_spans: Sequence[tuple[int, int]], texts: FieldTexts
) -> str:
    """Returns a chunk's text with the code in its place; without code it was decoded as body already."""
    if code_spans:
        return chunk_text.decode("utf-8", "replace")
    return texts[-1][1] if texts and texts[-1][0] == _BODY else ""


def iter_field_texts(document: Document) -> Iterator[tuple[Chunk, FieldTexts, str]]:
    """Yields each chunk of a document with the texts of its fields, and its whole text."""
    if len(document.chunks) == 1 and not (document.path or document.tags or document.chunks[0].section):
        # A pushed text: title and body, nothing else.
        chunk = document.chunks[0]
        if document.title and not chunk.code_spans and chunk.byte_end > chunk.byte_start:
            body = document.text[chunk.byte_start : chunk.byte_end].decode("utf-8", "replace")
            yield chunk, [(_TITLE, document.title[:MAX_NAME_CHARS]), (_BODY, body)], body
            return
    for chunk in document.chunks:
        chunk_text = document.text[chunk.byte_start : chunk.byte_end]
        texts = field_texts(
            title=document.title,
            headings=section_path(document.sections, chunk.section) if chunk.section else (),
            path=document.path,
            tags=document.tags,
            chunk_text=chunk_text,
            code_spans=chunk.code_spans,
        )
        yield chunk, texts, whole_text(chunk_text, chunk.code_spans, texts)
