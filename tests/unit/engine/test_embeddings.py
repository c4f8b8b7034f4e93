"""Vectors of an index: made, kept, replaced, searched, lost and made again."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import dowse
from dowse import SearchRequest
from dowse.embedding import EmbeddingSettings, Runtime
from dowse.engine.embeddings import EmbeddingListener, EmbeddingTier
from dowse.errors import ConfigError, ModeUnavailableError
from dowse.fusion import FUSIONS
from dowse.schema import Coverage
from support.fake_embedder import SAME, FakeEmbedder, give_meaning
from support.open_trees import only_tree, tree_folder

TEXTS = {
    "car": "the car stands in the garage",
    "cat": "a cat sleeps on the roof",
    "tea": "green tea is steeped in water",
    "bus": "the bus comes every ten minutes",
}

MEANING_COUNTS = {"fusion": "linear", "parameters": (("lexical_weight", 0.0), ("semantic_weight", 1.0))}
"""Words only find; nothing but the guarantee for exact matches speaks for them."""


@pytest.fixture
def index():
    """An index in memory with four texts and a fake embedder."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        index.commit()
        yield index


def keys(response: dowse.SearchResponse) -> list[str]:
    """Returns the documents of the hits."""
    return [hit.doc_key for hit in response.hits]


def test_without_vectors_words_answer(index):
    """The default mode needs none; modes that do say so."""
    assert ["tea"] == keys(index.search("steeped"))
    assert index.coverage() is None
    for mode in ("semantic", "hybrid"):
        with pytest.raises(ModeUnavailableError, match="vectors"):
            index.search(SearchRequest("steeped", mode=mode))


def test_meaning_finds_what_words_do_not(index):
    """A question in other words finds its answer; the words alone find nothing."""
    assert Coverage(4, 0, 4) == index.embed()
    assert [] == keys(index.search(SearchRequest("automobile", mode="bm25f", fuzzy="never")))
    for mode in ("auto", "hybrid", "semantic"):
        assert "car" == keys(index.search(SearchRequest("automobile", mode=mode)))[0]


def test_a_response_says_how_many_chunks_have_vectors(index):
    """New chunks have none until the next call; searches go on meanwhile."""
    index.embed()
    index.add("new", "a vehicle without vectors", title="new")
    index.commit()
    response = index.search("automobile")
    assert Coverage(5, 0, 4) == response.coverage
    assert "new" not in keys(response)
    assert Coverage(5, 0, 5) == index.embed()
    assert "new" in keys(index.search("automobile"))


def test_a_chunk_without_a_vector_is_not_taken_for_unlike_the_question(index):
    """Its words say what is to be expected of its meaning; the explanation says so, and adds up."""
    index.embed()
    index.add("new", "the garage has a new door", title="new")
    index.commit()
    response = index.search(SearchRequest("garage door", mode="hybrid", explain=True))
    assert "new" == keys(response)[0]
    for hit in response.hits:
        assert hit.score == hit.explanation.value
        assert ("without a vector" in str(hit.explanation)) == (hit.doc_key == "new")


def test_few_vectors_count_for_little(index):
    """The weight of meaning falls with the root of the share of chunks that have a vector."""

    def weight() -> float:
        (hit, *_) = index.search(SearchRequest("automobile", mode="hybrid", explain=True)).hits
        (semantic,) = hit.explanation.parts
        return semantic.parts[0].value

    index.embed()
    full = weight()
    for number in range(12):
        index.add(f"note{number}", "a note about boats", title="note")
    index.commit()
    assert full / 2 == pytest.approx(weight())


def test_only_what_is_new_is_embedded(index):
    """Unchanged chunks keep their vectors; a text that comes back is found in the cache."""
    fake = index.embeddings.get_embedder()
    index.embed()
    before = fake.embedded
    index.embed()
    assert before == fake.embedded
    index.delete("car")
    index.commit()
    index.add("car", TEXTS["car"], title="car")
    index.commit()
    assert Coverage(4, 0, 4) == index.embed()
    assert before == fake.embedded


