"""All scoring models, and the named settings users choose from."""

from dataclasses import dataclass

from dowse.errors import UnknownModelError
from dowse.scoring.bm25 import BM25
from dowse.scoring.bm25f import BM25F
from dowse.scoring.model import FieldWeights, ScoringModel

MODELS: tuple[type[ScoringModel], ...] = (BM25F, BM25)


@dataclass(frozen=True, slots=True)
class Preset:
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
