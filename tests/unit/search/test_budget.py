"""An answer takes no longer than it may: what does not fit is left out and named."""

import pytest

import dowse
from dowse import SearchRequest
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.pipeline import answer
from support.fake_embedder import give_meaning

TEXTS = {"green": "green tea leaves", "black": "black tea leaves", "bus": "the bus stops here"}


class TickingClock:
    """A hundredth of a second passes each time that somebody looks."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 0.01
        return self.now_s


@pytest.fixture
def context():
    """One generation with vectors, and a clock that runs fast."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        index.commit()
        index.embed()
        found = index.answering(None).current()
        yield SearchContext(
            found.snapshot, found.analyzers, TickingClock(), found.wall_clock, found.resources
        )


def left_out(response: dowse.SearchResponse) -> list[str]:
    """Returns what there was no time for."""
    return [problem.location for problem in response.problems if problem.code == "out-of-time"]


def test_vectors_that_do_not_fit_are_left_out(context):
    """Words answer alone, the stage says why, and so does a problem."""
    response = answer(SearchRequest("tea leaves", mode="hybrid", budget_ms=1), context)
    assert {"green", "black"} == {hit.doc_key for hit in response.hits}
    assert (["semantic"], True) == (left_out(response), response.is_partial)
    assert "left out: 1 ms were used up" in [stage.note for stage in response.stages]


def test_stages_that_do_not_fit_are_left_out(context):
    """The order is that of the words, and the page is still a page."""
    request = SearchRequest("tea leaves", mode="bm25f", dedupe=True, diversify=0.2, limit=1, budget_ms=1)
    response = answer(request, context)
    assert 1 == len(response.hits)
    assert (["duplicates", "diversify"], True) == (left_out(response), response.is_partial)


def test_enough_time_changes_nothing(context):
    """The same hits as without a budget, and nothing is said."""
    request = SearchRequest("tea leaves", dedupe=True, diversify=0.2)
    bounded = SearchRequest("tea leaves", dedupe=True, diversify=0.2, budget_ms=600_000)
    free, timed = answer(request, context), answer(bounded, context)
    assert free.hits == timed.hits
    assert ([], False, False) == (left_out(timed), timed.is_partial, free.is_partial)


def test_a_cancelled_search_ends_with_what_there_is(context):
    """Nobody waits any more: nothing that can be left out is begun."""
    cancelled = context.cancelled_by(lambda: True)
    response = answer(SearchRequest("tea leaves", dedupe=True), cancelled)
    assert (["semantic", "duplicates"], True) == (left_out(response), response.is_partial)
    assert "the search was cancelled" in response.problems[0].message
    assert not answer(SearchRequest("tea leaves", dedupe=True), context).is_partial


def test_a_deadline_counts_from_when_it_is_made():
    """Without a budget there is none."""
    clock = TickingClock()
    deadline = Deadline(clock, 25)
    assert [False, False, True, True] == [deadline.has_passed() for _ in range(4)]
    assert (0.0, True) == (deadline.left_ms(), deadline.was_missed)
    assert (None, False) == (Deadline(clock).left_ms(), Deadline(clock).has_passed())
