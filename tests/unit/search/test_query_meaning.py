"""What a query means: words, phrases, exclusions, compounds, stop words and languages."""

from collections.abc import Iterable

import pytest

import dowse


def build(documents: dict[str, str]) -> dowse.Index:
    """An index in memory with these texts."""
    index = dowse.open(":memory:")
    for key, text in documents.items():
        index.add(key, text, title="-")
    index.commit()
    return index


def keys(index: dowse.Index, query: str, **changes: object) -> list[str]:
    """Returns the keys of all hits, in order of the alphabet."""
    return sorted({hit.doc_key for hit in index.search(dowse.SearchRequest(query, **changes)).hits})


@pytest.fixture(scope="module")
def index() -> Iterable[dowse.Index]:
    """Texts in which words stand together, apart and alone."""
    with build(
        {
            "together": "green tea is good",
            "apart": "tea that is green",
            "tea": "only tea",
            "gap": "the state of the art",
            "no gap": "state art",
            "camel": "call getUserById here",
            "snake": "call get_user_by_id here",
            "hyphen": "error-handling in parsers",
            "one word": "errorhandling in parsers",
            "words": "handling of an error",
            "other": "nothing to see",
        }
    ) as index:
        yield index


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("green", ["apart", "together"]),
        ("green tea", ["apart", "tea", "together"]),
        ("teas", ["apart", "tea", "together"]),
        ("TEA", ["apart", "tea", "together"]),
        ("zebra", []),
        ("zebra tea", ["apart", "tea", "together"]),
    ],
)
def test_bare_words_are_optional(index, query, expected):
    """Any word is enough, in any form and case."""
    assert expected == keys(index, query)


def test_more_words_rank_higher(index):
    """The text that has both comes before the one that has one."""
    ranked = [hit.doc_key for hit in index.search("green tea").hits]
    assert {"together", "apart"} == set(ranked[:2])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"green tea"', ["together"]),
        ('"tea green"', []),
        ('"Green  Teas"', ["together"]),
        ('"green tea" only', ["together"]),
        ('"state of the art"', ["gap"]),
        ('"state art"', ["no gap"]),
        ('"tea"', ["apart", "tea", "together"]),
        ('"green tea', ["together"]),
        ('"green tea" "is good"', ["together"]),
        ('"green tea" "only tea"', []),
        ('"get user by id"', ["camel", "snake"]),
        ('"error handling"', ["hyphen"]),
    ],
)
def test_phrases_are_required_words_in_order(index, query, expected):
    """Words must stand together; stop words inside count; every phrase must match."""
    assert expected == keys(index, query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tea -green", ["tea"]),
        ('tea -"green tea"', ["apart", "tea"]),
        ("handling -error-handling", ["words"]),
        ("parsers -errorhandling", []),
        ("parsers -error-handling", []),
        ("tea -zebra", ["apart", "tea", "together"]),
        ("tea -tea", []),
        ("tea - green", ["apart", "tea", "together"]),
        ("tea -!!!", ["apart", "tea", "together"]),
    ],
)
def test_a_minus_excludes(index, query, expected):
    """What has the word or phrase is no hit, however well it matches."""
    assert expected == keys(index, query)


def test_exclusions_alone_mean_everything_else(index):
    """All other chunks are hits, in the order they were added, with score 0, and can be paged."""
    response = index.search(dowse.SearchRequest("-tea -call", explain=True, limit=3))
    assert (["gap", "no gap", "hyphen"], 6) == ([hit.doc_key for hit in response.hits], response.total)
    assert {0.0} == {hit.score for hit in response.hits}
    assert {0.0} == {hit.explanation.value for hit in response.hits}
    rest = index.search(dowse.SearchRequest("-tea -call", offset=3)).hits
    assert ["one word", "words", "other"] == [hit.doc_key for hit in rest]


