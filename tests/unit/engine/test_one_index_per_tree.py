"""A tree is an index: nothing about its answers, its lock or its damage depends on another tree."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

import dowse
from dowse import SearchRequest
from dowse.engine.open_trees import OpenTrees
from dowse.errors import CorruptFileError, InvalidParameterError, ReadOnlyIndexError, UnknownTreeError
from dowse.storage import store as stores
from support.fake_embedder import give_meaning

WORDS = ("token", "visitor", "museum", "sauce", "name", "secret", "kitten", "report", "automobile", "tea")
REQUESTS = (
    SearchRequest("token visitor", mode="bm25f"),
    SearchRequest("secret_token_name", mode="hybrid"),
    SearchRequest("a report of the museum", mode="hybrid", limit=40),
    SearchRequest("feline", mode="semantic"),
    SearchRequest("token for vis", mode="exact"),
    SearchRequest("vis*", mode="bm25f"),
    SearchRequest("museum tea", explain=True),
)


def fill_folder(folder: Path, seed: int, count: int = 40) -> Path:
    """Writes some notes; every folder has some words of all, in another measure."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        words = " ".join(WORDS[(number * (seed + 1) + at * at) % len(WORDS)] for at in range(seed % 5 + 4))
        (folder / f"n{number}.txt").write_text(f"A {words} for visitor {number} of the museum.")
    (folder / "whole.txt").write_text("The secret_token_name is in the safe." if seed else "Secret names.")
    return folder


def answers(index: dowse.Index, tree: str) -> list[str]:
    """Returns the hits of all requests as text, to be compared byte for byte; times are left out."""
    found = []
    for request in REQUESTS:
        response = index.search(msgspec.structs.replace(request, tree=tree))
        hits = json.loads(msgspec.json.encode(response.hits))
        found.append(json.dumps([hits, response.total, response.interpretation], sort_keys=True))
    return found


