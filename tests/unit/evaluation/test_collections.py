"""Reading collections: what is in them, and every way they can be wrong."""

import json
from pathlib import Path

import pytest

from dowse.errors import DowseError, FileNotReadableError, FolderNotFoundError, InvalidParameterError
from dowse.evaluation import own_collection, read_beir, read_golden
from dowse.evaluation.collections import OWN_GOLDEN_SET

NO_GRADE = "line 1 is not query, document and a whole number, with tabs between"
CATEGORIES = ("keyword", "conceptual", "procedural", "multi_concept", "short_vague")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """A collection of two documents and three questions, of which one has nothing relevant."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "Tea", "text": "Green tea"}\n{"_id": "d2", "text": "Coffee"}\n'
    )
    (folder / "queries.jsonl").write_text(
        "".join(f'{{"_id": "q{n}", "text": "question {n}"}}\n' for n in range(1, 5))
    )
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t1\nq3\td1\t0\n"
    )
    return folder


def test_a_beir_folder_is_read(beir: Path):
    """Documents are read later; questions without a relevant document are counted and left out."""
    collection = read_beir(beir)
    assert ("tiny", 1, ()) == (collection.name, collection.unanswerable, collection.categories)
    assert [("q1", "question 1", {"d1": 2, "d2": 0}), ("q2", "question 2", {"d2": 1})] == [
        (query.key, query.text, query.grades) for query in collection.queries
    ]
    assert collection.iter_texts is not None
    assert [("d1", "Tea", "Green tea"), ("d2", "", "Coffee")] == list(collection.iter_texts())


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("queries.jsonl", "{\n", "line 1 is not JSON"),
        ("queries.jsonl", "[]\n", "line 1 is not a JSON object"),
        ("queries.jsonl", '{"_id": "q1"}\n', "it has no text “text”"),
        ("queries.jsonl", '{"_id": "q1", "text": "a"}\n' * 2, "line 2 has the _id q1 of a line before"),
        ("queries.jsonl", '{"_id": "q1", "text": "a"}\n', "query q2 is not in queries.jsonl"),
        ("qrels/test.tsv", "q1\td1\n", NO_GRADE),
        ("qrels/test.tsv", "q1\td1\tgood\n", NO_GRADE),
        ("qrels/test.tsv", "q1\td1\t0\n", "no query has a relevant document: nothing to measure"),
    ],
)  # fmt: skip
def test_a_broken_beir_file_is_named(beir: Path, file: str, text: str, reason: str):
    """The error has the place and what is wrong; no number is given for half a collection."""
    (beir / file).write_text(text)
    with pytest.raises(InvalidParameterError) as caught:
        read_beir(beir)
    assert reason == caught.value.hint


def test_what_is_missing_of_a_beir_folder_is_named(beir: Path):
    """The folder, a file, or the split, with the splits that there are."""
    with pytest.raises(FolderNotFoundError):
        read_beir(beir / "nowhere")
    with pytest.raises(InvalidParameterError) as caught:
        read_beir(beir, "dev")
    assert caught.value.hint.endswith("tiny: test")
    (beir / "corpus.jsonl").unlink()
    with pytest.raises(FileNotReadableError, match=r"corpus\.jsonl"):
        read_beir(beir)


def test_bytes_that_are_no_text_are_refused(beir: Path):
    """A file in another encoding is said to be."""
    (beir / "queries.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidParameterError) as caught:
        read_beir(beir)
    assert "it is not UTF-8" == caught.value.hint


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({}, "it has no list of queries"),
        ({"queries": []}, "it has no list of queries"),
        ({"queries": [7]}, "query number 1 is not an object"),
        ({"queries": [{"text": "a"}]}, "query number 1 has no “judgments” of whole numbers by path"),
        ({"queries": [{"text": "a", "judgments": {"a.md": "2"}}]},
         "query number 1 has no “judgments” of whole numbers by path"),
        ({"queries": [{"id": "x", "judgments": {"a.md": 2}}]}, "it has no text “text”"),
        ({"queries": [{"id": "x", "text": "a", "judgments": {"a.md": 2}}] * 2},
         "two queries have the same id"),
        ({"queries": [{"id": "x", "text": "a", "judgments": {"a.md": 3}}],
          "relevance_scale": {"0": "no", "1": "yes"}},
         "query x gives a.md a 3; 0, 1 are its relevance_scale"),
    ],
)  # fmt: skip
def test_a_broken_golden_set_is_explained(tmp_path: Path, value: dict, reason: str):
    """What is wrong, and with which query."""
    (tmp_path / "a.md").write_text("# A\n")
    file = tmp_path / "set.json"
    file.write_text(json.dumps(value))
    with pytest.raises(InvalidParameterError) as caught:
        read_golden(file)
    assert reason == caught.value.hint


def test_a_number_is_an_id_of_a_golden_query(tmp_path: Path):
    """0 as well; a query without one has its place."""
    (tmp_path / "a.md").write_text("# A\n")
    rows = [{"text": "a", "judgments": {"a.md": 1}} | given for given in ({"id": 0}, {"id": 1}, {})]
    file = tmp_path / "set.json"
    file.write_text(json.dumps({"queries": rows}))
    assert ["0", "1", "3"] == [query.key for query in read_golden(file).queries]


def test_two_documents_of_one_key_are_refused(beir: Path):
    """The second would take the place of the first, and judgements mean one of them."""
    (beir / "corpus.jsonl").write_text('{"_id": "d1", "text": "Tea"}\n' * 2)
    texts = read_beir(beir).iter_texts
    assert texts is not None
    with pytest.raises(InvalidParameterError) as caught:
        list(texts())
    assert "line 2 has the _id d1 of a line before" == caught.value.hint


def test_golden_paths_are_below_the_corpus(tmp_path: Path):
    """That the set names, the folder beside it, or its own; a file that is not there is an error."""
    row = {"id": "x", "text": "a", "judgments": {"a.md": 2}}
    file = tmp_path / "set.json"
    file.write_text(json.dumps({"queries": [row]}))
    with pytest.raises(InvalidParameterError) as caught:
        read_golden(file)
    assert f"query x judges a.md, which is not in {tmp_path}" == caught.value.hint
    (tmp_path / "a.md").write_text("# A\n")
    assert tmp_path == read_golden(file).folder
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.md").write_text("# A\n")
    assert tmp_path / "corpus" == read_golden(file).folder
    file.write_text(json.dumps({"queries": [row], "corpus": "elsewhere"}))
    with pytest.raises(FolderNotFoundError):
        read_golden(file)


def test_our_own_golden_set_is_sound():
    """40 questions and more in the five categories, grades 0 to 2, over 25 files and more."""
    collection = own_collection()
    assert CATEGORIES == collection.categories
    assert len(collection.queries) >= 40
    assert collection.unanswerable == 0
    assert {grade for query in collection.queries for grade in query.grades.values()} <= {0, 1, 2}
    assert all(2 in query.grades.values() for query in collection.queries)
    assert collection.folder is not None
    files = [path for path in collection.folder.rglob("*") if path.is_file()]
    assert len(files) >= 25
    assert len({query.text for query in collection.queries}) == len(collection.queries)


def test_our_own_golden_set_has_no_python_files():
    """They would be taken for modules of Dowse, by tools and by our own architecture tests."""
    assert [] == list(OWN_GOLDEN_SET.parent.rglob("*.py"))


def test_errors_are_ours(tmp_path: Path):
    """A folder where a file is asked for is an error of ours, not a traceback."""
    with pytest.raises(DowseError):
        read_golden(tmp_path)
