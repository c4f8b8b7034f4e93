"""Splits a chunk into the texts of its six fields."""

from collections.abc import Iterator, Sequence

from dowse.schema import Chunk, Document, Field, section_path

# Bounds a title or tag list out of hostile front matter. Composing (NFC) makes at most three characters
# of one, and analysis takes 65,535; a chunk's own text is bounded in bytes by construction.
MAX_NAME_CHARS = 20_000
FieldTexts = tuple[tuple[Field, str], ...]


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
    texts = (
        (Field.TITLE, title[:MAX_NAME_CHARS]),
        (Field.HEADINGS, "\n".join(headings)[:MAX_NAME_CHARS]),
        (Field.PATH, path.replace("/", " ")[:MAX_NAME_CHARS]),
        (Field.TAGS, "\n".join(tags)[:MAX_NAME_CHARS]),
        (Field.CODE, code),
        (Field.BODY, prose),
    )
    return tuple((field, text) for field, text in texts if text)


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


def iter_field_texts(document: Document) -> Iterator[tuple[Chunk, FieldTexts]]:
    """Yields each chunk of a document with the texts of its fields."""
    for chunk in document.chunks:
        yield (
            chunk,
            field_texts(
                title=document.title,
                headings=section_path(document.sections, chunk.section),
                path=document.path,
                tags=document.tags,
                chunk_text=document.text[chunk.byte_start : chunk.byte_end],
                code_spans=chunk.code_spans,
            ),
        )
