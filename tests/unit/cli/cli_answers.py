"""Hand-made answers for the tests of the command line face."""

from dowse.schema import (
    Explanation,
    Hit,
    IndexStatus,
    Problem,
    SearchRequest,
    SearchResponse,
    Snippet,
    Stage,
    TreeStatus,
)


def build_hit(**changes: object) -> Hit:
    """Returns a hit in /work/docs/guide.md, changed as asked."""
    values: dict[str, object] = {
        "rank": 1,
        "score": 3.25,
        "tree": "docs",
        "doc_key": "guide.md",
        "chunk": 2,
        "title": "Guide",
        "section_path": ("Install", "Linux"),
        "slug": "linux",
        "file": "/work/docs/guide.md",
        "line_start": 10,
        "line_end": 14,
        "snippet": Snippet("run the install script", ((8, 15),), 12),
    }
    return Hit(**(values | changes))  # type: ignore[arg-type]


def build_response(*hits: Hit, **changes: object) -> SearchResponse:
    """Returns an answer with these hits, changed as asked."""
    values: dict[str, object] = {
        "request": SearchRequest("install"),
        "hits": hits,
        "total": len(hits),
        "total_is_exact": True,
        "interpretation": "install",
        "generation": 7,
        "stages": (Stage("match", 1.0, 0, 5), Stage("snippets", 2.1, 5, 5, "all")),
    }
    return SearchResponse(**(values | changes))  # type: ignore[arg-type]


def build_explanation() -> Explanation:
    """Returns a small tree of numbers."""
    return Explanation(3.25, "sum of", (Explanation(3.25, "install in body"),))


def build_problem(number: int = 1) -> Problem:
    """Returns a problem with a number in its place."""
    return Problem("unreadable-file", f"notes/{number}.md", "permission denied", "change its mode")


def build_tree(**changes: object) -> TreeStatus:
    """Returns a tree called docs, changed as asked."""
    values: dict[str, object] = {
        "name": "docs",
        "root": "/work/docs",
        "language": "english",
        "documents": 3,
        "chunks": 9,
        "text_bytes": 1500,
        "last_sync": None,
        "problems": (),
    }
    return TreeStatus(**(values | changes))  # type: ignore[arg-type]


def build_status(
    *trees: TreeStatus, kernels: str = "compiled", kernel_fallbacks: tuple[tuple[str, str], ...] = ()
) -> IndexStatus:
    """Returns an index with these trees and no segments."""
    return IndexStatus("/home/dowse", "0.1.0", 1, kernels, 7, 3, 9, 4000, trees, (),
                       kernel_fallbacks=kernel_fallbacks)  # fmt: skip
