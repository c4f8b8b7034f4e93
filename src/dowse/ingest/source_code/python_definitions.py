"""Definitions and documentation of a Python file, by Python's own parser."""

import ast
import warnings

from dowse.ingest.source_code.definitions import Definition

MAX_PARSED_CHARS = 1_000_000
"""The tree of a larger file takes hundreds of megabytes; its lines say as much."""

_Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def parse_definitions(text: str) -> tuple[list[Definition], list[tuple[int, int]]] | None:
    """Returns definitions and line ranges of documentation; None when the file does not parse.

    A definition's line is that of its first decorator.
    """
    # Python ends lines at a lone carriage return too, and we do not.
    if len(text) > MAX_PARSED_CHARS or "\r" in text.replace("\r\n", ""):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    definitions: list[Definition] = []
    documentation: list[tuple[int, int]] = []
    waiting: list[tuple[_Scope, str, int]] = [(module, "", 0)]
    while waiting:
        scope, prefix, depth = waiting.pop()
        if found := _documentation(scope):
            documentation.append(found)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in scope.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = prefix + node.name
                kind = "class" if isinstance(node, ast.ClassDef) else "def"
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                definitions.append(Definition(kind, name, first - 1, depth + 1))
                waiting.append((node, f"{name}.", depth + 1))
    return sorted(definitions, key=lambda entry: entry.line_index), sorted(documentation)


def _documentation(scope: _Scope) -> tuple[int, int] | None:
    first = scope.body[0] if scope.body else None
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return None
    is_text = isinstance(first.value.value, str)
    return (first.lineno - 1, first.end_lineno or first.lineno) if is_text else None
