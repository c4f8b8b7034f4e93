"""Which step brings the vectors of an index nearer to complete? A pure decision.

Rough static vectors come first, for every chunk, within seconds. The model then reads chunk after chunk, and
what it has read teaches the static vectors: each time it has read `REFIT_FACTOR` times as much as their
correction was fitted to, the correction is fitted anew and the static vectors that are left are made again.
Whoever performs a step describes the index anew afterwards and asks for the next one.
"""

from typing import NamedTuple

FEW_CHUNKS = 500
"""The model reads this many chunks in the time that building a table of token vectors takes."""
FIRST_PAIRS = 128
"""How many chunks the model reads before anything else: the first correction is fitted to them."""
FIT_FROM = 512
"""A correction is fitted anew when the model has read at least this many chunks."""
REFIT_FACTOR = 4
"""How many times as many pairs as before are worth a new fit."""


class Introduce(NamedTuple):
    """Introduce the model to the index: sample chunks, fit a first correction, choose the vector space."""

    with_table: bool


class Restore(NamedTuple):
    """Take vectors from the cache for chunks that have none, and drop damaged vector segments."""


class FitCorrection(NamedTuple):
    """Fit the correction of static vectors to everything that the model has read."""


class EmbedStatic(NamedTuple):
    """Make static vectors for the chunks that have neither one nor the model's own."""


class EmbedModel(NamedTuple):
    """Let the model read chunks.

    Attributes:
        at_most: After this many the next fit is due; None for all that are left.
    """

    at_most: int | None


class Done(NamedTuple):
    """Nothing is left to do."""


Step = Introduce | Restore | FitCorrection | EmbedStatic | EmbedModel | Done


class KnownModel(NamedTuple):
    """What the index knows of the model.

    Attributes:
        pairs: How many pairs of vectors the correction was fitted to.
        has_weights: Whether static vectors can be made: the weights of tokens are known.
        static_kind: The kind of static vectors that is made now; it changes with each fit.
    """

    pairs: int
    has_weights: bool
    static_kind: int


class Tier(NamedTuple):
    """What can be made here, and what is asked for.

    Attributes:
        with_model: Whether the model is to read the chunks itself.
        can_be_static: Whether there can be static vectors: the model's tokens are on this machine.
        has_table: Whether the table of token vectors is there already.
    """

    with_model: bool
    can_be_static: bool
    has_table: bool


class Backlog(NamedTuple):
    """How many chunks there are, and how many still wait for a vector.

    Attributes:
        read: Chunks that have the model's own vector.
        unread: Chunks that do not.
        without_static: Chunks that have neither the model's own vector nor a static one of the kind made now.
        has_damage: Whether some vectors cannot be used.
    """

    chunks: int
    read: int = 0
    unread: int = 0
    without_static: int = 0
    has_damage: bool = False


class Tried(NamedTuple):
    """Which steps this run has tried: none is tried twice in the same situation, so that every run ends.

    Attributes:
        fitted_after: The number of pairs that the correction had when a new fit was tried.
        static_kind: The kind of static vectors that were made.
        read: How many chunks had the model's vector when it was last asked to read more.
        has_read_rest: Whether the model was given all that was left. Chunks that have come since are for the
            next run.
    """

    has_introduced: bool = False
    has_restored: bool = False
    fitted_after: int | None = None
    static_kind: int | None = None
    read: int | None = None
    has_read_rest: bool = False

    def after(self, step: Step, backlog: Backlog, model: KnownModel | None) -> "Tried":
        """Returns this with one more step, which was decided on with this backlog and this model."""
        match step:
            case Introduce():
                return self._replace(has_introduced=True)
            case Restore():
                return self._replace(has_restored=True)
            case FitCorrection() if model is not None:
                return self._replace(fitted_after=model.pairs)
            case EmbedStatic() if model is not None:
                return self._replace(static_kind=model.static_kind)
            case EmbedModel(at_most):
                return self._replace(read=backlog.read, has_read_rest=at_most is None)
        return self


def next_step(backlog: Backlog, model: KnownModel | None, tier: Tier, tried: Tried) -> Step:
    """Returns what to do next.

    Args:
        backlog: What is left to do.
        model: What the index knows of the model; None when it has not met it.
        tier: What can be made here, and what is asked for.
        tried: What this run has done so far.
    """
    if not tried.has_restored and model is not None and backlog.has_damage:
        return Restore()
    if tried.has_read_rest or _is_complete(backlog, model, tier):
        return Done()
    is_worth_table = tier.has_table or not tier.with_model or backlog.chunks > FEW_CHUNKS
    wants_table = tier.can_be_static and is_worth_table
    if model is None or (wants_table and _is_outgrown(model, backlog.chunks)):
        if not tried.has_introduced:
            return Introduce(wants_table)
        if model is None:
            return Done()
    if not tried.has_restored:
        return Restore()
    if not (model.has_weights and tier.can_be_static):
        return EmbedModel(None)
    return _next_beside_static(backlog, model, tier, tried)


def _next_beside_static(backlog: Backlog, model: KnownModel, tier: Tier, tried: Tried) -> Step:
    """Decides where there are static vectors, which the model's own improve and then replace."""
    until_fit = fits_at(model) - backlog.read
    if until_fit <= 0 and tried.fitted_after != model.pairs:
        return FitCorrection()
    if backlog.without_static and tried.static_kind != model.static_kind:
        return EmbedStatic()
    if not tier.with_model or tried.read == backlog.read:
        return Done()
    return EmbedModel(until_fit if 0 < until_fit < backlog.unread else None)


def fits_at(model: KnownModel) -> int:
    """Returns how many chunks the model must have read before a better correction can be fitted."""
    return max(model.pairs * REFIT_FACTOR, FIT_FROM)


def _is_complete(backlog: Backlog, model: KnownModel | None, tier: Tier) -> bool:
    if model is None:
        return not backlog.chunks
    is_static_enough = not tier.with_model and model.has_weights
    return not (backlog.without_static if is_static_enough else backlog.unread)


def _is_outgrown(model: KnownModel, chunks: int) -> bool:
    """Says whether nothing is known for static vectors, or only what a few of today's many chunks taught."""
    is_of_few = model.pairs < FIRST_PAIRS and chunks >= model.pairs * REFIT_FACTOR
    return not model.has_weights or is_of_few
