"""Where a document stands in an answer by meaning: the search's own rank and score, or what lost it."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import dowse
from dowse.fusion import FUSIONS
from dowse.schema.document_explanation import REASONS
from dowse.search.legs.fused_ranking import POOL
from dowse.storage.live_vectors import LiveVectors
from dowse.storage.vectors import EXACT
from support.fake_embedder import give_meaning

WORDS = ("road", "wheel", "lamp", "door", "rain", "boat", "tree", "stone", "bread", "river")
COUNT = 400


def build_text(number: int) -> str:
    """Returns a text of some words; the first ones of all are about cars, or say "road", or both."""
    mixed = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in range(1, 4))
    car = "car " if number % 3 == 0 else ""
    return f"{car}{mixed} item{number % 7} thing{number}"


@pytest.fixture(scope="module")
def index() -> Iterable[dowse.Index]:
    """More texts than words and meaning bring, a document of two chunks, and one without a vector."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for number in range(COUNT):
            index.add(f"n{number}", build_text(number), title=f"n{number}", tree="notes")
        index.add("far", "green tea is steeped in water", title="far", tree="notes", tags=["drink"])
        index.add("two", "# Red\n\nred apples\n\n# Car\n\nthe car in a garage\n", tree="notes")
        index.commit()
        index.embed()
        index.add("new", "pears and plums", title="new", tree="notes")
        index.add("other", "a car", title="other", tree="others")
        index.commit()
        yield index


REQUESTS = [
    *(dowse.SearchRequest("automobile road", mode="hybrid", fusion=kind.name) for kind in FUSIONS),
    dowse.SearchRequest("automobile road"),
    dowse.SearchRequest("automobile road", mode="semantic"),
    dowse.SearchRequest("automobile road", scan="exact"),
    dowse.SearchRequest("road", hypothesis="a vehicle in the rain"),
    dowse.SearchRequest("", hypothesis="a vehicle in the rain"),
    dowse.SearchRequest("road wheel", mode="hybrid", parameters=(("feedback", 0.0),)),
    dowse.SearchRequest("automobil raod"),
    dowse.SearchRequest('wheel "car road"'),
    dowse.SearchRequest("automobile -road"),
    dowse.SearchRequest("boat AND road"),
    dowse.SearchRequest("roa*"),
    dowse.SearchRequest("-road"),
    dowse.SearchRequest("road", offset=5),
    dowse.SearchRequest("road", limit=130),
]


@pytest.mark.parametrize("request_", REQUESTS)
def test_a_hit_is_explained_as_the_search_shows_it(index, request_):
    """The same chunk, rank, score and explanation; and what is no hit of the page is said to be none."""
    request = replace(request_, tree="notes", explain=True)
    best: dict[str, dowse.Hit] = {}
    for hit in index.search(request).hits:
        best.setdefault(hit.doc_key, hit)
    assert best
    for doc_key in ["far", "two", "new", *best, *(f"n{number}" for number in range(0, COUNT, 37))]:
        standing = index.explain(request, doc_key)
        assert standing.outcome.reason in dict(REASONS)
        if standing.outcome.reason != "before-the-page":
            assert (doc_key in best) == standing.is_shown
        if standing.is_shown:
            assert best[doc_key] == standing.hit
            assert standing.hit.score == standing.hit.explanation.value


@pytest.mark.parametrize(
    "request_",
    [
        dowse.SearchRequest("automobile road"),
        dowse.SearchRequest("automobile road", mode="semantic"),
        dowse.SearchRequest("boat wheel tree car", mode="hybrid", fusion="rrf"),
        dowse.SearchRequest("boat wheel tree car", mode="hybrid", fusion="linear"),
    ],
)
def test_the_page_that_is_suggested_shows_the_document_as_it_was_explained(index, request_):
    """However deep it is: a longer page makes words and meaning bring more, which may change its rank."""
    request = replace(request_, tree="notes", explain=True)
    reasons = set()
    for doc_key in ["far", *(f"n{number}" for number in range(0, COUNT, 11))]:
        standing = index.explain(request, doc_key)
        reasons.add(standing.outcome.reason)
        if not standing.is_shown:
            (suggestion,) = standing.outcome.suggestions
            limit = int(suggestion.removeprefix("ask for limit "))
            hits = index.search(replace(request, limit=limit)).hits
            assert standing.hit == next(hit for hit in hits if hit.doc_key == doc_key)
            assert standing.outcome.rank == standing.hit.rank
    assert {"shown", "below-the-page", "not-among-the-best"} == reasons


