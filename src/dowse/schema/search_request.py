"""What a face asks: one plain frozen value, the same for every face."""

from typing import Literal

from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.schema.request_checks import check_options
from dowse.schema.synonym_rule import SynonymRule

SAYS_SOMETHING = "write what an answer could say"


class SearchRequest(Struct, frozen=True):
    """One question.

    Attributes:
        query: As typed, in the query language.
        also: More queries, each read on its own; hits of any of them answer.
        tree: Only documents of this tree; ``None`` for all.
        under: Only documents whose path starts with this folder (``guide/``); empty for all.
        limit: Most hits to return, 1 to 10,000.
        offset: Hits to skip, counted after ranking.
        mode: How the query is read and scored (`search.modes`).
        preset: Named set of field boosts and parameters (`scoring.PRESETS`).
        model: Scoring model by name; ``None`` for the mode's own.
        parameters: Numbers for the mode and the model, by name.
        fields: Only these fields are looked at; empty for all.
        default_operator: What words side by side mean: ``ranked`` (chunks with more of them come first),
            ``all`` must match, or ``any``.
        fuzzy: ``auto`` tries similar words when nothing matches, ``always`` from the start, ``never``.
        synonyms: Rules for words that mean the same (`dowse.parse_synonyms`).
        strict: Whether a query that is not well formed is an error instead of being read as well as it goes.
        explain: Whether each hit carries the explanation of its score.
        snippets: Whether each hit carries title, lines and snippet; without, only keys and scores.
        query_tree: Whether the response shows how the query was read.
        fusion: How words and meaning become one ranking (`dowse.fusion.FUSIONS`).
        scan: How closely vectors are looked at: ``fast`` (a rough look at all, a second one at the best),
            ``careful`` (a second look at more), or ``exact`` (a close look at all).
        hypothesis: A text that an answer could have; its meaning is looked for instead of the query's.
        expand: Which words are added to the query: ``none``, ``prf`` (from the best hits) or ``vocabulary``
            (the nearest of the model's own words).
        dedupe: Whether hits that say the same as a better one are folded into it.
        diversify: How much relevance counts against variety, 0 to 1; ``None`` leaves the order alone.
        rerank: Whether a model judges the first hits again, mixed into their scores.
        rerank_ms: How long that may take, in milliseconds.
        budget_ms: How long the whole answer may take, in milliseconds; what does not fit is left out and
            named. ``None`` for as long as it takes.
    """

    query: str
    tree: str | None = None
    under: str = ""
    limit: int = 10
    offset: int = 0
    mode: str = "auto"
    preset: str = "default"
    model: str | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    fields: tuple[str, ...] = ()
    default_operator: Literal["ranked", "all", "any"] = "ranked"
    fuzzy: Literal["auto", "always", "never"] = "auto"
    synonyms: tuple[SynonymRule, ...] = ()
    strict: bool = False
    explain: bool = False
    snippets: bool = True
    also: tuple[str, ...] = ()
    query_tree: bool = False
    fusion: str = "calibrated"
    scan: Literal["fast", "careful", "exact"] = "fast"
    hypothesis: str = ""
    expand: Literal["none", "prf", "vocabulary"] = "none"
    dedupe: bool = False
    diversify: float | None = None
    rerank: bool = False
    rerank_ms: int = 3000
    budget_ms: int | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.hypothesis.isspace():
            raise InvalidParameterError(name="the hypothesis", value="empty", legal=SAYS_SOMETHING)

    @property
    def has_stages(self) -> bool:
        """Whether anything is done beyond matching and scoring."""
        return self.expand != "none" or self.dedupe or self.rerank or self.diversify is not None
