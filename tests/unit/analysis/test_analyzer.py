"""Terms, queries, batches: what surrounds the tokenizer."""

import unicodedata

import pytest

from dowse.analysis import PART, UNIGRAM, WHOLE, AnalysisSettings, Analyzer
from dowse.errors import InternalError
from support.spellings import terms_of


@pytest.fixture(scope="module")
def analyzer():
    """The default analyzer."""
    return Analyzer()


def terms(analyzer, text):
    """The terms of a query in order."""
    return [token.term for token in analyzer.query_tokens(text)]


def test_words_are_stemmed(analyzer):
    """Inflected English words share a term."""
    assert ["run", "cat", "run"] == terms(analyzer, "running cats RUNS")


def test_wholes_are_stemmed_like_words(analyzer):
    """A compound meets the same word written in one."""
    assert terms(analyzer, "errorhandlings")[0] == terms(analyzer, "error-handlings")[0]


@pytest.mark.parametrize("text", ["utf8s", "日本s", "2026.4.10"])
def test_only_letters_are_stemmed(analyzer, text):
    """A surface with a digit, a sign or an unsegmented script is its own term."""
    for token in analyzer.query_tokens(text):
        if not token.surface.isascii() or not token.surface.isalpha():
            assert token.surface == token.term


def test_stop_words_are_marked_not_dropped(analyzer):
    """Stop words stay among the tokens of a query and carry their mark."""
    tokens = analyzer.query_tokens("the state of the art")
    assert [True, False, True, True, False] == [token.is_stop for token in tokens]


def test_stop_words_are_compared_before_stemming(analyzer):
    """A word whose stem looks like a stop word is none."""
    tokens = analyzer.query_tokens("doe being")
    assert [False, True] == [token.is_stop for token in tokens]


def test_query_leaves_unigrams_out(analyzer):
    """Pairs are enough for a longer run; a single character is its own part."""
    assert ["日本", "本語"] == terms(analyzer, "日本語")
    assert [("人", PART)] == [(t.term, t.kind) for t in analyzer.query_tokens("人")]


def test_one_character_query_finds_the_overlay(analyzer):
    """The term of a one-character query is indexed wherever the character stands."""
    batch = analyzer.begin()
    batch.add("日本語", 0, 4)
    assert "本".encode() in terms_of(batch.finish())


def test_spans_have_every_kind(analyzer):
    """Highlighting sees parts, overlays and single characters."""
    spans = analyzer.spans("node.js 日本語")
    assert {PART, WHOLE, UNIGRAM} == set(spans.kinds)
    assert len({len(column) for column in spans}) == 1


def test_decomposed_text_has_original_places(analyzer):
    """Places count in the text as given, not in its normal form."""
    text = "un cafe\u0301 noir"
    spans = analyzer.spans(text)
    assert ["un", "cafe", "noir"] == spans.terms
    slices = [text[a:b] for a, b in zip(spans.starts, spans.ends, strict=True)]
    assert ["un", "cafe\u0301", "noir"] == slices


def test_conjoining_jamo_are_syllables(analyzer):
    """Hangul written as jamo has the terms and places of Hangul written as syllables."""
    text = unicodedata.normalize("NFD", "한국어")
    assert ["한국", "국어"] == terms(analyzer, text)
    spans = analyzer.spans(text)
    assert ([0, 3], [6, 8]) == (spans.starts, spans.ends)


def test_russian_short_i_survives_decomposition(analyzer):
    """A decomposed й is й again, and not и."""
    assert ["йод"] == [t.surface for t in analyzer.query_tokens("и\u0306од")]


def test_half_width_kana_compose(analyzer):
    """Half-width kana with a voicing mark are the full-width letter."""
    assert terms(analyzer, "ガギ") == terms(analyzer, "ｶﾞｷﾞ")


def test_batch_arrays_follow_the_calls(analyzer):
    """Tokens come in order of add, with list ids made of term and field."""
    batch = analyzer.begin()
    assert (1, 2) == (batch.add("Cats", 0, 0), batch.add("a cat", 1, 4))
    assert 3 == batch.token_count
    arrays = batch.finish()
    assert [b"a", b"cat"] == terms_of(arrays)
    assert [8, 4, 12] == arrays.list_ids.tolist()
    assert ([0, 1, 1], [0, 0, 1]) == (arrays.rows.tolist(), arrays.positions.tolist())


def test_batches_do_not_share_tokens(analyzer):
    """Two batches of one analyzer can be filled side by side."""
    one, two = analyzer.begin(), analyzer.begin()
    one.add("left", 0, 0)
    two.add("right", 0, 0)
    assert ([b"left"], [b"right"]) == (terms_of(one.finish()), terms_of(two.finish()))


def test_memory_of_a_batch_grows_with_it(analyzer):
    """The flush rule can rely on nbytes."""
    batch = analyzer.begin()
    before = batch.nbytes
    batch.add(" ".join(f"word{i}" for i in range(5_000)), 0, 0)
    assert before + 50_000 < batch.nbytes


def test_uncut_text_is_our_bug(analyzer):
    """A text that could overflow positions never reaches the columns."""
    with pytest.raises(InternalError):
        analyzer.begin().add("x " * 40_000, 0, 0)


def test_no_language_means_no_stemming():
    """Without a language words are only folded, and nothing is a stop word."""
    tokens = Analyzer(AnalysisSettings(language="none")).query_tokens("the Cats")
    assert [("the", False), ("cats", False)] == [(t.term, t.is_stop) for t in tokens]


def test_query_memory_is_bounded(analyzer, monkeypatch):
    """The terms a query remembers are forgotten once there are too many, and come out the same."""
    monkeypatch.setattr("dowse.analysis.analyzer._REMEMBERED_SURFACES", 10)
    words = [f"walking{chr(97 + i)}s" for i in range(26)]
    first = [terms(analyzer, word) for word in words]
    assert first == [terms(analyzer, word) for word in words]
    assert 10 >= len(analyzer._terms)


@pytest.mark.parametrize(
    "text", ["the green tea", "error-handling", "漢字漢 of getUserById", "", "C++ 2026.4.10"]
)
def test_terms_of_a_bag_and_of_a_phrase_are_those_of_the_tokens(text):
    """The same terms in the same order, with the same stop words or at the same positions."""
    tokens = Analyzer().query_tokens(text)
    assert [(token.term, token.is_stop) for token in tokens] == Analyzer().bag_terms(text)
    parts = tuple((token.term, token.position) for token in tokens if token.kind == PART)
    assert parts == Analyzer().phrase_terms(text)
