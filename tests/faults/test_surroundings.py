"""A full disk, a read-only home, a newer format, a held lock: the right error, and nothing is lost."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dowse
from dowse.errors import (
    DiskFullError,
    IndexLockedError,
    IndexNotFoundError,
    ReadOnlyIndexError,
    UnsupportedFormatError,
)
from dowse.storage.catalog_schema import CATALOG_VERSION
from dowse.storage.segment_files import FORMAT_VERSION, MANIFEST
from support.index_dump import dump_index, segment_folders
from support.open_trees import tree_folder
from support.pages import QUERIES, page

HOLD = """
import dowse, sys, time
index = dowse.open(sys.argv[1])
index.add("uncommitted", "never to be seen")
print("holding", flush=True)
time.sleep(600)
"""
COMMIT_AND_HOLD = """
import dowse, sys, time
index = dowse.open(sys.argv[1])
index.add("in-the-log", "a kingfisher")
index.commit()
print("holding", flush=True)
time.sleep(600)
"""
ADD_ONE = """
import dowse, sys, time
dowse.open
while time.time() < float(sys.argv[3]):
    pass
with dowse.open(sys.argv[1]) as index:
    index.search("anything")
    index.add(sys.argv[2], "a kingfisher")
    index.commit()
"""


@contextmanager
def mounted(place: Path, *arguments: str) -> Iterator[Path]:
    """Mounts something for a while; skips the test where that is not allowed."""
    place.mkdir(exist_ok=True)
    try:
        done = subprocess.run(["mount", *arguments, place], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@contextmanager
def running(script: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that says `holding` and then waits; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, home], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert "holding" == process.stdout.readline().strip()
        yield process
    finally:
        process.kill()
        process.communicate()


def fill(home: Path, count: int = 12) -> None:
    """Makes an index of a few pages."""
    with dowse.open(home) as index:
        for number in range(count):
            index.add(f"page-{number}", page(number), format="markdown")
        index.commit()


def add_kingfishers(index: dowse.Index, batch: int) -> None:
    """Commits sixty texts that do not compress."""
    for number in range(60):
        text = f"kingfisher {page(number, batch)} {os.urandom(300).hex()}"
        index.add(f"more-{batch}-{number}", text)
    index.commit()


def test_a_full_disk_stops_the_commit_and_loses_nothing(tmp_path: Path) -> None:
    """On a disk of 5 MB commits end with DiskFullError; the rest stays, and works after making room."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=5m", "tmpfs") as disk:
        home = disk / "home"
        fill(home)
        filler = disk / "filler"
        # More than the catalogue grows by when SQLite's log, 1.9 MB at most here, is written into it: the log
        # keeps its own room until then.
        filler.write_bytes(bytes(2 << 20))
        committed = 0
        with dowse.open(home) as index:
            for batch in range(100):
                try:
                    add_kingfishers(index, batch)
                except DiskFullError:
                    break
                committed += 60
            assert 0 < committed < 6000, "the disk never was full"
            assert committed == index.search("kingfisher").total
        filler.unlink()
        with dowse.open(home) as index:
            assert () == index.check().findings
            assert committed == index.search("kingfisher").total
            index.add("afterwards", "a kingfisher again")
            index.commit()
            assert committed + 1 == index.search("kingfisher").total
        named, there = segment_folders(home)
        assert named == there


def test_a_disk_without_any_room_is_called_full(tmp_path: Path) -> None:
    """Nothing can be made on a disk that is full already, and the message says so."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "tmpfs") as disk:
        with pytest.raises(OSError, match="No space left"):
            (disk / "filler").write_bytes(bytes(1 << 20))
        with pytest.raises(DiskFullError):
            fill(disk / "home")


def test_a_read_only_home_can_be_searched_but_not_changed(tmp_path: Path) -> None:
    """On a read-only disk searching and checking work; changes end with ReadOnlyIndexError."""
    source, folder = tmp_path / "source", tmp_path / "folder"
    folder.mkdir()
    (folder / "page.md").write_text(page(1))
    fill(source / "home")
    with dowse.open(source / "home") as index:
        expected = dump_index(source / "home", index, QUERIES)
    with mounted(tmp_path / "disk", "-o", "bind,ro", str(source)) as disk:
        home = disk / "home"
        if os.access(home, os.W_OK):
            subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        with dowse.open(home) as index:
            assert expected == dump_index(home, index, QUERIES)
            assert () == index.check().findings
            with pytest.raises(ReadOnlyIndexError):
                index.add("more", "text")
            with pytest.raises(ReadOnlyIndexError):
                index.sync_folder(folder)
            assert expected == dump_index(home, index, QUERIES)
        with pytest.raises(ReadOnlyIndexError):
            dowse.open(disk / "another")
        with pytest.raises(IndexNotFoundError):
            dowse.open(disk / "another", create=False)


def test_a_read_only_home_shows_what_is_only_in_the_log(tmp_path: Path) -> None:
    """What a killed process committed is still in SQLite's log; a read-only disk must not hide it."""
    home = tmp_path / "source" / "home"
    fill(home)
    with running(COMMIT_AND_HOLD, home) as process:
        process.kill()
        process.wait()
    assert (tree_folder(home) / "catalog.db-wal").stat().st_size, "the log is empty: nothing is tested"
    with mounted(tmp_path / "disk", "-o", "bind,ro", str(tmp_path / "source")) as disk:
        if os.access(disk / "home", os.W_OK):
            subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        with dowse.open(disk / "home") as index:
            assert ["in-the-log"] == [hit.doc_key for hit in index.search("kingfisher").hits]


