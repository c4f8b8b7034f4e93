"""Looks for numbers that answer known-item questions better than the present ones do.

Half of the questions choose, the other half prove: what is proposed is measured on questions that had no say
in it. One number is changed after the other, each to the best of a few values (coordinate ascent, one pass);
with a few hundred questions a finer search would only fit chance.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from dowse.engine.engine import Engine
from dowse.evaluation.comparing import Comparison, compare
from dowse.evaluation.configurations import Configuration
from dowse.evaluation.judged import Collection
from dowse.evaluation.metrics import Metric, get_metric
from dowse.evaluation.running import Run, run_configuration
from dowse.fusion import get_fusion_kind
from dowse.search.modes import get_mode

METRIC = get_metric("nDCG@10")
# A gain that is smaller is not worth a setting that differs from everybody's.
MIN_GAIN = 0.002
CHANCE = 0.05


class Knob(NamedTuple):
    """A number that may be turned, and the values tried."""

    name: str
    values: tuple[float, ...]

    def settings(self, value: float) -> tuple[tuple[str, float], ...]:
        """Returns the parameters that turn it; two legs share one weight."""
        if self.name == "semantic_weight":
            return (("semantic_weight", value), ("lexical_weight", round(1 - value, 6)))
        return ((self.name, value),)


FUSION_KNOBS = (Knob("semantic_weight", (0.3, 0.45, 0.6, 0.75)),)
FIELD_KNOBS = (
    Knob("boost.title", (1.0, 2.5, 4.0, 6.0)),
    Knob("boost.headings", (0.75, 1.5, 3.0, 5.0)),
    Knob("boost.path", (0.5, 1.0, 2.0, 4.0)),
)


class Proposal(Struct, frozen=True):
    """What was found.

    Attributes:
        parameters: What to set; empty when nothing better was found.
        comparison: Before and after, on the questions that did not choose.
    """

    parameters: tuple[tuple[str, float], ...]
    comparison: Comparison

    @property
    def is_worth_it(self) -> bool:
        """Whether the questions that did not choose got better answers, too, and not by chance."""
        is_better = bool(self.parameters) and self.comparison.change > MIN_GAIN
        return is_better and self.comparison.randomisation_p < CHANCE


def choose_knobs(base: Configuration) -> tuple[Knob, ...]:
    """Returns what can be turned in a way to search: the weights of its legs, if it has any, and boosts."""
    kind = get_fusion_kind(base.build_request("question", tree="", limit=1).fusion)
    known = {parameter.name for parameter in kind.parameters} if get_mode(base.mode).fuses else set()
    return (*(knob for knob in FUSION_KNOBS if knob.name in known), *FIELD_KNOBS)


def count_runs(knobs: Sequence[Knob]) -> int:
    """Returns how many runs tuning takes: the base, every value, and two that prove."""
    return 3 + sum(len(knob.values) for knob in knobs)


def mean_over_kinds(run: Run, metric: Metric) -> float:
    """Returns the mean of the means of the kinds of questions: many titles must not outvote few links."""
    kinds = run.collection.categories
    return sum(run.mean(metric, kind) for kind in kinds) / len(kinds)


def tune(
    index: Engine,
    collection: Collection,
    base: Configuration,
    knobs: Sequence[Knob],
    on_run: Callable[[int], None] = lambda done: None,
) -> Proposal:
    """Returns numbers that answer the questions of a collection better, and the proof.

    Args:
        base: The present way to search.
        on_run: Hears how many runs are done; the last two are the proof.
    """
    choosing = replace(collection, queries=collection.queries[::2])
    proving = replace(collection, queries=collection.queries[1::2])
    runs = 0

    def ask(questions: Collection, configuration: Configuration) -> Run:
        nonlocal runs
        run = run_configuration(index, questions, configuration, remembers=True, depth=METRIC.depth)
        runs += 1
        on_run(runs)
        return run

    def score(configuration: Configuration) -> float:
        return mean_over_kinds(ask(choosing, configuration), METRIC)

    best, best_score = base, score(base)
    for knob in knobs:
        tried = [_turn(best, knob, value) for value in knob.values]
        scores = [score(configuration) for configuration in tried]
        place = max(range(len(tried)), key=lambda number: scores[number])
        if scores[place] > best_score + MIN_GAIN:
            best, best_score = tried[place], scores[place]
    before, after = (ask(proving, one) for one in (base, best))
    turned = tuple(item for item in best.parameters if item not in base.parameters)
    return Proposal(turned, compare(before, after, METRIC))


def _turn(configuration: Configuration, knob: Knob, value: float) -> Configuration:
    changed = dict(configuration.parameters) | dict(knob.settings(value))
    return replace(configuration, name="proposed", parameters=tuple(changed.items()))
