"""Steps through the crash points of one operation; run under the shim as a script.

    crash_points.py FOLDER OPERATION STEP OFFSET thorough|sample

For the call numbers OFFSET + 1, OFFSET + 1 + STEP, … until the operation ends untouched: copy the prepared
index, perform the operation in a forked process in which that call goes wrong, then look at the index in
another one. A sample tries one way of failing at each call, in turns. Forking instead of starting afresh
makes a crash point cost a fifth.
"""

import errno
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dowse
from dowse.errors import DiskFullError, ReadOnlyIndexError, StorageError
from dowse.indexing import embedding_plan, vector_indexing
from dowse.storage.vectors import merging
from support.fake_embedder import give_meaning
from support.fault_shim import Action, Shim
from support.index_dump import dump_index, segment_folders_of
from support.open_trees import tree_folders
from support.pages import QUERIES, page

# Three at every call, the members of each taking turns.
WAYS = (
    ((Action.KILL_BEFORE, 0), (Action.KILL_TORN, 0), (Action.KILL_BEFORE, 0), (Action.KILL_AFTER, 0)),
    ((Action.FAIL_ONCE, errno.EIO), (Action.FAIL_ONCE, errno.ENOSPC)),
    ((Action.FAIL_FROM, errno.ENOSPC), (Action.FAIL_FROM, errno.EIO), (Action.FAIL_FROM, errno.EROFS)),
)
LEGAL = (DiskFullError, StorageError, ReadOnlyIndexError)


@dataclass(frozen=True)
class Operation:
    """What is done under the shim, on what, and the states that may remain.

    Attributes:
        prepare: Makes the index (and folder) the operation starts from.
        perform: Does it; calls its last argument when the change is committed.
        finish: Brings to its end what may have been cut off; returns what must come of it in any case.
    """

    prepare: Callable[[Path, Path], None]
    perform: Callable[[Path, Path, Callable[[], None]], None]
    finish: Callable[[dowse.Index], object] = lambda index: None


def _prepare_texts(home: Path, _: Path) -> None:
    """Eight generations merged into one segment, then six of additions, replacements and deletions."""
    with dowse.open(home) as index:
        for generation in range(8):
            index.add(f"page-{2 * generation}", page(2 * generation), format="markdown")
            index.add(f"page-{2 * generation + 1}", page(2 * generation + 1), format="markdown")
            index.commit()
        assert 1 == index.optimize(), "the eight segments did not become one"
        for generation in range(6):
            index.add(f"later-{generation}", page(40 + generation), format="markdown")
            index.add(f"last-{generation}", page(50 + generation), format="markdown")
            if generation < 2:
                index.add(f"page-{generation}", page(generation, 1), format="markdown")
                index.delete(f"page-{generation + 10}")
            index.commit()


def _prepare_two_segments(home: Path, _: Path) -> None:
    with dowse.open(home) as index:
        for number in range(6):
            index.add(f"page-{number}", page(number), format="markdown")
            if number % 3 == 2:
                index.commit()


def _commit_texts(home: Path, _: Path, committed: Callable[[], None]) -> None:
    with dowse.open(home, lock_timeout_s=0) as index:
        for number in range(4):
            index.add(f"newest-{number}", page(60 + number), format="markdown")
        index.add("page-3", page(3, 2), format="markdown")
        index.add("later-1", page(41, 2), format="markdown")
        index.delete("page-7")
        index.delete("later-2")
        index.commit()
        committed()
        assert index.optimize(), "no merge was due"


def _write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    # Time stamps as old as the hills: what decides must be the size, or the time set here.
    os.utime(file, ns=(0, 10**18 + len(text)))


def _prepare_folder(home: Path, folder: Path) -> None:
    """Eight synchronised states of a folder, then one more change nobody has indexed yet."""
    for generation in range(8):
        _write(folder, f"a/page-{generation}.md", page(generation))
        _write(folder, f"b/page-{generation}.md", page(generation + 20))
        _write(folder, "a/page-0.md", page(0, generation) + "x" * generation)
        with dowse.open(home) as index:
            index.sync_folder(folder, name="pages")
    for number in range(4):
        _write(folder, f"c/new-{number}.md", page(60 + number))
    _write(folder, "a/page-1.md", page(1, 9) + "more")
    (folder / "a/page-2.md").rename(folder / "c/moved.md")
    (folder / "b/page-3.md").unlink()


