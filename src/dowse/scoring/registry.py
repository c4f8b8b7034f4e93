"""All scoring models, the named settings users choose from, and how a model is built from what they say."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.schema import FIELD_COUNT, Field, Parameter
from dowse.scoring.bm25 import BM25
from dowse.scoring.bm25_variants import BM25L, BM25Atire, BM25Plus, BM25Robertson
from dowse.scoring.bm25f import BM25F
from dowse.scoring.dfr import DFR
from dowse.scoring.dfr_parts import (
    AFTER_EFFECTS,
    BASIC_MODELS,
    NORMALISATIONS,
    AfterEffect,
    BasicModel,
    Normalisation,
)
from dowse.scoring.lm_dirichlet import LMDirichlet
from dowse.scoring.model import BOOST, B, FieldWeights, ScoringModel


class ModelRow(Struct, frozen=True):
    """A scoring model as users see it.

    Attributes:
        name: What users call it.
        kind: Its class, whose docstring is its page.
        parameters: Numbers for the whole model.
        field_parameters: Numbers for each field, set as "b.title" (or "b", for every field).
        build: Makes one from field weights and, by name, parameters.
    """

    name: str
    kind: type[ScoringModel]
    parameters: tuple[Parameter, ...]
    field_parameters: tuple[Parameter, ...]
    build: Callable[..., ScoringModel]


def _bm25_row(kind: type[BM25] | type[BM25F]) -> ModelRow:
    return ModelRow(kind.name, kind, kind.parameters, (BOOST, B), kind)


def _dfr_row(basic: BasicModel, effect: AfterEffect, normalise: Callable[..., Normalisation]) -> ModelRow:
    parameter = normalise().parameter

    def build(fields: FieldWeights, **values: float) -> DFR:
        return DFR(fields, basic, effect, normalise(values.get(parameter.name, parameter.default)))

    name = f"dfr-{basic.label}-{effect.label}-{normalise().label}"
    return ModelRow(name, DFR, (parameter,), (BOOST,), build)


MODELS: tuple[ModelRow, ...] = (
    _bm25_row(BM25F),
    _bm25_row(BM25),
    _bm25_row(BM25Robertson),
    _bm25_row(BM25Atire),
    _bm25_row(BM25L),
    _bm25_row(BM25Plus),
    ModelRow("lm-dirichlet", LMDirichlet, LMDirichlet.parameters, (BOOST,), LMDirichlet),
    *(
        _dfr_row(basic, effect, normalise)
        for basic in BASIC_MODELS
        for effect in AFTER_EFFECTS
        for normalise in NORMALISATIONS
    ),
)
ALIASES: Mapping[str, str] = {"dfr": "dfr-in-l-h2", "bm25-lucene": "bm25"}

# All 32 by one pattern: a list of names that nobody reads would hide the others.
DFR_NAMES = "dfr-" + "-".join(
    "/".join(part.label for part in parts)
    for parts in (BASIC_MODELS, AFTER_EFFECTS, [normalise() for normalise in NORMALISATIONS])
)


class Preset(Struct, frozen=True):
    """A scoring model with its settings, under a name."""

    name: str
    purpose: str
    model: ScoringModel


def _weights(
    title: float, headings: float, path: float, tags: float, code: float, b: float, short_b: float
) -> FieldWeights:
    """Body counts 1; `b` is for body and code, `short_b` for the fields of a few words."""
    return FieldWeights(
        (title, headings, path, tags, code, 1.0), (short_b, short_b, short_b, short_b, b, b)
    )


# The default's numbers come from docs/decisions/0002-bm25f-defaults.md.
PRESETS: tuple[Preset, ...] = (
    Preset(
        "default",
        "fields combined before saturation, tuned on public collections",
        BM25F(_weights(2.5, 1.5, 1.0, 2.0, 0.8, 0.5, 0.3), k1=2.0),
    ),
    Preset(
        "ra",
        "the field boosts of ra: headings 10, path 8, tags 5, body 1",
        BM25F(_weights(10.0, 10.0, 8.0, 5.0, 1.0, 0.75, 0.75), k1=1.2),
    ),
    Preset(
        "plain",
        "BM25 on each field apart, no boosts",
        BM25(_weights(1.0, 1.0, 1.0, 1.0, 1.0, 0.75, 0.75), k1=1.2),
    ),
)


def get_preset(name: str) -> Preset:
    """Returns a preset by name.

    Raises:
        UnknownModelError: Nobody has that name.
    """
    for preset in PRESETS:
        if preset.name == name:
            return preset
    known = ", ".join(preset.name for preset in PRESETS)
    raise UnknownModelError(kind="preset", name=name, known=known)


def build_model(
    name: str, params: Mapping[str, float] | None = None, fields: FieldWeights | None = None
) -> ScoringModel:
    """Returns a scoring model by name, with what a user wants different.

    Args:
        name: A name of `MODELS` or `ALIASES`.
        params: The model's own parameters ("k1"), b of every field ("b"), and boost or b of one field
            ("boost.title", "b.title"), which prevails over "b".
        fields: Where boosts and b start from. Without, and for parameters not given, the first preset of
            that model counts, or else the "plain" preset's weights and the model's defaults.

    Raises:
        UnknownModelError: Nobody has that name.
        InvalidParameterError: The model has no such parameter, or not with that value.
    """
    row = get_model_row(name)
    given = dict(params or {})
    start = next((preset for preset in PRESETS if type(preset.model) is row.kind), get_preset("plain"))
    own = {}
    for parameter in row.parameters:
        own[parameter.name] = given.pop(
            parameter.name, getattr(start.model, parameter.name, parameter.default)
        )
        parameter.check(own[parameter.name])
    return row.build(_changed_fields(row, fields or start.model.fields, given), **own)


def get_model_row(name: str) -> ModelRow:
    """Returns the row of a model by its name or alias.

    Raises:
        UnknownModelError: Nobody has that name; the hint has the nearest.
    """
    wanted = ALIASES.get(name, name)
    for row in MODELS:
        if row.name == wanted:
            return row
    from difflib import get_close_matches  # 1 ms that only mistakes pay for

    names = [*(row.name for row in MODELS), *ALIASES]
    nearest = get_close_matches(name.lower(), names, n=1, cutoff=0.0)
    known = ", ".join([*(row.name for row in MODELS if row.kind is not DFR), *ALIASES, DFR_NAMES])
    raise UnknownModelError(kind="scoring model", name=name, known=f"{known}; nearest: {nearest[0]}")


def _changed_fields(row: ModelRow, fields: FieldWeights, changes: dict[str, float]) -> FieldWeights:
    values = {BOOST.name: list(fields.boosts), B.name: list(fields.b)}
    if B in row.field_parameters and B.name in changes:
        values[B.name] = [changes.pop(B.name)] * FIELD_COUNT
    slots = {
        f"{parameter.name}.{field.label}": (parameter.name, field)
        for parameter in row.field_parameters
        for field in Field
    }
    for name, value in changes.items():
        if name not in slots:
            raise InvalidParameterError(name=name, value=value, legal=_describe_parameters(row, name))
        kind, field = slots[name]
        values[kind][field] = value
    return FieldWeights(tuple(values[BOOST.name]), tuple(values[B.name]))


def _describe_parameters(row: ModelRow, asked: str) -> str:
    """Says what a model's parameters are and which of them was probably meant."""
    ranges = [f"{one.name} ({one.low:g} to {one.high:g})" for one in row.parameters]
    if B in row.field_parameters:
        ranges.append(f"{B.name} ({B.low:g} to {B.high:g})")
    ranges += [f"{one.name}.FIELD ({one.low:g} to {one.high:g})" for one in row.field_parameters]
    names = [text.split()[0] for text in ranges]
    names += [f"{one.name}.{field.label}" for one in row.field_parameters for field in Field]
    from difflib import get_close_matches  # 1 ms that only mistakes pay for

    (nearest,) = get_close_matches(asked, names, n=1, cutoff=0.0)
    return f"{row.name} has {', '.join(ranges)}; nearest: {nearest}"