def test_a_text_is_read_once(index):
    """Also one of those that a new model reads first, to get to know its space."""
    fake = index.embeddings.get_embedder()
    assert (Coverage(4, 0, 4), 4) == (index.embed(), fake.embedded)


def test_a_deleted_chunk_is_not_found_by_meaning(index):
    """Its vector no longer counts, at once."""
    index.embed()
    index.delete("car")
    index.commit()
    assert "car" not in keys(index.search("automobile"))


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_filters_hold_for_meaning_too(index, mode):
    """Tree, filters, exclusions and whatever was written on purpose restrict both legs."""
    index.add("car", TEXTS["car"], title="car", tree="garage", tags=["own"])
    index.commit()
    index.embed()
    found = index.search(SearchRequest("automobile", tree="garage", mode=mode))
    assert {"garage"} == {hit.tree for hit in found.hits}
    found = index.search(SearchRequest("automobile tag:own", mode=mode))
    assert [("garage", "car")] == [(hit.tree, hit.doc_key) for hit in found.hits]
    assert "car" not in keys(index.search(SearchRequest("automobile -garage", mode=mode)))
    assert ["tea"] == keys(index.search(SearchRequest("green AND tea", mode=mode)))
    assert ["tea"] == keys(index.search(SearchRequest('automobile "green tea"', mode=mode)))
    for phrase in ('"tea green"', '"tea green"^2', 'water "tea green"', '"tea green" OR nothing'):
        assert [] == keys(index.search(SearchRequest(phrase, mode=mode, fuzzy="never")))


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("query", ['automobile "!!!"', 'automobile -"..."'])
def test_punctuation_in_quotes_demands_nothing(index, query, mode):
    """Nothing is left of it; meaning finds what it finds without it."""
    index.embed()
    assert "car" == keys(index.search(SearchRequest(query, mode=mode, fuzzy="never")))[0]


def test_an_exact_match_stays_first(index):
    """What has the very words is not pushed down by what only means the same."""
    for number in range(5):
        index.add(f"like{number}", "automobile automobile automobile garage", title="x")
    index.add("exact", "where stands the car nobody knows, not in any garage at all", title="y")
    index.commit()
    index.embed()
    hits = index.search(SearchRequest("stands the car", mode="hybrid")).hits
    assert {"car", "exact"} == {hit.doc_key for hit in hits[:2]}


@pytest.mark.parametrize(
    "asked",
    [
        {"query": "stands the car", "default_operator": "all"},
        {"query": "stands the car", "default_operator": "any"},
        {"query": "stands AND the AND car"},
        {"query": "stands the car", "fuzzy": "always"},
        {"query": "stands the car", "synonyms": dowse.parse_synonyms("stands, is parked")[0]},
        {"query": "nothing else", "also": ("stands the car",)},
    ],
)
def test_an_exact_match_stays_first_however_words_are_read(index, asked):
    """What must match, and what was added to the query, changes nothing about what was typed."""
    for number in range(5):
        index.add(f"like{number}", f"the car {'automobile ' * 30} stands", title="x")
    index.add("exact", "birds, bees, plums, pears, stands the car, salt, bread, snow", title="y")
    index.commit()
    index.embed()
    found = keys(index.search(SearchRequest(**asked, mode="hybrid", **MEANING_COUNTS)))
    assert found.index("exact") < found.index("like0")


def test_a_phrase_among_synonyms_demands_nothing_of_meaning(index):
    """Nobody wrote it; with or without it, meaning finds what has none of the words."""
    index.embed()
    rules, _ = dowse.parse_synonyms("tea, hot drink")
    for asked in ({}, {"synonyms": rules}):
        for mode in ("hybrid", "semantic"):
            found = index.search(SearchRequest("tea automobile", mode=mode, fuzzy="never", **asked))
            assert set(TEXTS) == set(keys(found))
    wider = index.search(SearchRequest("tea", mode="hybrid", expand="prf", synonyms=rules))
    assert "what must match" not in str(wider.problems)
    strict = index.search(SearchRequest("green tea", mode="hybrid", default_operator="all", synonyms=rules))
    assert ["tea"] == keys(strict)