def test_a_log_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    """Without its shared memory the log cannot be read on a read-only disk: an error, no older state."""
    home = tmp_path / "source" / "home"
    fill(home)
    with running(COMMIT_AND_HOLD, home) as process:
        process.kill()
        process.wait()
    (tree_folder(home) / "catalog.db-shm").unlink()
    with mounted(tmp_path / "disk", "-o", "bind,ro", str(tmp_path / "source")) as disk:
        if os.access(disk / "home", os.W_OK):
            subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        with pytest.raises(ReadOnlyIndexError), dowse.open(disk / "home") as index:
            index.search("kingfisher")


def test_a_newer_catalogue_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A tree whose catalogue a newer Dowse wrote cannot be read or written."""
    home = tmp_path / "home"
    fill(home)
    with sqlite3.connect(tree_folder(home) / "catalog.db") as connection:
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'catalog_version'")
    connection.close()
    for create in (False, True):
        with dowse.open(home, create=create) as index:
            for ask in (index.search, lambda word: index.add("new", word)):
                with pytest.raises(UnsupportedFormatError) as caught:
                    ask("river")
                assert CATALOG_VERSION + 1 == caught.value.details["found"]


def test_a_newer_segment_is_refused_and_not_rebuilt(tmp_path: Path) -> None:
    """A segment a newer Dowse wrote is not damaged: it must not be replaced by an old one."""
    home = tmp_path / "home"
    fill(home)
    (folder,), _ = segment_folders(home)
    file = tree_folder(home) / "segments" / folder / MANIFEST
    manifest = json.loads(file.read_bytes())
    raw = json.dumps({**manifest, "format_version": FORMAT_VERSION + 1, "new": 1}).encode()
    file.write_bytes(raw)
    with sqlite3.connect(tree_folder(home) / "catalog.db") as connection:
        connection.execute("UPDATE segments SET checksum = ?", (zlib.crc32(raw),))
    connection.close()
    with dowse.open(home) as index:
        with pytest.raises(UnsupportedFormatError):
            index.search("river")
        assert not index.check(repair=True).is_healthy
    assert raw == file.read_bytes()


def age(home: Path) -> str:
    """Turns an index into one of format 1, without words and signatures; returns the segment's folder."""
    (folder,), _ = segment_folders(home)
    place = tree_folder(home) / "segments" / folder
    manifest = json.loads((place / MANIFEST).read_bytes())
    for name in ("words", "signatures"):
        (place / name).unlink()
        del manifest["files"][name]
    raw = json.dumps({**manifest, "format_version": 1}).encode()
    (place / MANIFEST).write_bytes(raw)
    with sqlite3.connect(tree_folder(home) / "catalog.db") as connection:
        connection.execute("UPDATE segments SET checksum = ?", (zlib.crc32(raw),))
    connection.close()
    return folder


def test_an_older_segment_is_rebuilt_on_the_first_search(tmp_path: Path) -> None:
    """An index of an older format answers as before, from segments made again from the catalogue."""
    home = tmp_path / "home"
    fill(home)
    with dowse.open(home) as index:
        expected = [(hit.doc_key, hit.score) for hit in index.search("river").hits]
    folder = age(home)
    with dowse.open(home) as index:
        (finding,) = index.check().findings
        assert "an older Dowse wrote it (format 1" in finding.message
        assert expected == [(hit.doc_key, hit.score) for hit in index.search("river").hits]
        assert () == index.check().findings
    assert [folder] != segment_folders(home)[0]


def test_an_older_segment_is_rebuilt_before_it_is_written_to(tmp_path: Path) -> None:
    """Replacing a document needs no search first: what is in the way is healed."""
    home = tmp_path / "home"
    fill(home)
    age(home)
    with dowse.open(home) as index:
        index.add("page-3", "nothing but a lake")
        index.commit()
        assert ["page-3"] == [hit.doc_key for hit in index.search("lake").hits]
        assert () == index.check().findings


def test_a_held_lock_is_named_and_ends_with_its_process(tmp_path: Path) -> None:
    """A writer that waits says for whom, gives up in time, and gets the lock when the holder is killed."""
    home = tmp_path / "home"
    fill(home)
    with running(HOLD, home) as process, dowse.open(home, lock_timeout_s=0.2) as index:
        with pytest.raises(IndexLockedError) as caught:
            index.add("mine", "a kingfisher")
        assert f"process {process.pid}" == caught.value.details["holder"]
        assert index.search("river").total, "reading must go on"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        index.add("mine", "a kingfisher")
        index.commit()
        assert ["mine"] == [hit.doc_key for hit in index.search("kingfisher seen").hits]


def make_together(home: Path) -> None:
    """Lets six processes open a new home at the same moment, and looks for what each of them added."""
    start = str(time.time() + 0.7)  # when all of them have started
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ADD_ONE, home, f"page-{number}", start],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(6)
    ]
    errors = [process.communicate()[1] for process in processes]
    assert [""] * 6 == errors
    with dowse.open(home, create=False) as index:
        assert 6 == index.search("kingfisher").total


def test_many_processes_make_a_new_home_together(tmp_path: Path) -> None:
    """Six processes that open the same new home at the same moment all succeed."""
    make_together(tmp_path / "home")


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(2))
def test_many_processes_make_a_new_home_together_again(tmp_path: Path, turn: int) -> None:
    """The same a few times more: it is a matter of luck who comes first."""
    make_together(tmp_path / f"home-{turn}")


def test_a_home_left_half_made_is_finished(tmp_path: Path) -> None:
    """An empty catalogue file, left by a process that died, is an index that is not there yet."""
    home = tmp_path / "home"
    (home / "trees" / "default").mkdir(parents=True)
    (home / "trees" / "default" / "catalog.db").touch()
    with dowse.open(home, create=False) as index:
        assert () == index.status().trees
    fill(home)
    with dowse.open(home, create=False) as index:
        assert index.search("river").total
