"""What was wrong with the files of a tree when they were read last."""

from collections.abc import Iterable

from dowse.schema import Problem
from dowse.storage.catalog import Catalog
from dowse.storage.catalog_parts import CatalogView, find_part, find_tree_part


def list_problems(view: CatalogView, tree_id: int) -> list[Problem]:
    """Returns the problems of a tree, in the order in which they were stored."""
    part, own_id = find_tree_part(view, tree_id)
    sql = "SELECT code, location, message, hint FROM problems WHERE tree_id = ?"
    return [Problem(*row) for row in part.catalog.fetch(sql, (own_id,))]


def find_problem(view: CatalogView, location: str) -> Problem | None:
    """Returns the first problem of a file in any tree; None when it has none."""
    sql = "SELECT code, location, message, hint FROM problems WHERE location = ?"
    rows = (part.catalog.fetch_one(sql, (location,)) for part in view.parts)
    return next((Problem(*row) for row in rows if row is not None), None)


def list_problems_of(view: CatalogView, doc_id: int, location: str) -> list[Problem]:
    """Returns the problems of a document's file."""
    part, own_id = find_part(view, doc_id)
    sql = (
        "SELECT code, location, message, hint FROM problems WHERE location = ? AND tree_id ="
        " (SELECT tree_id FROM documents WHERE doc_id = ?)"
    )
    return [Problem(*row) for row in part.catalog.fetch(sql, (location, own_id))]


def replace_problems(catalog: Catalog, tree_id: int, problems: Iterable[Problem]) -> None:
    """Stores what is wrong with the files of a tree now, in place of what was."""
    catalog.connection.execute("DELETE FROM problems WHERE tree_id = ?", (tree_id,))
    catalog.connection.executemany(
        "INSERT INTO problems VALUES (?, ?, ?, ?, ?)",
        [
            (tree_id, problem.location, problem.code, problem.message, problem.hint)
            for problem in problems
        ],
    )


def forget_problems(catalog: Catalog, tree_id: int, location: str) -> None:
    """Forgets what was wrong with one file."""
    sql = "DELETE FROM problems WHERE tree_id = ? AND location = ?"
    catalog.connection.execute(sql, (tree_id, location))
