"""A request as the legs are asked it."""

from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from dowse.fusion import FUSIONS
from dowse.kernels.layout import U8
from dowse.query import Parsed
from dowse.schema import SearchRequest
from dowse.scoring import PRESETS
from dowse.scoring.model import K1
from dowse.search.context import SearchContext
from dowse.search.lexical.corrections import make_fuzzy
from dowse.search.lexical.searcher import LexicalSearcher
from dowse.search.question import Question, read_widened

FUSION_PARAMETERS = frozenset(parameter.name for kind in FUSIONS for parameter in kind.parameters)
"""The parameters of a request that are a fusion's; lexical scoring leaves them out."""
WORDS_K1 = 1.2
"""BM25F's k1 beside vectors. How much a text is about a word, vectors tell better than repetitions do: these
count less than where words rank alone (docs/decisions/0006-fusion-weights.md)."""


class BoundQuery(Struct, frozen=True, dict=True):
    """What legs need to know.

    Attributes:
        request: As it was asked.
        lexical: The same as the lexical leg is asked it.
        parsed: The query as it was read.
        question: What is asked, apart from the words.
    """

    context: SearchContext
    request: SearchRequest
    lexical: SearchRequest
    parsed: Parsed
    question: Question

    @property
    def uses_words(self) -> bool:
        """Whether what the words find is part of the answer."""
        return self.request.mode != "semantic"

    @property
    def text(self) -> str:
        """What is embedded; empty when there is nothing to understand."""
        return self.request.hypothesis or self.question.text

    @cached_property
    def masks(self) -> list[U8 | None]:
        """Per segment, which rows vectors may find: those in scope that meet what the query demands."""
        masks = self.context.scope_masks(self.lexical)
        constraint = self.question.constraint
        if constraint is None:
            return masks
        matcher = LexicalSearcher(self.context).matcher_of(self.lexical, constraint)
        if matcher is None:
            return masks  # a phrase of punctuation demands nothing
        found: list[U8 | None] = []
        for number, (segment, mask) in enumerate(zip(self.context.snapshot.segments, masks, strict=True)):
            allowed = np.zeros(segment.reader.row_count, np.uint8)
            allowed[matcher.rows_in(number)] = 1
            found.append(allowed if mask is None else allowed & (mask != 0))
        return found


def bind_request(context: SearchContext, request: SearchRequest) -> BoundQuery:
    """Reads the query of a request for the legs."""
    searcher = LexicalSearcher(context)
    numbers = tuple((name, value) for name, value in request.parameters if name not in FUSION_PARAMETERS)
    is_usual = request.model is None and request.preset == PRESETS[0].name
    if is_usual and all(name != K1.name for name, _ in numbers):
        numbers += ((K1.name, WORDS_K1),)
    # Stages run after fusing: the lexical leg has none of its own.
    lexical = replace(request, mode="bm25f", parameters=numbers, dedupe=False, diversify=None, rerank=False)
    parsed = searcher.read(lexical)
    typed = searcher.read_typed(lexical) if request.synonyms else parsed.root
    if request.fuzzy == "always" and parsed.root is not None:
        parsed = parsed._replace(root=make_fuzzy(parsed.root))
    return BoundQuery(context, request, lexical, parsed, read_widened(parsed.root, typed))
