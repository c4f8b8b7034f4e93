"""Every fusion keeps the promises of `fusion`: a row in FUSIONS joins by itself."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.fusion import (
    DEFAULT_FUSION,
    FUSIONS,
    Fused,
    Fusion,
    Legs,
    Part,
    ScoreDistribution,
    build_fusion,
    keep_exact_first,
    rrf,
    summing,
    two_lists,
)
from dowse.schema import SearchRequest

LEG_NAMES = ("lexical", "semantic")
QUERIES = ("how to brew tea", "parse_query", "the guide to tea", "")


NUMBERS = st.sampled_from(("default", "low", "high"))


def build(kind: type[Fusion], numbers: str) -> Fusion:
    """Returns a fusion with all its numbers at their default, lowest or highest value."""
    return build_fusion(kind.name, {one.name: getattr(one, numbers) for one in kind.parameters})


every_kind = pytest.mark.parametrize("kind", FUSIONS, ids=lambda kind: kind.name)

KEYS = st.integers(0, 12)
# Few different scores, so that ties are common; large and tiny ones, so that rounding is.
SCORES = st.one_of(st.integers(-3, 6).map(float), st.floats(-1e6, 1e6), st.sampled_from([1e90, 1e-90]))
RANKED = st.lists(st.tuples(KEYS, SCORES), max_size=7, unique_by=lambda hit: hit[0])
DISTRIBUTIONS = st.none() | st.builds(ScoreDistribution, st.floats(-1, 1), st.floats(1e-3, 1))


def build_legs(lexical: list, semantic: list, query: str, semantic_scores: ScoreDistribution | None) -> Legs:
    """Returns legs of two names."""
    found = {"lexical": dict(lexical), "semantic": dict(semantic)}
    return Legs(found, query, {} if semantic_scores is None else {"semantic": semantic_scores})


LEGS = st.builds(build_legs, RANKED, RANKED, st.sampled_from(QUERIES), DISTRIBUTIONS)


def keys(fused: list[Fused]) -> list[int]:
    """Returns the order."""
    return [item.key for item in fused]


def place(legs: Legs, key: int) -> tuple[float, ...]:
    """Returns what each leg says of a key; below everything when it says nothing."""
    return tuple(legs.get(name).get(key, -math.inf) for name in LEG_NAMES)


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS)
def test_every_key_comes_out_once_best_first(kind: type[Fusion], numbers: str, legs: Legs):
    """Nothing is lost, nothing is added, scores are finite and do not rise."""
    fused = build(kind, numbers).fuse(legs)
    assert sorted({key for scores in legs.found.values() for key in scores}) == sorted(keys(fused))
    scores = [item.score for item in fused]
    assert all(map(math.isfinite, scores))
    assert sorted(scores, reverse=True) == scores


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS)
def test_the_top_hit_is_that_of_the_ranking(kind: type[Fusion], numbers: str, legs: Legs):
    """The first and its distance to the second are those of `fuse`, ties included; a lone one leads none."""
    fusion = build(kind, numbers)
    fused, top = fusion.fuse(legs), fusion.find_top_hit(legs)
    assert (top is None) == (len(fused) < 2)
    if top is not None:
        assert (fused[0].key, fused[0].score - fused[1].score) == top


@every_kind
@settings(max_examples=10, deadline=None)
@given(numbers=NUMBERS, legs=LEGS)
def test_a_leg_that_is_not_needed_changes_nothing(kind: type[Fusion], numbers: str, legs: Legs):
    """What `needs_semantic` lets a search leave out decides nothing about what the words found."""
    fusion, lexical = build(kind, numbers), legs.get("lexical")
    if not fusion.needs_semantic(lexical.values()):
        without, whole = fusion.fuse(Legs({"lexical": lexical}, legs.query)), fusion.fuse(legs)
        assert {item.key: item.score for item in without} == {
            item.key: item.score for item in whole if item.key in lexical
        }
    assert 0.0 <= fusion.feedback <= 1.0


@every_kind
def test_a_third_leg_takes_part(kind: type[Fusion]):
    """Fusions take as many legs as there are, by name; what only the third found comes out too."""
    legs = Legs({"lexical": {1: 3.0, 2: 1.0}, "semantic": {2: 0.9, 1: 0.2}, "neighbours": {3: 1.0}})
    assert {1, 2, 3} == set(keys(kind().fuse(legs)))


@every_kind
@pytest.mark.parametrize("name", LEG_NAMES)
@settings(max_examples=10, deadline=None)
@given(numbers=NUMBERS, leg=RANKED, query=st.sampled_from(QUERIES))
def test_a_leg_alone_keeps_its_order(kind: type[Fusion], numbers: str, name: str, leg: list, query: str):
    """Where there is nothing to fuse, fusing changes nothing; equal scores go by key."""
    fused = build(kind, numbers).fuse(Legs({name: dict(leg)}, query))
    assert [key for key, _ in sorted(leg, key=lambda item: (-item[1], item[0]))] == keys(fused)


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS, seed=st.randoms(use_true_random=False))
def test_the_order_of_the_input_decides_nothing(kind: type[Fusion], numbers: str, legs: Legs, seed):
    """Legs given in another order, ties included, give the same answer."""
    shuffled = {
        name: dict(seed.sample(list(scores.items()), len(scores))) for name, scores in legs.found.items()
    }
    first, second = (
        [(item.key, item.score, item.explain()) for item in build(kind, numbers).fuse(one)]
        for one in (legs, replace(legs, found=shuffled))
    )
    assert first == second


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS)
def test_what_is_better_everywhere_is_never_behind(kind: type[Fusion], numbers: str, legs: Legs):
    """Monotone: at least as good in every leg means before it, or equal and by key."""
    ordered = keys(build(kind, numbers).fuse(legs))
    for later, key in enumerate(ordered):
        for other in ordered[:later]:
            mine, theirs = place(legs, key), place(legs, other)
            assert not (mine != theirs and all(a >= b for a, b in zip(mine, theirs, strict=True)))
            assert mine != theirs or other < key


@pytest.mark.parametrize("name", ["calibrated", "linear", "rrf"])
@settings(max_examples=60, deadline=None)
@given(legs=LEGS, leg=st.sampled_from(LEG_NAMES), which=st.integers(0, 7), by=st.floats(0.01, 20))
def test_rising_in_a_leg_never_costs_a_place(name: str, legs: Legs, leg: str, which: int, by: float):
    """With fixed weights, a chunk whose score in one leg rises does not fall in the answer."""
    hits = list(legs.get(leg).items())
    if not hits or max(abs(score) for _, score in hits) > 1e7:
        return
    key, score = hits[which % len(hits)]
    risen = {**legs.found, leg: {**legs.get(leg), key: score + by}}
    fusion = build_fusion(name)
    before = keys(fusion.fuse(legs)).index(key)
    assert keys(fusion.fuse(replace(legs, found=risen))).index(key) <= before


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS)
def test_explanations_add_up(kind: type[Fusion], numbers: str, legs: Legs):
    """The explanation's value is the score, and the sum of its parts, exactly."""
    for item in build(kind, numbers).fuse(legs):
        explanation = item.explain()
        assert item.score == explanation.value
        total = 0.0
        for part in explanation.parts:
            total += part.value
        assert item.score == total


