"""Whole texts, folded."""

import pytest

from dowse.analysis import fold_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Größe, ÉTÉ & ﬁn!", "grosse, ete & fin!"),
        ("a \t\r\n\0\u00a0\u3000b", "a b"),
        (" lead and trail\n", " lead and trail "),
        ("soft\u00adhyphen zero\u200bwidth \ufeffmark", "softhyphen zerowidth mark"),
        ("a \u200b b", "a b"),
        ("e\u0301cole", "ecole"),
        ("it’s “so” – yes", "it's “so” - yes"),
        ("x = foo_Bar(1)[2];", "x = foo_bar(1)[2];"),
        ("ᄒ\u200b\u1161\u200b\u11ab", "한"),
        ("か\u200b\u3099ｶﾞ", "がガ"),
        ("", ""),
    ],
)
def test_folding(text, expected):
    """Case, accents, widths and invisible characters go; punctuation and words stay; spaces are one."""
    assert expected == fold_text(text)
