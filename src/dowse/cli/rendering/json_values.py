"""Every answer as JSON: the shapes programs rely on."""

import json
import sys
from typing import TYPE_CHECKING

from msgspec.structs import asdict

if TYPE_CHECKING:
    from dowse.schema import (
        Coverage,
        DoctorReport,
        Hit,
        IndexStatus,
        Problem,
        SearchRequest,
        SearchResponse,
        Section,
        SegmentStatus,
        Snippet,
        Stage,
        StoredDocument,
        StoredSection,
        TreeStatus,
    )

Json = dict[str, object]


def dump_json(value: Json) -> str:
    """Returns one JSON object and a newline, readable as it is where the stream takes UTF-8."""
    takes_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not takes_unicode, indent=2, default=str) + "\n"


def response_as_json(response: "SearchResponse") -> Json:
    """Returns the answer of a search; ``query_tree`` is there only when it was asked for."""
    value: Json = {
        "query": response.request.query,
        "request": request_as_json(response.request),
        "interpretation": response.interpretation,
        "is_fuzzy": response.is_fuzzy,
        "suggestion": response.suggestion,
        "total": response.total,
        "total_is_exact": response.total_is_exact,
        "generation": response.generation,
        "ms": round(response.ms, 3),
        "hits": [hit_as_json(hit) for hit in response.hits],
        "stages": [stage_as_json(stage) for stage in response.stages],
        "problems": [problem_as_json(problem) for problem in response.problems],
        "coverage": coverage_as_json(response.coverage),
    }
    if response.request.query_tree:
        value["query_tree"] = list(response.query_tree)
    return value


def request_as_json(request: "SearchRequest") -> Json:
    """Returns what was asked besides the query itself."""
    return {
        "also": list(request.also),
        "tree": request.tree,
        "under": request.under,
        "limit": request.limit,
        "offset": request.offset,
        "mode": request.mode,
        "preset": request.preset,
        "model": request.model,
        "parameters": dict(request.parameters),
        "fields": list(request.fields),
        "default_operator": request.default_operator,
        "fuzzy": request.fuzzy,
        "synonyms": {rule.words: list(rule.synonyms) for rule in request.synonyms},
        "strict": request.strict,
        "fusion": request.fusion,
        "scan": request.scan,
        "hypothesis": request.hypothesis,
        "expand": request.expand,
        "dedupe": request.dedupe,
        "diversify": request.diversify,
        "rerank": request.rerank,
        "rerank_ms": request.rerank_ms,
    }


def hit_as_json(hit: "Hit") -> Json:
    """Returns one hit; ``explanation`` is there only when it was asked for."""
    value: Json = {
        "rank": hit.rank,
        "score": hit.score,
        "tree": hit.tree,
        "doc_key": hit.doc_key,
        "chunk": hit.chunk,
        "title": hit.title,
        "section_path": list(hit.section_path),
        "slug": hit.slug,
        "file": hit.file,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "locator": hit.locator,
        "has_source_lines": hit.has_source_lines,
        "is_stale": hit.is_stale,
        "duplicate_count": hit.duplicate_count,
        "snippet": None if hit.snippet is None else snippet_as_json(hit.snippet),
    }
    if hit.explanation is not None:
        value["explanation"] = hit.explanation.as_json()
    return value


def snippet_as_json(snippet: "Snippet") -> Json:
    """Returns the snippet with its highlights as pairs of character positions."""
    return {
        "text": snippet.text,
        "highlights": [list(span) for span in snippet.highlights],
        "line": snippet.line,
    }


def stage_as_json(stage: "Stage") -> Json:
    """Returns one stage."""
    return {
        "name": stage.name,
        "ms": round(stage.ms, 3),
        "in": stage.hits_in,
        "out": stage.hits_out,
        "note": stage.note,
    }


def problem_as_json(problem: "Problem") -> Json:
    """Returns one problem."""
    return {
        "code": problem.code,
        "location": problem.location,
        "message": problem.message,
        "hint": problem.hint,
    }


def status_as_json(status: "IndexStatus") -> Json:
    """Returns what an index says about itself."""
    return {
        "home": status.home,
        "version": status.version,
        "format_version": status.format_version,
        "kernels": status.kernels,
        "kernel_fallbacks": dict(status.kernel_fallbacks),
        "generation": status.generation,
        "documents": status.documents,
        "chunks": status.chunks,
        "disk_bytes": status.disk_bytes,
        "trees": [tree_as_json(tree) for tree in status.trees],
        "segments": [segment_as_json(segment) for segment in status.segments],
        "vectors": {
            "model": status.embedding_model,
            "coverage": coverage_as_json(status.coverage),
            "reason": status.no_vectors,
        },
    }


def coverage_as_json(coverage: "Coverage | None") -> Json | None:
    """Returns how many chunks there are, and how many have a vector of each kind; None without vectors."""
    return None if coverage is None else asdict(coverage)


def tree_as_json(tree: "TreeStatus") -> Json:
    """Returns one tree; ``last_sync`` is in seconds since 1970."""
    return {
        "name": tree.name,
        "root": tree.root,
        "language": tree.language,
        "documents": tree.documents,
        "chunks": tree.chunks,
        "text_bytes": tree.text_bytes,
        "last_sync": tree.last_sync,
        "is_watched": tree.is_watched,
        "has_root": tree.has_root,
        "formats": dict(tree.formats),
        "pending": None if tree.pending is None else asdict(tree.pending),
        "problems": [problem_as_json(problem) for problem in tree.problems],
    }


def segment_as_json(segment: "SegmentStatus") -> Json:
    """Returns one segment."""
    return {
        "name": segment.name,
        "rows": segment.rows,
        "deleted": segment.deleted,
        "terms": segment.terms,
        "disk_bytes": segment.disk_bytes,
    }


def doctor_as_json(report: "DoctorReport") -> Json:
    """Returns what a check found."""
    return {
        "is_healthy": report.is_healthy,
        "checked_files": report.checked_files,
        "checked_bytes": report.checked_bytes,
        "findings": [problem_as_json(problem) for problem in report.findings],
        "repaired": list(report.repaired),
    }


def document_as_json(document: "StoredDocument") -> Json:
    """Returns a document as the catalogue keeps it, its whole text included."""
    return {
        "tree": document.tree,
        "doc_key": document.doc_key,
        "title": document.title,
        "file": document.file,
        "format": document.format,
        "tags": list(document.tags),
        "metadata": dict(document.metadata),
        "chunk_count": document.chunk_count,
        "sections": [section_as_json(section) for section in document.sections],
        "text": document.text,
    }


def section_as_json(section: "Section | StoredSection") -> Json:
    """Returns one section."""
    return {
        "ordinal": section.ordinal,
        "parent": section.parent,
        "depth": section.depth,
        "title": section.title,
        "slug": section.slug,
        "line_start": section.line_start,
        "line_end": section.line_end,
    }
