"""Text formats: whatever the text, it is read or refused, and its parts lie inside it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import EXTRACTORS, get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from support.format_samples import OWN_TEXT, SAMPLES

NAMES = (
    "csv", "json", "yaml", "toml", "ini", "notebook", "subtitles", "org", "asciidoc", "latex", "code",
    "spreadsheet",
)  # fmt: skip
# Pieces of the formats' own syntax: random letters alone would never reach a parser's second line.
PIECES = [
    "\n", "\n", "\r\n", "\r", " ", "    ", "\t", "a", "B c", "é", "日本", "\x0c", "\u2028", "1", "12:30", ",",
    ";", "|", '"', "'", '"""', "'''", "{", "}", "[", "]", "(", ")", "<", ">", ":", ": ", "=", "= ",
    "== ", "* ",
    "** ", "- ", "---\n", "----\n", "#", "# ", "//", "/*", "*/", "--", "\\", "\\section{", "\\title{",
    "%", "@",
    "key: ", "[table]\n", "[[a.b]]\n", "#+TITLE: ", "#+begin_src\n", "#+end_src\n", ":tag:",
    "= T\nA B <c@d>\n",
    "00:00:01,000 --> 00:00:02,000\n", "{1}{2}", "WEBVTT\n", "Dialogue: 0,0:00:01.00,", "class A:\n",
    "def f(x):\n",
    "function g() {\n", "struct s {", "impl A for B {", "func (t *T) F(", "return ",
    ";\n", '{"cells": [', '{"a": ',
    '{"cell_type": "code", "source": ', "null", "true", "-1.5e3", "\\u0000", "\\ud800", "]}", "}\n",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
PATHS = ["x", "a.py", "a.c", "a.js", "a.rs", "a.go", "a.sql", "Makefile", "a.jsonl", "a.json5"]


@pytest.mark.parametrize("name", NAMES)
@given(data=st.one_of(TEXTS.map(str.encode), st.binary(max_size=60)), path=st.sampled_from(PATHS))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_or_refused(name: str, data: bytes, path: str) -> None:
    """Nothing but the one error is raised; sections, code and anchors lie inside the text."""
    try:
        extracted = get_extractor(name).extract(data, path, Allowance())
    except UnextractableError:
        return
    size = len(extracted.text)
    extracted.text.decode("utf-8")
    assert all(0 <= part.byte_start <= part.byte_end <= size for part in extracted.sections)
    assert all(0 <= start < end <= size for start, end in extracted.code_spans)
    assert all(0 <= anchor.byte_start <= size for anchor in extracted.anchors)
    starts = [part.byte_start for part in extracted.sections[1:]]
    assert sorted(set(starts)) == starts


@pytest.mark.parametrize("name", sorted(OWN_TEXT))
@given(text=TEXTS, path=st.sampled_from(PATHS))
@settings(max_examples=40, deadline=None)
def test_a_text_of_its_own_is_kept(name: str, text: str, path: str) -> None:
    """The stored text of these formats is the file."""
    assert text.encode() == get_extractor(name).extract(text.encode(), path, Allowance()).text


@pytest.mark.parametrize("name", sorted(SAMPLES))
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_damaged_sample_is_read_or_refused(name: str, random) -> None:
    """Changed, dropped and doubled bytes raise nothing but the one error."""
    if name not in {extractor.name for extractor in EXTRACTORS}:
        pytest.skip("not registered")
    data = bytearray(SAMPLES[name][0]())
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(data) + 1)
        size = random.choice((0, 1, 1, 4, 30))
        data[place : place + size] = random.choice((b"", bytes([random.randrange(256)]), bytes(data[:40])))
    try:
        extracted = get_extractor(name).extract(bytes(data), "sample", Allowance())
    except UnextractableError:
        return
    assert extracted.title
