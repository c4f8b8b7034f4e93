"""Writes the layers and the table of imports into ARCHITECTURE.md: ``python tools/draw_layers.py``.

The layers are those that `tests/architecture/test_layers.py` holds, the imports those that the code has. A
test compares the page with what this would write (`tests/architecture/test_drawing.py`).
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
sys.path.insert(0, str(ROOT / "tests" / "architecture"))

from source_tree import imports_of, modules  # noqa: E402
from test_layers import LAYERS, ROW_NAMES, WAY_IN  # noqa: E402


def draw_layers(packages: set[str]) -> str:
    """Returns the layers that have packages, top row first."""
    width = max(map(len, ROW_NAMES)) + 3
    rows = [
        f" {label:<{width}}{'   '.join(name for name in names if name in packages)}"
        for label, names in zip(ROW_NAMES, LAYERS, strict=True)
        if packages & set(names)
    ]
    return "\n".join(["```", *rows, "```"])


def draw_imports(imports: dict[str, set[str]]) -> str:
    """Returns a table of the packages that each package imports, in the order of the layers."""
    order = [name for names in LAYERS for name in names if name in imports]
    rows = ["| package | imports |", "| --- | --- |"]
    for name in order:
        told = ", ".join(f"`{other}`" for other in order if other in imports[name])
        rows.append(f"| `{name}` | {told or 'nothing of Dowse'} |")
    return "\n".join(rows)


def read_imports() -> dict[str, set[str]]:
    """Returns, per package, the other packages that its modules import, lazily or not."""
    found: dict[str, set[str]] = {}
    for module in modules():
        if module.package in WAY_IN:
            continue
        own = found.setdefault(module.package, set())
        for entry in imports_of(module):
            parts = entry.target.split(".")
            if parts[0] == "dowse" and len(parts) > 1 and parts[1] not in (module.package, "__version__"):
                own.add(parts[1])
    return found


def render(page: str) -> str:
    """Returns the page with its generated parts made anew."""
    imports = read_imports()
    parts = {"layers": draw_layers(set(imports)), "imports": draw_imports(imports)}
    for name, text in parts.items():
        start, end = f"<!-- {name}: made by tools/draw_layers.py -->", f"<!-- end of {name} -->"
        before, _, rest = page.partition(start)
        _, found, after = rest.partition(end)
        if not found:
            raise SystemExit(f"{PAGE.name} has no place for {name}: {start} … {end}")
        page = f"{before}{start}\n{text}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
