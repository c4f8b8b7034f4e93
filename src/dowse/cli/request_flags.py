"""The flags of a request, and the request they make: the same for every command that has a query.

What the flags may say is checked against the engine's own tables when the request is built; the parser is
built for every ``dowse --help`` and must not load them.
"""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from dowse.cli.arguments import CommandLineError
from dowse.cli.terminal import say
from dowse.config.options import BY_NAME, get_default
from dowse.errors import InvalidParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from dowse.schema import SearchRequest, SynonymRule


class StoreOnce(argparse.Action):
    """Stores a value, as ``store`` and ``store_const`` do, unless another flag has said something else.

    To let the last one win would hide a mistake: nobody means ``--keyword --semantic``. The same flag may be
    given again, so that an alias can be overruled.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: "str | Sequence[Any] | None",
        option_string: str | None = None,
    ) -> None:
        """Stores it.

        Raises:
            CommandLineError: Another flag says something else; both are named.
        """
        value = self.const if self.nargs == 0 else values
        before = getattr(namespace, f"{self.dest}_flag", option_string)
        if before != option_string and getattr(namespace, self.dest) != value:
            raise CommandLineError(
                message=f"{before} and {option_string} contradict each other", hint="give one of them"
            )
        setattr(namespace, self.dest, value)
        setattr(namespace, f"{self.dest}_flag", option_string)


class StageFlags(TypedDict):
    """The flags of stages, under the request's names."""

    expand: Literal["none", "prf", "vocabulary"]
    dedupe: bool
    diversify: float | None
    rerank: bool
    rerank_ms: int


DEFAULT_OPERATORS = ("ranked", "all", "any")
FUZZY = ("auto", "always", "never")
EXPANSIONS = ("none", "prf", "vocabulary")
SCANS = ("fast", "careful", "exact")
DIVERSIFY = 0.7
RERANK_MS = 3000
FUSING_MODES = ("auto", "hybrid")
MEANING_MODES = (*FUSING_MODES, "semantic")
MODE_FLAGS = (
    ("--keyword", "bm25f", "words alone"),
    ("--semantic", "semantic", "meaning alone"),
    ("--hybrid", "hybrid", "words and meaning, or an error where there are no vectors"),
)


def add_query_flags(parser: argparse.ArgumentParser) -> None:
    """Adds what says how a query is read."""
    group = parser.add_argument_group("how the query is read")
    mode = f"way to search; `dowse modes` lists them (default: {get_default('search.mode')})"
    group.add_argument("--mode", metavar="NAME", action=StoreOnce, help=mode)
    for flag, name, meaning in MODE_FLAGS:
        text = f"{meaning}; short for --mode {name}"
        group.add_argument(flag, action=StoreOnce, nargs=0, dest="mode", const=name, help=text)
    group.add_argument(
        "--also", metavar="QUERY", action="append", default=[], help="one more query; hits of any answer"
    )
    hypothesis = "what an answer could say: its meaning is looked for instead of the query's (HyDE)"
    group.add_argument("--hypothesis", metavar="TEXT", default="", help=hypothesis)
    field = "look in this field only; may be repeated"
    group.add_argument("--field", metavar="NAME", action="append", default=[], help=field)
    add_words_flags(group)
    group.add_argument(
        "--fuzzy",
        metavar="WHEN",
        action=StoreOnce,
        nargs="?",
        choices=FUZZY,
        const="always",
        help="similar words too: always, never, or auto, when nothing matches"
        f" (default: {get_default('search.fuzzy')})",
    )
    never = "the same as --fuzzy never"
    group.add_argument("--no-fuzzy", action=StoreOnce, nargs=0, dest="fuzzy", const="never", help=never)
    synonyms = "file of words that mean the same: lines of “a, b” or “a => b”"
    group.add_argument("--synonyms", metavar="FILE", help=synonyms)
    group.add_argument(
        "--strict", action="store_true", help="a query that is not well formed is an error"
    )


