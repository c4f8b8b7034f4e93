"""Asking the real command line: first use, later use, pages, JSON, explanations."""

from pathlib import Path

from cli_shell import Shell


def test_first_search_indexes_and_answers(shell: Shell) -> None:
    """One command from a folder of files to a hit; the hit on stdout, the words on stderr."""
    outcome = shell.run("watering plants in the morning")
    assert 0 == outcome.status
    assert outcome.stdout.startswith("guide/tomato.md:9  ")
    assert "    Tomatoes › Watering › In summer\n" in outcome.stdout
    assert outcome.stderr.startswith("Indexing garden (first time)…\n")


def test_second_search_does_not_index_again(shell: Shell) -> None:
    """An indexed folder answers at once, with a summary as its last line."""
    shell.run("plants")
    outcome = shell.run("plants")
    assert 0 == outcome.status
    assert "Indexing" not in outcome.stderr
    assert outcome.stderr.startswith("1 of 1 in ")


def test_search_sees_changes_since_the_last_one(shell: Shell) -> None:
    """New, changed and deleted files are noticed before the answer."""
    shell.run("plants")
    (shell.folder / "new.md").write_text("A rhubarb.\n")
    (shell.folder / "notes" / "carrot.txt").unlink()
    assert 0 == shell.run("rhubarb").status
    hits = shell.run("carrots", "--json").json["hits"]
    assert isinstance(hits, list)
    assert ["notes/index.txt"] == [hit["doc_key"] for hit in hits]


def test_no_index_leaves_the_files_alone(shell: Shell) -> None:
    """--no-index answers from what is indexed."""
    shell.run("plants")
    (shell.folder / "new.md").write_text("A rhubarb.\n")
    assert 1 == shell.run("rhubarb", "--no-index").status
    assert 0 == shell.run("plants", "--no-index").status


def test_no_index_without_an_index_is_refused(shell: Shell) -> None:
    """There is nothing to answer from, and the hint says how to change that."""
    outcome = shell.run("plants", "--no-index")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "there is no index" in outcome.stderr
    assert "hint: make one with: dowse index FOLDER" in outcome.stderr


def test_no_index_in_another_folder_is_refused(indexed: Shell, tmp_path: Path) -> None:
    """An index of one folder says nothing about another."""
    assert 2 == indexed.run("plants", str(tmp_path), "--no-index").status


def test_sub_folder_searches_only_below(indexed: Shell) -> None:
    """A folder inside an indexed one is searched without a second index."""
    outcome = indexed.run("ground", "notes", "--json")
    hits = outcome.json["hits"]
    assert isinstance(hits, list)
    assert ["notes/carrot.txt"] == [hit["doc_key"] for hit in hits]
    assert "first time" not in outcome.stderr


def test_json_is_one_object(indexed: Shell) -> None:
    """Programs get everything: the hit, its place, its snippet."""
    answer = indexed.run("summer", "--json").json
    assert "summer" == answer["request"]["query"]
    assert (1, True) == (answer["total"], answer["total_is_exact"])
    hits = answer["hits"]
    assert isinstance(hits, list)
    assert str(indexed.folder.resolve() / "guide/tomato.md") == hits[0]["file"]


def test_json_of_nothing_is_an_object_too(indexed: Shell) -> None:
    """Nothing found: an empty list and status 1."""
    outcome = indexed.run("xylophone", "--json")
    assert (1, []) == (outcome.status, outcome.json["hits"])


def test_nothing_found_is_friendly(indexed: Shell) -> None:
    """A sentence and a hint on stderr, nothing on stdout."""
    outcome = indexed.run("xylophone")
    assert (1, "") == (outcome.status, outcome.stdout)
    assert "Nothing found for “xylophone” in garden.\nhint: " in outcome.stderr


def test_folder_without_texts_is_said_to_be_one(shell: Shell) -> None:
    """Nothing found because there is nothing: the hint says so."""
    (shell.folder / "empty").mkdir()
    outcome = shell.run("plants", "empty")
    assert 1 == outcome.status
    assert "hint: there are no files to search in this folder" in outcome.stderr


def test_mistyped_command_gets_a_hint(indexed: Shell) -> None:
    """A word that is nearly a command is searched, and the command is suggested."""
    assert "hint: did you mean: dowse status" in indexed.run("stauts").stderr


def test_mistyped_command_does_not_index_a_folder(shell: Shell) -> None:
    """``dowse stauts`` in a folder that is not indexed is refused, and nothing is made of it."""
    outcome = shell.run("stauts")
    assert (2, "") == (outcome.status, outcome.stdout)
    assert "hint: did you mean: dowse status\nhint: to search anyway" in outcome.stderr
    assert 1 == shell.run("stauts", ".").status


def test_explanation_adds_up_to_the_score(indexed: Shell) -> None:
    """The root of the explanation is the score itself."""
    hits = indexed.run("ground water", "--json", "--explain").json["hits"]
    assert isinstance(hits, list)
    assert [hit["score"] for hit in hits] == [hit["explanation"]["value"] for hit in hits]
    assert "\n      " in indexed.run("ground", "--explain").stdout


def test_limit_and_offset_page_through(indexed: Shell) -> None:
    """Two pages of one hit are the one page of two."""

    def keys(*words: str) -> list[object]:
        hits = indexed.run("ground", "--json", *words).json["hits"]
        assert isinstance(hits, list)
        return [(hit["rank"], hit["doc_key"]) for hit in hits]

    assert keys("-n", "2") == keys("-n", "1") + keys("-n", "1", "--offset", "1")


def test_query_may_be_an_exclusion(indexed: Shell) -> None:
    """A query that starts with a dash works in quotes and after ``--``; neither is a bad flag."""
    outcome = indexed.run("-potatoes ground", "--json")
    hits = outcome.json["hits"]
    assert isinstance(hits, list)
    assert ["notes/carrot.txt"] == [hit["doc_key"] for hit in hits]
    assert indexed.run("--json", "--", "-potatoes").status in (0, 1)


def test_query_may_be_a_command(indexed: Shell) -> None:
    """``dowse search index`` asks for the word."""
    assert indexed.run("search", "index").stdout.startswith("notes/index.txt:1  ")
