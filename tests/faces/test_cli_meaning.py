"""Search by meaning from the command line: vectors after indexing, coverage, models, and what goes wrong.

The model is real: an installed one's graph with a vocabulary of a few hundred tokens, so that its table of
tokens takes a second. What its vectors mean is tested elsewhere (`tests/unit/embedding`, `dowse eval`).
"""

import shutil
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from cli_shell import PAGES, Shell, write_pages

from dowse.embedding import DEFAULT_MODEL
from support.embedding_service import Answer, running_service, well_behaved
from support.small_model import make_export


class MeaningShell(Shell):
    """A shell in which vectors are made."""

    def __init__(self, folder: Path, home: Path, cache: Path) -> None:
        super().__init__(folder, home)
        self.environment |= {"DOWSE_EMBEDDING_KIND": "onnx", "DOWSE_CACHE": str(cache)}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all tests: what a model's first run leaves behind."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model."""
    return make_export(tmp_path_factory.mktemp("models") / "few-words")


@pytest.fixture
def bare(tmp_path: Path, cache: Path) -> MeaningShell:
    """Five files, no index, and no model chosen but the default one."""
    write_pages(tmp_path / "garden", PAGES)
    return MeaningShell(tmp_path / "garden", tmp_path / "home", cache)


@pytest.fixture
def garden(bare: MeaningShell, export: Path) -> MeaningShell:
    """Five files, the small model added and chosen, and no index yet."""
    text = f'[embedding]\nfolders = ["{export}"]\nmodel = "few-words"\n'
    Path(bare.environment["DOWSE_CONFIG"]).write_text(text)
    return bare


def vectors_of(shell: Shell) -> dict[str, object]:
    """Returns what the status says of vectors."""
    value = shell.run("status", "--json").json
    return {name: value[name] for name in ("coverage", "embedding_model", "no_vectors")}


def test_index_makes_vectors_and_says_so(garden: MeaningShell) -> None:
    """Rough ones first when asked for only those, the model's own by default; status knows both."""
    rough = garden.run("index", ".", "--static-only")
    assert (0, True) == (rough.status, "vectors: 100 % static, few-words" in rough.stderr)
    coverage = vectors_of(garden)["coverage"]
    assert isinstance(coverage, dict)
    assert (coverage["chunks"], 0) == (coverage["static"], coverage["model"])
    full = garden.run("index", ".", "--threads", "1")
    assert (0, True) == (full.status, "vectors: all by the model, few-words" in full.stderr)
    assert "vectors    all by the model, few-words" in garden.run("status").stdout
    assert "vectors" not in garden.run("index", ".").stderr


def test_a_model_that_is_changed_makes_its_vectors_anew(garden: MeaningShell) -> None:
    """Words answer until it has, and say why; when it is changed back, the vectors of before are used."""
    garden.run("index", ".")
    changed = {"DOWSE_EMBEDDING_MAX_TOKENS": "32"}
    assert "needs vectors of the model as it is now" in garden.run("water", **changed).stderr
    assert "vectors: all by the model, few-words" in garden.run("index", ".", **changed).stderr
    for variables in (changed, {}):
        found = garden.run("water", "--json", **variables)
        assert ([], False) == (found.json["problems"], found.json["coverage"] is None)
        assert "vectors" not in garden.run("index", ".", **variables).stderr


def test_a_cache_that_cannot_be_written_to_is_named_and_stops_nothing(garden: MeaningShell) -> None:
    """The index is not blamed for it, and has its vectors."""
    in_the_way = garden.folder / "README.md"
    done = garden.run("index", ".", "--static-only", DOWSE_CACHE=str(in_the_way))
    assert (0, True) == (done.status, "vectors: 100 % static, few-words" in done.stderr)
    assert 1 == done.stderr.count(f"could not be kept in {in_the_way}")


def test_without_vectors_words_answer_and_the_flags_say_what_is_missing(garden: MeaningShell) -> None:
    """--no-vectors makes none; the default mode does without, --semantic and --hybrid cannot."""
    assert "vectors" not in garden.run("index", ".", "--no-vectors").stderr
    found = garden.run("water", "--json")
    assert (0, None) == (found.status, found.json["coverage"])
    assert "none yet; make-vectors" == vectors_of(garden)["no_vectors"]
    for flag in ("--semantic", "--hybrid"):
        refused = garden.run("water", ".", flag)
        assert (2, True) == (refused.status, "dowse index" in refused.stderr)


