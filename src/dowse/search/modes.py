"""All modes: named ways to read a query and to score what it matches.

One row each; command line help, documentation and every other face are made from this table.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from dowse.errors import UnknownModeError
from dowse.query import MAX_ITEMS, DefaultOperator, Parsed, nodes, parse_query
from dowse.schema import Parameter, Problem

Values = Mapping[str, float]


class Reading(NamedTuple):
    """What a mode is given to read a query.

    Attributes:
        values: The mode's parameters, defaults filled in.
        now: Seconds since 1970, for dates such as “7d”.
    """

    text: str
    words: DefaultOperator
    is_strict: bool
    values: Values
    now: float


class Mode(NamedTuple):
    """One way to search.

    Attributes:
        read: From a text to a tree.
        model: Scoring model by name; None for that of the request's preset.
        parameters: The numbers it takes besides those of its model and its fusion.
        needs: What an index must have for it; empty for nothing.
        fuses: Whether it makes one ranking of words and meaning, and takes the numbers of the request's
            fusion as well.
    """

    name: str
    purpose: str
    read: Callable[[Reading], Parsed]
    model: str | None
    parameters: tuple[Parameter, ...]
    example: str
    needs: str = ""
    fuses: bool = False

    @property
    def reads_language(self) -> bool:
        """Whether queries are read in the query language, as they are."""
        return self.read is _language and not self.needs


def _language(reading: Reading) -> Parsed:
    return parse_query(
        reading.text, strict=reading.is_strict, default_operator=reading.words, now=reading.now
    )


def _boolean(reading: Reading) -> Parsed:
    return _language(reading._replace(words="all"))


def _exact(reading: Reading) -> Parsed:
    text = reading.text.strip()
    return Parsed(nodes.Exact(text) if text else None, ())


def _phrase(reading: Reading) -> Parsed:
    text = reading.text.replace('"', " ").strip()
    return Parsed(nodes.Phrase(text, int(reading.values["slop"])) if text else None, ())


def _each(make: Callable[[str], nodes.Node]) -> Callable[[Reading], Parsed]:
    def read(reading: Reading) -> Parsed:
        words, problems = _split(reading.text)
        return _side_by_side([make(word) for word in words], problems)

    return read


def _split(text: str) -> tuple[list[str], tuple[Problem, ...]]:
    """Returns the words of a text, as many as a query may have."""
    words = text.split()
    if len(words) <= MAX_ITEMS:
        return words, ()
    left_out = len(words) - MAX_ITEMS
    message = f"a query has at most {MAX_ITEMS:,} items; {left_out:,} words at its end are left out"
    return words[:MAX_ITEMS], (Problem("query-syntax", "query", message),)


def _side_by_side(items: list[nodes.Node], problems: tuple[Problem, ...]) -> Parsed:
    if len(items) < 2:
        return Parsed(items[0] if items else None, problems)
    return Parsed(nodes.BagOfWords(tuple(items)), problems)


def _wildcard(word: str) -> nodes.Node:
    return nodes.Wildcard(word) if "*" in word or "?" in word else nodes.Word(word)


def _fuzzy(reading: Reading) -> Parsed:
    if reading.values["key"]:
        text = reading.text.strip()
        return Parsed(nodes.Named(text) if text else None, ())
    edits = int(reading.values["edits"])
    allowed = None if edits < 0 else edits
    words, problems = _split(reading.text)
    return _side_by_side([nodes.Fuzzy(word, allowed) for word in words], problems)


def _proximity(reading: Reading) -> Parsed:
    words, problems = _split(reading.text)
    items = tuple(nodes.Word(word) for word in words)
    if len(items) < 2:
        return _side_by_side(list(items), problems)
    return Parsed(nodes.Near(items, int(reading.values["distance"]), is_ordered=False), problems)


def _quorum(reading: Reading) -> Parsed:
    words, problems = _split(reading.text)
    items = tuple(nodes.Word(word) for word in words)
    if len(items) < 2:
        return _side_by_side(list(items), problems)
    needed = int(reading.values["needed"])
    if needed:
        return Parsed(nodes.Quorum(items, needed, None), problems)
    return Parsed(nodes.Quorum(items, None, reading.values["share"]), problems)


EDITS = Parameter("edits", -1, -1, 2, "typing errors in a word; -1 goes by its length")
KEY = Parameter("key", 0, 0, 1, "1 compares titles and file names as a whole, instead of words")
SLOP = Parameter("slop", 0, 0, 1000, "by how many places in all words may be out of place")
DISTANCE = Parameter("distance", 5, 0, 1000, "other words that may stand between")
NEEDED = Parameter("needed", 0, 0, 1000, "how many words must match; 0 goes by the share")
SHARE = Parameter("share", 0.6, 0.01, 1, "what share of the words must match")
VECTORS = "vectors"

MODES: tuple[Mode, ...] = (
    Mode(
        "auto", "words, and meaning where there are vectors: the default", _language, None, (), "green tea",
        fuses=True,
    ),
    Mode("bm25f", "words, ranked over all fields together", _language, None, (), "green tea"),
    Mode("bm25", "words, each field ranked by itself", _language, "bm25", (), "green tea"),
    Mode("boolean", "all words, with AND, OR, NOT and parentheses", _boolean, None, (), "tea AND NOT coffee"),
    Mode("phrase", "words that stand together", _phrase, None, (SLOP,), "state of the art"),
    Mode("proximity", "words that stand near each other", _proximity, None, (DISTANCE,), "green tea"),
    Mode("span", "words by their places: NEAR, ONEAR, FIRST", _language, None, (), "NEAR(green, tea, 5)"),
    Mode("quorum", "some share of the words", _quorum, None, (NEEDED, SHARE), "green tea with milk"),
    Mode("exact", "the text as it stands, parts of words included", _exact, None, (), "def parse("),
    Mode("prefix", "words that start so", _each(nodes.Prefix), None, (), "conf"),
    Mode("wildcard", "words that fit: * any letters, ? one", _each(_wildcard), None, (), "*ing te?"),
    Mode("fuzzy", "words with typing errors", _fuzzy, None, (EDITS, KEY), "recieve"),
    Mode("phonetic", "words that sound the same", _each(nodes.Sounds), None, (), "smith"),
    Mode("dfr", "divergence from randomness", _language, "dfr", (), "green tea"),
    Mode("lm_dirichlet", "a smoothed language model", _language, "lm-dirichlet", (), "green tea"),
    Mode("semantic", "what is meant, by vectors", _language, None, (), "how to brew", VECTORS),
    Mode("hybrid", "words and meaning together", _language, None, (), "how to brew", VECTORS, fuses=True),
)  # fmt: skip

_BY_NAME = {mode.name: mode for mode in MODES}


def get_mode(name: str) -> Mode:
    """Returns a mode by name.

    Raises:
        UnknownModeError: Nobody has that name.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    from difflib import get_close_matches  # 1 ms that only mistakes pay for

    names = [mode.name for mode in MODES]
    near = get_close_matches(name, names, 1)
    nearest = f"did you mean “{near[0]}”? " if near else ""
    raise UnknownModeError(name=name, nearest=nearest, known=", ".join(names))
