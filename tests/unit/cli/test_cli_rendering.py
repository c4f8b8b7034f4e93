"""Hits, summaries and JSON from hand-made answers."""

import json

import pytest
from cli_answers import (
    build_explanation,
    build_hit,
    build_problem,
    build_response,
    build_status,
    build_tree,
)

from dowse.cli.rendering.hits import build_breadcrumb, render_hit, show_path
from dowse.cli.rendering.json_output import dump_json
from dowse.cli.rendering.status import iter_doctor_lines, iter_status_lines
from dowse.cli.rendering.summary import (
    describe_interruption,
    explain_nothing_found,
    iter_problems,
    summarise_search,
    summarise_sync,
)
from dowse.cli.rendering.wrapping import find_lines, paint_span
from dowse.cli.terminal import PLAIN, Style
from dowse.schema import DoctorReport, Problem, SearchRequest, Snippet, SyncReport

COLOR = Style(has_color=True)


def test_plain_hit_is_readable_text() -> None:
    """Header, breadcrumb and snippet, without a single escape."""
    expected = "docs/guide.md:12  3.250\n    Guide › Install › Linux\n    run the install script\n"
    assert expected == render_hit(build_hit(), PLAIN, "/work")


def test_highlights_are_bold_yellow() -> None:
    """The words that matched stand out, and nothing else in the snippet does."""
    assert "run the \x1b[1;33minstall\x1b[0m script" in render_hit(build_hit(), COLOR, "/work")


def test_path_is_a_link_on_a_terminal() -> None:
    """The header opens the file on click."""
    text = render_hit(build_hit(file="/work/a b.md"), Style(has_links=True), "/work")
    assert text.startswith("\x1b]8;;file://")
    assert "/work/a%20b.md\x1b\\a b.md:12\x1b]8;;\x1b\\" in text


def test_control_characters_never_reach_the_reader() -> None:
    """A file cannot steer the terminal through its name, title or text."""
    evil = "a\x1b]0;owned\x07b\u202ec"
    hit = build_hit(
        file=f"/work/{evil}", title=evil, section_path=(evil,), snippet=Snippet(evil, (), 1)
    )
    text = render_hit(hit, PLAIN, "/work")
    assert [] == [letter for letter in text if letter in "\x1b\x07\u202e"]


def test_a_hit_says_how_many_it_stands_for():
    """Those that were folded into it."""
    assert "3.250  (and 2 more like it)\n" in render_hit(build_hit(duplicate_count=2), PLAIN, "/work")


def test_explanation_is_indented_under_its_hit() -> None:
    """--explain shows the tree of numbers."""
    text = render_hit(build_hit(explanation=build_explanation()), PLAIN, "/work")
    assert text.endswith("      3.25  sum of\n        3.25  install in body\n")


def test_pushed_text_is_named_by_its_key() -> None:
    """A document without a file shows its key."""
    hit = build_hit(file=None, snippet=None)
    assert render_hit(hit, PLAIN, "/work").startswith("guide.md:10  3.250\n")


def test_title_is_not_repeated() -> None:
    """A first section with the title's words is the title."""
    assert "Guide › Install" == build_breadcrumb(build_hit(section_path=("Guide", "Install")))


@pytest.mark.parametrize(
    ("folder", "expected"),
    [("/work", "docs/a.md"), ("/", "work/docs/a.md"), ("/work/do", "/work/docs/a.md")],
)
def test_paths_are_relative_below_here_only(folder: str, expected: str) -> None:
    """Files elsewhere keep their absolute path."""
    assert expected == show_path("/work/docs/a.md", folder)


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("one two three", None, ["one two three"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefgh ij", 4, ["abcd", "efgh", "ij"]),
        ("日本語日本語", 4, ["日本", "語日", "本語"]),
        ("", 10, []),
    ],
)
def test_lines_break_at_spaces_and_fit(text: str, width: int | None, expected: list[str]) -> None:
    """No line is wider than the terminal; wide letters count twice."""
    assert expected == [text[start:end] for start, end in find_lines(text, width)]


def test_highlight_over_a_line_break_is_coloured_on_both_lines() -> None:
    """Each line is coloured by itself, so that indentation stays plain."""
    text = "one two"
    painted = [paint_span(text, span, ((0, 7),), COLOR) for span in find_lines(text, 4)]
    assert ["\x1b[1;33mone\x1b[0m", "\x1b[1;33mtwo\x1b[0m"] == painted


def test_summary_counts_hits_time_and_problems() -> None:
    """The last line of a search."""
    response = build_response(build_hit(), total=2345)
    assert "1 of 2,345 in 3.1 ms · 2 problems (dowse status)" == summarise_search(response, 2)


def test_summary_of_a_later_page_and_a_lower_bound() -> None:
    """Pages say which hits they show; a total that was not counted to the end says so."""
    request = SearchRequest("install", offset=10)
    response = build_response(build_hit(), request=request, total=500, total_is_exact=False)
    assert "11–11 of 500+ in 3.1 ms" == summarise_search(response, 0)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ('"a b"', "without the quotes"),
        ("a -b", "words after a dash"),
        ("a b", "fewer or other"),
        ("a", "check the spelling"),
    ],
)
def test_nothing_found_hint_fits_the_query(query: str, hint: str) -> None:
    """The hint looks at what was asked."""
    message, actual = explain_nothing_found(build_response(request=SearchRequest(query)), "docs")
    assert f"Nothing found for “{query}” in docs." == message
    assert hint in actual


