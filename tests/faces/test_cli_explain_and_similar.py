"""The real command line: why a document is a hit or not, what is like it, and all ways to search."""

from pathlib import Path

import pytest
from cli_shell import Shell

from dowse.fusion import FUSIONS
from dowse.search.modes import MODES


def test_explain_shows_the_score_of_the_best_chunk(indexed: Shell) -> None:
    """The block of the hit, with the numbers its score is made of."""
    outcome = indexed.run("explain", "morning", "guide/tomato.md")
    assert (0, "") == (outcome.status, outcome.stderr)
    assert outcome.stdout.startswith("guide/tomato.md:9  ")
    assert "score, the sum of what each term gives" in outcome.stdout


@pytest.mark.parametrize(
    ("words", "reason", "hint"),
    [
        (["morning -noon", "guide/tomato.md"], "excluded", "leave out -noon"),
        (["morning ext:txt", "guide/tomato.md"], "filtered", "leave out ext:txt"),
        (["ground", "guide/tomato.md"], "not-matched", ""),
        (["beans", "guide/tomatos.md"], "not-indexed", "did you mean guide/tomato.md?"),
        (["morning", "guide/tomato.md", "notes"], "other-folder", "search the folder it is in"),
        (["ground", "guide/potato.md", "--offset", "5"], "before-the-page", "ask for offset"),
    ],
)
def test_explain_tells_what_lost_a_document(indexed: Shell, words: list[str], reason: str, hint: str) -> None:
    """The reason on stdout, what would help on stderr, and the status of nothing found."""
    outcome = indexed.run("explain", *words)
    assert 1 == outcome.status
    assert f": {reason}\n    " in outcome.stdout
    assert hint in outcome.stderr


def test_explain_missing_leaves_the_score_out(indexed: Shell) -> None:
    """Only where the document stands, also when it is shown."""
    outcome = indexed.run("explain", "--missing", "morning", "guide/tomato.md")
    assert (0, "guide/tomato.md: shown\n    it is hit 1, with") == (outcome.status, outcome.stdout[:44])


def test_explain_as_json(indexed: Shell) -> None:
    """One object, whether it is a hit or not."""
    shown = indexed.run("explain", "morning", "guide/tomato.md", "--json").json
    assert (True, "shown", 1) == (
        shown["is_shown"], shown["outcome"]["reason"], shown["outcome"]["rank"]
    )  # fmt: skip
    assert isinstance(shown["hit"], dict)
    assert shown["hit"]["score"] == shown["hit"]["explanation"]["value"]
    lost = indexed.run("explain", "beans", "guide/tomato.md", "--json").json
    assert (False, "not-matched", None) == (
        lost["is_shown"], lost["outcome"]["reason"], lost["hit"]
    )  # fmt: skip


def test_explain_takes_the_flags_of_a_search(indexed: Shell) -> None:
    """What is explained is the very search that was made."""
    words = ["ground water", "notes/carrot.txt"]
    assert 0 == indexed.run("explain", *words).status
    assert "does not have the word water" in indexed.run("explain", *words, "--all").stdout


def test_similar_finds_others_and_never_itself(indexed: Shell) -> None:
    """A document by its path; a chunk of it; the words that were searched for are told."""
    outcome = indexed.run("similar", "notes/carrot.txt")
    assert 0 == outcome.status
    assert "notes/carrot.txt" not in outcome.stdout
    assert outcome.stdout.startswith(("guide/potato.md", "notes/index.txt"))
    assert "searched for: " in outcome.stderr
    hits = indexed.run("similar", "notes/carrot.txt", "--chunk", "0", "--json").json["hits"]
    assert isinstance(hits, list)
    assert [1, 2, 3] == [hit["rank"] for hit in hits]


def test_similar_takes_a_text_or_a_file_that_is_not_indexed(indexed: Shell, tmp_path: Path) -> None:
    """Both are read as they are, and nothing is left out of the hits."""
    draft = tmp_path / "draft.txt"
    draft.write_text("carrots below the ground", encoding="utf-8")
    for words in (["--text", "carrots below the ground"], [str(draft)]):
        assert indexed.run("similar", *words).stdout.startswith("notes/carrot.txt:1")


