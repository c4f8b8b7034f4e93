"""One of several processes that write to and read from the same index; run as a script.

    mixed_load.py HOME writer|keeper|opener NUMBER SECONDS

A writer commits pairs of documents that belong together, and removes old pairs whole. A keeper reads with
one open index, an opener opens a new one for each read. All of them print a JSON report.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import dowse

KEPT_PAIRS = 40
CHECK_EVERY = 25


def write(home: Path, number: int, deadline: float) -> dict[str, Any]:
    """Commits pairs until the time is over; each turn gives the lock back."""
    pair, commits = 0, 0
    while time.monotonic() < deadline:
        with dowse.open(home) as index:
            for _ in range(3):
                for half in ("left", "right"):
                    text = f"twin {half} number{number} pair{pair}"
                    index.add(f"{number}-{pair}-{half}", text, title="pair")
                    index.delete(f"{number}-{pair - KEPT_PAIRS}-{half}")
                index.commit()
                pair, commits = pair + 1, commits + 1
    return {"pairs": pair, "commits": commits}


def look(index: dowse.Index) -> tuple[int, set[str]]:
    """Returns the generation and the keys seen; fails when a pair is torn."""
    response = index.search(dowse.SearchRequest("twin", limit=10_000, snippets=False))
    assert () == response.problems, response.problems
    keys = [hit.doc_key for hit in response.hits]
    seen = set(keys)
    assert len(keys) == len(seen), "a document was seen twice"
    pairs = {key.rpartition("-")[0] for key in seen}
    torn = {f"{pair}-{half}" for pair in pairs for half in ("left", "right")} - seen
    assert set() == torn, f"generation {response.generation} has half pairs: {sorted(torn)}"
    assert response.total == len(keys), "the count is not that of the hits"
    return response.generation, seen


def read(home: Path, deadline: float, *, reopens: bool) -> dict[str, Any]:
    """Reads until the time is over."""
    reads, longest_s, generations, last = 0, 0.0, set(), -1
    index = dowse.open(home)
    while time.monotonic() < deadline:
        started = time.monotonic()
        if reopens:
            index.close()
            index = dowse.open(home)
        generation, _ = look(index)
        longest_s = max(longest_s, time.monotonic() - started)
        assert generation >= last, f"generation {generation} after {last}"
        last = generation
        generations.add(generation)
        reads += 1
        if reads % CHECK_EVERY == 0:
            findings = index.check().findings
            assert () == findings, findings
    index.close()
    return {"reads": reads, "longest_ms": round(1e3 * longest_s, 1), "generations": len(generations)}


def main(home: Path, role: str, number: int, seconds: float) -> None:
    """Plays one role."""
    deadline = time.monotonic() + seconds
    if role == "writer":
        report = write(home, number, deadline)
    else:
        report = read(home, deadline, reopens=role == "opener")
    print(json.dumps({"role": role, "number": number, **report}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
