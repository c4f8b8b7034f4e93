"""The table of request options: everything that a search request can say, once.

Validation, command-line flags, configuration keys, environment variables, the refusal of options that would
do nothing, JSON schemas and the reference pages are made from it. A new ability of the engine is a field of
`SearchRequest` and a row here; no face is edited for it.
"""

from typing import Literal, NamedTuple

Kind = Literal[
    "text", "texts", "choice", "name", "whole number", "number", "yes or no", "parameters", "synonyms"
]
"""What the values of an option are. A *choice* is one of the row's texts; a *name* names a row of a registry,
whose owner refuses names that it does not know and proposes the nearest."""
Face = Literal["cli", "http", "mcp", "web", "library"]
Group = Literal["query", "scope", "page", "reading", "ranking", "stages", "display"]
Default = str | int | float | bool | tuple[()] | None

EVERYWHERE: tuple[Face, ...] = ("cli", "http", "mcp", "web", "library")
PROGRAMS: tuple[Face, ...] = ("http", "mcp", "library")
FUSING_MODES = ("auto", "hybrid")
SEMANTIC_MODES = (*FUSING_MODES, "semantic")
MAX_LIMIT = 10_000
MODES = (
    "auto", "bm25f", "bm25", "boolean", "phrase", "proximity", "span", "quorum", "exact", "prefix",
    "wildcard", "fuzzy", "phonetic", "dfr", "lm_dirichlet", "semantic", "hybrid",
)  # fmt: skip
FUSIONS = (
    "calibrated", "linear", "linear_z", "rrf", "score_variance", "query_type", "strong_signal", "two_lists",
)  # fmt: skip
LEXICAL_MODES = tuple(mode for mode in MODES if mode != "semantic")


class RequestOption(NamedTuple):
    """One row of the table.

    Attributes:
        name: The field of `SearchRequest`.
        kind: What its values are.
        default: What holds when nobody says anything.
        help: One line for people, without a full stop.
        group: What it is about, in the order of help and reference.
        minimum: Smallest legal number.
        maximum: Largest legal number.
        choices: All legal texts; of a *name*, those of its registry, empty where they are too many to list.
        alone: The value of the flag when it is given without one; None when it needs one.
        off: The text that asks for nothing, so that it is legal where the option does nothing.
        modes: The modes in which it does something; empty for all.
        needs: The option without which it does nothing; empty for none.
        is_configurable: Whether the configuration can make it permanent.
        flag: The name of its command-line flag, where that is not `name`.
        faces: Where it shows.
    """

    name: str
    kind: Kind
    default: Default
    help: str
    group: Group
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    alone: str | float | None = None
    off: str = ""
    modes: tuple[str, ...] = ()
    needs: str = ""
    is_configurable: bool = True
    flag: str = ""
    faces: tuple[Face, ...] = EVERYWHERE

    @property
    def config_key(self) -> str:
        """Its key in a configuration file; empty when it has none."""
        return f"search.{self.name}" if self.is_configurable else ""

    @property
    def variable(self) -> str:
        """The environment variable that sets it; empty when none does."""
        return f"DOWSE_SEARCH_{self.name.upper()}" if self.is_configurable else ""

    @property
    def flag_name(self) -> str:
        """What its flag is called, without dashes in front; empty when the command line has none."""
        return (self.flag or self.name.replace("_", "-")) if "cli" in self.faces else ""

    def acts_in(self, mode: str) -> bool:
        """Says whether it does something in a mode."""
        return not self.modes or mode in self.modes

    @property
    def legal(self) -> str:
        """Which values are legal, for people."""
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        described = _KINDS[self.kind]
        if self.maximum is not None:
            described += f" from {self.minimum:,} to {self.maximum:,}"
        elif self.minimum is not None:
            described += f", {self.minimum:,} or more"
        return described + (", or none" if self.default is None else "")


_KINDS: dict[str, str] = {
    "text": "a text",
    "texts": "a tuple of texts",
    "name": "a name",
    "whole number": "a whole number",
    "number": "a number",
    "yes or no": "true or false",
    "parameters": 'a tuple of pairs of a name and a number, such as (("k1", 1.5),)',
    "synonyms": "a tuple of synonym rules",
}

