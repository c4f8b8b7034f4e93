"""Short plans mean what binding part by part means."""

import pytest

import dowse

TEXTS = {
    "tea": "green tea with milk, and more tea",
    "milk": "milk without tea is milk",
    "coffee": "black coffee, green cups; no milk in the coffee",
    "cups": "cups of green tea and cups of coffee: error-handling of c++ cups",
    "empty": "nothing of the kind",
}


@pytest.fixture(scope="module", params=[1, 3], ids=["one segment", "three segments"])
def index(request):
    """A few texts, one of them deleted where there are several segments."""
    with dowse.open(":memory:") as index:
        for number, (key, text) in enumerate(TEXTS.items()):
            index.add(key, text, title=key)
            if number < request.param - 1:
                index.commit()
        index.commit()
        if request.param > 1:
            index.delete("empty")
            index.commit()
        yield index


@pytest.mark.parametrize(
    "query",
    [
        "green AND tea",
        "tea AND tea AND milk",
        "green AND (tea OR coffee^2) AND NOT milk",
        "milk^0.5 AND tea^3",
        "milk^0 AND tea",
        "the AND tea",
        "the AND of",
        "tea AND NOT of",
        "tea AND NOT nowhere",
        "tea AND nowhere",
        "error-handling AND cups",
        "c++ AND coffee",
        "(tea OR milk OR cups OR coffee OR green) AND cups",
        "2 OF (green, tea, milk)",
        "1 OF (green, tea, milk, nowhere)",
        "9 OF (coffee, cups)",
        "60% OF (green, tea^2, milk, cups)",
        "2 OF (tea, tea, milk)",
        "2 OF (tea^0, green, milk)",
        "2 OF (the, green, coffee)",
        "2 OF (the, of)",
        "2 OF (c++, error-handling, cups)",
        "2 OF (gree*, tea, milk)",
        "gree*",
        "nowher*",
        "c?ps",
        "*ea",
        "/t.*|c.*/",
        "cofee~",
        "cofee~2",
        "error-handlin~",
        "sounds:koffee",
        "sounds:?!",
        '"green tea"',
        '"green cups"~2',
        '"of the kind"',
        '"tea"',
        '"nowhere tea"',
    ],
)
def test_a_short_plan_gives_the_hits_of_a_bound_one(index, query):
    """An answer that explains itself is bound part by part; hits, scores and totals are the same without."""
    plain = index.search(dowse.SearchRequest(query, fuzzy="never"))
    explained = index.search(dowse.SearchRequest(query, fuzzy="never", explain=True))
    assert [(hit.doc_key, hit.score) for hit in explained.hits] == [
        (hit.doc_key, hit.score) for hit in plain.hits
    ]
    assert [hit.snippet for hit in explained.hits] == [hit.snippet for hit in plain.hits]
    assert (explained.total, explained.problems) == (plain.total, plain.problems)


def test_some_of_several_words_are_planned_as_a_bag(index):
    """What is scored is the words themselves, not one thing made of them."""
    response = index.search(dowse.SearchRequest("2 OF (green, tea, milk)", fuzzy="never"))
    assert ["3 scored"] == [stage.note for stage in response.stages if stage.name == "plan"]


def test_a_phrase_is_one_scored_thing(index):
    """Whether it is planned as a phrase alone or bound as a part of a query that explains itself."""
    for explain in (False, True):
        response = index.search(dowse.SearchRequest('"green tea"', fuzzy="never", explain=explain))
        assert ["1 scored"] == [stage.note for stage in response.stages if stage.name == "plan"]


@pytest.mark.parametrize("explain", [False, True])
def test_a_pattern_says_when_more_terms_fit_than_are_searched_for(explain):
    """The words are in one text each; the cap counts terms, not texts."""
    with dowse.open(":memory:") as index:
        for number in range(30):
            words = [f"word{number * 50 + step}" for step in range(50)]
            index.add(f"text {number}", " ".join(words), title="-")
        index.commit()
        response = index.search(dowse.SearchRequest("word*", fuzzy="never", explain=explain))
    (problem,) = response.problems
    assert "expansion-cap" == problem.code
    assert "word* fits 1,500 terms; the 1,024 most frequent are searched" == problem.message
