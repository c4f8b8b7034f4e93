"""Every extractor keeps the same promises on any content."""

import functools
import json

import pytest

from dowse.ingest import EXTRACTORS, FORMATS, Extracted, Extractor
from dowse.ingest.formats import BY_NAME
from dowse.ingest.limits import Allowance, UnextractableError
from support.format_samples import CONVERTED, OWN_TEXT, SAMPLES

BODIES = {
    "empty": b"",
    "blank": b" \n\t\n\r\n  ",
    "one line": b"just words",
    "prose": b"Title\n=====\n\nSome text.\n\nPart\n----\n\nMore text.\n",
    "markdown": b"---\ntags: [a]\n---\n# One\n\n```py\nx = 1\n```\n\n## Two\n\n    code\n\n# One\n",
    "rst": b"=====\nTitle\n=====\n\n:tags: x\n\nA::\n\n    x\n\nNext\n----\n\n.. code::\n\n   y\n",
    "crlf": b"# One\r\n\r\ntext\r\n\r\n```\r\ncode\r\n```\r\n\r\nTwo\r\n---\r\nend\r\n",
    "lone returns": b"# One\rtext\r\rmore\r",
    "no final newline": b"# One\n\n```\ncode",
    "not utf-8": b"# Caf\xe9\n\nna\xefve \x81\n",
    "utf-8 mark": b"\xef\xbb\xbf# One\n\ntext\n",
    "utf-16": "\ufeff# Eins\n\nText \U0001f600\n".encode("utf-16-le"),
    "odd utf-16": b"\xff\xfea\x00b",
    "scripts": "# 日本語\n\nहिन्दी ไทย العربية\n\n## e\u0301\n".encode(),
    "late nul": b"# One\n" + b"x" * 9000 + b"\0\n",
    "huge line": b"word " * 100_000,
    "huge run": b"x" * 300_000,
    "brackets": b"[" * 20_000 + b"`" * 20_000 + b"<" * 20_000 + b"![[" * 5_000,
    "quotes": b">" * 5_000 + b"\n" + b"- " * 5_000 + b"x\n" + b"1. " * 5_000 + b"\n",
    "rules": b"-" * 50_000 + b"x\n" + b"|-" * 20_000 + b"\n" + b"|-|\n" * 5_000,
    "headings": b"# a\n" * 5_000,
    "fences": b"".join(b"`" * n + b"\n" for n in range(3, 200)),
    "html": b"<!-- \n\n" + b"<a\n\n" * 3_000,
    "returns and controls": bytes(range(1, 32)) * 20,
    "braces": b'{"a":' * 5_000 + b"[" * 5_000 + b"(" * 5_000,
    "half a package": b"PK\x03\x04" + b"xl/" * 2_000,
    "half a compound file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000,
}
SAMPLED = tuple(extractor for extractor in EXTRACTORS if extractor.name in SAMPLES)
OWN_TEXT_EXTRACTORS = tuple(extractor for extractor in EXTRACTORS if extractor.name in OWN_TEXT)


def ending_of(extractor: Extractor) -> str:
    """Returns a file name ending of the extractor's format."""
    return BY_NAME[extractor.name].extensions.split()[0]


@pytest.fixture(params=EXTRACTORS, ids=lambda extractor: extractor.name)
def extractor(request: pytest.FixtureRequest) -> Extractor:
    """Each registered extractor in turn."""
    found: Extractor = request.param
    return found


@functools.cache
def read_all(extractor: Extractor) -> tuple[Extracted, ...]:
    """Returns every awkward content as one extractor reads it; what it finds no text in is left out."""
    found = []
    for data in BODIES.values():
        try:
            path = f"folder/some file{ending_of(extractor)}"
            found.append(extractor.extract(data, path, Allowance()))
        except UnextractableError:
            if extractor.name in OWN_TEXT:
                raise
    return tuple(found)


def test_text_is_valid_utf8(extractor: Extractor) -> None:
    """The stored text can always be decoded."""
    for extracted in read_all(extractor):
        assert extracted.text == extracted.text.decode("utf-8").encode("utf-8")


def test_section_zero_spans_the_text(extractor: Extractor) -> None:
    """Section 0 is the document: depth 0, no parent, no slug, everything inside."""
    for extracted in read_all(extractor):
        first = extracted.sections[0]
        assert (first.ordinal, first.parent, first.depth, first.slug) == (0, None, 0, "")
        assert (0, len(extracted.text), 1) == (first.byte_start, first.byte_end, first.line_start)


def test_sections_nest(extractor: Extractor) -> None:
    """A section starts after the one before, lies in its parent, and is deeper than it."""
    for extracted in read_all(extractor):
        previous = -1
        for ordinal, section in enumerate(extracted.sections):
            assert ordinal == section.ordinal
            assert 0 <= section.byte_start <= section.byte_end <= len(extracted.text)
            if section.parent is not None:
                parent = extracted.sections[section.parent]
                assert section.parent < ordinal
                assert parent.depth < section.depth
                assert parent.byte_start <= section.byte_start
                assert section.byte_end <= parent.byte_end
                assert previous < section.byte_start or ordinal == 1
                previous = section.byte_start


