"""Which step comes next when vectors are made."""

import pytest

from dowse.indexing.embedding_plan import (
    FEW_CHUNKS,
    FIRST_PAIRS,
    FIT_FROM,
    REFIT_FACTOR,
    Backlog,
    Done,
    EmbedModel,
    EmbedStatic,
    FitCorrection,
    Introduce,
    KnownModel,
    Restore,
    Step,
    Tier,
    Tried,
    next_step,
)

FULL = Tier(with_model=True, can_be_static=True, has_table=True)
NO_TABLE = FULL._replace(has_table=False)
STATIC_ONLY = FULL._replace(with_model=False)
SERVICE = Tier(with_model=True, can_be_static=False, has_table=False)
STATIC_SERVICE = SERVICE._replace(with_model=False)

FIRST_FIT = KnownModel(pairs=FIRST_PAIRS, has_weights=True, static_kind=0)
SECOND_FIT = KnownModel(pairs=FIT_FROM, has_weights=True, static_kind=2)
NO_WEIGHTS = KnownModel(pairs=0, has_weights=False, static_kind=0)
FIT_TO_FEW = KnownModel(pairs=3, has_weights=True, static_kind=0)

FRESH = Tried()
RESTORED = Tried(has_restored=True)
STATIC_MADE = Tried(has_restored=True, static_kind=FIRST_FIT.static_kind)

MANY = 10_000
NEW = Backlog(MANY, read=0, unread=MANY, without_static=MANY)
ALL_STATIC = Backlog(MANY, read=FIRST_PAIRS, unread=MANY - FIRST_PAIRS)
FIT_IS_DUE = Backlog(MANY, read=FIT_FROM, unread=MANY - FIT_FROM)
COMPLETE = Backlog(MANY, read=MANY)

TABLE = [
    ("an empty index", Backlog(0), None, FULL, FRESH, Done()),
    ("a model that the index has not met", Backlog(MANY), None, FULL, FRESH, Introduce(True)),
    ("few chunks are not worth a table", Backlog(FEW_CHUNKS), None, NO_TABLE, FRESH, Introduce(False)),
    ("many chunks are", Backlog(FEW_CHUNKS + 1), None, NO_TABLE, FRESH, Introduce(True)),
    (
        "few chunks without the model are",
        Backlog(1),
        None,
        NO_TABLE._replace(with_model=False),
        FRESH,
        Introduce(True),
    ),
    ("a service has no table", Backlog(MANY), None, SERVICE, FRESH, Introduce(False)),
    ("no chunk could be sampled", Backlog(MANY), None, FULL, Tried(has_introduced=True), Done()),
    ("a fit to a few of many", NEW, FIT_TO_FEW, FULL, FRESH, Introduce(True)),
    ("the same once tried", NEW, FIT_TO_FEW, FULL, Tried(has_introduced=True), Restore()),
    ("weights are missing", NEW, NO_WEIGHTS, FULL, FRESH, Introduce(True)),
    ("weights are not wanted", NEW, NO_WEIGHTS, SERVICE, FRESH, Restore()),
    ("the cache comes first", NEW, FIRST_FIT, FULL, FRESH, Restore()),
    ("then static vectors", NEW, FIRST_FIT, FULL, RESTORED, EmbedStatic()),
    ("then the model, up to the next fit", NEW, FIRST_FIT, FULL, STATIC_MADE, EmbedModel(FIT_FROM)),
    ("counted from its chunks", ALL_STATIC, FIRST_FIT, FULL, RESTORED, EmbedModel(FIT_FROM - FIRST_PAIRS)),
    ("a service reads all in one go", NEW, NO_WEIGHTS, SERVICE, RESTORED, EmbedModel(None)),
    ("a fit is due", FIT_IS_DUE, FIRST_FIT, FULL, RESTORED, FitCorrection()),
    (
        "a fit that taught nothing is not repeated",
        FIT_IS_DUE,
        FIRST_FIT,
        FULL,
        Tried(has_restored=True, fitted_after=FIRST_PAIRS),
        EmbedModel(None),
    ),
    (
        "after a fit static vectors are made again",
        FIT_IS_DUE._replace(without_static=MANY - FIT_FROM),
        SECOND_FIT,
        FULL,
        STATIC_MADE._replace(fitted_after=FIRST_PAIRS),
        EmbedStatic(),
    ),
    (
        "and the model reads up to the next one",
        FIT_IS_DUE,
        SECOND_FIT,
        FULL,
        Tried(has_restored=True, fitted_after=FIRST_PAIRS, static_kind=2),
        EmbedModel(FIT_FROM * REFIT_FACTOR - FIT_FROM),
    ),
    (
        "no fit is worth stopping for the last few",
        Backlog(600, read=500, unread=100),
        SECOND_FIT,
        FULL,
        RESTORED,
        EmbedModel(None),
    ),
    ("the model's vectors were lost", NEW, FIRST_FIT, FULL, STATIC_MADE._replace(read=0), Done()),
    ("all that was left has been read", NEW, FIRST_FIT, FULL, Tried(has_read_rest=True), Done()),
    ("every chunk has the model's vector", COMPLETE, FIRST_FIT, FULL, FRESH, Done()),
    ("static vectors alone are enough", ALL_STATIC, FIRST_FIT, STATIC_ONLY, FRESH, Done()),
    ("unless some are missing", NEW, FIRST_FIT, STATIC_ONLY, RESTORED, EmbedStatic()),
    ("which are made once", NEW, FIRST_FIT, STATIC_ONLY, STATIC_MADE, Done()),
    ("a service is read for them", NEW, NO_WEIGHTS, STATIC_SERVICE, RESTORED, EmbedModel(None)),
    ("damage is cleared first", COMPLETE._replace(has_damage=True), FIRST_FIT, FULL, FRESH, Restore()),
    ("once", COMPLETE._replace(has_damage=True), FIRST_FIT, FULL, RESTORED, Done()),
]