@every_kind
def test_parts_are_made_when_they_are_asked_for(kind: type[Fusion], monkeypatch: pytest.MonkeyPatch):
    """Of hundreds that are fused, a page is explained: fusing makes no part of any."""
    made = []
    for module in (summing, rrf, two_lists):
        monkeypatch.setattr(module, "Part", lambda *given: made.append(given) or Part(*given))
    legs = build_legs([(1, 2.0), (2, 1.0)], [(2, 0.5), (3, 0.2)], "", ScoreDistribution(0.1, 0.1))
    fused = kind().fuse(legs)
    assert [] == made
    assert len(fused[0].parts) == len(made) > 0


@every_kind
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, legs=LEGS, exact=st.sets(KEYS))
def test_meaning_does_not_push_exact_down(kind: type[Fusion], numbers: str, legs: Legs, exact: set[int]):
    """Only a better score by words keeps anything above an exact match; the rest keeps its order."""
    fused = build(kind, numbers).fuse(legs)
    lexical = legs.get("lexical")
    kept = keep_exact_first(fused, exact, lexical)
    assert sorted(keys(fused)) == sorted(keys(kept))
    for later, item in enumerate(kept):
        for before in kept[:later]:
            assert before.score >= item.score
            if item.key in exact and before.key not in exact:
                assert lexical.get(before.key, -math.inf) > lexical.get(item.key, -math.inf)
    for score in {lexical.get(key) for key in exact}:
        alike = [key for key in keys(fused) if key in exact and lexical.get(key) == score]
        assert alike == [key for key in keys(kept) if key in alike]
    outside = [key for key in keys(fused) if key not in exact]
    assert outside == [key for key in keys(kept) if key not in exact]
    assert all(item.explain().value == item.score for item in kept)


