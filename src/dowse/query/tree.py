"""The tree of a query: frozen values, positions in characters."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """One word as typed; analysis may find several terms in it."""

    text: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that must stand together, in this order."""

    text: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """What must not match."""

    item: Word | Phrase
    position: int = field(default=0, compare=False)


Clause = Word | Phrase | Not


@dataclass(frozen=True, slots=True)
class Query:
    """All clauses in the order typed."""

    clauses: tuple[Clause, ...]


def unparse(query: Query) -> str:
    """Returns the query in canonical form."""
    return " ".join(_unparse_clause(clause) for clause in query.clauses)


def _unparse_clause(clause: Clause) -> str:
    if isinstance(clause, Not):
        return "-" + _unparse_clause(clause.item)
    return f'"{clause.text}"' if isinstance(clause, Phrase) else clause.text
