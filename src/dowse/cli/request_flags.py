"""The flags of a request, made from the table of request options, and the request they make."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dowse.cli.arguments import CommandLineError
from dowse.cli.terminal import say
from dowse.errors import InvalidParameterError
from dowse.schema.request_options import REQUEST_OPTIONS, REQUEST_OPTIONS_BY_NAME, RequestOption

if TYPE_CHECKING:
    from pathlib import Path

    from dowse.schema import SearchRequest

# What the command line adds to the table: short flags, flags that are short for a value, metavars and where
# to read more.
SHORT_FLAGS = {"limit": "-n"}
SHORTHANDS = (
    ("mode", "--keyword", "bm25f", "words alone"),
    ("mode", "--semantic", "semantic", "meaning alone"),
    ("mode", "--hybrid", "hybrid", "words and meaning, or an error where there are no vectors"),
    ("default_operator", "--all", "all", "all words must match"),
    ("default_operator", "--any", "any", "any word is enough"),
    ("fuzzy", "--no-fuzzy", "never", "as typed only"),
)
METAVARS = {"also": "QUERY", "fields": "NAME", "fuzzy": "WHEN", "expand": "HOW", "diversify": "SHARE"}
METAVARS_OF_KINDS = {
    "text": "TEXT",
    "name": "NAME",
    "choice": "WHICH",
    "whole number": "N",
    "number": "X",
    "parameters": "NAME=NUMBER",
    "synonyms": "FILE",
}
MORE = {
    "mode": "`dowse modes` lists them",
    "model": "`dowse modes --models` lists them",
    "fusion": "`dowse modes --fusions` explains them",
}
TITLES = {
    "query": "how the query is read",
    "reading": "how the query is read",
    "ranking": "how hits are ranked",
    "stages": "what becomes of the hits",
}
# In the order of the table; a command takes the groups it offers.
ALL_GROUPS = ("query", "page", "display", "reading", "ranking", "stages")


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


def add_request_flags(
    parser: argparse.ArgumentParser, groups: Sequence[str] = ALL_GROUPS, without: Sequence[str] = ()
) -> None:
    """Adds a flag for each option of some groups of the table; none has a default of its own."""
    sections: dict[str, argparse.ArgumentParser | argparse._ArgumentGroup] = {}
    for option in REQUEST_OPTIONS:
        if option.group not in groups or option.name in ("query", *without) or not option.flag_name:
            continue
        title = TITLES.get(option.group, "")
        if title not in sections:
            sections[title] = parser.add_argument_group(title) if title else parser
        add_flag(sections[title], option)


def add_flag(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup, option: RequestOption
) -> None:
    """Adds the flag of one option, and those that are short for one of its values."""
    flag = f"--{option.flag_name}"
    names = (SHORT_FLAGS[option.name], flag) if option.name in SHORT_FLAGS else (flag,)
    settings: dict[str, Any] = {"dest": option.name, "help": build_help(option)}
    if option.kind == "yes or no":
        parser.add_argument(*names, action=argparse.BooleanOptionalAction, **settings)
        return
    settings["metavar"] = METAVARS.get(option.name) or METAVARS_OF_KINDS[option.kind]
    settings["type"] = PARSERS.get(option.kind)
    if option.kind in ("texts", "parameters"):
        parser.add_argument(*names, action="append", **settings)
        return
    if option.kind == "choice":
        settings["choices"] = option.choices
    if option.alone is not None:
        settings.update(nargs="?", const=option.alone)
    parser.add_argument(*names, action=StoreOnce, **settings)
    for name, short, value, meaning in SHORTHANDS:
        if name == option.name:
            text = f"{meaning}; short for {flag} {value}"
            parser.add_argument(short, action=StoreOnce, nargs=0, dest=name, const=value, help=text)


def build_help(option: RequestOption) -> str:
    """Returns the help of a flag: the table's line, where to read more, and the default."""
    text = option.help
    if option.kind == "name" and option.choices and option.name != "mode":
        text += f": {', '.join(option.choices)}"
    if option.name in MORE:
        text += f"; {MORE[option.name]}"
    if option.alone is not None and option.kind == "number":
        text += f" (alone: {option.alone})"
    has_default = option.default not in (None, "", ()) and not isinstance(option.default, bool)
    return f"{text} (default: {option.default})" if has_default else text


