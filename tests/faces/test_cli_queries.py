"""Asking the real command line in other ways than the default one."""

from cli_shell import Outcome, Shell


def keys(outcome: Outcome) -> list[str]:
    """Returns the keys of all hits in order."""
    hits = outcome.json["hits"]
    assert isinstance(hits, list)
    return [hit["doc_key"] for hit in hits]


def test_modes_read_the_query_their_way(indexed: Shell) -> None:
    """The same words as a phrase, as an exact text, as prefixes."""
    assert ["guide/potato.md"] == keys(indexed.run("need water", "--mode=phrase", "--param=slop=1", "--json"))
    assert ["guide/tomato.md"] == keys(indexed.run("ery morn", "--mode", "exact", "--json"))
    assert {"guide/tomato.md"} == set(keys(indexed.run("morn", "--mode", "prefix", "--json")))


def test_all_asks_for_every_word(indexed: Shell) -> None:
    """Most of the words find two files, all of them one."""
    assert 2 < len(keys(indexed.run("ground water", "--json")))
    assert ["guide/potato.md"] == keys(indexed.run("ground water", "--all", "--json"))


def test_several_queries_are_one_question(indexed: Shell) -> None:
    """Hits of any query answer."""
    answer = indexed.run("sun", "--also", "beans", "--json")
    assert {"guide/tomato.md", "notes/index.txt"} == set(keys(answer))


def test_similar_words_are_flagged(indexed: Shell) -> None:
    """Nothing has the word as typed: similar ones are shown, and what was likely meant."""
    outcome = indexed.run("potattoes")
    assert outcome.stdout.startswith("guide/potato.md")
    assert "nothing matches as typed; showing similar words\ndid you mean: potatoes?\n" in outcome.stderr
    answer = indexed.run("potattoes", "--json").json
    assert (True, "potatoes") == (answer["is_fuzzy"], answer["suggestion"])


def test_no_fuzzy_finds_what_is_typed_only(indexed: Shell) -> None:
    """Neither similar words nor a guess."""
    outcome = indexed.run("potattoes", "--no-fuzzy")
    assert (1, "") == (outcome.status, outcome.stdout)
    assert "did you mean" not in outcome.stderr


def test_json_tells_what_was_asked(indexed: Shell) -> None:
    """Every part of the request that changes the answer."""
    answer = indexed.run("sun", "--model", "bm25l", "--param", "k1=1", "--field", "body", "--json").json
    expected = {
        **{"also": [], "tree": "garden", "under": "", "limit": 10, "offset": 0, "mode": "auto"},
        **{"preset": "default", "model": "bm25l", "parameters": [["k1", 1.0]], "fields": ["body"]},
        **{"default_operator": "ranked", "fuzzy": "auto", "synonyms": []},
        **{"strict": False, "fusion": "calibrated"},
        **{"expand": "none", "dedupe": False, "diversify": None, "rerank": False, "rerank_ms": 3000},
        **{"scan": "fast", "hypothesis": "", "query": "sun", "budget_ms": None},
        **{"explain": False, "query_tree": False, "snippets": True},
    }
    assert expected == answer["request"]


def test_query_tree_shows_how_a_query_was_read(indexed: Shell) -> None:
    """On stderr for people, as lines for programs."""
    outcome = indexed.run("sun -noon", "--query-tree")
    assert "most of\n  word “sun”\n  not\n    word “noon”\n" in outcome.stderr
    answer = indexed.run("sun -noon", "--query-tree", "--json").json
    assert ["most of", "  word “sun”", "  not", "    word “noon”"] == answer["query_tree"]
    assert [] == indexed.run("sun", "--json").json["query_tree"]


def test_strict_refuses_what_is_not_well_formed(indexed: Shell) -> None:
    """With the place of the mistake; without --strict it is a problem beside the answer."""
    refused = indexed.run('sun "noon', "--strict")
    assert (2, "") == (refused.status, refused.stdout)
    assert '  sun "noon\n      ^' in refused.stderr
    assert "problem: character 4" in indexed.run('sun "noon').stderr


def test_unknown_names_and_numbers_cost_no_indexing(shell: Shell) -> None:
    """What nobody knows is refused with what there is, before a file is read."""
    for words, message in (
        (["--mode", "fuzy"], "did you mean “fuzzy”?"),
        (["--model", "bm25z"], "nearest: bm25"),
        (["--field", "titel"], "nearest: title"),
        (["--param", "k9=1"], "did you mean “k1”?"),
        (["--param", "k1=99"], "legal values are 0 to 20"),
    ):
        outcome = shell.run("sun", *words)
        assert (2, "") == (outcome.status, outcome.stdout)
        assert message in outcome.stderr
    assert not shell.home.exists()


def test_problems_of_a_query_are_all_in_its_answer(indexed: Shell) -> None:
    """The status of the index knows nothing of them."""
    words = ("title: " * 8 + "sun", "--keyword")
    told = indexed.run(*words).stderr
    assert (5, True) == (told.count("problem: character"), "and 3 more problems: --json shows all\n" in told)
    problems = indexed.run(*words, "--json").json["problems"]
    assert isinstance(problems, list)
    assert 8 == len(problems)


def test_modes_that_need_more_say_so(indexed: Shell) -> None:
    """A mode whose index is not there yet is refused, not faked."""
    outcome = indexed.run("sun", "--mode", "semantic")
    assert 2 == outcome.status
    assert "needs vectors" in outcome.stderr


def test_words_that_mean_the_same_are_found(shell: Shell) -> None:
    """A file of synonyms widens the query; its mistakes are named, and stop nothing."""
    (shell.folder / "same.txt").write_text("zucchetto, plants\nalone\n")
    outcome = shell.run("zucchetto", "--synonyms", str(shell.folder / "same.txt"), "--json")
    assert 0 == outcome.status
    rules = [("zucchetto", ["plants"]), ("plants", ["zucchetto"])]
    expected = [{"words": words, "synonyms": synonyms} for words, synonyms in rules]
    assert expected == outcome.json["request"]["synonyms"]
    assert "same.txt: line 2: expected" in outcome.stderr
    missing = shell.run("plants", "--synonyms", "nowhere.txt")
    assert (2, "") == (missing.status, missing.stdout)
    assert "the file of synonyms cannot be nowhere.txt" in missing.stderr
