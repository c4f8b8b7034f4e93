"""Where a document stands in an answer, as JSON."""

from typing import TYPE_CHECKING

from dowse.cli.rendering.json_values import Json, hit_as_json, problem_as_json

if TYPE_CHECKING:
    from dowse.schema import DocumentExplanation


def standing_as_json(doc_key: str, standing: "DocumentExplanation") -> Json:
    """Returns the best chunk with its explanation, and why it is not shown; ``hit`` may be null."""
    missing = standing.outcome
    return {
        "doc_key": doc_key,
        "is_shown": standing.is_shown,
        "reason": missing.reason,
        "sentences": list(missing.sentences),
        "suggestions": list(missing.suggestions),
        "rank": missing.rank,
        "hit": None if standing.hit is None else hit_as_json(standing.hit),
        "problems": [problem_as_json(problem) for problem in standing.problems],
    }
