"""Every scoring model keeps the promises of `scoring`: a row in MODELS or PRESETS joins by itself."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import dowse
from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.kernels.layout import decoded_lengths
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import MODELS, PRESETS, FieldMatch, FieldWeights, TermStatistics, get_preset, registry
from dowse.scoring.dfr import DFR

WEIGHTS = FieldWeights((2.0, 1.5, 1.0, 3.0, 0.8, 1.0), (0.5, 0.0, 1.0, 0.3, 0.75, 0.75))
STATISTICS = frozenset((*TermStatistics._fields, "avg_field_length"))


def variants():
    """Every preset, and every model with each parameter at its default, lowest and highest value.

    Of DFR, whose parameters belong to the normalisation alone, two models of each get the extremes.
    """
    for preset in PRESETS:
        yield pytest.param(preset.model, id=f"preset-{preset.name}")
    for row in MODELS:
        yield pytest.param(row.build(WEIGHTS), id=row.name)
        if row.kind is DFR and not row.name.startswith(("dfr-in-l", "dfr-g-b")):
            continue
        for parameter in row.parameters:
            for value in (parameter.low, parameter.high):
                name = f"{row.name}-{parameter.name}={value:g}"
                yield pytest.param(row.build(WEIGHTS, **{parameter.name: value}), id=name)


VARIANTS = tuple(variants())
every_variant = pytest.mark.parametrize("model", VARIANTS)
every_row = pytest.mark.parametrize("row", MODELS, ids=lambda row: row.name)
COUNTS = st.integers(1, 10_000_000)
AVERAGES = st.floats(0.5, 60_000.0)


@st.composite
def statistics(draw) -> TermStatistics:
    """Draws a term that is in some of the chunks, at least once in each."""
    doc_count = draw(COUNTS)
    doc_freq = draw(st.integers(1, doc_count))
    occurrences = draw(st.integers(doc_freq, 300 * doc_freq))
    return TermStatistics(doc_freq, doc_count, occurrences, occurrences + draw(COUNTS))


@st.composite
def field_matches(draw) -> FieldMatch:
    """Draws a match in one field."""
    field, freq = draw(st.sampled_from(Field)), draw(st.integers(1, 255))
    return FieldMatch(field, freq, draw(st.integers(0, 255)), draw(AVERAGES))


def full_table(model, field: Field, average: float, term: TermStatistics):
    """Returns all 256 rows, from whichever method the model has them."""
    if model.needs_term_table:
        return model.term_table(field, average, term, 255)
    return model.field_table(field, average)


def score(model, term: TermStatistics, match: FieldMatch, query_weight: float = 1.0) -> float:
    """Scores one match the way the kernel does: the table's value, saturated, times the weight."""
    table = full_table(model, match.field, match.avg_field_length, term)
    value = table[match.term_freq, match.bucket]
    if model.combines_fields:
        value = value / (value + model.saturation)
    return float(query_weight * model.weight(term) * value)


@every_variant
@given(term=statistics(), match=field_matches())
@settings(max_examples=10, deadline=None)
def test_scores_are_finite_positive_and_bounded(model, term, match):
    """A match gives more than nothing, never an infinity, and never more than the upper bound."""
    actual = score(model, term, match)
    assert math.isfinite(actual)
    assert 0.0 < actual <= model.upper_bound(term) * (1 + 1e-12)


@every_variant
@given(average=AVERAGES, term=statistics())
@settings(max_examples=3, deadline=None)
def test_tables_rise_with_frequency_and_fall_with_length(model, average, term):
    """Row 0 is zero, later rows are positive; no value falls with frequency or rises with length."""
    for field in (Field.HEADINGS, Field.PATH, Field.BODY):
        table = full_table(model, field, average, term)
        assert ((256, 256), np.float64) == (table.shape, table.dtype)
        assert table.flags.c_contiguous
        assert not table[0].any()
        assert (table[1:] > 0).all()
        assert (np.diff(table, axis=0) >= 0).all()
        assert (np.diff(table, axis=1) <= 0).all()


@every_variant
@given(average=AVERAGES, term=statistics(), max_freq=st.integers(1, 255))
@settings(max_examples=3, deadline=None)
def test_a_short_table_is_the_beginning_of_the_full_one(model, average, term, max_freq):
    """Asked for fewer rows, a model gives the very same numbers, in one piece of memory."""
    expected = full_table(model, Field.BODY, average, term)[: max_freq + 1]
    table = model.term_table(Field.BODY, average, term, max_freq)
    assert np.array_equal(expected, table)
    assert table.flags.c_contiguous


@every_variant
@given(term=statistics(), match=field_matches(), more=st.floats(0.0, 1.0))
@settings(max_examples=10, deadline=None)
def test_rarer_terms_score_no_less(model, term, match, more):
    """A score does not rise as more chunks have the term, all else being equal; weights are positive."""
    common = term.doc_freq + int(more * (min(term.doc_count, term.total_term_freq) - term.doc_freq))
    scores = [score(model, one, match) for one in (term, term._replace(doc_freq=common))]
    assert scores[0] >= scores[1]
    assert model.weight(term) > 0.0


