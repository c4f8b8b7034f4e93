"""Questions made of texts, and weights found with them."""

import pytest

import dowse
from dowse.errors import InvalidParameterError
from dowse.evaluation import Configuration, parse_configuration
from dowse.evaluation.known_items import build_known_items
from dowse.evaluation.tuning import FIELD_KNOBS, FUSION_KNOBS, Knob, choose_knobs, count_runs, tune

GUIDE = """\
# The garden guide

See [how to sow](notes/sow.md), [this site](https://x.org) and [[dig|digging deep]].
"""
SOWING = """\
# Sowing beans

## When to sow them

In May.

## See also

[back](../guide.md#top)
"""
DIGGING = """\
# Digging holes

## See also

![a picture](sow.png) [this page](dig.md)
"""
PAGES = {"guide.md": GUIDE, "notes/sow.md": SOWING, "dig.md": DIGGING}


@pytest.fixture
def index():
    """An index of three pages that link to each other."""
    with dowse.open(":memory:") as opened:
        for key, text in PAGES.items():
            opened.add(key, text, path=key, format="markdown", tree="garden")
        opened.commit()
        yield opened


def test_known_items_are_links_headings_and_titles(index: dowse.Index):
    """What names one document; not pictures, links to elsewhere or itself, single words, headings of two."""
    collection = build_known_items(index, "garden")
    assert [
        ("link", "digging deep", {"dig.md": 1}),
        ("link", "how to sow", {"notes/sow.md": 1}),
        ("heading", "When to sow them", {"notes/sow.md": 1}),
        ("title", "Digging holes", {"dig.md": 1}),
        ("title", "The garden guide", {"guide.md": 1}),
        ("title", "Sowing beans", {"notes/sow.md": 1}),
    ] == sorted(
        ((query.category, query.text, query.grades) for query in collection.queries),
        key=lambda row: (["link", "heading", "title"].index(row[0]), next(iter(row[2]))),
    )


def test_no_more_of_a_kind_than_asked_for(index: dowse.Index):
    """And always the same ones."""
    collection = build_known_items(index, "garden", limit=1)
    assert ["link", "heading", "title"] == [query.category for query in collection.queries]
    assert collection.queries == build_known_items(index, "garden", limit=1).queries


@pytest.mark.parametrize("limit", [0, -5])
def test_no_questions_are_no_limit(index: dowse.Index, limit: int):
    """The legal range is told."""
    with pytest.raises(InvalidParameterError, match=f"limit cannot be {limit}"):
        build_known_items(index, "garden", limit)


def test_a_tree_without_names_cannot_be_tuned():
    """It is said, and nothing is proposed from nothing."""
    with dowse.open(":memory:") as opened:
        opened.add("a", "word", tree="bare")
        opened.commit()
        with pytest.raises(InvalidParameterError, match="the tree cannot be bare"):
            build_known_items(opened, "bare")


def test_tuning_finds_the_weight_that_helps_and_proves_it():
    """Documents that are found by titles alone: a title boost of 0 is turned up."""
    with dowse.open(":memory:") as opened:
        for number in range(60):
            name = f"topic{number} matter{number}"
            opened.add(f"right{number}", "nothing of it here", title=name.title(), tree="t")
            opened.add(f"wrong{number}", f"{name} {name} {name}", title="Misc", tree="t")
        opened.commit()
        collection = build_known_items(opened, "t")
        base = Configuration("base", parameters=(("boost.title", 0.01),))
        runs: list[int] = []
        proposal = tune(opened, collection, base, (Knob("boost.title", (0.01, 50.0)),), runs.append)
    assert (("boost.title", 50.0),) == proposal.parameters
    assert proposal.is_worth_it
    assert proposal.comparison.change > 0.1
    assert [1, 2, 3, 4, 5] == runs
    assert 5 == count_runs((Knob("boost.title", (0.01, 50.0)),))
    asked = {row.query.key for row in proposal.comparison.differences}
    assert {query.key for query in collection.queries[1::2]} == asked


def test_tuning_asks_for_no_more_than_its_measure_looks_at(index: dowse.Index):
    """A search by meaning takes five times as long for a hundred documents, and nobody reads them."""
    limits = []
    search = index.search
    index.search = lambda request: limits.append(request.limit) or search(request)
    tune(index, build_known_items(index, "garden"), Configuration("base"), FIELD_KNOBS[:1])
    assert {30} == set(limits)


def test_nothing_is_proposed_where_nothing_helps(index: dowse.Index):
    """The comparison is there all the same: no change."""
    proposal = tune(index, build_known_items(index, "garden"), Configuration("base"), FIELD_KNOBS[:1])
    assert ((), False, 0.0) == (proposal.parameters, proposal.is_worth_it, proposal.comparison.change)


def test_weights_of_legs_share_one_knob():
    """More meaning is less of the words; without legs, or a fusion of weights, there is no such knob."""
    assert (("semantic_weight", 0.3), ("lexical_weight", 0.7)) == Knob("semantic_weight", ()).settings(0.3)
    assert choose_knobs(Configuration("x", "bm25f")) == FIELD_KNOBS
    assert choose_knobs(parse_configuration("hybrid:fusion=two_lists")) == FIELD_KNOBS
    assert choose_knobs(parse_configuration("hybrid:fusion=rrf")) == (*FUSION_KNOBS, *FIELD_KNOBS)
    assert count_runs(FIELD_KNOBS) == 15
