"""Words that mean the same."""

import pytest

import dowse
from dowse.planning.synonyms import add_synonyms, parse_synonyms
from dowse.query import parse_query, unparse_node

RULES = """
# drinks
tea, Chaï, green brew
laptop => notebook
New York, NYC
"""


def test_rules_are_read_and_folded_once():
    """Commas go both ways, arrows one; letter case, accents and white space do not count."""
    rules, problems = parse_synonyms(RULES)
    assert () == problems
    meanings = {rule.words: rule.synonyms for rule in rules}
    assert ("chai", "green brew") == meanings["tea"]
    assert ("tea", "green brew") == meanings["chai"]
    assert ("notebook",) == meanings["laptop"]
    assert "notebook" not in meanings
    assert ("nyc",) == meanings["new york"]


@pytest.mark.parametrize("line", ["alone", "=> x", "x =>", ",", "a =>"])
def test_lines_that_are_no_rules_are_named(line):
    """A mistake costs its line only."""
    rules, problems = parse_synonyms(f"a, b\n{line}")
    assert {"a", "b"} == {rule.words for rule in rules}
    assert ["line 2"] == [problem.location for problem in problems]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("TEA", 'TEA OR chai^0.8 OR "green brew"^0.8'),
        ("notebook", "notebook"),
        ("hot tea", 'hot (tea OR chai^0.8 OR "green brew"^0.8)'),
        ("new york hotel", "((new AND york) OR nyc^0.8) hotel"),
        ("york new", "york new"),
        ("new AND york", "((new AND york) OR nyc^0.8)"),
        ('"tea"', '"tea"'),
        ("cup -tea", "cup -tea"),
        ("title:laptop", "title:(laptop OR notebook^0.8)"),
        ("NEAR(laptop, bag, 3)", "NEAR((laptop OR notebook^0.8), bag, 3)"),
    ],
)
def test_a_query_asks_for_what_its_words_mean(query, expected):
    """Single words and words side by side; phrases and exclusions stay as they are."""
    rules, _ = parse_synonyms(RULES)
    changed = add_synonyms(parse_query(query).root, rules)
    assert unparse_node(parse_query(expected).root) == unparse_node(parse_query(unparse_node(changed)).root)


def test_searches_find_synonyms_below_the_word_itself():
    """Both are found; the word that was typed comes first."""
    rules, _ = parse_synonyms(RULES)
    with dowse.open(":memory:") as index:
        for key, text in {"a": "hot chai", "b": "hot tea", "c": "the city of NYC", "d": "cold"}.items():
            index.add(key, text, title="-")
        index.commit()

        def keys(query: str) -> list[str]:
            request = dowse.SearchRequest(query, synonyms=rules)
            return [hit.doc_key for hit in index.search(request).hits]

        assert ["b", "a"] == keys("tea")
        assert ["c"] == keys("new york")
