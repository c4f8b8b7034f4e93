"""What users may say about scoring, and what they are told when it makes no sense."""

import pytest

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import ALIASES, MODELS, FieldWeights, build_model, get_model_row, get_preset

ONE_EACH = FieldWeights((1.0,) * FIELD_COUNT, (0.5,) * FIELD_COUNT)


@pytest.mark.parametrize("row", MODELS, ids=lambda row: row.name)
def test_every_model_is_built_by_its_name(row):
    """Name, class and given field weights arrive."""
    model = build_model(row.name, fields=ONE_EACH)
    assert (row.name, row.kind, ONE_EACH) == (model.name, type(model), model.fields)


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_aliases_lead_to_models(alias, name):
    """A short name gives the model it stands for."""
    assert name == build_model(alias).name


def test_all_parts_of_dfr_are_combined():
    """Four basic models, two after-effects, four normalisations: 32 names."""
    names = {row.name for row in MODELS if row.name.startswith("dfr-")}
    expected = {
        f"dfr-{basic}-{effect}-{normalisation}"
        for basic in ("g", "in", "ine", "if")
        for effect in "lb"
        for normalisation in ("h1", "h2", "h3", "z")
    }
    assert expected == names


def test_unset_parameters_come_from_the_models_preset():
    """Without wishes, a model that has a preset is that preset's; others take the plain weights."""
    assert get_preset("default").model == build_model("bm25f")
    assert get_preset("plain").model == build_model("bm25")
    assert get_preset("plain").model.fields == build_model("lm-dirichlet").fields
    assert (2000.0, 0.5, 1.0) == (
        build_model("lm-dirichlet").mu,
        build_model("bm25l").delta,
        build_model("bm25plus").delta,
    )


@pytest.mark.parametrize(
    ("name", "params", "read"),
    [
        ("bm25", {"k1": 0.9}, lambda model: model.k1),
        ("bm25plus", {"delta": 0.25}, lambda model: model.delta),
        ("lm-dirichlet", {"mu": 300.0}, lambda model: model.mu),
        ("dfr", {"c": 7.0}, lambda model: model.normalisation.value),
        ("dfr-g-b-h3", {"mu": 90.0}, lambda model: model.normalisation.value),
        ("dfr-if-l-z", {"z": 0.2}, lambda model: model.normalisation.value),
    ],
)
def test_parameters_arrive(name, params, read):
    """The number given is the number used."""
    assert [*params.values()] == [read(build_model(name, params))]


def test_fields_can_be_set_together_and_one_by_one():
    """“b” is for all fields, “b.title” and “boost.tags” for one, in any order."""
    model = build_model("bm25f", {"b.title": 0.1, "b": 0.4, "boost.tags": 9.0}, ONE_EACH)
    assert (0.1, *(0.4,) * 5) == model.fields.b
    assert (1.0, 1.0, 1.0, 9.0, 1.0, 1.0) == model.fields.boosts
    assert 9.0 == build_model("dfr", {"boost.tags": 9.0}).fields.boosts[Field.TAGS]


@pytest.mark.parametrize(
    ("asked", "nearest"), [("bm52", "bm25"), ("DFR", "dfr"), ("dfr-in-l-h9", "dfr-in-l-h"), ("", "")]
)
def test_unknown_models_are_refused_with_the_known_ones(asked, nearest):
    """The message has the name, the hint those that exist and the nearest of them."""
    with pytest.raises(UnknownModelError) as caught:
        get_model_row(asked)
    assert f"there is no scoring model “{asked}”" == caught.value.message
    assert "bm25f, bm25, bm25-robertson" in caught.value.hint
    assert "dfr-g/in/ine/if-l/b-h1/h2/h3/z" in caught.value.hint
    assert f"nearest: {nearest}" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "params", "message", "hint"),
    [
        ("bm25", {"k2": 1.0}, "k2 cannot be 1.0", "k1 (0 to 20), b (0 to 1)"),
        ("bm25", {"b.titel": 0.5}, "b.titel cannot be 0.5", "nearest: b.title"),
        ("bm25", {"boost": 2.0}, "boost cannot be 2.0", "boost.FIELD (0 to 1000)"),
        ("lm-dirichlet", {"b": 0.5}, "b cannot be 0.5", "lm-dirichlet has mu (1 to 1e+06)"),
        ("dfr-in-l-h3", {"c": 2.0}, "c cannot be 2.0", "dfr-in-l-h3 has mu"),
        ("bm25", {"k1": -1.0}, "k1 cannot be -1.0", "legal values are 0 to 20"),
        ("bm25", {"b": 1.5}, "b cannot be 1.5", "legal values are 0 to 1"),
        ("bm25f", {"boost.body": -1.0}, "boost cannot be -1.0", "legal values are 0 to 1000"),
        ("bm25", {"k1": float("nan")}, "k1 cannot be nan", "legal values are 0 to 20"),
    ],
)
def test_wrong_parameters_are_refused(name, params, message, hint):
    """The message has the value, the hint what would be legal."""
    with pytest.raises(InvalidParameterError) as caught:
        build_model(name, params)
    assert message == caught.value.message
    assert hint in caught.value.hint