@pytest.mark.parametrize(
    ("backlog", "model", "tier", "tried", "expected"),
    [pytest.param(*row, id=name) for name, *row in TABLE],
)
def test_next_step(backlog: Backlog, model: KnownModel | None, tier: Tier, tried: Tried, expected: Step):
    """Each row: what there is, what the index knows, what can be made, what was tried, what comes next."""
    assert expected == next_step(backlog, model, tier, tried)


def perform(step: Step, backlog: Backlog, model: KnownModel | None) -> tuple[Backlog, KnownModel | None]:
    """A simulated index: does what a step says."""
    match step:
        case Introduce(with_table):
            pairs = min(FIRST_PAIRS, backlog.chunks) if with_table else 0
            chunks = backlog.chunks
            return Backlog(chunks, unread=chunks, without_static=chunks), KnownModel(pairs, with_table, 0)
        case FitCorrection() if model is not None:
            fitted = KnownModel(backlog.read, True, max(model.static_kind, 1) + 1)
            return backlog._replace(without_static=backlog.unread), fitted
        case EmbedStatic():
            return backlog._replace(without_static=0), model
        case EmbedModel(at_most):
            made = backlog.unread if at_most is None else min(at_most, backlog.unread)
            left = backlog.unread - made
            fewer = min(left, backlog.without_static)
            return backlog._replace(read=backlog.read + made, unread=left, without_static=fewer), model
    return backlog, model


@pytest.mark.parametrize("tier", [FULL, NO_TABLE, STATIC_ONLY, SERVICE])
@pytest.mark.parametrize("chunks", [0, 1, FIRST_PAIRS, FEW_CHUNKS + 1, MANY, 1_000_000])
def test_every_run_ends_with_the_vectors_that_were_asked_for(chunks: int, tier: Tier):
    """After at most a few dozen steps, and static vectors come before the model's own."""
    backlog, model, tried, taken = Backlog(chunks), None, Tried(), []
    while not isinstance(step := next_step(backlog, model, tier, tried), Done):
        tried = tried.after(step, backlog, model)
        backlog, model = perform(step, backlog, model)
        taken.append(type(step))
        assert len(taken) < 40
    left = backlog.unread if tier.with_model else backlog.without_static
    assert 0 == left
    if EmbedStatic in taken and EmbedModel in taken:
        assert taken.index(EmbedStatic) < taken.index(EmbedModel)


@pytest.mark.parametrize("tier", [FULL, STATIC_ONLY, SERVICE])
@pytest.mark.parametrize("model", [None, FIRST_FIT, NO_WEIGHTS])
@pytest.mark.parametrize("read", [0, FIT_FROM])
def test_a_run_whose_steps_change_nothing_ends_too(tier: Tier, model: KnownModel | None, read: int):
    """A disk that loses every vector must not keep the model reading for ever."""
    tried, taken = Tried(), 0
    backlog = NEW._replace(read=read, has_damage=True)
    while not isinstance(step := next_step(backlog, model, tier, tried), Done):
        tried = tried.after(step, backlog, model)
        taken += 1
        assert taken < 10
