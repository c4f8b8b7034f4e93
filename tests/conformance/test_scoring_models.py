"""Every scoring model keeps the promises of `scoring`: a row in MODELS or PRESETS joins by itself."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.kernels.layout import decoded_lengths
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import MODELS, PRESETS, FieldMatch, FieldWeights, TermStatistics, get_preset, registry

WEIGHTS = FieldWeights((2.0, 1.5, 1.0, 3.0, 0.8, 1.0), (0.5, 0.0, 1.0, 0.3, 0.75, 0.75))


def variants():
    """Every preset, and every model with each parameter at its default, lowest and highest value."""
    for preset in PRESETS:
        yield pytest.param(preset.model, id=f"preset-{preset.name}")
    for model in MODELS:
        yield pytest.param(model(WEIGHTS), id=model.name)
        for parameter in model.parameters:
            for value in (parameter.low, parameter.high):
                name = f"{model.name}-{parameter.name}={value:g}"
                yield pytest.param(model(WEIGHTS, **{parameter.name: value}), id=name)


VARIANTS = tuple(variants())
every_variant = pytest.mark.parametrize("model", VARIANTS)
COUNTS = st.integers(1, 10_000_000)
AVERAGES = st.floats(0.5, 60_000.0)


@st.composite
def statistics(draw) -> TermStatistics:
    """Draws a term that is in some of the chunks."""
    doc_count = draw(COUNTS)
    return TermStatistics(draw(st.integers(1, doc_count)), doc_count)


@st.composite
def field_matches(draw) -> FieldMatch:
    """Draws a match in one field."""
    field, freq = draw(st.sampled_from(Field)), draw(st.integers(1, 255))
    return FieldMatch(field, freq, draw(st.integers(0, 255)), draw(AVERAGES))


def score(model, term: TermStatistics, match: FieldMatch) -> float:
    """Scores one match the way the kernel does: the table's value, saturated, times the weight."""
    value = model.field_table(match.field, match.avg_field_length)[match.term_freq, match.bucket]
    if model.combines_fields:
        value = value / (value + model.saturation)
    return float(model.weight(term) * value)


@every_variant
@given(term=statistics(), match=field_matches())
@settings(max_examples=25, deadline=None)
def test_scores_are_finite_positive_and_bounded(model, term, match):
    """A match gives more than nothing, never an infinity, and never more than the upper bound."""
    actual = score(model, term, match)
    assert math.isfinite(actual)
    assert 0.0 < actual <= model.upper_bound(term) * (1 + 1e-12)


@every_variant
@given(average=AVERAGES)
@settings(max_examples=5, deadline=None)
def test_tables_rise_with_frequency_and_fall_with_length(model, average):
    """Row 0 is zero, later rows are positive; no value falls with frequency or rises with length."""
    for field in Field:
        table = model.field_table(field, average)
        assert ((256, 256), np.float64) == (table.shape, table.dtype)
        assert table.flags.c_contiguous
        assert not table[0].any()
        assert (table[1:] > 0).all()
        assert (np.diff(table, axis=0) >= 0).all()
        assert (np.diff(table, axis=1) <= 0).all()


@every_variant
@given(doc_count=COUNTS, share=st.floats(0.0, 1.0), more=st.floats(0.0, 1.0))
@settings(max_examples=25, deadline=None)
def test_rarer_terms_weigh_no_less(model, doc_count, share, more):
    """The weight does not rise as a term gets commoner, and is never negative."""
    rare = max(1, int(share * doc_count))
    common = rare + int(more * (doc_count - rare))
    weights = [model.weight(TermStatistics(found, doc_count)) for found in (rare, common)]
    assert weights[0] >= weights[1] > 0.0


@every_variant
def test_a_field_without_boost_counts_for_nothing(model):
    """A boost of 0 makes a table of zeros."""
    weights = FieldWeights((0.0,) * FIELD_COUNT, (0.75,) * FIELD_COUNT)
    table = type(model)(weights).field_table(Field.BODY, 10.0)
    assert not table.any()


@every_variant
@given(term=statistics(), match=field_matches(), query_weight=st.sampled_from([1.0, 2.0, 3.0]))
@settings(max_examples=25, deadline=None)
def test_an_explanation_is_the_score(model, term, match, query_weight):
    """One field: the explanation's value is weight times value, to the last bit, and its parts show."""
    explanation = model.explain("tea", term, [match], query_weight)
    value = model.field_table(match.field, match.avg_field_length)[match.term_freq, match.bucket]
    if model.combines_fields:
        value = value / (value + model.saturation)
    assert query_weight * model.weight(term) * value == explanation.value
    assert "tea" in explanation.description
    text = "\n".join(explanation.lines())
    for number in (match.term_freq, term.doc_freq, float(decoded_lengths()[match.bucket])):
        assert f"{number:.6g}" in text


@every_variant
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


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_parameters_outside_their_range_are_refused(model):
    """The message has the value, the hint the legal range; the bounds themselves are legal."""
    for parameter in model.parameters:
        for value in (parameter.low - 0.1, parameter.high + 0.1, math.nan, math.inf):
            with pytest.raises(InvalidParameterError) as caught:
                model(WEIGHTS, **{parameter.name: value})
            assert f"{parameter.name} cannot be {value}" == caught.value.message
            assert f"{parameter.low:g} to {parameter.high:g}" in caught.value.hint
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.effect


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize(
    ("boosts", "b"),
    [
        ((-1.0,) + (1.0,) * 5, (0.75,) * 6),
        ((1.0,) * 6, (1.1,) + (0.75,) * 5),
        ((math.nan,) + (1.0,) * 5, (0.75,) * 6),
        ((1.0,) * 5, (0.75,) * 6),
    ],
)
def test_field_weights_outside_their_range_are_refused(model, boosts, b):
    """A boost below 0, a b above 1, no number at all, or a missing field."""
    with pytest.raises(InvalidParameterError) as caught:
        model(FieldWeights(boosts, b))
    assert caught.value.hint


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_docstrings_follow_the_house_order(model):
    """Source, formula, parameters, where we differ, guarantees: in this order."""
    text = model.__doc__
    places = [text.index(word) for word in ("Formula", "Parameters", "Where we differ", "Guarantees")]
    assert sorted(places) == places
    assert any(year in text.splitlines()[0] for year in map(str, range(1970, 2030)))


def test_names_are_unique_and_found():
    """Every preset is found by its name, and a name nobody has is refused with those that exist."""
    names = [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)
    assert [get_preset(name).model for name in names] == [preset.model for preset in PRESETS]
    assert len({model.name for model in MODELS}) == len(MODELS)
    with pytest.raises(UnknownModelError) as caught:
        get_preset("bm52")
    assert all(name in caught.value.hint for name in names)
    assert {type(preset.model) for preset in PRESETS} <= set(MODELS)