def test_a_quotation_in_a_sentence_demands_nothing_of_meaning(index):
    """Beside a few words a phrase is meant as one; in a question people quote."""
    index.embed()
    for query, expected in (
        ('automobile "tea green" stands somewhere', set()),
        ('where does the automobile stand that "tea green" came with', set(TEXTS)),
    ):
        found = index.search(SearchRequest(query, mode="hybrid", fuzzy="never"))
        assert expected == set(keys(found))


IDENTIFIERS = ("E_LOCKED", "getLocked", "be.locked", "LOCKED-7", "7.0.0.locked", "unlocked")


@pytest.mark.parametrize("name", IDENTIFIERS)
@pytest.mark.parametrize("query", ["{}", "why {} when a process stops"])
def test_a_rare_name_is_not_pushed_down_by_meaning(index, monkeypatch, name, query):
    """The one chunk that has it stays before those that have its parts, and mean what it means."""
    if name == "unlocked" and query != "{}":
        pytest.skip("a plain word is a name only when it stands alone")
    monkeypatch.setitem(SAME, name.lower(), "locked")
    for number in range(60):
        index.add(f"other{number}", f"the {number}th of sixty diary entries, about nothing", title="diary")
    for number in range(5):
        index.add(f"like{number}", "locked", title="-")
    text = f"birds and bees and plums and pears and salt and bread and {name} and snow and wind and rain"
    index.add("name", text, title="notes")
    index.commit()
    index.embed()
    assert "name" == keys(index.search(SearchRequest(query.format(name), mode="hybrid", limit=50)))[0]


def add_common_words(index):
    """Adds more documents that have the words of “stands the car” than a leg brings, about something else."""
    for number in range(130):
        index.add(f"often{number}", "wind " * 40, title="the car stands")


def test_an_exact_match_that_many_precede_by_words_is_found_all_the_same(index):
    """It is not among the best by words, and comes before what is only near."""
    add_common_words(index)
    for number in range(5):
        index.add(f"like{number}", "automobile " * 30, title="x")
    index.add("exact", "stands the car " + "snow " * 60, title="y")
    index.commit()
    index.embed()
    found = keys(index.search(SearchRequest("stands the car", mode="hybrid", limit=20, **MEANING_COUNTS)))
    assert "like0" in found
    assert found.index("exact") < found.index("like0")


def test_an_exact_match_is_none_where_the_query_leaves_it_out(index):
    """It has the words, and not all that is demanded."""
    add_common_words(index)
    index.add("exact", "stands the car " + "snow " * 60, title="forbidden")
    index.commit()
    index.embed()
    request = SearchRequest("stands the car -title:forbidden", mode="hybrid", limit=20, **MEANING_COUNTS)
    assert "exact" not in keys(index.search(request))


def test_a_title_of_one_word_is_an_exact_match(index):
    """What is called so stays before what only means the same; a word in a longer title does not count."""
    for number in range(20):
        index.add(f"like{number}", "automobile automobile", title="vehicle")
    index.add("Automobile", "nothing else is known about it", title="Automobile")
    index.add("club", "they meet on Mondays", title="the automobile club")
    index.commit()
    index.embed()
    found = keys(index.search(SearchRequest("Automobile", mode="hybrid", limit=50)))
    assert "Automobile" == found[0]
    assert found.index("club") > found.index("like0")