def test_section_lines_match_their_bytes(extractor: Extractor) -> None:
    """A section starts at a line start, and its lines are those its bytes lie on."""
    for extracted in read_all(extractor):
        text = extracted.text
        for section in extracted.sections:
            assert section.byte_start == 0 or text[section.byte_start - 1] == 0x0A
            assert text.count(b"\n", 0, section.byte_start) + 1 == section.line_start
            last = max(section.byte_end - 1, section.byte_start)
            assert text.count(b"\n", 0, last) + 1 == section.line_end


def test_slugs_are_unique(extractor: Extractor) -> None:
    """Every heading has a slug of its own."""
    for extracted in read_all(extractor):
        slugs = [section.slug for section in extracted.sections[1:]]
        assert len(slugs) == len(set(slugs))
        assert all(slugs)


def test_code_spans_ascend_inside_the_text(extractor: Extractor) -> None:
    """Code spans are not empty, do not overlap and lie in the text."""
    for extracted in read_all(extractor):
        previous = 0
        for start, end in extracted.code_spans:
            assert previous <= start < end <= len(extracted.text)
            previous = end


def test_title_tags_links_and_metadata_are_clean(extractor: Extractor) -> None:
    """There is a title; tags are unique; metadata survives JSON; links have a line."""
    for extracted in read_all(extractor):
        assert extracted.title.strip()
        assert len(set(extracted.tags)) == len(extracted.tags)
        assert dict(extracted.metadata) == json.loads(json.dumps(extracted.metadata))
        line_count = extracted.text.count(b"\n") + 1
        assert all(link.target and 1 <= link.line <= line_count for link in extracted.links)


def test_anchors_ascend_inside_the_text(extractor: Extractor) -> None:
    """Anchors are in order of place, lie at characters, and have a kind and a label."""
    for extracted in read_all(extractor):
        places = [anchor.byte_start for anchor in extracted.anchors]
        assert sorted(places) == places
        assert all(0 <= place <= len(extracted.text) for place in places)
        assert all(anchor.kind and anchor.label for anchor in extracted.anchors)


def test_every_format_has_a_sample():
    """A new format without a row in `tests/support/format_samples.py` fails here."""
    assert {row.name for row in FORMATS} == {*SAMPLES, *CONVERTED}


@pytest.mark.parametrize("extractor", SAMPLED, ids=lambda extractor: extractor.name)
def test_a_sample_gives_its_text(extractor: Extractor) -> None:
    """A small right file is read without a problem, and its text is found."""
    build, word = SAMPLES[extractor.name]
    extracted = extractor.extract(build(), f"folder/sample{ending_of(extractor)}", Allowance())
    assert word.encode() in extracted.text
    assert () == extracted.problems


@pytest.mark.parametrize("extractor", SAMPLED, ids=lambda extractor: extractor.name)
def test_half_a_sample_is_text_or_unextractable(extractor: Extractor) -> None:
    """A file that was cut off anywhere raises nothing but the one error."""
    data = SAMPLES[extractor.name][0]()
    for size in range(0, len(data), max(1, len(data) // 40)):
        try:
            extracted = extractor.extract(data[:size], "sample", Allowance())
        except UnextractableError:
            continue
        assert extracted.title


@pytest.mark.parametrize("extractor", OWN_TEXT_EXTRACTORS, ids=lambda extractor: extractor.name)
def test_binary_is_refused(extractor: Extractor) -> None:
    """A NUL near the start means no document, and one problem."""
    extracted = extractor.extract(b"# One\n\0\x01\x02", "a.bin", Allowance())
    assert extracted.is_refused
    assert [problem.code for problem in extracted.problems] == ["binary-file"]


@pytest.mark.parametrize("extractor", OWN_TEXT_EXTRACTORS, ids=lambda extractor: extractor.name)
def test_utf8_text_is_kept_byte_for_byte(extractor: Extractor) -> None:
    """Line ends and everything else stay as in the file; only the byte-order mark goes."""
    data = "# Zoë\r\n\ntext \r mixed\n\n".encode()
    assert data == extractor.extract(data, "a", Allowance()).text
    assert data == extractor.extract(b"\xef\xbb\xbf" + data, "a", Allowance()).text


@pytest.mark.parametrize("extractor", OWN_TEXT_EXTRACTORS, ids=lambda extractor: extractor.name)
def test_other_encodings_say_so(extractor: Extractor) -> None:
    """Bytes that are not UTF-8 are converted and reported."""
    extracted = extractor.extract(b"caf\xe9", "a", Allowance())
    assert "café".encode() == extracted.text
    assert [problem.code for problem in extracted.problems] == ["not-utf8"]


def test_names_and_extensions_are_unique() -> None:
    """No two formats share a name or an extension, and each row names its own extractor."""
    names = [extractor.name for extractor in EXTRACTORS]
    assert [row.name for row in FORMATS] == names
    extensions = [extension for row in FORMATS for extension in row.extensions.split()]
    assert len(names) == len(set(names))
    assert len(extensions) == len(set(extensions))
    assert all(extension == extension.lower() and extension[0] == "." for extension in extensions)