REQUEST_OPTIONS: tuple[RequestOption, ...] = (
    RequestOption(
        "query", "text", "", "what to search for, in the query language", "query", is_configurable=False,
    ),
    RequestOption(
        "also", "texts", (), "one more query; hits of any of them answer", "query", is_configurable=False,
    ),
    RequestOption(
        "hypothesis", "text", "",
        "what an answer could say: its meaning is searched for instead of the query's (HyDE)", "query",
        modes=SEMANTIC_MODES, is_configurable=False,
    ),
    RequestOption(
        "tree", "text", None, "only documents of this tree", "scope", is_configurable=False, faces=PROGRAMS,
    ),
    RequestOption(
        "under", "text", "", "only documents below this folder of the tree", "scope", is_configurable=False,
        faces=PROGRAMS,
    ),
    RequestOption(
        "limit", "whole number", 10, "most hits to show", "page", minimum=1, maximum=MAX_LIMIT,
    ),
    RequestOption(
        "offset", "whole number", 0, "hits to skip", "page", minimum=0, is_configurable=False,
    ),
    RequestOption("mode", "name", "auto", "way to search", "reading", choices=MODES),
    RequestOption("fields", "texts", (), "search this field only; may be repeated", "reading", flag="field"),
    RequestOption(
        "default_operator", "choice", "ranked",
        "what words side by side mean: ranked (any is enough), all or any", "reading",
        choices=("ranked", "all", "any"),
    ),
    RequestOption(
        "fuzzy", "choice", "auto", "similar words too: always, never, or auto, when nothing matches",
        "reading", choices=("auto", "always", "never"), alone="always", off="never",
        modes=LEXICAL_MODES,
    ),
    RequestOption(
        "synonyms", "synonyms", (), "file of words that mean the same: lines of “a, b” or “a => b”",
        "reading",
    ),
    RequestOption(
        "strict", "yes or no", False, "a query that is not well formed is an error", "reading",
    ),
    RequestOption(
        "model", "name", None, "scoring model", "ranking", modes=LEXICAL_MODES,
    ),
    RequestOption(
        "parameters", "parameters", (),
        "a parameter of the mode, the model or the fusion, such as k1=1.5; may be repeated", "ranking",
        modes=LEXICAL_MODES, flag="param",
    ),
    RequestOption(
        "preset", "name", "default", "named field boosts", "ranking", choices=("default", "ra", "plain"),
        modes=LEXICAL_MODES,
    ),
    RequestOption(
        "fusion", "name", "calibrated", "how words and meaning become one ranking", "ranking",
        choices=FUSIONS, modes=FUSING_MODES,
    ),
    RequestOption(
        "scan", "choice", "fast", "how closely vectors are compared: fast, careful or exact", "ranking",
        choices=("fast", "careful", "exact"), modes=SEMANTIC_MODES,
    ),
    RequestOption(
        "expand", "choice", "none",
        "add words to the query: prf, of the best hits; vocabulary, the nearest of the model's words",
        "stages", choices=("none", "prf", "vocabulary"),
    ),
    RequestOption(
        "dedupe", "yes or no", False, "fold hits that say the same as a better one into it", "stages",
    ),
    RequestOption(
        "diversify", "number", None, "variety: hits like a better one go down; 1 keeps the order", "stages",
        minimum=0, maximum=1, alone=0.7,
    ),
    RequestOption(
        "rerank", "yes or no", False,
        "score the first hits again with a cross-encoder; slow, and only as far as its time allows", "stages",
    ),
    RequestOption(
        "rerank_ms", "whole number", 3000, "how long re-ranking may take, in milliseconds", "stages",
        minimum=0, maximum=600_000, needs="rerank",
    ),
    RequestOption(
        "budget_ms", "whole number", None,
        "how long the answer may take, in milliseconds; what does not fit is left out and named", "stages",
        minimum=1, maximum=600_000,
    ),
    RequestOption("explain", "yes or no", False, "show how each score is made", "display"),
    RequestOption("query_tree", "yes or no", False, "show how the query was read", "display"),
    RequestOption(
        "snippets", "yes or no", True, "title, lines and snippet of each hit; without, keys and scores only",
        "display", is_configurable=False, faces=PROGRAMS,
    ),
)  # fmt: skip

REQUEST_OPTIONS_BY_NAME = {option.name: option for option in REQUEST_OPTIONS}
