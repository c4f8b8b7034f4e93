"""Where a text may be cut is found fast; spelled out plainly it is the same."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dowse.ingest.chunking.pieces import _BREAK

PLAIN = re.compile(
    rb"(?P<PARAGRAPH>\n(?:[ \t\r]*\n)+)"
    rb"|(?P<SENTENCE>(?:(?<![0-9\s])[.!?]|\xd8\x9f|\xe0\xa5\xa4)[\"')\]*_]*+"
    rb"(?:[ \t]+|\r?\n(?![ \t\r]*\n))"
    rb"|(?:\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f)(?:\xe3\x80\x8d|\xe3\x80\x8f)?(?!\r?\n))"
    rb"|(?P<LINE>\n)"
)
MARKS = (".", "!", "?", "؟", "।", "。", "！", "？", "」", "』", '"', ")", "*", "、", "7", "a")
TEXTS = st.lists(st.sampled_from(("\n", "\n\n", "\r\n", " ", "\t", *MARKS)), max_size=14).map("".join)


@settings(max_examples=300)
@example("a. b .\nc 7. d.) \n", 0)
@example("क। ख।\n؟ 。」\n！a？』b", 2)
@given(TEXTS, st.integers(0, 3))
def test_breaks_are_those_of_the_plain_pattern(text: str, start: int) -> None:
    """Every break has the same place and strength, also when a text is read from the middle on."""
    encoded = text.encode()
    expected = [(match.span(), match.lastgroup) for match in PLAIN.finditer(encoded, start)]
    assert expected == [(match.span(), match.lastgroup) for match in _BREAK.finditer(encoded, start)]