def test_what_is_not_among_the_best_is_told_its_place_on_each_side(index):
    """Its cosine and how many are nearer, its score by words and how many come before, or what it lacks."""
    request = dowse.SearchRequest("automobile road", tree="notes", mode="hybrid")
    everything = replace(request, limit=1000, mode="semantic", scan="exact", explain=False)
    nearest = {hit.doc_key: hit for hit in index.search(everything).hits}
    standing = index.explain(request, "far")
    best, meaning, words, deeper = standing.outcome.sentences
    assert f"the best {POOL} by meaning and by words were looked at, and it is not among them" == best
    far = nearest["far"]
    place = f"a cosine of {far.score:.3f}, and {far.rank - 1} chunks are nearer"
    assert f"by meaning: its nearest chunk has {place}" == meaning
    assert "by words: it has none of the words “automobile”, “road”" == words
    assert f"it is hit {standing.hit.rank}, with a score of {standing.hit.score:.3f}" in deeper


def test_what_words_have_far_down_is_told_its_score_by_words(index):
    """As the words rank it beside meaning, best chunk first."""
    request = dowse.SearchRequest("wheel tree stone car", tree="notes", mode="hybrid")
    told = [
        sentence
        for number in range(COUNT)
        for sentence in index.explain(request, f"n{number}").outcome.sentences
        if sentence.startswith("by words: its best chunk has a score of ")
    ]
    assert told
    assert all(sentence.endswith(" chunks come before it") for sentence in told)


def test_meaning_alone_does_not_ask_for_words(index):
    """In mode semantic there is one side."""
    request = dowse.SearchRequest("automobile road", tree="notes", mode="semantic")
    best, meaning, _ = index.explain(request, "far").outcome.sentences
    assert f"the best {POOL} by meaning were looked at, and it is not among them" == best
    assert meaning.startswith("by meaning: ")


@pytest.mark.parametrize(
    ("query", "doc_key", "reason", "sentence", "suggestion"),
    [
        ("automobile", "no.md", "not-indexed", "does not have it", ""),
        ("automobile", "other", "other-tree", "it is in the tree “others”", "search the tree “others”"),
        ("automobile -water", "far", "excluded", "it has water, which the query", "leave out -water"),
        ("automobile -water -tea", "far", "excluded", "it has tea", "leave out -tea"),
        ("automobile ext:pdf", "far", "filtered", "ext:pdf leaves it out", "leave out ext:pdf"),
        ("apples -red", "two", "excluded", "it has red, which the query excludes", "leave out -red"),
        ("road tag:drink", "n0", "filtered", "tag:drink leaves it out", "leave out tag:drink"),
        ('automobile "tea green"', "far", "not-matched", "the phrase", 'ask for "tea green"~'),
        ("green AND sugar", "far", "not-matched", "it does not have the word sugar", ""),
        ("title:water", "far", "not-matched", "the word water in its title", "leave the field out"),
        ("sugar*", "far", "not-matched", "no word of it fits sugar*", ""),
        ("-tea", "far", "excluded", "it has tea, which the query excludes", "leave out -tea"),
    ],
)
def test_each_step_that_loses_a_document_says_so(index, query, doc_key, reason, sentence, suggestion):
    """What the query demands is demanded of meaning as well."""
    request = dowse.SearchRequest(query, tree="notes", mode="hybrid", fuzzy="never")
    standing = index.explain(request, doc_key)
    missing = standing.outcome
    assert (reason, None, None) == (missing.reason, missing.rank, standing.hit)
    assert sentence in " ".join(missing.sentences)
    assert suggestion in " ".join(missing.suggestions)


@pytest.mark.parametrize(("mode", "query"), [("hybrid", ""), ("semantic", "sugar*"), ("semantic", "-tea")])
def test_a_query_that_asks_for_nothing_says_so(index, mode, query):
    """Neither words to search for nor a question to understand."""
    missing = index.explain(dowse.SearchRequest(query, tree="notes", mode=mode), "far").outcome
    found = index.search(dowse.SearchRequest(query, tree="notes", mode=mode)).hits
    assert ("no-words", ()) == (missing.reason, found)


