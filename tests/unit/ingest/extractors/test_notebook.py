"""Notebooks: cells in order, code as code, outputs cut."""

import json

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance


def read(notebook: object) -> Extracted:
    """Reads a notebook."""
    return get_extractor("notebook").extract(json.dumps(notebook).encode(), "lab/trial.ipynb", Allowance())


def test_cells_are_read_in_order() -> None:
    """Prose gives headings, code is marked as code, and each cell has an anchor."""
    extracted = read(
        {
            "metadata": {"kernelspec": {"language": "python"}, "authors": [{"name": "Ada"}]},
            "cells": [
                {"cell_type": "markdown", "source": ["# Title\n", "\n", "Words"]},
                {"cell_type": "code", "source": "x = 1\n  y", "outputs": [{"text": ["printed\n"]}]},
                {"cell_type": "markdown", "source": "## Part"},
            ],
        }
    )
    assert b"# Title\n\nWords\n\nx = 1\n  y\n\nprinted\n\n## Part\n" == extracted.text
    assert ["Title", "Title", "Part"] == [section.title for section in extracted.sections]
    assert [b"x = 1\n  y\n"] == [extracted.text[start:end] for start, end in extracted.code_spans]
    assert ["1", "2", "3"] == [anchor.label for anchor in extracted.anchors]
    assert {"language": "python", "author": "Ada"} == extracted.metadata


def test_outputs_are_cut_and_pictures_left_out() -> None:
    """What was printed is kept up to a length, a failure by its words, a picture not at all."""
    outputs = [
        {"data": {"image/png": "iVBO" * 100, "text/plain": "<Figure>"}},
        {"ename": "KeyError", "evalue": "'x'", "traceback": ["\x1b[31mlong"]},
        {"text": "\x1b[31mred\x1b[0m" + "z" * 10_000},
    ]
    text = read({"cells": [{"cell_type": "code", "source": "1", "outputs": outputs}]}).text.decode()
    assert "<Figure>\nKeyError 'x'\nred" in text
    assert "iVBO" not in text
    assert len(text) < 2_100


def test_inline_pictures_are_left_out() -> None:
    """A picture in the text of a cell is no text."""
    source = f"![p](data:image/png;base64,{'iVBO' * 100}) after"
    assert b"iVBO" not in read({"cells": [{"cell_type": "markdown", "source": source}]}).text


def test_old_notebooks_are_read() -> None:
    """Before version 4, cells lay in worksheets, and headings were cells."""
    cells = [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "x = 1"}]
    extracted = read({"worksheets": [{"cells": cells}]})
    assert (b"Old\n\nx = 1\n", 2) == (extracted.text, extracted.sections[1].depth)


@pytest.mark.parametrize(
    "notebook",
    [
        {"cells": "none"},
        {"cells": [1, None, {}, {"source": 3}, {"cell_type": "code", "outputs": [1, {"data": []}]}]},
        {"metadata": [], "worksheets": {}},
        [],
        "text",
        3,
        {"cells": [{"cell_type": "heading", "level": [], "source": ["a", 1]}]},
    ],
)
def test_odd_notebooks_are_read_as_far_as_they_go(notebook: object) -> None:
    """Whatever is not where it should be is passed over."""
    assert "trial" == read(notebook).title or b"a" in read(notebook).text


def test_what_is_no_notebook_is_text_with_a_problem() -> None:
    """Broken JSON is indexed as it is."""
    extracted = get_extractor("notebook").extract(b'{"cells": [words', "a.ipynb", Allowance())
    assert b"words" in extracted.text
    assert ["bad-json"] == [problem.code for problem in extracted.problems]
