"""Looks at the files behind an answer before it is shown.

An index is as old as its last look at the folder. A hit whose file is gone is dropped, and the next one takes
its place; a hit whose file has changed since is marked.
"""

import os
import time
from collections.abc import Callable

from msgspec.structs import replace

from dowse.schema import Hit, SearchRequest, SearchResponse, Stage
from dowse.schema.request_options import MAX_LIMIT

Ask = Callable[[SearchRequest], SearchResponse]


def answer_with_checked_files(ask: Ask, request: SearchRequest) -> SearchResponse:
    """Answers a request with hits whose files are there."""
    response = ask(request)
    if not (request.snippets and any(hit.file for hit in response.hits)):  # keys alone name no file
        return response
    started = time.perf_counter()
    asked, hits = len(response.hits), _checked(response.hits)
    extra = asked - len(hits)
    while len(hits) < asked and request.limit + extra <= MAX_LIMIT:
        wider = ask(replace(request, limit=request.limit + extra))
        more = _checked(wider.hits)
        gone = len(wider.hits) - len(more)
        hits = more[:asked]
        if gone == extra or len(wider.hits) < request.limit + extra:
            break
        extra = gone
    stale = sum(hit.is_stale for hit in hits)
    notes = [f"{extra} of files that are gone were dropped"] if extra else []
    notes += [f"{stale} of files that have changed since"] if stale else []
    elapsed_ms = (time.perf_counter() - started) * 1000
    stage = Stage("check files", elapsed_ms, asked, len(hits), "; ".join(notes))
    return replace(
        response,
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, request.offset + 1)),
        stages=(*response.stages, stage),
    )


def _checked(hits: tuple[Hit, ...]) -> list[Hit]:
    """Returns the hits whose files are there, those marked whose files have changed."""
    states = {hit.file: _state(hit) for hit in hits if hit.file}
    kept = []
    for hit in hits:
        state = states.get(hit.file) if hit.file else "same"
        if state != "gone":
            kept.append(replace(hit, is_stale=True) if state == "changed" else hit)
    return kept


def _state(hit: Hit) -> str:
    assert hit.file is not None, "only hits with a file are looked at"
    try:
        status = os.stat(hit.file)  # noqa: PTH116 - ten a search
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except OSError:
        return "same"  # not to be seen is not to be gone
    return "same" if hit.file_stamp == (status.st_size, status.st_mtime_ns) else "changed"
