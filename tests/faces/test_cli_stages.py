"""Flags of what becomes of hits: more words, copies folded, variety, a second opinion, meaning."""

import pytest
from cli_shell import Shell


def stages(outcome) -> dict[str, str]:
    """Returns the notes of an answer's stages by name."""
    return {stage["name"]: stage["note"] for stage in outcome.json["stages"]}


def test_each_flag_adds_its_stage(indexed: Shell) -> None:
    """In JSON with a note, and in the request as it was understood."""
    outcome = indexed.run(
        "sun", "--expand", "prf", "--dedupe", "--diversify", "--rerank", "--rerank-ms", "0", "--json"
    )
    notes = stages(outcome)
    assert {"expand", "duplicates", "diversify", "cross_encoder"} <= set(notes)
    assert notes["cross_encoder"].startswith("skipped: ")
    request = outcome.json["request"]
    assert ("prf", True, 0.7, True, 0) == tuple(
        request[name] for name in ("expand", "dedupe", "diversify", "rerank", "rerank_ms")
    )


def test_what_a_stage_could_not_do_is_said(indexed: Shell) -> None:
    """One line each on stderr; the hits are those of a search without."""
    plain = indexed.run("water plants")
    short = indexed.run("water plants", "--rerank", "--rerank-ms", "0", "--expand", "vocabulary")
    assert (0, plain.stdout) == (short.status, short.stdout)
    lines = short.stderr.splitlines()
    assert "problem: expand: no words were added: vectors are switched off (embedding.kind is none)" in lines
    reason = "problem: rerank: skipped: judging does not fit into 0 ms (allow it more time: --rerank-ms)"
    assert reason in lines
    assert not [line for line in plain.stderr.splitlines() if line.startswith("problem")]


def test_diversify_takes_its_share_after_an_equals_sign(indexed: Shell) -> None:
    """A word after it is the query; a share out of range is refused before anything is done."""
    assert 0.5 == indexed.run("--diversify=0.5", "sun", "--json").json["request"]["diversify"]
    assert 0.7 == indexed.run("--diversify", "sun", "--json").json["request"]["diversify"]
    refused = indexed.run("sun", "--diversify=2")
    assert 2 == refused.status
    assert "a number from 0 to 1" in refused.stderr


def test_without_flags_there_are_no_stages(indexed: Shell) -> None:
    """Nothing is done that nobody asked for."""
    named = {"expand", "duplicates", "diversify", "cross_encoder"}
    assert not named & set(stages(indexed.run("sun", "--json")))


@pytest.mark.parametrize("flags", [("--dedupe",), ("--diversify=0.5",)])
def test_similar_has_the_same_flags(indexed: Shell, flags: tuple[str, ...]) -> None:
    """What is like a text may be varied as well."""
    assert 0 == indexed.run("similar", "--text", "sun and water", *flags).status


def test_similar_by_meaning_says_that_vectors_are_missing(indexed: Shell) -> None:
    """With what to do about it, instead of an empty answer."""
    refused = indexed.run("similar", "--text", "sun", "--semantic")
    assert 2 == refused.status
    assert "needs vectors" in refused.stderr


def test_a_page_of_similar_texts_that_is_not_there(indexed: Shell) -> None:
    """How many there are is said, and what to do."""
    outcome = indexed.run("similar", "--text", "tomatoes", "--offset", "500")
    assert 1 == outcome.status
    assert "hint: ask for a smaller --offset than 500" in outcome.stderr
    assert "Nothing like it found." not in outcome.stderr