def test_flags_of_a_search(garden: MeaningShell) -> None:
    """Each flag is short for a mode; an answer by meaning has its coverage, one by words has none."""
    garden.run("index", ".")
    for flags, mode in ((["--semantic"], "semantic"), (["--hybrid", "--fusion", "rrf"], "hybrid")):
        answer = garden.run("water the plants", "--json", *flags).json
        assert mode == answer["request"]["mode"]  # type: ignore[index]
        assert answer["coverage"]["model"] == answer["coverage"]["chunks"]  # type: ignore[index]
    words = garden.run("water the plants", "--json", "--keyword").json
    assert ("bm25f", None) == (words["request"]["mode"], words["coverage"])  # type: ignore[index]
    wrong = garden.run("water", "--fusion", "liniar")
    assert (2, True) == (wrong.status, "nearest: linear" in wrong.stderr)


def test_meaning_alone_says_that_it_needs_words(garden: MeaningShell) -> None:
    """Instead of asking for the spelling; and it searches for no similar words."""
    garden.run("index", ".")
    for query in ("wat*", "ext:md"):
        nothing = garden.run(query, "--semantic")
        assert (1, "") == (nothing.status, nothing.stdout)
        assert "problem: query: meaning needs words, " in nothing.stderr
        assert "spelling" not in nothing.stderr
        assert 0 == garden.run(query, "--semantic", "--json").json["total"]
    mistyped = garden.run("watr", "--semantic")
    assert (0, False, False) == (
        mistyped.status, "similar words" in mistyped.stderr, "did you mean" in mistyped.stderr
    )  # fmt: skip


@pytest.mark.parametrize("flags", [[], ["--hybrid", "--fusion", "rrf"], ["--semantic"], ["--keyword"]])
def test_explain_prints_what_the_search_shows(garden: MeaningShell, flags: list[str]) -> None:
    """The same chunk with the same rank, score and explanation, whatever the mode."""
    garden.run("index", ".")
    words = ["water the plants", "--json", *flags]
    (hit, *_) = garden.run(*words, "--explain").json["hits"]  # type: ignore[misc]
    explained = garden.run("explain", words[0], hit["doc_key"], *words[1:])
    assert (0, hit, []) == (explained.status, explained.json["hit"], explained.json["problems"])


def test_explain_without_vectors_says_that_words_are_explained(garden: MeaningShell) -> None:
    """The default mode explains words, and says so; --semantic and --hybrid cannot."""
    garden.run("index", ".", "--no-vectors")
    words = ["explain", "water", "guide/potato.md"]
    assert "search by meaning is off: the index has no vectors" in garden.run(*words).stderr
    for flag in ("--semantic", "--hybrid"):
        refused = garden.run(*words, flag)
        assert (2, True) == (refused.status, "dowse index" in refused.stderr)


def test_explain_follows_the_configuration_of_the_folder_that_was_searched(garden: MeaningShell) -> None:
    """As the search does: what counts is where was looked, not where the command was typed."""
    garden.run("index", ".")
    (garden.folder / "guide" / ".dowse.toml").write_text('[search]\nfusion = "rrf"\n')
    (hit, *_) = garden.run("water", "guide", "--json", "--explain").json["hits"]  # type: ignore[misc]
    explained = garden.run("explain", "water", hit["doc_key"], "guide", "--json").json
    assert hit == explained["hit"]


def test_a_search_gives_new_chunks_rough_vectors(garden: MeaningShell) -> None:
    """The table of tokens is there, so it costs nothing worth a word; the model reads them later."""
    garden.run("index", ".", "--static-only")
    garden.run("index", ".")
    (garden.folder / "beans.txt").write_text("Beans climb.\n")
    coverage = garden.run("beans", "--json").json["coverage"]
    assert 1 == coverage["static"]  # type: ignore[index]
    assert "meaning:" not in garden.run("beans").stderr


def test_a_few_chunks_are_read_without_a_table(garden: MeaningShell, tmp_path: Path) -> None:
    """The model is done with them long before a table of its tokens would be."""
    garden.environment["DOWSE_CACHE"] = str(tmp_path / "cache")
    made = garden.run("index", ".")
    assert "vectors: all by the model" in made.stderr
    assert [] == list((tmp_path / "cache").rglob("*.table"))