def _sync_folder(home: Path, folder: Path, committed: Callable[[], None]) -> None:
    with dowse.open(home, lock_timeout_s=0) as index:
        index.sync_folder(folder)
    committed()


def _prepare_nothing(home: Path, _: Path) -> None:
    home.mkdir()


def _create(home: Path, _: Path, committed: Callable[[], None]) -> None:
    with dowse.open(home, lock_timeout_s=0) as index:
        index.add("first", page(1), format="markdown")
        index.commit()
        committed()


def _rebuild(home: Path, _: Path, committed: Callable[[], None]) -> None:
    with dowse.open(home, lock_timeout_s=0) as index:
        index.rebuild()
    committed()


def _embed(home: Path, _: Path, committed: Callable[[], None]) -> None:
    with dowse.open(home, lock_timeout_s=0) as index:
        give_meaning(index)
        index.embed()
    committed()


def _embed_the_rest(index: dowse.Index) -> object:
    """Every chunk has a vector, and searches use them."""
    give_meaning(index)
    return index.embed()


OPERATIONS = {
    "commit": Operation(_prepare_texts, _commit_texts),
    "sync": Operation(_prepare_folder, _sync_folder),
    "create": Operation(_prepare_nothing, _create),
    "rebuild": Operation(_prepare_two_segments, _rebuild),
    "embed": Operation(_prepare_two_segments, _embed, _embed_the_rest),
}
UNSEEN = ("rebuild", "embed")
"""What these change is not in a dump: it can all be made again."""
# Small, so that few chunks make several segments of vectors, and a merge.
vector_indexing.MODEL_BATCH, vector_indexing.MODEL_SLICE, merging.SEGMENTS_AT_MOST = 4, 2, 2
embedding_plan.FIRST_PAIRS = 1


