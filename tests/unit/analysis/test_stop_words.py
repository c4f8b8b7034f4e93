"""The stop-word files and the modes."""

import pytest

from dowse.analysis import AnalysisSettings, Analyzer, StopWords
from dowse.analysis.languages import STOP_WORD_LANGUAGES
from dowse.analysis.stop_words import fold_words, load_stop_words, read_words

CODES = sorted(STOP_WORD_LANGUAGES)


def test_there_are_33_languages():
    """No language was lost."""
    assert 33 == len(CODES)


@pytest.mark.parametrize("code", CODES)
def test_files_have_enough_words_and_none_twice(code):
    """Each file has at least 40 different words."""
    words = read_words(code)
    assert len(words) == len(set(words))
    assert 40 <= len(fold_words(words))


@pytest.mark.parametrize("code", CODES)
def test_every_word_is_one_part(code):
    """A listed word that analysis cuts up would do nothing, or too much."""
    cut = [word for word in read_words(code) if len(fold_words([word])) != 1]
    assert [] == cut


def test_lists_load_folded():
    """Accents in the file do not matter."""
    assert {"uber", "fur"} <= load_stop_words("german")


def test_modes_choose_the_words():
    """None and auto stop nothing by surface; custom stops what was given, folded."""
    custom = AnalysisSettings(stop_words="custom", custom_stop_words=("Café", "foo"))
    assert not StopWords(AnalysisSettings(stop_words="none")).is_stop("the")
    assert StopWords(AnalysisSettings()).is_stop("the")
    assert StopWords(custom).is_stop("cafe")
    assert not StopWords(custom).is_stop("the")


def test_auto_leaves_the_decision_to_the_planner():
    """Only mode auto has a threshold, and it marks nothing itself."""
    auto = Analyzer(AnalysisSettings(stop_words="auto", auto_threshold=0.7))
    assert 0.7 == auto.stop_words.auto_threshold
    assert [False] == [token.is_stop for token in auto.query_tokens("the")]
    assert StopWords(AnalysisSettings()).auto_threshold is None


def test_variants_share_their_language_list():
    """The older algorithms for English and Dutch use the lists of English and Dutch."""
    assert load_stop_words("english") == load_stop_words("porter")
    assert load_stop_words("dutch") == load_stop_words("dutch_porter")


def test_languages_without_a_list_stop_nothing():
    """A stemmer alone is no reason to guess stop words."""
    assert frozenset() == load_stop_words("basque")