def add_number(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
    *names: str,
    default: int | None,
    help_text: str,
) -> None:
    """Adds a flag of a command itself whose value is a whole number."""
    parser.add_argument(*names, metavar="N", type=parse_whole_number, default=default, help=help_text)


def parse_whole_number(text: str) -> int:
    """Returns a whole number; the request checks its range."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number") from None


def parse_number(text: str) -> float:
    """Returns a number; the request checks its range."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


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


PARSERS: dict[str, Callable[[str], object]] = {
    "whole number": parse_whole_number,
    "number": parse_number,
    "parameters": parse_parameter,
}


def read_given(arguments: argparse.Namespace) -> dict[str, Any]:
    """Returns what the flags of a request say, by the names of the table.

    Raises:
        InvalidParameterError: The file of synonyms cannot be read.
    """
    given: dict[str, Any] = {}
    for option in REQUEST_OPTIONS:
        value = getattr(arguments, option.name, None)
        if value is None or option.name == "tree":
            continue
        if option.kind == "synonyms":
            value = read_synonyms(value)
        given[option.name] = tuple(value) if isinstance(value, list) else value
    return given


def read_synonyms(path: str) -> tuple[Any, ...]:
    """Returns the synonym rules in a file; malformed lines are reported on stderr."""
    from dowse.engine.requests import read_synonyms

    rules, problems = read_synonyms(path)
    for problem in problems:
        say(f"{path}: {problem.location}: {problem.message}")
    return rules


def list_offered(arguments: argparse.Namespace) -> list[str]:
    """Returns the options that a command has flags for."""
    return [option.name for option in REQUEST_OPTIONS if hasattr(arguments, option.name)]


def refuse_unneeded_flags(given: Mapping[str, Any], request: "SearchRequest") -> None:
    """Rejects flags that act only together with another option, which is off.

    Raises:
        CommandLineError: With the flag, and the one to add.
    """
    for name in given:
        option = REQUEST_OPTIONS_BY_NAME[name]
        if option.needs and not getattr(request, option.needs):
            needed = REQUEST_OPTIONS_BY_NAME[option.needs].flag_name
            message = f"--{option.flag_name} would change nothing"
            raise CommandLineError(message=message, hint=f"add --{needed}")


def refuse_idle_flags(given: Mapping[str, Any], request: "SearchRequest") -> None:
    """Rejects flags that would change nothing in the mode of a request: the user expects them to act.

    Raises:
        CommandLineError: With the flags.
    """
    options = [REQUEST_OPTIONS_BY_NAME[name] for name in given]
    idle = [
        f"--{option.flag_name}"
        for option in options
        if not option.acts_in(request.mode) and given[option.name] != (option.off or None)
    ]
    if idle:
        raise CommandLineError(
            message=f"{', '.join(idle)} would change nothing in mode “{request.mode}”",
            hint="leave it out, or search by words and meaning: --hybrid",
        )


def build_request(arguments: argparse.Namespace, folder: "Path | None" = None) -> "SearchRequest":
    """Returns the request, before anything is opened: a mistake must not cost an indexing run.

    Raises:
        UsageError: The query is empty, or a flag says what cannot be.
    """
    given = read_given(arguments)
    texts = (given["query"], *given.get("also", ()), given.get("hypothesis", ""))
    if not any(text.strip() for text in texts):
        raise InvalidParameterError(
            name="the query", value="empty", legal='write a word or two: dowse "your question"'
        )
    from dowse.engine.requests import complete_request

    searched = "" if folder is None else str(folder)
    request = complete_request(given, list_offered(arguments), searched)
    refuse_unneeded_flags(given, request)
    refuse_idle_flags(given, request)
    return request
