"""The short way through ingest gives what the long way gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.indexing.fields import field_texts, iter_field_texts, whole_text
from dowse.ingest import documents
from dowse.ingest.chunking import ChunkingSettings, build_chunker
from dowse.schema import section_path

CHUNKER = build_chunker(ChunkingSettings())
TEXTS = st.one_of(
    st.text(max_size=60).map(str.encode),
    st.binary(max_size=40),
    st.lists(st.sampled_from([b"tea ", b"\n", b"  ", b"\r\n", b"\xef\xbb\xbf", b"green", b"\0", b"\t"])).map(
        b"".join
    ),
    st.sampled_from([b"-----BEGIN PRIVATE KEY-----\nx", b"\xff\xfea\0", b"a " * 900, b"x" * 70_000]),
)
KEYS = st.sampled_from(["key", "a/b.txt", "b.TEXT", "guide.md", "ünï", ".hidden", "x/"])


@given(TEXTS, KEYS, st.sampled_from(["", "notes/tea.txt", "notes/tea"]))
@settings(max_examples=300, deadline=None)
def test_a_short_text_is_built_as_any_other(data, key, path):
    """Both ways give the same document, or the short way leaves it to the other."""
    short = documents._build_short_text(key, path, data, CHUNKER, "Title")
    if short is not None:
        # A tag sends it the long way, and changes nothing else.
        expected, problems = documents.build_document(
            key, path, data, "text", CHUNKER, title="Title", tags=("tag",)
        )
        assert (expected._replace(tags=()), []) == (short, problems)


@given(TEXTS, st.sampled_from(["", "Title"]), st.sampled_from(["", "notes/tea"]))
@settings(max_examples=200, deadline=None)
def test_fields_of_a_pushed_text_are_those_of_any_other(data, title, path):
    """Title and body of a text without path or tags, or what the general rule says."""
    document, _ = documents.build_document("key", path, data, "text", CHUNKER)
    if document is None:
        return
    document = document._replace(title=title)
    for chunk, texts, whole in iter_field_texts(document):
        part = document.text[chunk.byte_start : chunk.byte_end]
        expected = field_texts(
            title=title,
            headings=section_path(document.sections, chunk.section),
            path=path,
            tags=(),
            chunk_text=part,
            code_spans=chunk.code_spans,
        )
        assert (expected, whole_text(part, chunk.code_spans, expected)) == (texts, whole)
