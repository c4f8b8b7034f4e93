"""Reads a query; never fails unless asked to be strict."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from dowse.errors import QuerySyntaxError
from dowse.query.tree import Clause, Not, Phrase, Query, Word
from dowse.schema import Problem

# A clause: optional minus, then a phrase (closed or not) or a word.
_CLAUSE = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)(?P<close>"?)|(?P<word>[^\s"]+))')


class Parsed(NamedTuple):
    """A tree and what was wrong with the text."""

    query: Query
    problems: tuple[Problem, ...]


def parse(text: str, *, strict: bool = False) -> Parsed:
    """Parses a query.

    Args:
        text: As typed; any string.
        strict: Whether the first problem is raised instead of collected.

    Raises:
        QuerySyntaxError: In strict mode only.
    """
    if '"' not in text and "-" not in text:
        # Words only, as most queries are: nothing can be wrong with them.
        return Parsed(Query(tuple(_words(text))), ())
    clauses: list[Clause] = []
    problems: list[Problem] = []

    def report(position: int, message: str) -> None:
        if strict:
            raise QuerySyntaxError(query=text, position=position, message=message)
        problems.append(Problem("query-syntax", f"character {position}", message))

    for found in _CLAUSE.finditer(text):
        word, phrase, position = found["word"], found["phrase"], found.start()
        item: Word | Phrase
        if word is not None:
            item = Word(word, position)
        else:
            if not found["close"]:
                report(position, "a quotation mark is opened but not closed")
            if not phrase.strip():
                report(position, "there is nothing between the quotation marks")
                continue
            item = Phrase(phrase, position)
        clauses.append(Not(item, position) if found["minus"] else item)
    return Parsed(Query(tuple(clauses)), tuple(problems))


def _words(text: str) -> Iterator[Word]:
    position = 0
    for word in text.split():
        position = text.index(word, position)
        yield Word(word, position)
        position += len(word)