def in_child(work: Callable[[Callable[[Any], None]], None]) -> tuple[list[Any], int]:
    """Runs `work` in a forked process; returns what it sent and how the process ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            work(lambda value: os.write(writer, json.dumps(value).encode() + b"\n"))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        sent = [json.loads(line) for line in pipe]
    _, status = os.waitpid(child, 0)
    return sent, os.waitstatus_to_exitcode(status)


def attempt(
    operation: Operation, home: Path, folder: Path, at: int, action: Action, error: int
) -> Callable[[Callable[[Any], None]], None]:
    """Returns the process in which the operation meets its fault."""

    def work(send: Callable[[Any], None]) -> None:
        shim = Shim()
        shim.arm(home, at, action, error)
        try:
            operation.perform(home, folder, lambda: send("committed"))
            send({"outcome": "done", "fired": shim.fired, "calls": shim.calls})
        except Exception as failure:
            is_legal = isinstance(failure, LEGAL)
            is_full = isinstance(failure, DiskFullError)
            outcome = {"outcome": "error", "fired": shim.fired, "legal": is_legal, "full": is_full}
            send({**outcome, "trace": traceback.format_exc()})

    return work


def look(home: Path, finish: Callable[[dowse.Index], object], send: Callable[[Any], None]) -> None:
    """Checks the index, dumps it, and commits once more."""
    with dowse.open(home, lock_timeout_s=0) as index:
        report = index.check()
        send([finding.message for finding in report.findings])
        send(repr((finish(index), dump_index(home, index, QUERIES))))
        index.add("afterwards", "a kingfisher", format="text")
        index.commit()
        asked = dowse.SearchRequest("kingfisher", mode="bm25f")
        found = [hit.doc_key for hit in index.search(asked).hits]
        index.delete("afterwards")
        index.commit()
        index.optimize()
        orphans, missing = [], []
        for tree in tree_folders(home):
            for table in ("segments", "vector_segments"):
                named, there = segment_folders_of(tree, table)
                orphans += [f"{tree.name}/{folder}" for folder in sorted(there - named)]
                missing += [f"{tree.name}/{folder}" for folder in sorted(named - there)]
        send({"found": found, "orphans": orphans, "missing": missing})
        send(repr((finish(index), dump_index(home, index, QUERIES))))


def warm_up(base: Path) -> None:
    """Imports and loads everything once, so that forked processes need not; opens no index on disk."""
    _write(base / "warm", "page.md", page(1))
    with dowse.open(":memory:") as index:
        index.sync_folder(base / "warm")
        index.add("page", page(1), format="markdown")
        index.commit()
        for query in QUERIES:
            index.search(query)
        index.check()


def states(operation: Operation, base: Path) -> tuple[str, str]:
    """Prepares the index and returns its dumps before and after the operation."""
    folder, start = base / "folder", base / "start"
    folder.mkdir()
    in_child(lambda _: operation.prepare(start, folder))
    dumps = []
    for is_after in (False, True):
        home = base / "home"
        shutil.copytree(start, home)
        if is_after:
            in_child(lambda _: operation.perform(home, folder, lambda: None))  # noqa: B023
        sent, status = in_child(lambda send: look(home, operation.finish, send))  # noqa: B023
        assert 0 == status, "an undisturbed index cannot be looked at"
        dumps.append(sent[1])
        shutil.rmtree(home)
    return dumps[0], dumps[1]


def judge(
    sent: list[Any], status: int, seen: list[Any], before: str, after: str, way: tuple[Action, int]
) -> str:
    """Returns what is wrong, or nothing when all is as it should be."""
    action, error = way
    if status == -9:
        if action in (Action.FAIL_ONCE, Action.FAIL_FROM):
            return "it was killed by nobody"
    elif status != 0 or not sent or "outcome" not in sent[-1]:
        return f"it ended with status {status}"
    elif sent[-1]["outcome"] == "error":
        if not sent[-1]["legal"]:
            return f"the wrong error: {sent[-1]['trace']}"
        if error == errno.ENOSPC and sent[-1]["fired"] == "write" and not sent[-1]["full"]:
            return f"a full disk must be called so: {sent[-1]['trace']}"
    if len(seen) < 4:
        return "the index cannot be looked at"
    findings, dump, further, last = seen
    if findings:
        return f"check found: {findings}"
    if dump not in (before, after):
        return "it is between two states"
    if "committed" in sent and dump != after:
        return "a committed change is lost"
    if further != {"found": ["afterwards"], "orphans": [], "missing": []}:
        return f"a further commit: {further}"
    if last != dump:
        return "a further commit changed the rest"
    return ""


def main(base: Path, name: str, step: int, offset: int, is_thorough: bool) -> None:
    """Steps through all crash points and prints one JSON report."""
    operation = OPERATIONS[name]
    warm_up(base)
    before, after = states(operation, base)
    assert before != after or name in UNSEEN, "the operation changes nothing"
    report: dict[str, Any] = {"points": 0, "runs": 0, "errors": 0, "kills": 0, "tolerated": 0, "wrong": []}
    folder, home = base / "folder", base / "home"
    for turn in range(10_000):
        at = 1 + offset + turn * step
        ways = tuple(group[(at - 1) % len(group)] for group in WAYS)
        if not is_thorough:
            ways = (ways[turn % len(WAYS)],)
        has_fired = False
        for way in ways:
            shutil.copytree(base / "start", home)
            sent, status = in_child(attempt(operation, home, folder, at, *way))
            seen, _ = in_child(lambda send: look(home, operation.finish, send))
            wrong = judge(sent, status, seen, before, after, way)
            if wrong:
                report["wrong"].append(f"call {at}, {way[0].name} {way[1]}: {wrong}")
            shutil.rmtree(home)
            outcome = sent[-1] if sent and isinstance(sent[-1], dict) else {"outcome": "", "fired": ""}
            if status == -9 or outcome["fired"]:
                has_fired = True
                report["runs"] += 1
                kind = "kill" if status == -9 else outcome["outcome"]
                report[{"kill": "kills", "done": "tolerated"}.get(kind, "errors")] += 1
        if not has_fired:
            break
        report["points"] += 1
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "thorough")
