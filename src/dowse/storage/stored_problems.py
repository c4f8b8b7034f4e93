"""What was wrong with the files of a tree when they were read last."""

from dowse.schema import Problem
from dowse.storage.catalog_parts import CatalogView, find_tree_part


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
