"""Imports point down only, and nothing below `engine` knows the surroundings (design, section 3)."""

import ast

import pytest
from source_tree import ROOT, Module, imports_of, modules

# The table of the design, top row first. Names in one row do not know each other.
LAYERS = (
    ("cli", "http", "mcp"),
    # A user of the engine like a face, but one that `dowse eval` has to call.
    ("evaluation",),
    ("engine",),
    ("config", "watch"),
    ("search", "suggest", "percolate", "similar", "context"),
    ("planning", "fusion", "results"),
    ("indexing", "matching", "knowledge"),
    ("analysis", "query", "scoring", "embedding", "storage", "ingest"),
    ("schema", "kernels"),
    ("errors", "logs"),
    ("remedy",),
)
ROW_NAMES = (
    "faces", "measuring", "engine", "upkeep", "abilities", "ranking", "meetings", "islands", "ground",
    "errors", "bottom",
)  # fmt: skip
ROW = {name: number for number, names in enumerate(LAYERS) for name in names}
# The way in: `dowse` itself and ``python -m dowse`` stand above everything.
WAY_IN = ("", "__main__")
# Everybody may know the version.
VERSION = "dowse.__version__"

SURROUNDINGS = {
    "time", "datetime.datetime.now", "datetime.date.today", "os.environ", "os.getenv", "os.environb",
    "os.getcwd", "os.getcwdb", "platformdirs", "tomllib", "configparser",
}  # fmt: skip
CURRENT_FOLDER = {"cwd", "getcwd", "getenv", "environ", "perf_counter", "today", "utcnow"}
# Who may, and why.
MAY_KNOW = {
    ("kernels", "environ"): "DOWSE_KERNELS chooses the twin, once, at import",
    ("config.toml_lines", "tomllib"): "configuration is TOML; which file is read, the faces say",
    ("config.files", "user_config_path"): "only to name the user's file, where it is not ~/.config",
    ("storage.lock", "time"): "waiting for another process needs a clock; no value comes of it",
    ("storage.catalog", "time"): "as for the lock, while several make one catalogue",
}

MODULES = modules()


def test_every_package_has_a_place_in_the_table():
    """A new package is put into the design's table before anything imports it."""
    packages = {module.package for module in MODULES} - set(WAY_IN)
    assert set() == packages - set(ROW)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name or "dowse")
def test_imports_point_down(module: Module):
    """No module imports from its own row or a higher one, not even inside a function."""
    wrong = [
        f"{module.path}:{entry.line} imports {entry.target}"
        for entry in imports_of(module)
        if module.package not in WAY_IN and not _is_allowed(module.package, entry.target)
    ]
    assert [] == wrong


def _is_allowed(package: str, target: str) -> bool:
    parts = target.split(".")
    if parts[0] != "dowse" or target == VERSION:
        return True
    return len(parts) > 1 and (parts[1] == package or ROW[package] < ROW.get(parts[1], -1))


@pytest.mark.parametrize(
    ("package", "target", "expected"),
    [
        ("search", "dowse.planning.Plan", True),
        ("search", "dowse.search.hits", True),
        ("planning", "dowse.results.cut_snippet", False),
        ("ingest", "dowse.storage.catalog", False),
        ("storage", "dowse.engine.Index", False),
        ("scoring", "dowse.query.parse", False),
        ("kernels", "dowse.schema.Field", False),
        ("cli", "dowse.Index", False),
        ("schema", "dataclasses.dataclass", True),
    ],
)
def test_the_rule_itself_tells_up_from_down(package: str, target: str, expected: bool):
    """The checker refuses what the table refuses; a rule that lets all pass would hold nothing."""
    assert expected == _is_allowed(package, target)


BELOW_ENGINE = [
    module
    for module in MODULES
    if module.package not in WAY_IN and ROW[module.package] > ROW["engine"]
]


@pytest.mark.parametrize("module", BELOW_ENGINE, ids=lambda module: module.name)
def test_nothing_below_engine_reads_the_surroundings(module: Module):
    """The environment, the clock, the current folder and config files are `engine`'s to read."""
    wrong = [
        f"{module.path}:{line} uses {name}"
        for name, line in _surroundings(module)
        if (module.name, name.split(".")[-1]) not in MAY_KNOW
    ]
    assert [] == wrong