@pytest.mark.parametrize("mode", ["auto", "hybrid", "semantic"])
def test_signs_alone_mean_nothing(index, mode):
    """A question mark finds nothing, as the answer says; beside a hypothesis it does no harm."""
    index.embed()
    response = index.search(SearchRequest("?", mode=mode))
    assert ([], ["empty-query"]) == (keys(response), [problem.code for problem in response.problems])
    assert "car" == keys(index.search(SearchRequest("?", mode=mode, hypothesis="automobile")))[0]


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_an_explanation_adds_up_to_the_score(index, mode):
    """For every hit, by whichever leg it came."""
    index.embed()
    hits = index.search(SearchRequest("green automobile", mode=mode, explain=True)).hits
    assert len(hits) > 1
    assert [hit.score for hit in hits] == [hit.explanation.value for hit in hits]


def test_pages_fit_together(index):
    """Two pages of two are one page of four."""
    index.embed()
    whole = keys(index.search(SearchRequest("the car", mode="hybrid", limit=4)))
    pages = [keys(index.search(SearchRequest("the car", mode="hybrid", limit=2, offset=at))) for at in (0, 2)]
    assert whole == pages[0] + pages[1]


PAGED = [
    {"mode": "semantic"},
    {"mode": "hybrid"},
    *({"mode": "hybrid", "fusion": kind.name} for kind in FUSIONS),
    {"mode": "hybrid", "dedupe": True},
    {"mode": "semantic", "dedupe": True},
    {"mode": "hybrid", "diversify": 0.5},
]


@pytest.mark.parametrize("changes", PAGED, ids=str)
def test_all_pages_are_cut_from_one_ranking(changes, monkeypatch):
    """However long a page is, and however deep: no hit is shown twice, none is passed over, scores fall."""
    monkeypatch.setattr("dowse.search.legs.fused_ranking.POOL", 12)
    monkeypatch.setattr("dowse.search.stages.duplicates.DEPTH", 12)
    monkeypatch.setattr("dowse.search.stages.diversify.DEPTH", 12)
    with dowse.open(":memory:") as index:
        fill(index, many_texts(160), 3)
        for number in range(4):
            index.add(f"twin{number}", "report car tea water", title="twin")
        index.commit()
        index.embed()
        index.add("new", "report without a vector", title="new")
        index.commit()

        def page(offset: int, limit: int) -> list[tuple[int, str, float]]:
            request = SearchRequest("report automobile", offset=offset, limit=limit, explain=True, **changes)
            hits = index.search(request).hits
            assert [hit.score for hit in hits] == [hit.explanation.value for hit in hits]
            return [(hit.rank, hit.doc_key, hit.score) for hit in hits]

        whole = page(0, 500)
        for size in (1, 7, 40):
            found = [hit for offset in range(0, 170, size) for hit in page(offset, size)]
            assert whole == found
        scores = [score for _, _, score in whole]
        assert sorted(scores, reverse=True) == scores
        assert len(whole) == len({key for _, key, _ in whole}) > 140


def test_a_changed_model_starts_anew(index):
    """Vectors of another model are not compared with this one's questions."""
    index.embed()
    give_meaning(index, FakeEmbedder("2"))
    with pytest.raises(ModeUnavailableError, match="model as it is now"):
        index.search(SearchRequest("automobile", mode="hybrid"))
    assert [] == keys(index.search(SearchRequest("automobile", fuzzy="never")))
    assert "by the model as it was before" in index.status().no_vectors
    assert Coverage(4, 0, 4) == index.embed()
    assert "car" == keys(index.search("automobile"))[0]
    assert "" == index.status().no_vectors


def test_threads_that_ask_at_once_load_one_model(monkeypatch):
    """The first loads it, the others wait for it."""
    loaded, has_company = [], threading.Event()

    def load(settings, surroundings):
        loaded.append(FakeEmbedder())
        has_company.wait(0.1)  # long enough for the others to come
        return loaded[-1]

    monkeypatch.setattr("dowse.engine.embeddings.load_embedder", load)
    meaning = EmbeddingTier(EmbeddingSettings(), Runtime(lambda: 0.0, lambda _: None), None)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: meaning.get_embedder(), range(4)))
    assert (1, 1) == (len(loaded), len(set(map(id, found))))