def test_a_text_that_was_read_before_has_its_vector_at_once(garden: MeaningShell) -> None:
    """A copy of a file is found by meaning in the next search, and nothing is embedded for it."""
    garden.run("index", ".")
    before = vectors_of(garden)["coverage"]
    shutil.copy(garden.folder / "guide" / "potato.md", garden.folder / "again.md")
    coverage = garden.run("potato", "--json").json["coverage"]
    assert coverage["model"] == coverage["chunks"] > before["chunks"]  # type: ignore[index]


def test_partial_coverage_is_in_the_summary(garden: MeaningShell) -> None:
    """Chunks that nobody embedded yet are missing from meaning, and the reader is told."""
    garden.run("index", ".")
    (garden.folder / "beans.txt").write_text("Beans climb.\n")
    garden.run("index", ".", "--no-vectors")
    assert " · meaning: 8" in garden.run("beans", "--no-index").stderr


def test_without_a_table_of_words_none_are_added_and_the_reader_is_told(
    garden: MeaningShell, tmp_path: Path
) -> None:
    """With the command that makes it, which does."""
    own = {"DOWSE_CACHE": str(tmp_path / "cache")}
    garden.run("index", ".", "--no-vectors", **own)
    wanted = ("water", "--keyword", "--expand", "vocabulary")
    refused = garden.run(*wanted, **own)
    assert (0, True) == (refused.status, "make it: dowse index FOLDER --static-only" in refused.stderr)
    garden.run("index", ".", "--static-only", **own)
    assert "make it" not in garden.run(*wanted, **own).stderr


def test_ctrl_c_keeps_what_was_made(bare: MeaningShell) -> None:
    """Stopped in the middle, the command says how far it is, and the next run goes on from there."""
    for number in range(400):
        (bare.folder / f"{number}.txt").write_text(f"Plant number {number} is thirsty.\n")
    good = well_behaved(16)

    def interrupt(body: dict[str, Any]) -> Answer:
        process.send_signal(signal.SIGINT)
        return good(body)

    # Some requests for a first look, and one for each 32 chunks.
    with running_service(*[good] * 9, interrupt, good) as service:
        bare.environment |= {
            "DOWSE_EMBEDDING_KIND": "http",
            "DOWSE_EMBEDDING_URL": service.url,
            "DOWSE_EMBEDDING_DIMENSIONS": "16",
        }
        process = bare.start("index", ".")
        _, words = process.communicate(timeout=60)
        is_said = "by the model" in words and "the next run goes on" in words
        assert (130, True) == (process.returncode, is_said), words
        coverage = vectors_of(bare)["coverage"]
        assert isinstance(coverage, dict)
        assert 32 <= coverage["model"] < coverage["chunks"]
        assert "vectors: all by the model" in bare.run("index", ".").stderr


def test_a_missing_model_is_said_once_and_costs_nothing_else(bare: MeaningShell, tmp_path: Path) -> None:
    """Indexing succeeds; the line names the command that brings the model; JSON has no word of it."""
    gone = {"DOWSE_EMBEDDING_MODEL": str(tmp_path / "gone")}
    indexed = bare.run("index", ".", **gone)
    assert (0, 1) == (indexed.status, indexed.stderr.count("search by meaning is off"))
    found = bare.run("water", "--json", **gone)
    assert (0, "", []) == (found.status, found.stderr, found.json["problems"])
    assert "search by meaning" not in bare.run("water", **gone).stderr
    assert "there is no" in bare.run("status", **gone).stdout


def test_an_incomplete_folder_is_refused_with_what_it_lacks(bare: MeaningShell, tmp_path: Path) -> None:
    """Neither added nor used."""
    folder = tmp_path / "half"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"not a graph")
    refused = bare.run("model", "add", str(folder))
    assert (2, True) == (refused.status, "tokenizer.json is not there" in refused.stderr)
    assert 2 == bare.run("model", "add", str(tmp_path / "nowhere")).status
    assert not (tmp_path / "config.toml").exists()


def test_a_damaged_model_fails_its_check_and_search_goes_on(
    garden: MeaningShell, export: Path, tmp_path: Path
) -> None:
    """A graph that is none: check says so, indexing makes no vectors, words still answer."""
    garden.run("index", ".")
    mine = tmp_path / "few-words"
    shutil.copytree(export, mine)
    (mine / "model.onnx").write_bytes(b"not a graph")
    Path(garden.environment["DOWSE_CONFIG"]).write_text(f'embedding.model = "{mine}"\n')
    assert 0 != garden.run("model", "check").status
    assert 1 == garden.run("index", ".").status
    found = garden.run("water")
    assert (0, True) == (found.status, "search by meaning is off" in found.stderr)