def _surroundings(module: Module) -> list[tuple[str, int]]:
    found = [
        (entry.target, entry.line)
        for entry in imports_of(module)
        if entry.target in SURROUNDINGS or entry.target.split(".")[0] in ("time", "platformdirs")
    ]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and (
            node.attr in CURRENT_FOLDER or ast.unparse(node) == "Path.home"
        ):
            found.append((node.attr, node.lineno))
        elif isinstance(node, ast.Call) and _is_clock(node.func):
            found.append((ast.unparse(node.func), node.lineno))
    return found


def _is_clock(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr == "now"


def test_exceptions_to_the_surroundings_are_still_needed():
    """An exception that nobody uses any more is taken off the list."""
    used = {
        (module.name, name.split(".")[-1])
        for module in BELOW_ENGINE
        for name, _ in _surroundings(module)
    }
    assert set(MAY_KNOW) == used & set(MAY_KNOW)


def test_kernels_read_one_variable_only():
    """The compiled twin is switched off by DOWSE_KERNELS and by nothing else."""
    tree = ast.parse((ROOT / "kernels" / "__init__.py").read_text(encoding="utf-8"))
    names = [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("os.")
        and isinstance(node.args[0], ast.Constant)
    ]
    assert ["DOWSE_KERNELS"] == names


def test_sqlite_stays_in_storage():
    """Only `storage` speaks SQLite; the others hand it statements or call it."""
    users = {
        module.package
        for module in MODULES
        for entry in imports_of(module)
        if entry.target.split(".")[0] == "sqlite3"
    }
    assert {"storage"} == users


FACES = LAYERS[0]
# What every face may know: what can be asked, values and errors. `evaluation` is another user of `engine`.
FACES_MAY_KNOW = {"engine", "evaluation", "schema", "errors", "logs"}
# What some modules of faces know besides, and why.
EDITS_FILES = "edits the configuration files of this user and this project, which no engine has"
OWN_MODELS = "shows and checks the models on this machine, which need no index"
READS_FILES = "reads one file or folder of this machine as indexing would, which needs no index"
DECLARES = "shows the declarations of modes, scoring models and fusions, which are tables"
FACES_KNOW_MORE: dict[str, tuple[set[str], str]] = {
    "cli.commands.config": ({"config", "embedding"}, EDITS_FILES),
    "cli.commands.eval": ({"search"}, "checks a request before a long run"),
    "cli.commands.init": ({"config"}, EDITS_FILES),
    "cli.commands.inspect": ({"ingest"}, READS_FILES),
    "cli.commands.ls": ({"ingest"}, READS_FILES),
    "cli.commands.model": ({"config", "embedding"}, f"{EDITS_FILES}; {OWN_MODELS}"),
    "cli.commands.patterns": ({"config", "ingest"}, EDITS_FILES),
    "cli.commands.similar": ({"similar"}, "its settings are a value"),
    "cli.commands.tune": ({"search"}, "checks a request before a long run"),
    "cli.commands.version": ({"kernels"}, "says which kernels run, without opening an index"),
    "cli.commands.watch": ({"watch"}, "its settings are a value"),
    "cli.rendering.configuration": ({"config"}, EDITS_FILES),
    "cli.rendering.embedding_models": ({"embedding"}, OWN_MODELS),
    "cli.rendering.modes": ({"fusion", "scoring", "search"}, DECLARES),
}


@pytest.mark.parametrize("module", [m for m in MODULES if m.package in FACES], ids=lambda module: module.name)
def test_faces_know_the_engine_and_nothing_below(module: Module):
    """A face asks an `Engine`, so that it works with an index in this process and in another one."""
    allowed, _ = FACES_KNOW_MORE.get(module.name, (set(), ""))
    known = {
        entry.target.split(".")[1]
        for entry in imports_of(module)
        if entry.target.startswith("dowse.") and entry.target != VERSION
    }
    assert set() == known - FACES_MAY_KNOW - allowed - {module.package}
