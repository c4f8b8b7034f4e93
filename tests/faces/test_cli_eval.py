"""``dowse eval``, for real."""

import json
from pathlib import Path

import pytest
from cli_shell import Shell


@pytest.fixture
def golden(shell: Shell) -> Path:
    """A golden set over the shell's garden."""
    file = shell.folder.parent / "set.json"
    rows = [
        {"id": "a", "text": "watering in summer", "category": "keyword", "judgments": {"guide/tomato.md": 2}},
        {"id": "b", "text": "roots", "category": "conceptual", "judgments": {"notes/carrot.txt": 1}},
    ]
    file.write_text(json.dumps({"corpus": "garden", "queries": rows}))
    return file


def test_eval_measures_our_own_golden_set(shell: Shell) -> None:
    """Without a collection: a table for each way to search and each category, and no index is left behind."""
    outcome = shell.run("eval", "bm25f")
    assert 0 == outcome.status, outcome.stderr
    head, row, _, kinds, by_kind = outcome.stdout.splitlines()
    assert ["nDCG@10", "nDCG@5", "MRR@10"] == head.split()[:3]
    assert ["nDCG@10", "keyword", "conceptual"] == kinds.split()[:3]
    assert "bm25f" == row.split()[0] == by_kind.split()[0]
    assert 0.8 < float(row.split()[1]) <= 1
    assert "ferrywright: 34 documents, 46 questions\n" == outcome.stderr
    assert not shell.home.exists()


def test_eval_compares_two_ways_with_a_test(shell: Shell, golden: Path) -> None:
    """The change, how likely it is chance, and which questions changed."""
    outcome = shell.run("eval", "--golden", str(golden), "--compare", "bm25f", "bm25f:default_operator=all")
    assert 0 == outcome.status, outcome.stderr
    lines = outcome.stdout.splitlines()
    assert any(line.startswith("nDCG@10: bm25f → bm25f:default_operator=all ") for line in lines)
    assert "p = 1.000 by randomisation, 1.000 by Student's t: may be chance" in lines
    assert "0 better, 0 worse, 2 the same" in lines


def test_eval_lists_failures(shell: Shell, golden: Path) -> None:
    """What was asked, what came first and what was missed."""
    outcome = shell.run("eval", "bm25f", "--golden", str(golden), "--failures")
    assert "bm25f: 1 question below 0.5" in outcome.stdout
    assert "0.000  b  roots: first nothing found; missed notes/carrot.txt" in outcome.stdout


def test_eval_json_has_the_promised_keys(shell: Shell, golden: Path) -> None:
    """Programs rely on these names."""
    words = ("--golden", str(golden), "--modes", "bm25f,bm25", "--compare", "--failures", "--json")
    value = shell.run("eval", *words).json
    assert [
        "collection", "documents", "questions", "unanswerable", "unindexed", "runs", "coverage",
        "comparison", "failures",
    ] == list(value)  # fmt: skip
    first = value["runs"][0]  # type: ignore[index]
    assert [
        "name", "mode", "parameters", "changes", "means", "categories", "median_ms", "queries", "problems"
    ] == list(first)  # fmt: skip
    assert 1.0 == first["queries"]["a"]["nDCG@10"]
    assert ["metric", "before", "after", "change", "randomisation_p", "student_t_p", "queries"] == list(
        value["comparison"]  # type: ignore[call-overload]
    )


def test_eval_reads_beir_folders_and_keeps_an_index(shell: Shell) -> None:
    """The index stays where --home says."""
    folder = shell.folder.parent / "tiny"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "Tea", "text": "Green tea"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "tea"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    kept = shell.folder.parent / "kept"
    for _ in range(2):
        outcome = shell.run("eval", "bm25f", "--collection", str(folder), "--home", str(kept))
        assert (0, "tiny: 1 document, 1 question\n") == (outcome.status, outcome.stderr)
    assert (kept / "home.db").is_file()


def test_eval_says_which_relevant_documents_cannot_be_found(shell: Shell, golden: Path) -> None:
    """A path that is written otherwise than in the index is there as a file, and never a hit."""
    golden.write_text(golden.read_text().replace("notes/carrot.txt", "./notes/carrot.txt"))
    words = ("eval", "bm25f", "--golden", str(golden))
    expected = "problem: not in the index, so missed: 1 relevant document, first ./notes/carrot.txt\n"
    assert expected in shell.run(*words).stderr
    assert ["./notes/carrot.txt"] == shell.run(*words, "--json").json["unindexed"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--compare", "bm25f"), "--compare takes two ways to search, not 1"),
        (("--golden", "x", "--collection", "y"), "--collection and --golden name two collections"),
        (("--golden", "nowhere.json"), "nowhere.json: No such file or directory"),
        (("--collection", "nowhere"), "nowhere: there is no such folder"),
        (("--split", "dev"), "--split is for --collection"),
        (("hybrid", "--vectors", "none"), "mode “hybrid” needs vectors"),
        (("bm52",), "there is no mode “bm52”"),
        (("bm25f:k7=1",), "has a parameter “k7”"),
        (("--metric", "speed"), "the measure cannot be speed"),
    ],
)
def test_eval_says_what_is_wrong_at_once(shell: Shell, words: tuple[str, ...], message: str) -> None:
    """Exit status 2, and words a person can act on."""
    outcome = shell.run("eval", *words)
    assert (2, "") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr


def test_tune_proposes_from_a_folder_s_own_words(shell: Shell) -> None:
    """A table before and after, on questions that did not choose; programs get the same as JSON."""
    shell.run("index", ".")
    (shell.folder / "links.md").write_text("# Where to read on\n\n[all about tubers](guide/potato.md)\n")
    shell.run("index", ".")
    outcome = shell.run("tune", ".")
    assert 0 == outcome.status, outcome.stderr
    assert outcome.stdout.startswith("nDCG@10")
    assert "Nothing found that answers garden better, beyond chance.\n" in outcome.stderr
    assert ["parameters", "is_worth_it", "comparison"] == list(shell.run("tune", ".", "--json").json)


def test_eval_says_what_a_way_could_not_do(shell: Shell, golden: Path) -> None:
    """A second opinion that nobody gave is not measured in silence."""
    outcome = shell.run("eval", "bm25f:rerank=1:rerank_ms=0", "--golden", str(golden))
    assert 0 == outcome.status, outcome.stderr
    assert "problem: bm25f:rerank=1:rerank_ms=0: 1 time: rerank: skipped: judging does" in outcome.stderr


def test_tune_refuses_a_limit_of_nothing(shell: Shell) -> None:
    """With what is legal."""
    shell.run("index", ".")
    outcome = shell.run("tune", ".", "--limit", "0")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "limit cannot be 0\nhint: legal values are 1 and up" in outcome.stderr


def test_tune_needs_an_indexed_folder(shell: Shell) -> None:
    """Nothing is indexed on the way."""
    outcome = shell.run("tune", ".")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "there is no index at" in outcome.stderr