@pytest.mark.parametrize(
    ("name", "content"), [("model.onnx", b""), ("model.onnx", None), ("tokenizer.json", None)]
)
def test_a_folder_that_cannot_be_loaded_is_neither_right_nor_taken(
    bare: MeaningShell, export: Path, tmp_path: Path, name: str, content: bytes | None
) -> None:
    """Empty or cut in half: check has read it and says no more, use and add refuse it and write nothing."""
    mine = tmp_path / "few-words"
    shutil.copytree(export, mine)
    whole = (mine / name).read_bytes()
    (mine / name).write_bytes(whole[: len(whole) // 2] if content is None else content)
    checked = bare.run("model", "check", str(mine))
    assert (3, False) == (checked.status, "right" in checked.stdout)
    assert f"read       {mine / name} (sha256 " in checked.stdout
    for action in ("add", "use"):
        refused = bare.run("model", action, str(mine))
        assert (3, True) == (refused.status, f"{mine / name} is not the file" in refused.stderr)
    assert not (tmp_path / "config.toml").exists()


def test_a_pooling_that_is_only_likely_is_said(bare: MeaningShell, export: Path, tmp_path: Path) -> None:
    """Without 1_Pooling/config.json by add and check; with it, by neither."""
    mine = tmp_path / "pooled"
    shutil.copytree(export, mine)
    (mine / "1_Pooling").mkdir()
    (mine / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    for action in ("add", "check"):
        for folder, is_said in ((export, True), (mine, False)):
            done = bare.run("model", action, str(folder))
            assert (0, is_said) == (done.status, "1_Pooling/config.json" in done.stderr)


def test_a_model_is_not_used_with_a_number_of_tokens_it_cannot_read(
    bare: MeaningShell, export: Path, tmp_path: Path
) -> None:
    """It can be added, for it is not used yet; nothing is written when it is refused."""
    wrong = {"DOWSE_EMBEDDING_MAX_TOKENS": "1000"}
    assert 0 == bare.run("model", "add", str(export), **wrong).status
    before = (tmp_path / "config.toml").read_text()
    refused = bare.run("model", "use", "few-words", **wrong)
    assert (2, True) == (refused.status, "embedding.max_tokens: it cannot be 1000" in refused.stderr)
    assert before == (tmp_path / "config.toml").read_text()


def test_a_wrong_service_is_no_hindrance_to_a_model_here(bare: MeaningShell, export: Path) -> None:
    """Whoever configured a service by half can check and choose a model instead."""
    half = {"DOWSE_EMBEDDING_KIND": "http"}
    assert 2 == bare.run("model", "check", **half).status
    assert 0 == bare.run("model", "check", str(export), **half).status
    assert 0 == bare.run("model", "use", str(export), **half).status


def test_wrong_names_of_models_are_refused(bare: MeaningShell, tmp_path: Path) -> None:
    """The error lists what there is, and nothing is written."""
    refused = bare.run("model", "use", "bge-smal")
    assert (2, True) == (refused.status, "bge-small-en-v1.5" in refused.stderr)
    assert 2 == bare.run("model", "use").status
    assert 2 == bare.run("model", "list", "all").status
    assert not (tmp_path / "config.toml").exists()


def test_a_folder_here_never_stands_in_for_a_known_model(bare: MeaningShell) -> None:
    """A downloaded project may hold a folder with the name of a model; it is not loaded."""
    (bare.folder / DEFAULT_MODEL).mkdir()
    (bare.folder / DEFAULT_MODEL / "model.onnx").write_bytes(b"evil")
    listed = bare.run("model", "list", "--json").json
    own = [model for model in listed["models"] if model["licence"] == "yours"]  # type: ignore[attr-defined]
    assert [] == own


def test_models_are_listed_with_what_people_choose_by(garden: MeaningShell) -> None:
    """The chosen one is marked; the user's own are there too."""
    models = {model["name"]: model for model in garden.run("model", "--json").json["models"]}  # type: ignore[attr-defined]
    assert models["few-words"]["is_current"]
    assert 384 == models["few-words"]["dimensions"]
    assert "MIT" == models[DEFAULT_MODEL]["licence"]


def test_a_model_is_added_checked_and_used(bare: MeaningShell, export: Path) -> None:
    """Files are compared, then the model works once; its folder's name is enough from then on."""
    added = bare.run("model", "add", str(export))
    assert (0, True) == (added.status, "dowse model use few-words" in added.stderr)
    checked = bare.run("model", "check", "few-words")
    assert (0, True) == (checked.status, "works      few-words: 384 dimensions" in checked.stdout)
    assert 0 == bare.run("model", "use", "few-words").status
    assert "* few-words  (384 dimensions, installed" in bare.run("model").stdout


def test_a_service_makes_vectors_and_its_key_stays_in_the_environment(bare: MeaningShell) -> None:
    """Kind, address and dimensions are configured; the key comes from the named variable."""
    with running_service(well_behaved(16)) as service:
        for key, value in (("url", service.url), ("dimensions", "16"), ("model", "theirs")):
            assert 0 == bare.run("config", "set", f"embedding.{key}", value).status
        kind = {"DOWSE_EMBEDDING_KIND": "http", "DOWSE_EMBEDDING_KEY": "sesame"}
        indexed = bare.run("index", ".", **kind)
        assert (0, True) == (indexed.status, "all by the model, theirs" in indexed.stderr)
        assert 0 == bare.run("water", "--semantic", **kind).status
    config = Path(bare.environment["DOWSE_CONFIG"]).read_text()
    assert "sesame" not in config + bare.run("config", "show", **kind).stdout
    down = bare.run("water", **kind)
    assert (0, True) == (down.status, "search by meaning is off" in down.stderr)
    assert 2 == bare.run("water", "--semantic", **kind).status


def test_prefixes_of_a_service_are_sent_and_belong_to_its_vectors(bare: MeaningShell) -> None:
    """Set with their spaces; with another prefix the vectors are those of another model."""
    with running_service(well_behaved(16)) as service:
        for key, value in (
            ("url", service.url), ("dimensions", "16"), ("query_prefix", "search_query: "),
            ("passage_prefix", "search_document: "),
        ):  # fmt: skip
            assert 0 == bare.run("config", "set", f"embedding.{key}", value).status
        kind = {"DOWSE_EMBEDDING_KIND": "http"}
        assert 0 == bare.run("index", ".", **kind).status
        assert 0 == bare.run("water", "--semantic", **kind).status
        sent = [text for _, _, body in service.asked for text in body["input"]]
        assert {"search_document", "search_query"} == {text.split(": ")[0] for text in sent}
        assert "search_query: water" == sent[-1]
        other = bare.run("water", "--semantic", **kind, DOWSE_EMBEDDING_PASSAGE_PREFIX="passage: ")
        assert (2, True) == (other.status, "vectors of the model as it is now" in other.stderr)


def test_a_search_waits_as_long_as_it_may_and_no_longer(bare: MeaningShell) -> None:
    """The time of a question is an option of its own: somebody waits for it."""
    good, is_late = well_behaved(16), threading.Event()

    def late(body: dict[str, Any]) -> Answer:
        is_late.wait(30)
        return good(body)

    # One request for the chunks of five files.
    with running_service(good, late) as service:
        said = {"KIND": "http", "URL": service.url, "DIMENSIONS": "16", "QUESTION_TIMEOUT_SECONDS": "0.3"}
        bare.environment |= {f"DOWSE_EMBEDDING_{name}": value for name, value in said.items()}
        assert 0 == bare.run("index", ".").status
        try:
            found = bare.run("water")
        finally:
            is_late.set()
    assert (0, True) == (found.status, "did not answer within 0.3 s" in found.stderr)


def test_a_password_in_an_address_is_never_shown(garden: MeaningShell) -> None:
    """It is not set; where it stands in a file or a variable all the same, no command repeats it."""
    garden.run("index", ".")
    before = Path(garden.environment["DOWSE_CONFIG"]).read_text()
    refused = garden.run("config", "set", "embedding.url", "http://ann:geheim@localhost:9/v1")
    assert (2, True) == (refused.status, "DOWSE_EMBEDDING_KEY" in refused.stderr)
    assert before == Path(garden.environment["DOWSE_CONFIG"]).read_text()
    said = refused.stdout + refused.stderr
    for url in ("http://ann:geheim@localhost:9/v1", "http://localhost:9/v1?key=geheim", "ann:geheim@x\n"):
        wrong = {"KIND": "http", "URL": url, "DIMENSIONS": "16"}
        # Every command for one of them; each starts a process.
        rest = (
            ("config",), ("model",), ("model", "--json"), ("status",), ("index", "."),
            ("water", "--semantic"),
        )  # fmt: skip
        shown = (("config", "--json"), ("model", "check"), ("water",))
        for command in shown + (rest if "@localhost" in url else ()):
            variables = {f"DOWSE_EMBEDDING_{name}": value for name, value in wrong.items()}
            done = garden.run(*command, **variables, DOWSE_EMBEDDING_RETRIES="0")
            said += done.stdout + done.stderr
    assert "localhost:9" in said
    assert "geheim" not in said


def test_a_service_that_is_down_leaves_the_words(bare: MeaningShell) -> None:
    """Indexing keeps its result, says what is wrong, and shows a problem in its status."""
    kind = {
        "DOWSE_EMBEDDING_KIND": "http",
        "DOWSE_EMBEDDING_URL": "http://127.0.0.1:9/v1",
        "DOWSE_EMBEDDING_DIMENSIONS": "16",
    }
    indexed = bare.run("index", ".", **kind)
    assert (1, True) == (indexed.status, "vectors were not made" in indexed.stderr)
    assert 0 == bare.run("water", **kind).status


def test_a_service_that_wants_to_be_left_alone_keeps_what_it_gave(bare: MeaningShell) -> None:
    """Nobody waits an hour: the command ends, says what is asked for, and the next run goes on."""
    for number in range(300):
        (bare.folder / f"{number}.txt").write_text(f"Plant number {number} is thirsty.\n")
    good = well_behaved(16)
    busy: Answer = (429, {"Retry-After": "3600"}, b"slow down")
    # Some requests for a first look, and one for each 32 chunks.
    with running_service(*[good] * 8, lambda body: busy) as service:
        bare.environment |= {
            "DOWSE_EMBEDDING_KIND": "http",
            "DOWSE_EMBEDDING_URL": service.url,
            "DOWSE_EMBEDDING_DIMENSIONS": "16",
        }
        ended = bare.run("index", ".")
        assert (1, True) == (ended.status, "left alone for 3,600 s" in ended.stderr)
        assert "vectors so far:" in ended.stderr
        coverage = vectors_of(bare)["coverage"]
        assert isinstance(coverage, dict)
        assert 32 <= coverage["model"] < coverage["chunks"]


@pytest.mark.parametrize("lacking", ["URL", "DIMENSIONS"])
def test_a_service_must_be_described(bare: MeaningShell, lacking: str) -> None:
    """What is not said is asked for, with an example."""
    said = {"KIND": "http", "URL": "http://x/v1", "DIMENSIONS": "16"} | {lacking: ""}
    refused = bare.run("index", ".", **{f"DOWSE_EMBEDDING_{name}": value for name, value in said.items()})
    assert (2, True) == (refused.status, f"dowse config set embedding.{lacking.lower()}" in refused.stderr)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"MAX_TOKENS": "1000"}, "embedding.max_tokens: it cannot be 1000; legal values are 3 to 512"),
        ({"KIND": "http"}, "embedding.url is not set"),
        ({"KIND": "http", "URL": "http://x/v1", "DIMENSIONS": "9", "KEY": "ü"}, "$DOWSE_EMBEDDING_KEY: it"),
    ],
)  # fmt: skip
def test_a_wrong_configuration_stops_no_search(
    garden: MeaningShell, said: dict[str, str], message: str
) -> None:
    """Words answer and the option is named; status says it; what needs meaning refuses, and so does index."""
    garden.run("index", ".")
    wrong = {f"DOWSE_EMBEDDING_{name}": value for name, value in said.items()}
    for command, status in (
        (("water",), 0), (("status",), 0), (("model",), 0),
        (("water", "--semantic"), 2), (("water", "--hybrid"), 2), (("index", "."), 2),
    ):  # fmt: skip
        done = garden.run(*command, **wrong)
        is_said = message in (done.stdout if command == ("status",) else done.stderr)
        assert (status, is_said or command == ("model",)) == (done.status, True), command


def test_a_model_whose_folder_is_gone_stops_no_search(garden: MeaningShell, tmp_path: Path) -> None:
    """Vectors are there and nobody can ask for them: words answer, and the reader is told."""
    garden.run("index", ".")
    found = garden.run("water", DOWSE_EMBEDDING_MODEL=str(tmp_path / "gone" / "few-words"))
    assert (0, True) == (found.status, "there is no such model" in found.stderr)


def test_a_project_cannot_send_texts_to_a_service(bare: MeaningShell) -> None:
    """Its file is refused unless the user trusts the folder."""
    (bare.folder / ".dowse.toml").write_text('[embedding]\nkind = "http"\nurl = "http://evil/v1"\n')
    refused = bare.run("water")
    assert (2, True) == (refused.status, "decides who reads your texts" in refused.stderr)