@every_kind
def test_nothing_to_fuse_gives_nothing(kind: type[Fusion]):
    """Empty legs are an answer: none."""
    assert [] == kind().fuse(Legs())


@every_kind
def test_numbers_out_of_range_are_refused(kind: type[Fusion]):
    """The error has the value and the legal range."""
    for parameter in kind.parameters:
        for value in (parameter.low - 0.01, parameter.high + 0.01, math.nan, math.inf):
            with pytest.raises(InvalidParameterError) as caught:
                build_fusion(kind.name, {parameter.name: value})
            assert parameter.name == caught.value.details["name"]
            assert caught.value.hint.startswith("legal values are ")


# Words with a clear winner or without one; a flat tail of meaning; a name, and a question.
FLAT = [(2, 1.0), *((key, 0.9) for key in range(3, 12)), (12, 0.0)]
TELLING = [
    build_legs(lexical, FLAT, query, ScoreDistribution(0.5, 0.1))
    for lexical in ([(1, 60.0), (2, 1.0), (3, 0.5)], [(1, 1.5), (2, 1.0), (3, 0.5)])
    for query in ("parse_query", "how to brew tea")
]


def answers(name: str, numbers: dict[str, float]) -> list[list[tuple[int, float]]] | None:
    """Returns what a fusion makes of the telling legs; None when it refuses the numbers."""
    try:
        fusion = build_fusion(name, numbers)
    except InvalidParameterError:
        return None
    return [[(item.key, item.score) for item in fusion.fuse(legs)] for legs in TELLING]


@every_kind
def test_every_number_changes_something(kind: type[Fusion]):
    """A number that nothing listens to may not be set; to feedback those listen who bring the legs."""
    usual = answers(kind.name, {})
    for parameter in kind.parameters:
        if parameter.name != "feedback":
            ends = [answers(kind.name, {parameter.name: end}) for end in (parameter.low, parameter.high)]
            assert [] != [end for end in ends if end not in (None, usual)], parameter.name


@every_kind
def test_defaults_are_those_of_the_table(kind: type[Fusion]):
    """What the reference says a number is by default is what it is."""
    fusion = kind()
    assert {one.name: one.default for one in kind.parameters} == {
        one.name: getattr(fusion, one.name) for one in kind.parameters
    }
    assert kind.purpose


@pytest.mark.parametrize("name", LEG_NAMES)
@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 1e101])
def test_scores_that_are_none_are_refused(name: str, score: float):
    """NaN and infinity have no place in an order; the error names the leg."""
    with pytest.raises(InvalidParameterError, match=name):
        Legs({name: {1: 2.0, 2: score}})


@pytest.mark.parametrize("numbers", [(0.5, 0.0), (0.5, -1.0), (math.nan, 1.0)])
def test_distributions_that_are_none_are_refused(numbers: tuple[float, float]):
    """Nothing can be measured in deviations of nothing."""
    with pytest.raises(InvalidParameterError, match="distribution"):
        Legs({"semantic": {1: 0.5}}, distributions={"semantic": ScoreDistribution(*numbers)})


def test_unknown_names_are_refused_with_the_nearest():
    """So for numbers that a fusion does not have."""
    with pytest.raises(UnknownModelError) as caught:
        build_fusion("liner")
    assert caught.value.hint.endswith("nearest: linear")
    with pytest.raises(InvalidParameterError, match="k1 cannot be"):
        build_fusion("rrf", {"k1": 1.0})


def test_names_are_unique_and_the_default_is_one_of_them():
    """The first row is the default."""
    names = [kind.name for kind in FUSIONS]
    assert len(set(names)) == len(names)
    assert DEFAULT_FUSION == names[0] == SearchRequest("q").fusion