@pytest.mark.parametrize("query", ["", "   ", '""', "!!!", '"!!!"', "-", '-""', "-!!!"])
def test_a_query_without_words_has_no_hits(index, query):
    """It is not an error; a problem says that there is nothing to search for."""
    response = index.search(query)
    assert ((), 0) == (response.hits, response.total)
    assert "empty-query" in [problem.code for problem in response.problems]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("getUserById", ["camel", "snake"]),
        ("getuserbyid", ["camel", "snake"]),
        ("get_user_by_id", ["camel", "snake"]),
        ("user", ["camel", "snake"]),
        ("error-handling", ["hyphen", "one word", "words"]),
        ("errorhandling", ["hyphen", "one word"]),
        ("handling", ["hyphen", "words"]),
    ],
)
def test_compounds_are_found_whole_and_in_parts(index, query, expected):
    """However a name is written, its parts and the whole find it."""
    assert expected == keys(index, query)


def test_the_same_word_twice_weighs_twice(index):
    """A word typed again counts again."""
    once, twice = index.search("only").hits[0], index.search("only only").hits[0]
    assert 2 * once.score == twice.score


STOP_TEXTS = {"a": "the tea of the house", "b": "the house", "c": "the tea", "d": "the end of it"}


def folder_with(tmp_path, texts: dict[str, str]):
    """Writes texts as files."""
    for key, text in texts.items():
        (tmp_path / f"{key}.txt").write_text(text)
    return tmp_path


def found_terms(index: dowse.Index, query: str, tree: str | None = None) -> list[str]:
    """Returns the words that scored, by what explanations call them."""
    hits = index.search(dowse.SearchRequest(query, tree=tree, explain=True)).hits
    labels = {part.description.split("”")[0].strip("“") for hit in hits for part in hit.explanation.parts}
    return sorted(labels)


@pytest.mark.parametrize(
    ("mode", "query", "expected"),
    [
        ("default", "the tea", ["tea"]),
        ("default", "the", ["the"]),
        ("none", "the tea", ["tea", "the"]),
        ("tea, coffee", "the tea", ["the"]),
        ("tea,coffee", "tea", ["tea"]),
        ("auto", "the tea", ["tea"]),
        ("auto", "of tea", ["of", "tea"]),
        ("auto", "the", ["the"]),
    ],
)
def test_stop_words_count_as_the_tree_says(tmp_path, mode, query, expected):
    """None, the language's, one's own, or what nearly every chunk has; alone they always count."""
    with dowse.open(":memory:") as index:
        index.sync_folder(folder_with(tmp_path, STOP_TEXTS), stop_words=mode)
        assert expected == found_terms(index, query)


def test_stop_words_can_be_changed_without_reading(tmp_path):
    """The next search follows the new mode, though no file was read again."""
    with dowse.open(":memory:") as index:
        index.sync_folder(folder_with(tmp_path, STOP_TEXTS))
        assert ["tea"] == found_terms(index, "the tea")
        assert 0 == index.sync_folder(tmp_path, stop_words="none").bytes_read
        assert ["tea", "the"] == found_terms(index, "the tea")


def test_every_tree_has_its_stop_words(tmp_path):
    """A search in one tree follows that tree."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        folder_with(tmp_path / name, STOP_TEXTS)
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path / "one", stop_words="none")
        index.sync_folder(tmp_path / "two")
        assert 4 == index.search(dowse.SearchRequest("the tea", tree="one")).total
        assert 2 == index.search(dowse.SearchRequest("the tea", tree="two")).total


def test_a_german_tree_is_stemmed_in_german(tmp_path):
    """Häuser finds Haus there, with its own stop words; an English tree beside it stays English."""
    for name, text in {"de": "Das Haus und die Häuser", "en": "running houses"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(text, encoding="utf-8")
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path / "de", language="de")
        index.sync_folder(tmp_path / "en")
        assert ["de.txt"] == keys(index, "Hauses", tree="de")
        assert ["haus"] == found_terms(index, "das Haus", tree="de")
        assert ["en.txt"] == keys(index, "run house", tree="en")
        assert [] == keys(index, "run", tree="de")
        assert ["de.txt", "en.txt"] == keys(index, "Häusern running")
        assert ["de.txt"] == keys(index, '"die Häuser"')
        snippet = index.search("Hauses").hits[0].snippet
        marked = [snippet.text[start:end] for start, end in snippet.highlights]
        assert ["Haus", "Häuser"] == marked