def test_similar_settings_decide_which_words_count(indexed: Shell) -> None:
    """The most telling word alone, and words that are too short."""
    text = ["similar", "--text", "carrots ground", "--json"]
    assert "carrots^1" == indexed.run(*text, "--max-terms", "1").json["interpretation"]
    assert "carrots^1" == indexed.run(*text, "--min-word-length", "7").json["interpretation"]
    nothing = indexed.run(*text, "--min-doc-freq", "50")
    assert (1, []) == (nothing.status, nothing.json["hits"])


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "the source cannot be none"),
        (["guide/tomato.md", "--text", "x"], 2, "the source cannot be two things"),
        (["guide/tomatos.md"], 1, "did you mean: guide/tomato.md"),
        (["guide/tomato.md", "--chunk", "99"], 2, "guide/tomato.md has chunks 0 to "),
        (["guide/tomato.md", "--max-terms", "0"], 2, "legal values are 1 and up"),
        (["guide/tomato.md", "--model", "bm"], 2, "no scoring model “bm”"),
        (["--text", " "], 2, "the text cannot be empty"),
        (["--text", "sun", "--chunk", "1"], 2, "only a document has chunks"),
        (["--text", "sun", "--param", "feedback=0"], 2, "has a parameter “feedback”"),
        (["--text", "sun", "--fusion", "rrf"], 2, "has no flag --fusion"),
        (["--text", "sun", "--scan", "exact"], 2, "--scan would change nothing"),
        (["--text", "sun", "--rerank-ms", "9"], 2, "--rerank-ms would change nothing"),
        (
            ["--text", "sun", "--semantic", "--max-terms", "5", "--expand", "prf", "--boost", "2"],
            2,
            "--semantic compares vectors: --max-terms, --boost, --expand would change nothing",
        ),
        (["--text", "sun", "--semantic", "--param", "b=1", "--preset", "ra"], 2, "--param, --preset would"),
    ],
)
def test_similar_refuses_what_it_cannot_do(
    indexed: Shell, words: list[str], status: int, message: str
) -> None:
    """With what is legal, or the nearest document."""
    outcome = indexed.run("similar", *words)
    assert (status, "") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr


def test_modes_lists_every_mode(shell: Shell) -> None:
    """With purpose, ranges and an example that can be pasted; no index is needed."""
    outcome = shell.run("modes")
    assert 0 == outcome.status
    assert [] == [mode.name for mode in MODES if f"{mode.name:<13} {mode.purpose}\n" not in outcome.stdout]
    assert "--param slop (0 to 1000, default 0): " in outcome.stdout
    assert "dowse 'state of the art' --mode phrase\n" in outcome.stdout
    assert "needs vectors" in outcome.stdout
    modes = shell.run("modes", "--json").json["modes"]
    assert isinstance(modes, list)
    assert [mode.name for mode in MODES] == [mode["name"] for mode in modes]


def test_modes_lists_every_fusion(shell: Shell) -> None:
    """With its own numbers; modes that fuse say where these are, and repeat none of them."""
    text = shell.run("modes", "--fusions").stdout
    assert "calibrated (default)\n" in text
    assert [] == [kind.name for kind in FUSIONS if f"\n{'':<13} {kind.purpose}\n" not in text]
    assert "--param k (0 to 10000, default 60): " in text
    listed = shell.run("modes", "--fusions", "--json").json["fusions"]
    assert isinstance(listed, list)
    assert [kind.name for kind in FUSIONS] == [one["name"] for one in listed]
    assert ["feedback", 0.2] == [listed[0]["parameters"][-1][name] for name in ("name", "default")]
    modes = shell.run("modes").stdout
    assert (2, 0) == (modes.count("dowse modes --fusions"), modes.count("lexical_weight"))
    refused = shell.run("modes", "--fusions", "--models")
    assert (2, "") == (refused.status, refused.stdout)


def test_modes_lists_every_model(shell: Shell) -> None:
    """The 32 DFRs are one line of names."""
    text = shell.run("modes", "--models").stdout
    assert "bm25plus\n" in text
    assert "dfr-g/in/ine/if-l/b-h1/h2/h3/z\n" in text
    assert "--param mu (1 to 1e+06, default 2000): " in text
    models = shell.run("modes", "--models", "--json").json
    assert {"dfr": "dfr-in-l-h2", "bm25-lucene": "bm25"} == models["aliases"]