@pytest.mark.parametrize(
    ("mode", "sentences"),
    [
        ("semantic", ()),
        ("hybrid", ("by words: it does not have the word automobile",)),
    ],
)
def test_a_document_without_a_vector_says_so(index, mode, sentences):
    """Meaning has never looked at it, and no words bring it."""
    standing = index.explain(dowse.SearchRequest("automobile", tree="notes", mode=mode), "new")
    assert (None, "no-vector") == (standing.hit, standing.outcome.reason)
    assert ("no chunk of it that may answer has a vector yet", *sentences) == standing.outcome.sentences
    assert ("make-vectors",) == standing.outcome.suggestions


def test_a_document_without_a_vector_is_a_hit_by_its_words(index):
    """Its meaning is guessed, as the search does."""
    standing = index.explain(dowse.SearchRequest("plums", tree="notes", mode="hybrid"), "new")
    assert "shown" == standing.outcome.reason
    assert "without a vector" in str(standing.hit.explanation)


def test_what_a_scan_passed_over_is_said_to_be(index, monkeypatch):
    """Near enough, but the rough look did not see it: a closer one would."""
    request = dowse.SearchRequest("green tea", tree="notes", mode="semantic")
    search, far = LiveVectors.search, _find_key(index, "far")

    def search_roughly(self, query, k, masks, mode):
        near = search(self, query, k, masks, mode)
        if mode is EXACT:
            return near
        kept = [place for place, key in enumerate(near.keys) if key != far]
        columns = ([column[place] for place in kept] for column in near[:4])
        return type(near)(*columns, near.located)

    monkeypatch.setattr(LiveVectors, "search", search_roughly)
    missing = index.explain(request, "far").outcome
    assert "not-among-the-best" == missing.reason
    assert "the fast scan passed it over" in missing.sentences
    assert ("ask for scan exact",) == missing.suggestions
    assert "shown" == index.explain(replace(request, scan="exact"), "far").outcome.reason


def test_a_vector_that_the_model_did_not_make_is_said_to_be_rough(index, monkeypatch):
    """The model's own may be nearer: it is worth having it made."""
    monkeypatch.setattr(LiveVectors, "find_unread", lambda self, keys: list(keys))
    missing = index.explain(dowse.SearchRequest("automobile road", tree="notes"), "far").outcome
    assert "its vector is a rough one: the model has not read it yet" in missing.sentences
    assert "make-vectors" in missing.suggestions


def _find_key(index: dowse.Index, doc_key: str) -> int:
    sql = "SELECT first_key FROM documents WHERE doc_key = ?"
    return int(index.answering("notes").current().snapshot.catalog.fetch_one(sql, (doc_key,))[0])


def test_the_question_is_embedded_once(index, monkeypatch):
    """Pages of several lengths are looked at for one question; a service would be asked for each."""
    fake, asked = index.embeddings.get_embedder(), []
    embed = fake.embed_queries
    monkeypatch.setattr(fake, "embed_queries", lambda texts: asked.append(texts) or embed(texts))
    standing = index.explain(dowse.SearchRequest("automobile road", tree="notes", mode="hybrid"), "far")
    assert ("not-among-the-best", [["automobile road"]]) == (standing.outcome.reason, asked)


PARTS = ("tea", "car", "road", "sugar", '"green tea"', '"tea green"', '"!!!"', "wat*", "tag:drink")


@settings(max_examples=25, deadline=None)
@given(
    st.recursive(
        st.sampled_from(PARTS),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} AND {pair[1]})"),
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} OR {pair[1]})"),
            st.tuples(inner, inner).map(lambda pair: f"{pair[0]} {pair[1]}"),
            inner.map(lambda text: f"automobile NOT {text}"),
        ),
        max_leaves=4,
    ),
    st.sampled_from(("hybrid", "semantic")),
)
def test_a_document_is_a_hit_or_has_a_reason(index, query, mode):
    """For any query, a document is shown exactly when the explanation says so; no vector is denied."""
    request = dowse.SearchRequest(query, tree="notes", mode=mode, explain=True)
    shown = {}
    for hit in index.search(request).hits:
        shown.setdefault(hit.doc_key, hit)
    for doc_key in ("far", "two", "n7", "n30"):
        standing = index.explain(request, doc_key)
        assert shown.get(doc_key) == (standing.hit if standing.is_shown else None)
        assert standing.outcome.reason in dict(REASONS)
        assert standing.outcome.reason != "no-vector"