def add_words_flags(group: argparse._ArgumentGroup) -> None:
    """Adds what says which of several words must match."""
    group.add_argument(
        "--default-operator",
        metavar="WHICH",
        action=StoreOnce,
        dest="default_operator",
        choices=DEFAULT_OPERATORS,
        help="what words side by side mean: ranked (any is enough), all or any"
        f" (default: {get_default('search.default_operator')})",
    )
    every, one = "all words must match", "any word is enough"
    group.add_argument("--all", action=StoreOnce, nargs=0, dest="default_operator", const="all", help=every)
    group.add_argument("--any", action=StoreOnce, nargs=0, dest="default_operator", const="any", help=one)


def add_scoring_flags(parser: argparse.ArgumentParser, *, fuses: bool = True) -> None:
    """Adds what says how matches are scored, and unless told otherwise how words and meaning are fused."""
    group = parser.add_argument_group("how hits are ranked")
    group.add_argument(
        "--model", metavar="NAME", help="scoring model; `dowse modes --models` lists them"
    )
    group.add_argument(
        "--param",
        metavar="NAME=NUMBER",
        type=parse_parameter,
        action="append",
        default=[],
        help="a number of the mode, the model or the fusion, such as k1=1.5; may be repeated",
    )
    group.add_argument(
        "--preset", metavar="NAME", default="default", help="named field boosts (default: default)"
    )
    fusion = BY_NAME["search.fusion"]
    text = f"how words and meaning become one ranking: {', '.join(fusion.choices)};"
    text += f" `dowse modes --fusions` explains them (default: {fusion.default})"
    if fuses:
        group.add_argument("--fusion", metavar="NAME", help=text)
    scan = "how closely vectors are looked at: fast, careful or exact (default: fast)"
    group.add_argument("--scan", metavar="WHICH", choices=SCANS, default=SCANS[0], help=scan)


def add_stage_flags(parser: argparse.ArgumentParser) -> None:
    """Adds what is done beyond matching and scoring."""
    group = parser.add_argument_group("what becomes of the hits")
    expand = "add words to the query: prf, of the best hits; vocabulary, the nearest of the model's words"
    group.add_argument("--expand", metavar="HOW", choices=EXPANSIONS, default="none", help=expand)
    dedupe = "fold hits that say the same as a better one into it"
    group.add_argument("--dedupe", action="store_true", help=dedupe)
    group.add_argument(
        "--diversify",
        metavar="SHARE",
        nargs="?",
        type=float,
        const=DIVERSIFY,
        help=f"variety: hits like a better one go down; =1 keeps the order (default: ={DIVERSIFY})",
    )
    rerank = "let a model judge the first hits again; slow, and only as far as --rerank-ms allows"
    group.add_argument("--rerank", action="store_true", help=rerank)
    most = f"how long that may take, in milliseconds (default: {RERANK_MS})"
    add_number(group, "--rerank-ms", default=RERANK_MS, help_text=most)


def read_stage_flags(arguments: argparse.Namespace) -> "StageFlags":
    """Returns what a request says of the hits; commands without these flags leave them as they are.

    Raises:
        CommandLineError: A budget is given for what is not asked for.
    """
    if not getattr(arguments, "rerank", False) and getattr(arguments, "rerank_ms", RERANK_MS) != RERANK_MS:
        raise CommandLineError(message="--rerank-ms would change nothing", hint="add --rerank")
    return {
        "expand": getattr(arguments, "expand", "none"),
        "dedupe": getattr(arguments, "dedupe", False),
        "diversify": getattr(arguments, "diversify", None),
        "rerank": getattr(arguments, "rerank", False),
        "rerank_ms": getattr(arguments, "rerank_ms", RERANK_MS),
    }


def add_page_flags(parser: argparse.ArgumentParser) -> None:
    """Adds which hits are shown."""
    most = f"most hits to show (default: {get_default('search.limit')})"
    add_number(parser, "-n", "--limit", default=None, help_text=most)
    add_number(parser, "--offset", default=0, help_text="hits to skip (default: 0)")


def add_number(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
    *names: str,
    default: int | None,
    help_text: str,
) -> None:
    """Adds a flag whose value is a whole number."""
    parser.add_argument(
        *names, metavar="N", type=parse_whole_number, default=default, help=help_text
    )


