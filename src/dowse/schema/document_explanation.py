"""Where one document stands in an answer: which hit it is, or why it is none."""

from msgspec import Struct

from dowse.schema.problem import Problem
from dowse.schema.search_response import Hit

SHOWN, BELOW, BEFORE = "shown", "below-the-page", "before-the-page"
NO_WORDS, NO_VECTOR, NOT_AMONG_BEST = "no-words", "no-vector", "not-among-the-best"
OTHER_TREE, OTHER_FOLDER = "other-tree", "other-folder"
FILTERED, EXCLUDED, NOT_MATCHED = "filtered", "excluded", "not-matched"
FAILED, DELETED, NOT_INDEXED = "failed", "deleted", "not-indexed"

# Every reason with its meaning, in the order in which they are looked for.
REASONS: tuple[tuple[str, str], ...] = (
    (NOT_INDEXED, "the index does not have the document"),
    (FAILED, "the document could not be read"),
    (DELETED, "the document was in the index and is not any more"),
    (OTHER_TREE, "another tree was searched"),
    (OTHER_FOLDER, "another folder of its tree was searched"),
    (NO_WORDS, "the query has no word to search for"),
    (FILTERED, "a filter leaves the document out"),
    (EXCLUDED, "the document has what the query excludes"),
    (NOT_MATCHED, "a part of the query that must match does not"),
    (NO_VECTOR, "it has no vector yet, and words do not bring it either"),
    (NOT_AMONG_BEST, "it is not among the best that words and meaning bring"),
    (BEFORE, "it is a hit, on an earlier page"),
    (BELOW, "it is a hit, on a later page"),
    (SHOWN, "it is a hit, and shown"),
)


class DocumentOutcome(Struct, frozen=True):
    """What became of a document in a search.

    Attributes:
        reason: One of `REASONS`.
        sentences: The reason for people, most important first.
        suggestions: What would bring the document back.
        rank: The rank of its best chunk, from 1; None when none of its chunks is a hit.
    """

    reason: str
    sentences: tuple[str, ...]
    suggestions: tuple[str, ...] = ()
    rank: int | None = None


class DocumentExplanation(Struct, frozen=True):
    """A document in an answer.

    Attributes:
        hit: Its best chunk with the explanation of its score; None when it does not match.
        problems: What could not be looked at.
    """

    hit: Hit | None
    outcome: DocumentOutcome
    problems: tuple[Problem, ...] = ()

    @property
    def is_shown(self) -> bool:
        """True when it is on the page that was asked for."""
        return self.outcome.reason == SHOWN
