"""``dowse suggest`` and ``dowse terms``, for real."""

import pytest
from cli_shell import Shell


def test_suggest_completes_words_and_titles(indexed: Shell) -> None:
    """One completion a line on stdout, the text first, and nothing else."""
    outcome = indexed.run("suggest", "wat")
    assert (0, "") == (outcome.status, outcome.stderr)
    assert ["water", "watering"] == [line.split("  ")[0] for line in outcome.stdout.splitlines()]
    assert "Potatoes  title" in indexed.run("suggest", "pot").stdout


def test_suggest_takes_words_without_quotes(indexed: Shell) -> None:
    """Several words are one text; its last word is completed."""
    assert indexed.run("suggest", "how to wat", "-n", "1").stdout.startswith("how to water  ")
    assert indexed.run("suggest", "how", "to", "wat", "-n", "1").stdout.startswith("how to water  ")


def test_suggest_assumes_typing_errors(indexed: Shell) -> None:
    """And says so."""
    assert "tomatoes  3 chunks, if mistyped\n" in indexed.run("suggest", "tomatose").stdout


def test_suggest_json_has_the_promised_keys(indexed: Shell) -> None:
    """Programs rely on these names; nothing found is an empty list and status 1."""
    value = indexed.run("suggest", "wat", "--json").json
    assert ["text", "completions"] == list(value)
    first = value["completions"][0]  # type: ignore[index]
    assert {"kind": "word", "text": "water", "doc_freq": 2, "is_corrected": False} == first
    outcome = indexed.run("suggest", "xqz", "--json")
    assert (1, []) == (outcome.status, outcome.json["completions"])


def test_spell_shows_unknown_words_and_the_corrected_text(indexed: Shell) -> None:
    """Unknown words on stdout with what is near; the corrected text is for people."""
    outcome = indexed.run("suggest", "--spell", "Vegetabels grow belwo qwxyz")
    assert 0 == outcome.status
    assert [
        "Vegetabels: vegetables",
        "belwo: below",
        "qwxyz: nothing near it is known",
    ] == outcome.stdout.splitlines()
    assert "corrected: Vegetables grow below qwxyz\n" == outcome.stderr
    assert 1 == indexed.run("suggest", "--spell", "water the plants").status


def test_spell_json_has_the_promised_keys(indexed: Shell) -> None:
    """Places count characters; candidates come with distance and frequency."""
    value = indexed.run("suggest", "--spell", "grow belwo", "--json").json
    assert {
        "text": "grow belwo",
        "corrected": "grow below",
        "misspellings": [
            {
                "word": "belwo",
                "start": 5,
                "end": 10,
                "candidates": [{"word": "below", "distance": 1, "doc_freq": 2}],
            }
        ],
    } == value


def test_terms_lists_the_vocabulary(indexed: Shell) -> None:
    """Term, chunks, times and words in columns; how many there are is said on stderr."""
    outcome = indexed.run("terms", "wat*")
    assert (0, ["water", "3", "5", "water,", "watering"]) == (outcome.status, outcome.stdout.split())
    assert "1 of 1 term: term, chunks, times, words\n" == outcome.stderr
    assert 1 == indexed.run("terms", "xqz").status


def test_terms_pages_through_the_alphabet(indexed: Shell) -> None:
    """--order, --limit and --offset choose a page; JSON has the whole entries."""
    words = ("terms", "--order", "alphabet", "--json", "--limit", "3")
    first, second = indexed.run(*words).json, indexed.run(*words, "--offset", "3").json
    terms = [entry["term"] for page in (first, second) for entry in page["terms"]]  # type: ignore[attr-defined]
    assert (6, sorted(terms)) == (len(terms), terms)
    assert ["terms", "total", "total_is_exact"] == list(first)
    assert ["term", "doc_freq", "total_term_freq", "forms"] == list(first["terms"][0])  # type: ignore[index]


@pytest.mark.parametrize(
    "words",
    [
        ("suggest",),
        ("suggest", " "),
        ("suggest", "wat", "--limit", "0"),
        ("terms", "--order", "size"),
        ("terms", "--offset", "-1"),
        ("terms", "x" * 1001 + "*"),
    ],
)
def test_what_cannot_be_is_status_two(indexed: Shell, words: tuple[str, ...]) -> None:
    """With a reason on stderr and nothing on stdout."""
    outcome = indexed.run(*words)
    assert (2, "") == (outcome.status, outcome.stdout)
    assert outcome.stderr.startswith("dowse: ")


def test_without_an_index_there_is_nothing_to_suggest(shell: Shell) -> None:
    """Neither command makes an index."""
    assert [2, 2] == [shell.run("suggest", "wat").status, shell.run("terms").status]
    assert not shell.home.exists()


def test_colours_appear_on_a_terminal_only(indexed: Shell) -> None:
    """The same words, with and without escape sequences."""
    assert "\x1b[" in indexed.run_on_terminal("suggest", "wat")
    assert "\x1b[" not in indexed.run("suggest", "wat").stdout
    assert "\x1b[" not in indexed.run_on_terminal("terms", "wat", "--no-color")
