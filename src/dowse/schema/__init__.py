"""Which values travel through Dowse?

The frozen values every layer agrees on, and every value that crosses a face: a document with its sections and
chunks on the way in; requests, responses and reports on the way out; and a problem when something was wrong
but nothing had to stop. Values only; nothing here reads, decides or scores.

May import: `errors`, `remedy`, and outside Dowse the standard library and msgspec. NumPy never: a face must
be able to build a request and read a response without it.

Reading order: `fields` (the six fields of a chunk) · `problem` · `document` · `parameter` · `synonym_rule` ·
`search_request` · `coverage` · `explanation` · `search_response` · `document_explanation` · `suggestions` ·
`stored_document` · `embedding_report` · `index_status` · `maintenance`.

Invariants:
1. A chunk lies inside one section, and its byte range lies inside its document's text.
2. Byte ranges and line numbers count in the document's *stored text*: for UTF-8 files that is the file
   itself, for other encodings and formats it is the extracted text. Lines start at 1, ends are inclusive;
   byte ranges are half open.

Not for: database rows (`storage`).
"""

from dowse.remedy import Remedy
from dowse.schema.coverage import Coverage
from dowse.schema.document import Anchor, Chunk, Document, Link, Section, section_path
from dowse.schema.document_explanation import DocumentExplanation, DocumentOutcome
from dowse.schema.embedding_report import EmbeddingReport
from dowse.schema.evaluation_reports import EvaluationReport, ProposalReport
from dowse.schema.explanation import Explanation
from dowse.schema.fields import FIELD_COUNT, Field
from dowse.schema.index_status import CacheStatus, IndexStatus, PendingChanges, SegmentStatus, TreeStatus
from dowse.schema.maintenance import Committed, DoctorReport, SweepReport, SyncReport
from dowse.schema.parameter import Parameter
from dowse.schema.problem import Problem
from dowse.schema.search_request import SearchRequest
from dowse.schema.search_response import Hit, SearchResponse, Snippet, Stage
from dowse.schema.stored_document import ListedChunk, ListedDocument, StoredDocument, StoredSection
from dowse.schema.suggestions import (
    Completion,
    Misspelling,
    SpellingCandidate,
    SpellingReport,
    TermEntry,
    TermPage,
)
from dowse.schema.synonym_rule import SynonymRule

__all__ = [
    "FIELD_COUNT",
    "Anchor",
    "CacheStatus",
    "Chunk",
    "Committed",
    "Completion",
    "Coverage",
    "DoctorReport",
    "Document",
    "DocumentExplanation",
    "DocumentOutcome",
    "EmbeddingReport",
    "EvaluationReport",
    "Explanation",
    "Field",
    "Hit",
    "IndexStatus",
    "Link",
    "ListedChunk",
    "ListedDocument",
    "Misspelling",
    "Parameter",
    "PendingChanges",
    "Problem",
    "ProposalReport",
    "Remedy",
    "SearchRequest",
    "SearchResponse",
    "Section",
    "SegmentStatus",
    "Snippet",
    "SpellingCandidate",
    "SpellingReport",
    "Stage",
    "StoredDocument",
    "StoredSection",
    "SweepReport",
    "SyncReport",
    "SynonymRule",
    "TermEntry",
    "TermPage",
    "TreeStatus",
    "section_path",
]