def test_a_model_that_is_changed_back_has_its_vectors_again(tmp_path: Path):
    """Those that it made before it was changed: nothing is read anew, and a sweep keeps them."""
    with dowse.open(tmp_path / "home") as index:
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        for version in ("1", "2"):
            give_meaning(index, FakeEmbedder(version))
            index.commit()
            index.embed()
    with dowse.open(tmp_path / "home") as index:
        fake = give_meaning(index, FakeEmbedder("1"))
        assert "car" == keys(index.search(SearchRequest("automobile", mode="hybrid")))[0]
        assert "" == index.status().no_vectors
        index.sweep(removes_other_models=True)
        assert (Coverage(4, 0, 4), 0) == (index.embed(), fake.embedded)


def test_vectors_by_another_model_are_told(tmp_path: Path):
    """Words answer, and say whose vectors there are; nobody has to guess why meaning is off."""
    expected = "the vectors are by fake, and the chosen model is other"
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        index.add("tea", TEXTS["tea"], title="tea")
        index.commit()
        index.embed()
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index, FakeEmbedder("2")).name = "other"
        response = index.search("steeped")
        assert (["tea"], [expected]) == (keys(response), [one.message for one in response.problems])
        assert index.status().no_vectors.startswith(expected)
        index.embed()
        assert () == index.search("steeped").problems


def test_a_text_that_comes_back_has_its_vector_at_once(index):
    """From the cache, without the model."""
    fake = index.embeddings.get_embedder()
    index.embed()
    before = fake.embedded
    index.delete("car")
    index.commit()
    index.add("car", TEXTS["car"], title="car")
    index.add("new", "nobody has read this", title="new")
    index.commit()
    assert 1 == index.restore_vectors()
    assert (Coverage(5, 0, 4), before) == (index.coverage(), fake.embedded)
    assert 0 == index.restore_vectors()


def test_a_sweep_forgets_vectors_of_texts_that_are_gone(tmp_path: Path):
    """Those of chunks that stay are kept, and so are other models' until they are to go."""
    with dowse.open(tmp_path / "home") as index:
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        for version in ("1", "2"):
            give_meaning(index, FakeEmbedder(version)).name = f"fake{version}"
            index.commit()
            index.embed()
        index.delete("car")
        index.commit()

        def kept() -> tuple[int, int]:
            catalog = only_tree(index).generations.current().catalog
            ((embeddings,),) = only_tree(index).store.shared.fetch("SELECT count(*) FROM vectors")
            (rows,) = catalog.fetch_one("SELECT sum(rows) FROM vector_segments")
            return embeddings, rows

        assert (8, 8) == kept()
        report = index.sweep()
        assert (2, ("fake1",)) == (report.vectors, report.other_models)
        assert (6, 6) == kept()
        report = index.sweep(removes_other_models=True)
        assert (3, ()) == (report.vectors, report.other_models)
        assert (3, 3) == kept()
        assert Coverage(3, 0, 3) == index.coverage()
        for key in TEXTS:
            index.delete(key)
        index.commit()
        assert 3 == index.sweep().vectors
        assert (0, None) == kept()


def test_a_wrong_configuration_leaves_the_words(tmp_path: Path):
    """The default mode answers and names the option; modes that need meaning, and embedding, refuse."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        index.add("tea", TEXTS["tea"], title="tea")
        index.commit()
        index.embed()
    wrong = ConfigError(place="config.toml:2", message="embedding.url is not set", hint="set it")
    settings = EmbeddingSettings(kind="http", model="another", error=wrong)
    with dowse.open(tmp_path / "home", embedding=settings) as index:
        found = index.search("steeped")
        assert ["tea"] == keys(found)
        assert [("no-meaning", wrong.message, "set it")] == [
            (problem.code, problem.message, problem.hint) for problem in found.problems
        ]
        for ask in (lambda: index.search(SearchRequest("tea", mode="hybrid")), index.embed):
            with pytest.raises(ConfigError, match=r"embedding\.url is not set"):
                ask()
        assert "config.toml:2: embedding.url is not set; set it" == index.status().no_vectors


def test_vectors_outlive_the_process(tmp_path: Path):
    """They are there when the index is opened again, after merging and sweeping too."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        for number in range(12):
            index.add(f"{number}", f"word{number} car", title=f"{number}")
            index.commit()
            index.embed()
        index.optimize()
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        assert Coverage(12, 0, 12) == index.coverage()
        assert 12 == len(index.search(SearchRequest("automobile", mode="semantic", limit=20)).hits)
    folders = list((tree_folder(tmp_path / "home") / "vectors").iterdir())
    assert 1 <= len(folders) <= 9


