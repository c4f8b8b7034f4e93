"""Nothing below the faces knows a flag or a command: a remedy is a code that each face words."""

import ast
import re

import pytest
from source_tree import Module, modules
from test_layers import FACES, WAY_IN

# A flag such as --limit, or a command such as `dowse index`; names of folders and files are neither.
FLAG_OR_COMMAND = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w./~-])dowse [a-z]+\b(?! static table)")
# Programs that we call, and their flags.
OTHER_PROGRAMS = {
    "ingest.office.conversion": "the flags of LibreOffice",
    "embedding.models": "the flags of pip",
    "embedding.export_folder": "the flags of optimum-cli",
}
BELOW_FACES = [
    module
    for module in modules()
    if module.package not in (*FACES, *WAY_IN) and module.name not in OTHER_PROGRAMS
]


@pytest.mark.parametrize("module", BELOW_FACES, ids=lambda module: module.name)
def test_no_flag_or_command_stands_below_the_faces(module: Module):
    """HTTP and MCP would show it to people who have no command line."""
    found = [
        f"{module.path}:{node.lineno} says {node.value!r}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings(module)
        and FLAG_OR_COMMAND.search(node.value)
    ]
    assert [] == found


def docstrings(module: Module) -> set[int]:
    """Returns the texts that stand as statements: they are for those who read the code."""
    return {
        id(node.value)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make them: dowse index FOLDER", True),
        ("raise the time with --lock-timeout", True),
        ("one -- two", False),
        ("the folder of dowse", False),
        ("~/.config/dowse is yours", False),
    ],
)
def test_the_rule_itself_tells_flags_from_words(text: str, expected: bool):
    """A rule that lets all pass would hold nothing."""
    assert expected == bool(FLAG_OR_COMMAND.search(text))
