"""``dowse eval``: how good the answers are, on judged questions."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.terminal import count, detect_style, say, without_controls, write
from dowse.engine.opening import get_embedding_settings
from dowse.errors import ModelMissingError, ModeUnavailableError

if TYPE_CHECKING:
    from rich.progress import Progress

    from dowse.cli.rendering.evaluation import Found
    from dowse.engine.engine import Engine
    from dowse.evaluation import Collection, Configuration, Run

# Asked when nobody says which; those that the index cannot answer are left out, and said to be.
DEFAULT_MODES = ("bm25f", "bm25", "semantic", "hybrid")
VECTORS = ("model", "static", "none")
SHOW_AFTER_S = 0.4

EXAMPLES = """\
Asks every question of a collection in each way to search, and measures how well the right documents are
found. Without a collection, our own golden set is used: a small project and questions about it.
The index is made in a temporary folder, unless --home names one to keep.

A way to search is a mode, with what is different about it: bm25f:k1=1.2, bm25f:preset=ra:boost.title=5.

examples:
  dowse eval
  dowse eval bm25f bm25 --failures
  dowse eval --compare bm25f bm25f:boost.title=5
  dowse eval --compare hybrid hybrid:fusion=rrf --vectors static
  dowse eval --collection beir/scifact --split test --modes bm25f,bm25 --json
  dowse eval --golden questions.json --home /tmp/kept-index