def test_a_stopped_run_keeps_what_it_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The next run goes on from there."""
    monkeypatch.setattr("dowse.indexing.embedding_plan.FIRST_PAIRS", 1)
    monkeypatch.setattr("dowse.indexing.vector_indexing.MODEL_BATCH", 2)

    def stop(done: int, total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with dowse.open(tmp_path / "home") as index:
        fake = give_meaning(index)
        for number in range(10):
            index.add(f"{number}", f"word{number}", title=f"{number}")
        index.commit()
        with pytest.raises(KeyboardInterrupt):
            index.embed(EmbeddingListener(stop, stop, stop))
        assert 5 == index.coverage().model
        before = fake.embedded
        assert Coverage(10, 0, 10) == index.embed()
        assert 5 == fake.embedded - before


def damage(home: Path) -> None:
    """Changes one byte in a file of vectors."""
    (folder,) = (tree_folder(home) / "vectors").iterdir()
    path = max(folder.iterdir(), key=lambda file: file.stat().st_size)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.fixture
def damaged_home(tmp_path: Path) -> Path:
    """An index with damaged vectors."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        index.commit()
        index.embed()
    damage(tmp_path / "home")
    return tmp_path / "home"


def test_damaged_vectors_are_passed_over_and_made_again(damaged_home: Path):
    """Words go on answering; the next run makes the vectors anew, the model's from its cache."""
    with dowse.open(damaged_home) as index:
        fake = give_meaning(index)
        response = index.search("steeped")
        assert (["tea"], ["damaged-vectors"]) == (keys(response), [one.code for one in response.problems])
        assert Coverage(4, 0, 0) == index.coverage()
        assert Coverage(4, 0, 4) == index.embed()
        assert 0 == fake.embedded
        assert "car" == keys(index.search("automobile"))[0]


def test_the_doctor_mends_damaged_vectors(damaged_home: Path):
    """A repair takes them from the cache, and all is as before; the model reads nothing."""
    with dowse.open(damaged_home) as index:
        fake = give_meaning(index)
        report = index.check()
        assert ["damaged-vectors"] == [finding.code for finding in report.findings]
        assert index.check(repair=True).is_healthy
        assert () == index.check().findings
        assert (Coverage(4, 0, 4), 0) == (index.coverage(), fake.embedded)
        assert "car" == keys(index.search("automobile"))[0]


def many_texts(count: int) -> dict[str, str]:
    """Returns texts that all have one word in common, and a few others each."""
    others = ("car", "cat", "tea", "bus", "roof", "water", "green", "garage")
    return {
        f"d{number:04}": f"report {others[number % 8]} {others[number // 8 % 8]} w{number % 50} n{number}"
        for number in range(count)
    }