def test_answers_are_those_of_a_home_with_that_folder_alone(tmp_path: Path):
    """Ten folders beside it change nothing, while half of them are being indexed and embedded."""
    mine = fill_folder(tmp_path / "A", 0, 130)
    with dowse.open(tmp_path / "alone") as index:
        give_meaning(index)
        index.sync_folder(mine)
        index.embed(tree="A")
        expected = answers(index, "A")
    home, stop = tmp_path / "home", threading.Event()
    errors: list[BaseException] = []

    def keep_busy(number: int) -> None:
        folder = fill_folder(tmp_path / f"other{number}", number, 10)
        try:
            with dowse.open(home) as index:
                give_meaning(index)
                turn = 0
                while not stop.is_set():
                    turn += 1
                    (folder / f"more{turn}.txt").write_text(f"the secret_token_name {turn} token museum tea")
                    index.sync_folder(folder)
                    index.embed(tree=folder.name)
        except BaseException as error:
            errors.append(error)

    with dowse.open(home) as index:
        give_meaning(index)
        for number in range(6, 11):
            index.sync_folder(fill_folder(tmp_path / f"other{number}", number))
        index.sync_folder(mine)
        index.embed()
        threads = [threading.Thread(target=keep_busy, args=(number,)) for number in range(1, 6)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                assert expected == answers(index, "A")
        finally:
            stop.set()
            for thread in threads:
                thread.join(60)
        assert ([], expected) == (errors, answers(index, "A"))
        assert 11 == len(index.status().trees)


def test_embedding_one_tree_embeds_no_other(tmp_path: Path):
    """Coverage is said for each."""
    with dowse.open(tmp_path / "home") as index:
        fake = give_meaning(index)
        for number, name in enumerate(("A", "B")):
            index.sync_folder(fill_folder(tmp_path / name, number, 20))
        index.embed(tree="A")
        trees = {tree.name: tree for tree in index.status().trees}
        assert (21, None) == (trees["A"].coverage.model, trees["B"].coverage)
        assert index.coverage("B") is None
        assert fake.embedded < 60


HOLD = """
import dowse, sys, time
index = dowse.open(sys.argv[1])
index.add("x", "held", tree="B")
print("holding", flush=True)
time.sleep(60)
"""


def test_indexing_one_tree_does_not_wait_for_the_lock_of_another(tmp_path: Path):
    """Another process holds B's."""
    home = tmp_path / "home"
    with dowse.open(home) as index:
        index.sync_folder(fill_folder(tmp_path / "B", 1, 3))
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(home)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline()
        with dowse.open(home, lock_timeout_s=0.0) as index:
            index.sync_folder(fill_folder(tmp_path / "A", 0, 3))
            index.add("pushed", "tea")
            index.commit()
            assert index.search(SearchRequest("museum", tree="A")).total
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_a_moved_folder_keeps_its_tree(tmp_path: Path):
    """Nothing is read again, and hits name the files where they are now."""
    folder = fill_folder(tmp_path / "notes", 1, 5)
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(folder)
        moved = tmp_path / "archive" / "old notes"
        moved.parent.mkdir()
        folder.rename(moved)
        assert ("notes", "") == index.find_tree(moved)
        report = index.sync_folder(moved)
        assert ("notes", 6, 0) == (report.tree, report.unchanged, report.added)
        hit = index.search("museum").hits[0]
        assert Path(hit.file).parent == moved
        assert ["notes"] == [tree.name for tree in index.status().trees]
    with dowse.open(tmp_path / "home") as index:
        assert str(moved) == index.status().trees[0].root


def test_a_file_belongs_to_the_innermost_tree(tmp_path: Path):
    """The outer tree leaves it alone, and a search of the outer folder finds it once."""
    outer, inner = fill_folder(tmp_path / "a", 1, 3), fill_folder(tmp_path / "a" / "b", 2, 3)
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(inner)
        assert 4 == index.sync_folder(outer).added
        assert {"a", "b"} == {document.tree for document in index.list_documents()}
        assert 8 == len(index.list_documents())
        hits = index.search(SearchRequest("museum", tree="a", limit=50)).hits
        assert {("a", 3), ("b", 3)} == {
            (name, sum(hit.tree == name for hit in hits)) for name in ("a", "b")
        }
        assert {"b"} == {hit.tree for hit in index.search(SearchRequest("museum", tree="b")).hits}
        assert ("b", "") == index.find_tree(inner)


def test_a_tree_goes_with_its_folder_below_the_home(tmp_path: Path):
    """Somebody removes it by hand, while the index is open."""
    with dowse.open(tmp_path / "home") as index:
        index.add("one", "tea", tree="one")
        index.add("two", "tea", tree="two")
        index.commit()
        assert 2 == index.search("tea").total
        shutil.rmtree(tmp_path / "home" / "trees" / "one")
        assert ["two"] == [hit.doc_key for hit in index.search("tea").hits]
        with pytest.raises(UnknownTreeError):
            index.search(SearchRequest("tea", tree="one"))
        assert 1 == index.remove_tree("two")
        assert () == index.search("tea").hits
        assert [] == list((tmp_path / "home" / "trees").iterdir())


def test_a_copied_tree_is_a_tree(tmp_path: Path):
    """In another home it answers as it did in its own."""
    with dowse.open(tmp_path / "home") as index:
        index.add("one", "green tea", tree="one")
        index.commit()
    (tmp_path / "other" / "trees").mkdir(parents=True)
    shutil.copytree(tmp_path / "home" / "trees" / "one", tmp_path / "other" / "trees" / "copied")
    with dowse.open(tmp_path / "other") as index:
        assert [("one", "one")] == [(hit.tree, hit.doc_key) for hit in index.search("tea").hits]
        index.add("two", "black tea", tree="one")
        index.commit()
        assert 2 == index.search("tea").total


def test_a_mounted_tree_is_only_read(tmp_path: Path):
    """It is searched where it is, and whatever would change it is refused."""
    with dowse.open(tmp_path / "home") as index:
        index.add("one", "green tea", tree="one")
        index.commit()
    place = tmp_path / "home" / "trees" / "one"
    before = sorted(file.name for file in place.rglob("*"))
    with dowse.open(tmp_path / "other") as index:
        assert "shared" == index.mount(place, name="shared")
        assert [("shared", "one")] == [(hit.tree, hit.doc_key) for hit in index.search("tea").hits]
        with pytest.raises(ReadOnlyIndexError, match="read only"):
            index.add("two", "black tea", tree="shared")
        with pytest.raises(InvalidParameterError, match="name cannot be"):
            index.mount(place, name="shared")
        assert index.status().trees[0].is_mounted
        index.sweep()
        index.remove_tree("shared")
        assert () == index.search("tea").hits
    assert before == sorted(file.name for file in place.rglob("*"))


def test_a_tree_becomes_one_file_and_a_tree_again(tmp_path: Path):
    """With its texts and its vectors."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        for number in range(20):
            index.add(f"{number}", f"tea {number} kitten", tree="one")
        index.commit()
        index.embed()
        expected = answers(index, "one")
        assert index.export_tree("one", tmp_path / "one.tar") == (tmp_path / "one.tar").stat().st_size
    with dowse.open(tmp_path / "other") as index:
        give_meaning(index)
        assert "one" == index.import_tree(tmp_path / "one.tar")
        assert expected == answers(index, "one")
        assert 20 == index.coverage("one").model
        with pytest.raises(InvalidParameterError, match="name cannot be"):
            index.import_tree(tmp_path / "one.tar")
        assert "two" == index.import_tree(tmp_path / "one.tar", name="two")
        index.add("more", "tea", tree="two")
        index.commit()
        (tmp_path / "none.tar").write_bytes(b"no tar at all")
        with pytest.raises(CorruptFileError):
            index.import_tree(tmp_path / "none.tar")
        for missing in (tmp_path, tmp_path / "missing.tar"):
            with pytest.raises(InvalidParameterError, match="file cannot be"):
                index.import_tree(missing)
    assert ["one", "two"] == sorted(folder.name for folder in (tmp_path / "other" / "trees").iterdir())


def test_a_damaged_catalogue_costs_its_own_tree_only(tmp_path: Path):
    """The others answer, and the answer says what is missing."""
    with dowse.open(tmp_path / "home") as index:
        for name in ("one", "two"):
            index.add(name, "green tea", tree=name)
        index.commit()
    catalog = tmp_path / "home" / "trees" / "one" / "catalog.db"
    catalog.write_bytes(b"no database" * 1000)
    with dowse.open(tmp_path / "home") as index:
        response = index.search("tea")
        assert ["two"] == [hit.doc_key for hit in response.hits]
        assert [("unusable-tree", "one")] == [(one.code, one.location) for one in response.problems]
        assert ["two"] == [hit.doc_key for hit in index.search(SearchRequest("tea", tree="two")).hits]
        with pytest.raises(CorruptFileError):
            index.search(SearchRequest("tea", tree="one"))
        assert {"one", "two"} == {tree.name for tree in index.status().trees}
        assert not index.check().is_healthy
        assert 0 == index.remove_tree("one")
        assert index.check().is_healthy
        assert ["two"] == [tree.name for tree in index.status().trees]
        assert not catalog.parent.exists()


def test_a_search_of_one_tree_opens_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """However many there are: neither their catalogues nor their segments."""
    with dowse.open(tmp_path / "home") as index:
        for number in range(10):
            index.add("note", f"green tea {number}", tree=f"tree{number}")
        index.commit()
    opened: list[str] = []
    real = sqlite3.connect

    def note(database: str, *arguments: object, **options: object) -> sqlite3.Connection:
        opened.append(str(database))
        return real(database, *arguments, **options)

    monkeypatch.setattr(sqlite3, "connect", note)
    monkeypatch.setattr(stores.sqlite3, "connect", note)
    with dowse.open(tmp_path / "home") as index:
        assert 1 == index.search(SearchRequest("tea", tree="tree3")).total
    parts = {part for path in opened for part in Path(path).parts}
    assert {"tree3"} == {part for part in parts if part.startswith("tree")} - {"trees"}


def test_several_trees_are_ranked_by_their_statistics_together(tmp_path: Path):
    """Scores are those of one tree that holds everything."""
    texts = {f"{number}": f"{WORDS[number % 10]} {WORDS[number % 7]} tea" for number in range(60)}
    found = []
    for parts in (1, 4):
        with dowse.open(tmp_path / f"home{parts}") as index:
            for number, (key, text) in enumerate(texts.items()):
                index.add(key, text, title="-", tree=f"tree{number % parts}")
            index.commit()
            hits = index.search(SearchRequest("museum tea token", limit=60)).hits
            found.append(sorted((-hit.score, hit.doc_key) for hit in hits))
    assert found[0] == found[1]


def test_a_tree_committed_by_who_died_before_registering_it_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has looked while it was being made looks again, though nothing came or went since."""
    home = tmp_path / "home"
    dowse.open(home).close()
    with dowse.open(home) as reader, dowse.open(home) as writer:
        writer.add("page", "a kingfisher")
        os.utime(home / "trees", ns=(10**18, 10**18))  # long ago
        assert 0 == reader.search("kingfisher").total
        monkeypatch.setattr(OpenTrees, "note_commit", lambda _: None)
        writer.commit()
        assert 1 == reader.search("kingfisher").total
