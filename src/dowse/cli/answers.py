"""Writes the hits of an answer to stdout, and what else there is to say about it to stderr."""

import sys
from typing import TYPE_CHECKING

from dowse.cli.terminal import detect_style, flush, say, without_controls, write
from dowse.engine.opening import find_current_folder

if TYPE_CHECKING:
    from dowse.schema import SearchResponse


def write_hits(response: "SearchResponse", *, wants_color: bool) -> None:
    """Writes all hits, then says how the query was read if asked to, and its problems."""
    from dowse.cli.rendering.hits import render_hit
    from dowse.cli.rendering.summary import ALL_IN_JSON, iter_problems

    style = detect_style(sys.stdout, wants_color=wants_color)
    current = find_current_folder()
    write("\n".join(render_hit(hit, style, current) for hit in response.hits))
    flush()
    for line in response.query_tree:
        say(without_controls(line))
    for line in iter_problems(response.problems, all_in=ALL_IN_JSON):
        say(line)