def fill(index, texts: dict[str, str], parts: int) -> None:
    """Adds texts and their vectors in some commits."""
    give_meaning(index)
    items = list(texts.items())
    for part in range(parts):
        for key, text in items[part * len(items) // parts : (part + 1) * len(items) // parts]:
            index.add(key, text, title=key)
        index.commit()
        index.embed()


def spread_of(index, question: str) -> tuple[float, float] | None:
    """Returns the mean and deviation of the cosines of a question."""
    index.search(question)
    vectors = only_tree(index).vectors.find(only_tree(index).generations.current())
    (vector,) = index.embeddings.get_embedder().embed_queries([question])
    return vectors.spread(vectors.prepare(vector))


def test_the_spread_is_that_of_all_vectors_that_count():
    """Mean and deviation by the long way; deleted chunks and vectors of older texts are left out."""
    texts = many_texts(60)
    with dowse.open(":memory:") as index:
        fill(index, texts, 2)
        for key in list(texts)[:20]:
            index.delete(key)
            del texts[key]
        index.add("d0030", "a cat and tea", title="d0030")
        texts["d0030"] = "a cat and tea"
        index.commit()
        index.embed()
        fake = index.embeddings.get_embedder()
        vectors = fake.embed_passages([f"{key}\n{text}" for key, text in texts.items()])
        cosines = vectors @ fake.embed_queries(["green tea"])[0]
        assert pytest.approx((cosines.mean(), cosines.std()), abs=1e-3) == spread_of(index, "green tea")


def test_the_average_vector_does_not_depend_on_segments():
    """It is that of the vectors as they were made, however many the space was first made from."""
    texts = many_texts(60)
    for parts in (1, 3):
        with dowse.open(":memory:") as index:
            fill(index, texts, parts)
            index.search("tea")
            passages = [f"{key}\n{text}" for key, text in texts.items()]
            made = index.embeddings.get_embedder().embed_passages(passages)
            vectors = only_tree(index).vectors.find(only_tree(index).generations.current())
            assert np.allclose(vectors.model.space.rotate(made.mean(axis=0)), vectors.average, atol=1e-3)


def test_too_few_or_equal_vectors_have_no_spread():
    """Fusion then scales what was found, as it does without one."""
    for texts in (many_texts(15), dict.fromkeys(many_texts(40), "the same")):
        with dowse.open(":memory:") as index:
            give_meaning(index)
            for key, text in texts.items():
                index.add(key, text, title="one")
            index.commit()
            index.embed()
            assert spread_of(index, "tea") is None
            assert index.search("same report").hits


def test_segments_of_vectors_change_no_ranking():
    """The same chunks, embedded in one go or in four, have nearly the same hybrid scores.

    Not quite: the middle of the space is that of the first bundle.
    """
    answers = []
    for parts in (1, 4):
        with dowse.open(":memory:") as index:
            fill(index, many_texts(2100), parts)
            found = index.search(SearchRequest("report kitten w7", mode="hybrid", limit=50))
            answers.append([(hit.doc_key, hit.score) for hit in found.hits])
    first, second = map(dict, answers)
    assert first.keys() == second.keys()
    assert all(abs(score - second[key]) < 1e-3 for key, score in first.items())


def test_the_size_of_the_pool_decides_no_order(monkeypatch):
    """A chunk has the same score whether each leg brings the first 40 or all."""
    with dowse.open(":memory:") as index:
        fill(index, many_texts(400), 1)
        request = SearchRequest("report automobile", mode="hybrid", limit=20)
        few, all_of_them = [], []
        for pool, answer in ((40, few), (400, all_of_them)):
            monkeypatch.setattr("dowse.search.legs.fused_ranking.POOL", pool)
            answer += index.search(request).hits
    scores = {hit.doc_key: hit.score for hit in all_of_them}
    assert 10 <= len([hit for hit in few if hit.doc_key in scores])
    assert all(abs(hit.score - scores[hit.doc_key]) < 1e-9 for hit in few if hit.doc_key in scores)


def test_pages_of_a_hybrid_answer_do_not_repeat_hits():
    """All pages that one pool can fill are cut from one ranking."""
    with dowse.open(":memory:") as index:
        fill(index, many_texts(400), 1)
        seen = [
            hit.doc_key
            for offset in range(0, 120, 30)
            for hit in index.search(
                SearchRequest("report automobile", mode="hybrid", limit=30, offset=offset)
            ).hits
        ]
    assert 120 == len(seen) == len(set(seen))
