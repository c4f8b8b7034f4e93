"""What settings accept, and what their fingerprint depends on."""

import pytest

from dowse.analysis import AnalysisSettings, Analyzer
from dowse.analysis.languages import languages
from dowse.errors import InvalidParameterError
from support.spellings import terms_of


def test_iso_codes_stand_for_names():
    """A code, a name and any case of either give the same settings."""
    assert AnalysisSettings("english") == AnalysisSettings("en") == AnalysisSettings(" EN ")


@pytest.mark.parametrize("language", languages())
def test_every_language_can_be_analysed(language):
    """Each name makes an analyzer that yields terms for queries and indexing alike."""
    analyzer = Analyzer(AnalysisSettings(language))
    queried = {token.term.encode() for token in analyzer.query_tokens("Wörter слова λέξεις شبكات")}
    batch = analyzer.begin()
    batch.add("Wörter слова λέξεις شبكات", 0, 0)
    assert queried == set(terms_of(batch.finish()))


@pytest.mark.parametrize(
    "bad",
    [
        {"language": "klingon"},
        {"language": ""},
        {"stop_words": "some"},
        {"auto_threshold": 0.0},
        {"auto_threshold": 1.5},
        {"auto_threshold": float("nan")},
    ],
)
def test_bad_values_are_refused(bad):
    """A value outside its range names the range."""
    with pytest.raises(InvalidParameterError):
        AnalysisSettings(**bad)


def test_fingerprint_ignores_stop_words():
    """Stop words change queries, not the index."""
    one = AnalysisSettings(stop_words="none", auto_threshold=0.5)
    assert AnalysisSettings().fingerprint() == one.fingerprint()


def test_fingerprint_follows_the_stemmer():
    """Another stemmer needs another index; languages without one share theirs."""
    assert AnalysisSettings("en").fingerprint() != AnalysisSettings("de").fingerprint()
    assert AnalysisSettings("zh").fingerprint() == AnalysisSettings("none").fingerprint()