def test_endless_query_is_shortened() -> None:
    """A message stays a line, whatever was pasted."""
    response = build_response(request=SearchRequest("a" * 5000))
    assert len(explain_nothing_found(response, "docs")[0]) < 100


def test_page_after_the_last_hit_says_so() -> None:
    """An offset beyond the total is not the same as nothing found."""
    response = build_response(request=SearchRequest("a", offset=50), total=3)
    assert "There are only 3 hits for “a”." == explain_nothing_found(response, "docs")[0]


def test_sync_summary_names_what_changed() -> None:
    """Only what happened is listed."""
    report = SyncReport("docs", "/docs", added=2, unchanged=1000, chunks_added=1, seconds=1.25)
    expected = "docs: 2 added, 1,000 unchanged (1 new chunk) in 1.2 s"
    assert expected == summarise_sync(report, "docs")


def test_empty_sync_says_there_was_nothing() -> None:
    """A folder without files is not an error."""
    assert "docs: no files to index" == summarise_sync(SyncReport("docs", "/docs"), "docs")


def test_interruption_says_what_was_kept() -> None:
    """Ctrl-C loses nothing committed, and the reader is told."""
    status = build_status(build_tree(documents=1200), build_tree(name="other", documents=7))
    expected = "interrupted; 1,200 documents are kept and can be searched, the next run goes on"
    assert expected == describe_interruption(status, "docs")


def test_early_interruption_claims_nothing() -> None:
    """What was read but not committed is not kept."""
    expected = "interrupted before anything was kept; the next run starts again"
    assert expected == describe_interruption(build_status(), "docs")


def test_status_shows_trees_and_problems() -> None:
    """People see what is indexed, where, and what failed."""
    tree = build_tree(problems=(build_problem(),), last_sync=100.0)
    text = "\n".join(iter_status_lines(build_status(tree), PLAIN, 105.0))
    assert "holds      3 documents, 9 chunks, 1.5 kB of text, language english" in text
    assert "looked at  5 s ago" in text
    assert "problems   1\n  problem: notes/1.md: permission denied (change its mode)" in text


def test_status_says_which_kernels_fell_back_and_why() -> None:
    """One reason is said once, however many kernels share it."""
    fallbacks = tuple((name, f"No module named 'dowse.kernels._{name}'") for name in ("spans", "sounds"))
    status = build_status(kernels="partly compiled", kernel_fallbacks=fallbacks)
    text = "\n".join(iter_status_lines(status, PLAIN, 0.0))
    assert "\n           spans, sounds: No module named 'dowse.kernels._NAME'\n" in text


def test_status_says_how_to_get_faster_kernels() -> None:
    """Whoever has the slow kernels learns why."""
    text = "\n".join(iter_status_lines(build_status(kernels="numpy"), PLAIN, 0.0))
    assert "install a C compiler" in text


def test_doctor_names_what_it_found_and_mended() -> None:
    """Findings first, then repairs, the verdict last."""
    finding = Problem("corrupt-file", "s1/postings", "checksum differs")
    report = DoctorReport(7, 2000, (finding,))
    assert [
        "damaged: s1/postings: checksum differs",
        "1 finding in 7 files, 2.0 kB; mend with: dowse doctor --repair",
    ] == list(iter_doctor_lines(report, PLAIN))
    mended = DoctorReport(7, 2000, (finding,), ("s1/postings",))
    assert "healthy: 7 files, 2.0 kB checked" == list(iter_doctor_lines(mended, PLAIN))[-1]


def test_problems_are_listed_up_to_a_limit() -> None:
    """The first problems are shown, the others counted."""
    lines = list(iter_problems([build_problem(number) for number in range(8)], shown=2))
    assert [
        "problem: notes/0.md: permission denied (change its mode)",
        "problem: notes/1.md: permission denied (change its mode)",
        "and 6 more problems: dowse status --json",
    ] == lines


def test_json_has_the_promised_keys() -> None:
    """Programs rely on these names."""
    hit = build_hit(explanation=build_explanation())
    value = json.loads(dump_json(build_response(hit), ms=1.0))
    assert [
        "request",
        "hits",
        "total",
        "total_is_exact",
        "interpretation",
        "generation",
        "stages",
        "problems",
        "is_fuzzy",
        "suggestion",
        "query_tree",
        "coverage",
        "is_partial",
        "ms",
    ] == list(value)
    assert {"text": "run the install script", "highlights": [[8, 15]], "line": 12} == value["hits"][
        0
    ]["snippet"]
    assert 3.25 == value["hits"][0]["explanation"]["value"]
    assert {"name": "match", "ms": 1.0, "hits_in": 0, "hits_out": 5, "note": ""} == value["stages"][0]


def test_json_of_nothing_has_an_empty_list() -> None:
    """No hits is an answer, not a missing key."""
    assert [] == json.loads(dump_json(build_response()))["hits"]