@every_variant
@given(term=statistics(), match=field_matches(), other=statistics(), average=AVERAGES)
@settings(max_examples=10, deadline=None)
def test_declared_needs_are_sufficient(model, term, match, other, average):
    """A statistic the model does not declare as needed can be any number: the score is the same."""
    assert model.needs <= STATISTICS
    unneeded = {name: value for name, value in other._asdict().items() if name not in model.needs}
    changed = match if "avg_field_length" in model.needs else replace(match, avg_field_length=average)
    assert score(model, term, match) == score(model, term._replace(**unneeded), changed)


@every_variant
@given(term=statistics())
@settings(max_examples=3, deadline=None)
def test_a_field_without_boost_counts_for_nothing(model, term):
    """A boost of 0 makes a table of zeros."""
    weights = FieldWeights((0.0,) * FIELD_COUNT, (0.75,) * FIELD_COUNT)
    assert not full_table(replace(model, fields=weights), Field.BODY, 10.0, term).any()


@every_variant
@given(term=statistics(), match=field_matches(), query_weight=st.sampled_from([1.0, 2.0, 3.0]))
@settings(max_examples=10, deadline=None)
def test_an_explanation_is_the_score(model, term, match, query_weight):
    """One field: the explanation's value is weight times value, to the last bit, and its parts show."""
    explanation = model.explain("tea", term, [match], query_weight)
    assert score(model, term, match, query_weight) == explanation.value
    assert "tea" in explanation.description
    text = "\n".join(explanation.lines())
    used = [getattr(term, name) for name in term._fields if name in model.needs]
    for number in (match.term_freq, float(decoded_lengths()[match.bucket]), *used):
        assert f"{number:.6g}" in text


def samples():
    """Presets, and of every kind of table one model: an index for each of them all would take long."""
    for preset in PRESETS:
        yield pytest.param(preset.model, id=f"preset-{preset.name}")
    for row in MODELS:
        if row.name in {"dfr-in-l-h2", "dfr-if-b-z", "dfr-g-l-h1", "dfr-ine-b-h3"} or row.kind is not DFR:
            yield pytest.param(row.build(WEIGHTS), id=row.name)


@pytest.mark.parametrize("model", tuple(samples()))
def test_explanations_equal_the_kernel_through_an_index(model, monkeypatch):
    """Through a real index, several fields and segments: every hit's explanation is its score."""
    preset = registry.Preset("conformance", "for this test", model)
    monkeypatch.setattr(registry, "PRESETS", (*PRESETS, preset))
    with dowse.open(":memory:") as index:
        for number in range(24):
            words = ["tea", "green", "water", "handling"]
            body = " ".join(words[(number * i) % 4] for i in range(1, number + 2))
            index.add(
                f"{number}.md",
                f"# {words[number % 4]} tea\n\n{body}\n\n```\n{words[number % 3]} x\n```\n",
                path=f"notes/{words[(number + 1) % 4]}.md",
                tags=words[: number % 3],
                format="markdown",
            )
            if number % 7 == 6:
                index.commit()
        index.delete("3.md")
        index.commit()
        for query in ("tea", "green water tea", '"green tea"', "tea tea handling x", '"tea" water'):
            request = dowse.SearchRequest(query, preset="conformance", explain=True, limit=50)
            hits = index.search(request).hits
            assert hits
            assert [hit.score for hit in hits] == [hit.explanation.value for hit in hits]


@every_row
def test_parameters_outside_their_range_are_refused(row):
    """The message has the value, the hint the legal range; the bounds themselves are legal."""
    for parameter in row.parameters:
        for value in (parameter.low - 0.1, parameter.high + 0.1, math.nan, math.inf, "much"):
            with pytest.raises(InvalidParameterError) as caught:
                row.build(WEIGHTS, **{parameter.name: value})
            assert f"{parameter.name} cannot be {value}" == caught.value.message
            assert f"{parameter.low:g} to {parameter.high:g}" in caught.value.hint
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.effect


@every_row
@pytest.mark.parametrize(
    ("boosts", "b"),
    [
        ((-1.0,) + (1.0,) * 5, (0.75,) * 6),
        ((1.0,) * 6, (1.1,) + (0.75,) * 5),
        ((math.nan,) + (1.0,) * 5, (0.75,) * 6),
        ((1.0,) * 5, (0.75,) * 6),
    ],
)
def test_field_weights_outside_their_range_are_refused(row, boosts, b):
    """A boost below 0, a b above 1, no number at all, or a missing field."""
    with pytest.raises(InvalidParameterError) as caught:
        row.build(FieldWeights(boosts, b))
    assert caught.value.hint


@every_row
def test_docstrings_follow_the_house_order(row):
    """Source, formula, parameters, where we differ, guarantees: in this order."""
    text = row.kind.__doc__
    places = [text.index(word) for word in ("Formula", "Parameters", "Where we differ", "Guarantees")]
    assert sorted(places) == places
    assert any(year in text.splitlines()[0] for year in map(str, range(1970, 2030)))


def test_names_are_unique_and_found():
    """Every preset is found by its name, and a name nobody has is refused with those that exist."""
    names = [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)
    assert [get_preset(name).model for name in names] == [preset.model for preset in PRESETS]
    assert len({row.name for row in MODELS}) == len(MODELS)
    with pytest.raises(UnknownModelError) as caught:
        get_preset("bm52")
    assert all(name in caught.value.hint for name in names)
    assert {preset.model.name for preset in PRESETS} <= {row.name for row in MODELS}
    assert [row.name for row in MODELS] == [row.build(WEIGHTS).name for row in MODELS]
