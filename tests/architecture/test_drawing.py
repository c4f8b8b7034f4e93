"""ARCHITECTURE.md draws the house as it is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from draw_layers import PAGE, render


def test_the_drawing_is_fresh():
    """The layers and the table of imports are those of the code."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == render(page), "run: .venv/bin/python tools/draw_layers.py"
