"""What the architecture tests read: the modules of `dowse` and what they import, without running them."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src" / "dowse"
LEFT_BY_BUILDS = "build"


@dataclass(frozen=True, eq=False)
class Module:
    """One source file."""

    path: Path
    name: str  # dotted, without "dowse."
    tree: ast.Module
    line_count: int

    @property
    def package(self) -> str:
        """The name in the layer table."""
        return self.name.split(".")[0]

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.tree) or ""


@dataclass(frozen=True)
class Import:
    """One import, wherever in the file it is written."""

    target: str  # dotted, full
    line: int


@cache
def modules() -> list[Module]:
    """Returns every module of the package."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if LEFT_BY_BUILDS in parts:
            continue
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        text = path.read_text(encoding="utf-8")
        found.append(
            Module(path, ".".join(parts), ast.parse(text), text.count("\n") + 1)
        )
    return found


@cache
def imports_of(module: Module) -> list[Import]:
    """Returns a module's imports, lazy ones too; those only type checkers see are left out."""
    found: list[Import] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            for child in node.orelse:
                visit(child)
            return
        if isinstance(node, ast.Import):
            found.extend(Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = _start_of(module, node)
            found.extend(Import(f"{start}.{alias.name}", node.lineno) for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(module.tree)
    return found


def _start_of(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = module.path.name == "__init__.py"
    parts = ["dowse", *module.name.split(".")]
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, node.module] if node.module else kept)


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
