"""Every scoring model against its formula, written out in plain Python from the papers."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.layout import decoded_lengths
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import MODELS, FieldMatch, FieldWeights, TermStatistics

BOOST, B_OF_FIELD = 1.5, 0.6
WEIGHTS = FieldWeights((BOOST,) * FIELD_COUNT, (B_OF_FIELD,) * FIELD_COUNT)
LENGTHS = [max(1.0, float(length)) for length in decoded_lengths()]


def bm25_formulas(tf, length, average, term, k1, delta):
    """The five variants of Kamphuis and others 2020, table 1, with the factor k1 + 1 in each."""
    found, total = term.doc_freq, term.doc_count
    norm = 1 - B_OF_FIELD + B_OF_FIELD * length / average
    fraction = (k1 + 1) * tf / (k1 * norm + tf)
    robertson = math.log((total - found + 0.5) / (found + 0.5))
    c = tf / norm
    return {
        "bm25f": math.log(1 + (total - found + 0.5) / (found + 0.5))
        * (k1 + 1) * (BOOST * c) / (k1 + BOOST * c) / BOOST,
        "bm25": math.log(1 + (total - found + 0.5) / (found + 0.5)) * fraction,
        "bm25-robertson": max(1e-12, robertson) * fraction,
        "bm25-atire": max(1e-12, math.log(total / found)) * fraction,
        "bm25l": math.log((total + 1) / (found + 0.5)) * (k1 + 1) * (c + delta) / (k1 + c + delta),
        "bm25plus": math.log((total + 1) / found) * (delta + fraction),
    }


def dfr_formula(name, tf, length, average, term, value):
    """Amati and van Rijsbergen 2002, information content times the risk of accepting the term."""
    _, basic, effect, normalisation = name.split("-")
    N, n, F, T = term.doc_count, term.doc_freq, term.total_term_freq, term.total_field_length  # noqa: N806
    tfn = {
        "h1": lambda: tf * value * average / length,
        "h2": lambda: tf * math.log2(1 + value * average / length),
        "h3": lambda: (tf + value * (F + 1) / (T + 1)) / (length + value) * value,
        "z": lambda: tf * (average / length) ** value,
    }[normalisation]()
    mean = (F + 1) / (N + F + 1)
    expected = N * (1 - ((N - 1) / N) ** F)
    information = {
        "g": lambda: -math.log2(1 / (1 + mean)) - tfn * math.log2(mean / (1 + mean)),
        "in": lambda: tfn * math.log2((N + 1) / (n + 0.5)),
        "ine": lambda: tfn * math.log2((N + 1) / (expected + 0.5)),
        "if": lambda: tfn * math.log2(1 + (N + 1) / (F + 0.5)),
    }[basic]()
    risk = {"l": 1 / (tfn + 1), "b": (F + 2) / ((n + 1) * (tfn + 1))}[effect]
    return information * risk


def lm_formula(tf, length, term, mu):
    """Zhai and Lafferty 2004: smoothed probability in the chunk over that in the collection."""
    p = (term.total_term_freq + 1) / (term.total_field_length + 1)
    return max(1e-12, math.log((tf + mu * p) / (length + mu)) - math.log(p))


@st.composite
def terms(draw) -> TermStatistics:
    """Draws consistent statistics."""
    doc_count = draw(st.integers(1, 100_000))
    doc_freq = draw(st.integers(1, doc_count))
    occurrences = draw(st.integers(doc_freq, 100 * doc_freq))
    return TermStatistics(doc_freq, doc_count, occurrences, occurrences + draw(st.integers(0, 10**7)))


@pytest.mark.parametrize("row", MODELS, ids=lambda row: row.name)
@given(
    term=terms(),
    tf=st.integers(1, 255),
    bucket=st.integers(0, 255),
    average=st.floats(1.0, 5_000.0),
    share=st.floats(0.05, 1.0),
)
@settings(max_examples=10, deadline=None)
def test_scores_equal_the_papers_formula(row, term, tf, bucket, average, share):
    """Whatever the statistics and parameters, a score is the formula's to one part in a million."""
    values = {one.name: one.low + share * (min(one.high, 5_000.0) - one.low) for one in row.parameters}
    match = FieldMatch(Field.BODY, tf, bucket, average)
    actual = row.build(WEIGHTS, **values).explain("tea", term, [match], 1.0).value
    length = LENGTHS[bucket]
    if row.name.startswith("dfr"):
        (value,) = values.values()
        expected = dfr_formula(row.name, tf, length, average, term, value)
    elif row.name == "lm-dirichlet":
        expected = lm_formula(tf, length, term, values["mu"])
    else:
        formulas = bm25_formulas(tf, length, average, term, values["k1"], values.get("delta", 0.0))
        expected = formulas[row.name]
    assert BOOST * expected == pytest.approx(actual, rel=1e-6, abs=1e-9)


PROMISING = [
    row for row in MODELS if row.name == "lm-dirichlet" or ("-l-" in row.name and "h3" not in row.name)
]


@pytest.mark.parametrize("row", PROMISING, ids=lambda row: row.name)
@given(term=terms(), tf=st.integers(1, 255), more=st.integers(1, 1000))
@settings(max_examples=10, deadline=None)
def test_commoner_words_score_no_more(row, term, tf, more):
    """More occurrences in as many chunks lower a score, where the docstrings promise it."""
    model = row.build(WEIGHTS)
    commoner = term._replace(
        total_term_freq=term.total_term_freq + more, total_field_length=term.total_field_length + more
    )
    match = FieldMatch(Field.BODY, tf, 20, 20.0)
    rare, common = (model.explain("tea", one, [match], 1.0).value for one in (term, commoner))
    assert rare >= common * (1 - 1e-12)
