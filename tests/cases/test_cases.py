"""Behaviour as data: documents, a query, what must come back in which order, and why.

Each file below this folder is one case, in TOML:

    why = "what a user may rely on, in one sentence"
    vectors = true                     # only when meaning takes part; a small stand-in for a model makes them

    [[documents]]
    key = "tea.md"
    text = "Green tea."                # also: title, tags, path, format, tree

    [[questions]]
    query = "green tea"                # every other name is an option of a request: mode, tree, fields…
    exactly = ["tea.md"]               # these documents and no others, in this order
    first = ["tea.md"]                 # or: these come first, in this order
    found = ["tea.md"]                 # or: these are found, wherever
    never = ["coffee.md"]              # and: these are not
    suggestion = "tea"                 # what the answer proposes instead
    problems = ["query-syntax"]        # codes of its problems

A document that has several hits counts where its first one is.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import dowse
from support.fake_embedder import give_meaning

FOLDER = Path(__file__).parent
CASES = sorted(FOLDER.glob("*/*.toml"))
CHECKS = {"exactly", "first", "found", "never", "suggestion", "problems"}


def read_case(file: Path) -> dict[str, Any]:
    """Returns a case."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def build_request(question: dict[str, Any]) -> dowse.SearchRequest:
    """Returns the request of a question."""
    options = {name: value for name, value in question.items() if name not in CHECKS}
    for name in ("fields", "also"):
        if name in options:
            options[name] = tuple(options[name])
    options["parameters"] = tuple(options.get("parameters", {}).items())
    return dowse.SearchRequest(**options)


@pytest.mark.parametrize("file", CASES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_case_holds(file: Path) -> None:
    """Every question of the case is answered as it says."""
    case = read_case(file)
    with dowse.open(":memory:") as index:
        if case.get("vectors"):
            give_meaning(index)
        for document in case["documents"]:
            key, text = document.pop("key"), document.pop("text")
            index.add(key, text, **document)
        index.commit()
        if case.get("vectors"):
            index.embed()
        for question in case["questions"]:
            check(question, index.search(build_request(question)), case["why"])


def check(question: dict[str, Any], response: dowse.SearchResponse, why: str) -> None:
    """Compares an answer with what the case says of it."""
    told = f"{why}\n{question}"
    found = list(dict.fromkeys(hit.doc_key for hit in response.hits))
    assert question.keys() & CHECKS, f"this question checks nothing: {told}"
    if "exactly" in question:
        assert question["exactly"] == found, told
    if "first" in question:
        assert question["first"] == found[: len(question["first"])], told
    assert set() == set(question.get("found", ())) - set(found), told
    assert set() == set(question.get("never", ())) & set(found), told
    if "suggestion" in question:
        assert question["suggestion"] == response.suggestion, told
    if "problems" in question:
        assert question["problems"] == [problem.code for problem in response.problems], told


def test_there_are_cases_for_every_topic() -> None:
    """A folder without a case, or a case without a reason, tells nobody anything."""
    assert len(CASES) >= 40
    assert [] == [file.name for file in CASES if not read_case(file).get("why", "").endswith(".")]