"""


class EvalCommand:
    """Measures ways to search on a collection."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the collection, the ways to search, and what is shown."""
        parser.epilog = EXAMPLES
        parser.add_argument("ways", metavar="WAY", nargs="*", help="a mode, or mode:name=value:name=value")
        parser.add_argument("--modes", metavar="A,B", default="", help="ways to search, separated by commas")
        parser.add_argument("--collection", metavar="FOLDER", help="a collection in BEIR layout")
        parser.add_argument("--split", metavar="NAME", help="which judgements of it (default: test)")
        parser.add_argument("--golden", metavar="FILE", help="a golden set, as JSON")
        parser.add_argument(
            "--vectors",
            metavar="WHICH",
            choices=VECTORS,
            default=VECTORS[0],
            help="for modes that need them: model, static (rough ones only) or none (default: model)",
        )
        parser.add_argument("--language", metavar="NAME", help="of the texts (default: english)")
        parser.add_argument(
            "--compare", action="store_true", help="compare two ways, question by question, by a paired test"
        )
        parser.add_argument(
            "--metric", metavar="NAME", default="nDCG@10", help="what is compared (default: nDCG@10)"
        )
        parser.add_argument("--failures", action="store_true", help="list questions below 0.5 of the measure")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Indexes, asks, and writes the tables to stdout."""
        from dowse.cli.rendering.evaluation import Found
        from dowse.evaluation import find_unindexed, get_metric, list_keys, open_collection

        configurations = read_configurations(arguments)
        metric = get_metric(arguments.metric)
        collection = read_collection(arguments)
        name = without_controls(collection.name)
        style = detect_style(sys.stderr, wants_color=not arguments.no_color)
        with Steps(f"Indexing {name}", has_color=style.has_color) as steps:
            home = None if arguments.home is None else Path(arguments.home)
            opened = open_collection(
                collection,
                home,
                language=arguments.language,
                embedding=get_embedding_settings,
                on_progress=steps.show,
            )
            with opened as index:
                make_vectors(index, configurations, arguments, steps)
                found = Found(
                    len(list_keys(index, collection)), find_unindexed(index, collection), index.coverage()
                )
                runs = run_all(index, collection, configurations, steps, is_asked=bool(asked_ways(arguments)))
        if len(runs) < 2 and arguments.compare:
            raise CommandLineError(message="there is only one way to compare here", hint="name two that work")
        show(arguments, collection, found, runs, metric.label)
        return exit_status.DONE


def asked_ways(arguments: argparse.Namespace) -> list[str]:
    """Returns the ways to search that were named."""
    return [*arguments.ways, *filter(None, (way.strip() for way in arguments.modes.split(",")))]


def read_configurations(arguments: argparse.Namespace) -> "list[Configuration]":
    """Returns the ways to search, before anything is indexed: a mistake must not cost a run.

    Raises:
        UsageError: One of them cannot be, or there are not two to compare.
    """
    from dowse.evaluation import parse_configuration
    from dowse.search.parameters import check_request

    ways = asked_ways(arguments)
    if arguments.compare and len(ways) != 2:
        raise CommandLineError(
            message=f"--compare takes two ways to search, not {len(ways)}",
            hint="for example: dowse eval --compare bm25f bm25",
        )
    configurations = [parse_configuration(way) for way in ways or DEFAULT_MODES]
    for configuration in configurations:
        check_request(configuration.build_request("question", tree="", limit=1))
    return configurations


def read_collection(arguments: argparse.Namespace) -> "Collection":
    """Returns the collection that was named; our own golden set when none was.

    Raises:
        UsageError: Two were named, or it cannot be read.
    """
    from dowse.evaluation import own_collection, read_beir, read_golden

    if arguments.collection is not None and arguments.golden is not None:
        message = "--collection and --golden name two collections"
        raise CommandLineError(message=message, hint="give one of them")
    if arguments.split is not None and arguments.collection is None:
        raise CommandLineError(message="--split is for --collection", hint="a golden set has only one")
    if arguments.collection is not None:
        return read_beir(Path(arguments.collection).expanduser(), arguments.split or "test")
    if arguments.golden is not None:
        return read_golden(Path(arguments.golden).expanduser())
    return own_collection()


def make_vectors(
    index: "Engine", configurations: "list[Configuration]", arguments: argparse.Namespace, steps: "Steps"
) -> None:
    """Makes vectors when a way to search needs them; where that cannot be done, those ways are left out.

    Raises:
        ModelMissingError: One of them was asked for by name.
    """
    from dowse.evaluation import embed_collection
    from dowse.search.modes import get_mode

    uses_vectors = any(get_mode(one.mode).needs or one.mode == "auto" for one in configurations)
    if arguments.vectors == "none" or not uses_vectors:
        return
    steps.begin("Making vectors")
    try:
        embed_collection(index, with_model=arguments.vectors == "model", on_progress=steps.show)
    except ModelMissingError as error:
        if asked_ways(arguments):
            raise
        say(f"no vectors: {error.message}")


def run_all(
    index: "Engine",
    collection: "Collection",
    configurations: "list[Configuration]",
    steps: "Steps",
    *,
    is_asked: bool,
) -> "list[Run]":
    """Runs every configuration; those nobody asked for may be left out when the index cannot do them."""
    from dowse.evaluation import run_configuration

    runs = []
    for configuration in configurations:
        steps.begin(f"Asking {configuration.name}")
        try:
            runs.append(run_configuration(index, collection, configuration, steps.show))
        except ModeUnavailableError as error:
            if is_asked:
                raise
            say(f"left out: {error.message}")
    return runs


def show(
    arguments: argparse.Namespace, collection: "Collection", found: "Found", runs: "list[Run]", metric: str
) -> None:
    """Writes what was measured: tables for people, or one object for programs."""
    from dowse.cli.rendering.evaluation import (
        iter_evaluation_lines,
        iter_found_lines,
        iter_problem_lines,
    )
    from dowse.evaluation import compare, find_failures, get_metric

    wanted = get_metric(metric)
    comparison = compare(runs[0], runs[1], wanted) if arguments.compare else None
    failures = [(run, find_failures(run, wanted)) for run in runs] if arguments.failures else []
    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json
        from dowse.evaluation.reporting import report_evaluation

        report = report_evaluation(
            collection,
            runs,
            **found._asdict(),
            comparison=comparison,
            failures={run.configuration.name: failed for run, failed in failures},
        )
        write(dump_json(report))
        return
    style = detect_style(sys.stdout, wants_color=not arguments.no_color)
    lines = iter_evaluation_lines(collection, runs, wanted, comparison, failures, style)
    write("".join(f"{line}\n" for line in lines))
    for line in (line for run in runs for line in iter_problem_lines(run)):
        say(line)
    for line in iter_found_lines(found):
        say(line)
    left_out = f"; {collection.unanswerable} without a relevant document left out"
    questions = count(len(collection.queries), "question")
    say(
        f"{without_controls(collection.name)}: {count(found.documents, 'document')}, {questions}"
        f"{left_out if collection.unanswerable else ''}"
    )


class Steps:
    """Shows on a terminal how far a long evaluation has come; a quick one shows nothing."""

    def __init__(self, label: str, *, has_color: bool) -> None:
        self._label = label
        self._has_color = has_color
        self._started_s = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> "Steps":
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def begin(self, label: str) -> None:
        """Starts the next step."""
        self._label = label

    def show(self, done: int, total: int) -> None:
        """So many of so many are done; of 0 when nobody knows how many there are."""
        if time.monotonic() - self._started_s < SHOW_AFTER_S or not sys.stderr.isatty():
            return
        if self._progress is None:
            from dowse.cli.progress import build_bar

            self._progress = build_bar(has_color=self._has_color, unit="steps")
            self._progress.add_task(self._label, total=None)
            self._progress.start()
        self._progress.update(
            self._progress.task_ids[0], description=self._label, completed=done, total=total or None
        )
