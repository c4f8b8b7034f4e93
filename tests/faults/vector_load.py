"""One of several processes that make, merge and search vectors of the same index; run as a script.

    vector_load.py HOME writer|embedder|keeper|opener SECONDS

A writer adds notes and removes old ones. An embedder gives them vectors, a few at a time, and merges often. A
keeper searches with one open index, an opener opens a new one for each search. All of them print a JSON
report.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import dowse
from dowse.indexing import vector_indexing
from dowse.storage.vectors import merging
from support.fake_embedder import give_meaning

KEPT_NOTES = 60
CHECK_EVERY = 10


def write(home: Path, deadline: float) -> dict[str, Any]:
    """Commits notes until the time is over; each turn gives the lock back."""
    note = 0
    while time.monotonic() < deadline:
        with dowse.open(home) as index:
            for _ in range(5):
                index.add(f"note{note}", f"a car with number{note}", title=f"note{note}")
                index.delete(f"note{note - KEPT_NOTES}")
                note += 1
            index.commit()
    return {"notes": note}


def embed(home: Path, deadline: float) -> dict[str, Any]:
    """Makes vectors until the time is over."""
    vector_indexing.MODEL_BATCH, merging.SEGMENTS_AT_MOST = 2, 2
    runs = 0
    while time.monotonic() < deadline:
        with dowse.open(home) as index:
            give_meaning(index)
            index.embed()
            runs += 1
    return {"runs": runs}


def look(index: dowse.Index) -> int:
    """Searches by meaning; returns how many chunks have a vector. Nothing may be wrong with any."""
    response = index.search(dowse.SearchRequest("automobile", limit=1000, snippets=False))
    assert () == response.problems, response.problems
    keys = [hit.doc_key for hit in response.hits]
    assert len(keys) == len(set(keys)), "a note was found twice"
    # By meaning alone, for no note has the word: each that has a vector, and no other.
    assert response.coverage is None or len(keys) == response.coverage.model, (len(keys), response.coverage)
    return len(keys)


def read(home: Path, deadline: float, *, reopens: bool) -> dict[str, Any]:
    """Searches until the time is over."""
    reads, most = 0, 0
    index = dowse.open(home)
    give_meaning(index)
    while time.monotonic() < deadline:
        if reopens:
            index.close()
            index = dowse.open(home)
            give_meaning(index)
        most = max(most, look(index))
        reads += 1
        if reads % CHECK_EVERY == 0:
            findings = index.check().findings
            assert () == findings, findings
    index.close()
    return {"reads": reads, "most": most}


def main(home: Path, role: str, seconds: float) -> None:
    """Plays one role."""
    deadline = time.monotonic() + seconds
    if role in ("writer", "embedder"):
        report = (write if role == "writer" else embed)(home, deadline)
    else:
        report = read(home, deadline, reopens=role == "opener")
    print(json.dumps({"role": role, **report}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
