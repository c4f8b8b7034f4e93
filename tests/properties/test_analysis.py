"""Invariants of analysis over any text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.analysis import PART, AnalysisSettings, Analyzer
from dowse.analysis.normal_form import compose, compose_with_places
from dowse.analysis.table import load_table
from support.spellings import terms_of

TABLE = load_table()
ANALYZER = Analyzer()
PLAIN = Analyzer(AnalysisSettings(language="none"))

# Characters that rules mention, so that rules meet; any character besides.
TELLING = "abXYZs'’-_.,+#(“ 012\0\n\u200b\u00adtdmlvre"
TELLING += "éßﬁ漢字のガｶﾞ한국ᄒ\u1161\u11abไทยมี😀½Ⅷ²٣ी\u0301\u0306\u3099и"
TEXTS = st.text(st.one_of(st.sampled_from(TELLING), st.characters()), max_size=60)


def build(make):
    """A tokenizer of one make; without a C compiler there is only one."""
    module = pytest.importorskip(f"dowse.kernels.{make}")
    return module.Tokenizer(TABLE.pages, TABLE.entries, TABLE.pool)


@given(st.lists(TEXTS, max_size=5))
@settings(max_examples=400)
def test_compiled_equals_reference(texts):
    """Both tokenizers give the same tokens, surfaces, letters and arrays for any texts."""
    reference, compiled = build("reference.tokenising"), build("_tokenising")
    letters = []
    for row, text in enumerate(texts):
        assert reference.tokenize(text) == compiled.tokenize(text)
        assert reference.feed(text, row, row % 8) == compiled.feed(text, row, row % 8)
        letters += reference.new_letters()
        assert letters[len(letters) - len(found := compiled.new_letters()) :] == found
    assert reference.token_count == compiled.token_count
    assert reference.surfaces() == compiled.surfaces()
    shortened = [surface[:2] for surface in letters]
    for one, other in zip(reference.finish(shortened), compiled.finish(shortened), strict=True):
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())


@given(TEXTS)
def test_places_lie_in_the_text_and_ascend(text):
    """Every token covers at least one character, and none starts before the one before it."""
    spans = ANALYZER.spans(text)
    for start, end in zip(spans.starts, spans.ends, strict=True):
        assert 0 <= start < end <= len(text)
    assert sorted(spans.starts) == spans.starts
    assert sorted(spans.positions) == spans.positions


@given(TEXTS)
def test_positions_are_those_of_parts(text):
    """Parts are numbered 0, 1, 2, …, and the field length is their number."""
    spans = ANALYZER.spans(text)
    parts = [p for p, kind in zip(spans.positions, spans.kinds, strict=True) if kind == PART]
    assert list(range(len(parts))) == parts
    assert len(parts) == ANALYZER.begin().add(text, 0, 0)


@given(TEXTS)
def test_normal_forms_have_the_same_terms(text):
    """A text decomposed or composed has the terms it has as given."""
    expected = ANALYZER.spans(text).terms
    for form in ("NFC", "NFD"):
        assert expected == ANALYZER.spans(unicodedata.normalize(form, text)).terms


@given(TEXTS)
def test_composing_piecewise_equals_composing_at_once(text):
    """Queries and indexing see the same characters."""
    composed, starts, ends = compose_with_places(text)
    assert compose(text) == composed
    assert len(composed) == len(starts) == len(ends)


@given(TEXTS)
def test_query_terms_are_indexed(text):
    """Whatever a query asks for is among the terms of the same text indexed."""
    batch = ANALYZER.begin()
    batch.add(text, 0, 0)
    indexed = set(terms_of(batch.finish()))
    assert {token.term.encode() for token in ANALYZER.query_tokens(text)} <= indexed


@given(st.text("abcdefghijklmnopqrstuvwxyzéøжя0123456789", min_size=1, max_size=40))
def test_words_analyse_to_themselves(text):
    """The surface of a plain word, analysed again, is the same surface."""
    (token,) = PLAIN.query_tokens(text)
    assert [token.surface] == [again.surface for again in PLAIN.query_tokens(token.surface)]


@given(TEXTS)
def test_surfaces_are_folded_and_short(text):
    """No surface is longer than the cap, empty, or has a space in it."""
    surfaces, *_ = build("reference.tokenising").tokenize(text)
    for surface in surfaces:
        assert 1 <= len(surface) <= 64
        assert not any(char.isspace() for char in surface)
