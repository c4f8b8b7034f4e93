"""``dowse similar``: what else is like a document, one of its chunks, or a text."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.cli import exit_status
from dowse.cli.answers import write_hits
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import open_index
from dowse.cli.request_flags import (
    add_number,
    add_request_flags,
    list_offered,
    read_given,
    refuse_unneeded_flags,
)
from dowse.cli.terminal import count, say, without_controls, write
from dowse.errors import DocumentNotFoundError, InvalidParameterError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import SearchResponse
    from dowse.similar import SimilarSettings

EXAMPLES = """\
The words that tell most about it, frequent in it and rare elsewhere, are searched for in all that is
indexed. The document itself is never among the hits.

examples:
  dowse similar docs/guide.md
  dowse similar docs/guide.md --chunk 3 --explain
  dowse similar draft.txt              a file that is not indexed
  dowse similar docs/guide.md --semantic --dedupe
  dowse similar --text "how to prune tomatoes" --max-terms 5
"""
# Flag, attribute of SimilarSettings, help.
COUNTS = (
    ("--min-doc-freq", "min_doc_freq", "chunks that must have a word at least (default: 1)"),
    ("--max-doc-freq", "max_doc_freq", "chunks that may have it at most (default: any number)"),
    ("--min-term-freq", "min_term_freq", "how often the text must have it (default: 1)"),
    ("--max-terms", "max_terms", "words to search for, most telling first (default: 25)"),
    ("--min-word-length", "min_word_length", "letters of the shortest word that counts (default: 3)"),
    ("--max-word-length", "max_word_length", "letters of the longest (default: 40)"),
)
# Flags that would change nothing: with --semantic, and without.
FOR_WORDS = (
    *((flag, name) for flag, name, _ in COUNTS),
    ("--boost", "boost"),
    ("--model", "model"),
    ("--param", "parameters"),
    ("--preset", "preset"),
    ("--expand", "expand"),
)
FOR_VECTORS = (("--scan", "scan"),)


class SimilarCommand:
    """Finds chunks that share a document's most telling words."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the source, which words count, and which hits are shown."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "document", metavar="DOCUMENT", nargs="?", help="path or key of a document, or any text file"
        )
        parser.add_argument("--text", metavar="TEXT", help="a text instead of a document")
        add_number(parser, "--chunk", default=None, help_text="only this chunk of it, from 0")
        meaning = "what means the same, by vectors, instead of what has the same words"
        parser.add_argument("--semantic", action="store_true", help=meaning)
        parser.add_argument("--tree", metavar="NAME", help="only hits in this tree (default: any)")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
        for flag, _, help_text in COUNTS:
            add_number(parser, flag, default=None, help_text=help_text)
        parser.add_argument(
            "--boost", metavar="X", type=float, help="factor on all scores (default: 1)"
        )
        groups = ("page", "display", "ranking", "stages")
        add_request_flags(parser, groups, without=("query_tree", "fusion"))

    def run(self, arguments: argparse.Namespace) -> int:
        """Searches and shows."""
        if (arguments.document is None) == (arguments.text is None):
            raise InvalidParameterError(
                name="the source",
                value="none" if arguments.text is None else "two things",
                legal='give a document, or a text: dowse similar --text "words"',
            )
        refuse_idle_flags(arguments)
        settings = None if arguments.semantic else build_settings(arguments)
        with open_index(arguments, create=False) as index:
            response = find_similar(index, arguments, settings)
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(response, ms=round(response.ms, 3)))
        else:
            show(response, arguments)
        return exit_status.FOUND if response.hits else exit_status.NOTHING_FOUND


def show(response: "SearchResponse", arguments: argparse.Namespace) -> None:
    """Writes the hits to stdout, and which words were searched for to stderr."""
    from dowse.cli.rendering.summary import shorten, summarise_search

    write_hits(response, wants_color=not arguments.no_color)
    if response.interpretation:
        say(without_controls(f"searched for: {shorten(response.interpretation, 200)}"))
    if response.hits:
        say(summarise_search(response, 0))
    elif response.total:
        say(f"There are only {count(response.total, 'hit')} like it.")
        say(f"hint: ask for a smaller --offset than {response.request.offset}")
    else:
        say("Nothing like it found.")


def refuse_idle_flags(arguments: argparse.Namespace) -> None:
    """Stops where a flag would change nothing: somebody expects that it does.

    Raises:
        CommandLineError: With the flags.
    """
    flags = FOR_WORDS if arguments.semantic else FOR_VECTORS
    given = [flag for flag, name in flags if getattr(arguments, name) is not None]
    if given and arguments.semantic:
        raise CommandLineError(
            message=f"--semantic compares vectors: {', '.join(given)} would change nothing",
            hint="leave out --semantic, or the rest",
        )
    if given:
        raise CommandLineError(
            message=f"words are compared: {', '.join(given)} would change nothing",
            hint="add --semantic to compare vectors",
        )


def build_settings(arguments: argparse.Namespace) -> "SimilarSettings":
    """Returns which words count, with the engine's defaults for what was not said."""
    from dowse.similar import SimilarSettings

    given = {name: getattr(arguments, name) for name in (*(name for _, name, _ in COUNTS), "boost")}
    known = {name: value for name, value in given.items() if value is not None}
    return SimilarSettings(**known)


def read_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of the request, of which the configuration sets those that act here."""
    from dowse.engine.requests import complete_options
    from dowse.schema import SearchRequest

    idle = {name for _, name in (FOR_WORDS if arguments.semantic else FOR_VECTORS)}
    offered = [name for name in list_offered(arguments) if name not in idle and name != "tree"]
    given = read_given(arguments)
    options = complete_options(given, offered)
    refuse_unneeded_flags(given, SearchRequest(query="", **options))
    return options


def find_similar(
    index: "Engine", arguments: argparse.Namespace, settings: "SimilarSettings | None"
) -> "SearchResponse":
    """Returns what is like the document; a file that is not indexed is read as a text.

    Raises:
        DocumentNotFoundError: It is neither a document nor a file.
    """
    from dowse.cli.documents import get_document

    page = {
        **read_options(arguments),
        "tree": arguments.tree,
        "by": "meaning" if arguments.semantic else "words",
    }
    if arguments.text is not None:
        return index.similar(text=arguments.text, chunk=arguments.chunk, settings=settings, **page)
    try:
        document = get_document(index, arguments.document)
    except DocumentNotFoundError:
        text = read_text(arguments.document)
        if text is None or arguments.chunk is not None:
            raise
        return index.similar(text=text, settings=settings, **page)
    return index.similar(
        document.doc_key, source_tree=document.tree, chunk=arguments.chunk, settings=settings, **page
    )


def read_text(name: str) -> str | None:
    """Returns the text of a file; None when there is none, or it is not a text."""
    try:
        data = Path(name).expanduser().read_bytes()
    except (OSError, RuntimeError, ValueError):
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")