def parse_whole_number(text: str) -> int:
    """Returns a whole number; the request checks its range."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number") from None


def parse_parameter(text: str) -> tuple[str, float]:
    """Returns name and number of ``k1=1.5``; the request checks both."""
    name, equals, number = text.partition("=")
    try:
        value = float(number)
    except ValueError:
        equals = ""
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"“{text}” is not NAME=NUMBER, such as k1=1.5")
    return name.strip(), value


def read_synonyms(path: str) -> "tuple[SynonymRule, ...]":
    """Returns the rules in a file; lines that are none are said to be.

    Raises:
        InvalidParameterError: The file cannot be read.
    """
    from pathlib import Path

    from dowse.planning.synonyms import parse_synonyms

    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        legal = f"it must be a text file in UTF-8 ({error})"
        raise InvalidParameterError(name="--synonyms", value=path, legal=legal) from error
    rules, problems = parse_synonyms(text)
    for problem in problems:
        say(f"{path}: {problem.location}: {problem.message}")
    return rules


DEFAULTS = (
    ("limit", "search.limit"),
    ("mode", "search.mode"),
    ("default_operator", "search.default_operator"),
    ("fuzzy", "search.fuzzy"),
    ("fusion", "search.fusion"),
)
"""Flags that the configuration answers for when they are not given."""


def fill_defaults(arguments: argparse.Namespace, folder: "Path | None" = None) -> None:
    """Gives flags that were not given the value that the configuration has where the search is.

    Raises:
        ConfigError: The configuration is wrong.
    """
    from dowse.engine.opening import get_values

    values = get_values("" if folder is None else str(folder)).values
    for flag, option in DEFAULTS:
        if getattr(arguments, flag, 0) is None:
            setattr(arguments, flag, values[option])


def refuse_idle_flags(arguments: argparse.Namespace, *, has_fusion: bool) -> None:
    """Stops where a flag would change nothing in the mode of a request: somebody expects that it does.

    Args:
        arguments: With what the configuration says.
        has_fusion: Whether the flag says how to fuse, and not the configuration.

    Raises:
        CommandLineError: With the flags.
    """
    mode = arguments.mode
    is_meaning, is_fuzzy = mode == "semantic", getattr(arguments, "fuzzy_flag", "") == "--fuzzy"
    idle = (
        ("--fusion", has_fusion and mode not in FUSING_MODES),
        ("--scan", arguments.scan != SCANS[0] and mode not in MEANING_MODES),
        ("--model", is_meaning and arguments.model is not None),
        ("--param", is_meaning and arguments.param),
        ("--preset", is_meaning and arguments.preset != "default"),
        ("--fuzzy", is_meaning and is_fuzzy and arguments.fuzzy == "always"),
    )
    given = ", ".join(flag for flag, is_idle in idle if is_idle)
    if given:
        raise CommandLineError(
            message=f"{given} would change nothing in mode “{mode}”",
            hint="leave it out, or search by words and meaning: --hybrid",
        )


def build_request(arguments: argparse.Namespace, folder: "Path | None" = None) -> "SearchRequest":
    """Returns the request, before anything is opened: a mistake must not cost an indexing run.

    Raises:
        UsageError: The query is empty, or a flag says what cannot be.
    """
    if not any(text.strip() for text in (arguments.query, *arguments.also, arguments.hypothesis)):
        raise InvalidParameterError(
            name="the query", value="empty", legal='write a word or two: dowse "your question"'
        )
    has_fusion = arguments.fusion is not None
    fill_defaults(arguments, folder)
    from dowse.schema import SearchRequest
    from dowse.search.parameters import check_request

    request = SearchRequest(
        query=arguments.query,
        also=tuple(arguments.also),
        limit=arguments.limit,
        offset=arguments.offset,
        mode=arguments.mode,
        preset=arguments.preset,
        model=arguments.model,
        parameters=tuple(arguments.param),
        fields=tuple(arguments.field),
        default_operator=arguments.default_operator,
        fuzzy=arguments.fuzzy,
        synonyms=read_synonyms(arguments.synonyms) if arguments.synonyms else (),
        strict=arguments.strict,
        explain=arguments.explain,
        query_tree=arguments.query_tree,
        **read_stage_flags(arguments),
        fusion=arguments.fusion,
        scan=arguments.scan,
        hypothesis=arguments.hypothesis,
    )
    check_request(request)
    refuse_idle_flags(arguments, has_fusion=has_fusion)
    return request
