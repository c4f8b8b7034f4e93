"""Kills indexing runs at random moments and looks at what they left; run as a script.

    killed_runs.py FOLDER SEED RUNS

Each run changes some files of a folder, synchronises the index with it in a forked process that commits
every few milliseconds, and kills that process. The next run goes on with what this one left; after some
runs the index is compared with a fresh one, and the next one starts from nothing.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import dowse
from dowse.indexing import source_sync
from dowse.schema import Committed
from dowse.storage.catalog import open_read_only_catalog
from support.index_dump import dump_index
from support.open_trees import tree_folder
from support.pages import QUERIES, page

FILES = 200
FINISH_EVERY = 10


class Folder:
    """Some hundred small files that change from run to run."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root, self._dice, self._clock = root, dice, 10**18
        for number in range(FILES):
            self.write(number, 0)

    def write(self, number: int, version: int) -> None:
        """Writes a file with a time stamp no file had before."""
        file = self.root / f"part-{number % 7}" / f"page-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page(number, version))
        self._clock += 1000
        os.utime(file, ns=(self._clock, self._clock))

    def change(self) -> None:
        """Changes, adds and removes files."""
        for number in self._dice.sample(range(2 * FILES), 80):
            self.write(number, self._dice.randrange(100))
        files = sorted(self.root.rglob("*.md"))
        for file in self._dice.sample(files, len(files) - FILES if len(files) > FILES else 5):
            file.unlink()


def state_of(home: Path) -> tuple[int, str]:
    """Returns the generation of the only tree and a digest of all live documents."""
    catalog = open_read_only_catalog(tree_folder(home))
    try:
        catalog.connection.execute("BEGIN")
        sql = "SELECT tree_id, doc_key, content_hash FROM documents WHERE is_live ORDER BY 1, 2"
        rows = catalog.fetch(sql)
        return catalog.counter("generation"), hashlib.sha256(repr(rows).encode()).hexdigest()
    finally:
        catalog.close()


class Teller:
    """Tells the parent about every commit."""

    def __init__(self, home: Path, pipe: int) -> None:
        self._home, self._pipe = home, pipe

    def committed(self, event: Committed) -> None:
        """Sends what is true from now on."""
        found, digest = state_of(self._home)
        assert event.generation == found, "another generation than was reported"
        os.write(self._pipe, f"{event.generation} {digest}\n".encode())

    def __getattr__(self, _: str) -> object:
        return lambda *_: None


def synchronise(home: Path, root: Path, pipe: int) -> None:
    """Brings the index up to date, committing as often as possible."""
    source_sync.COMMIT_EVERY_S = 0.01
    with dowse.open(home, lock_timeout_s=0) as index:
        index.sync_folder(root, name="pages", listener=Teller(home, pipe))  # type: ignore[arg-type]


def killed_run(home: Path, root: Path, delay_s: float) -> tuple[list[tuple[int, str]], int]:
    """Starts a run, kills it after a delay, and returns what it said and how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            synchronise(home, root, writer)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.close(writer)
    time.sleep(delay_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        lines = [line.split() for line in pipe if line.endswith("\n")]
    return [(int(generation), digest) for generation, digest in lines], os.waitstatus_to_exitcode(status)


def in_child(work: Callable[[], None]) -> int:
    """Runs a function in a forked process and returns how it ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def must_be_sound(home: Path, said: list[tuple[int, str]]) -> None:
    """Opens what a killed run left: healthy, and with all that was committed."""
    with dowse.open(home, lock_timeout_s=0) as index:
        report = index.check()
        assert () == report.findings, report.findings
        for query in QUERIES:
            assert () == index.search(query).problems
    if said:
        generation, digest = state_of(home)
        assert generation >= said[-1][0], f"generation {generation}, but {said[-1][0]} was committed"
        if generation == said[-1][0]:
            assert digest == said[-1][1], "documents are not those that were committed"


def must_equal_fresh(home: Path, root: Path, fresh: Path) -> None:
    """Finishes the run and compares with an index made at once."""
    with dowse.open(home, lock_timeout_s=0) as index, dowse.open(fresh) as other:
        index.sync_folder(root, name="pages")
        other.sync_folder(root, name="pages")
        assert dump_index(fresh, other, QUERIES) == dump_index(home, index, QUERIES)


def main(base: Path, seed: int, runs: int) -> None:
    """Prints a JSON report; ends with an error at the first thing that is wrong."""
    dice = random.Random(seed)
    folder, home = Folder(base / "pages", dice), base / "home-0"
    with dowse.open(":memory:") as index:  # loads everything, so that forked processes need not
        index.sync_folder(folder.root)
        index.search(QUERIES[0])
    started = time.monotonic()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    assert 0 == in_child(lambda: synchronise(base / "measured", folder.root, nowhere))
    longest_s = time.monotonic() - started
    report = {"runs": 0, "killed": 0, "commits": 0, "compared": 0}
    for number in range(runs):
        said, status = killed_run(home, folder.root, dice.uniform(0, longest_s))
        assert status in (0, -signal.SIGKILL), f"run {number} ended with {status}"
        if home.exists():
            assert 0 == in_child(lambda: must_be_sound(home, said)), f"run {number}, seed {seed}"  # noqa: B023
        report["runs"] += 1
        report["killed"] += status != 0
        # Runs take as long as the machine is busy; most of them should live until they are killed.
        longest_s *= 1.05 if status else 0.7
        report["commits"] += len(said)
        if number % FINISH_EVERY == FINISH_EVERY - 1 or number == runs - 1:
            fresh = base / f"fresh-{number}"
            assert 0 == in_child(lambda: must_equal_fresh(home, folder.root, fresh)), f"run {number}"  # noqa: B023
            report["compared"] += 1
            home = base / f"home-{number + 1}"
        folder.change()
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
