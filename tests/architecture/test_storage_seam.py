"""Only `storage` speaks SQL: everything above it asks named questions."""

import ast
import re

from source_tree import Module, modules

SQL = re.compile(
    r"\b(SELECT\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s|"
    r"(CREATE|ALTER|DROP)\s+(TABLE|INDEX)\s|VACUUM$|ROLLBACK$|COMMIT$|BEGIN(\s+IMMEDIATE)?$)"
)


def statements(module: Module) -> list[str]:
    """Returns where a module has a piece of SQL in a string; docstrings are strings, too."""
    return [
        f"{module.name}:{node.lineno}: {node.value[:60]}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    ]


def connections(module: Module) -> list[str]:
    """Returns where a module reaches for a connection to SQLite."""
    return [
        f"{module.name}:{node.lineno}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "connection"
    ]


def test_no_sql_outside_storage():
    """A statement above `storage` would have to be found and joined for every other way to store an index."""
    found = [line for module in modules() if module.package != "storage" for line in statements(module)]
    assert [] == found


def test_no_connection_outside_storage():
    """Nor does anybody above it run a statement that was written in `storage`."""
    found = [line for module in modules() if module.package != "storage" for line in connections(module)]
    assert [] == found


def test_nobody_takes_a_snapshot_s_catalogue():
    """A snapshot of several trees has several: questions take the snapshot and ask each."""
    found = [
        f"{module.name}:{node.lineno}"
        for module in modules()
        if module.package != "storage"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "catalog"
        if "snapshot" in ast.unparse(node.value)
    ]
    assert [] == found
