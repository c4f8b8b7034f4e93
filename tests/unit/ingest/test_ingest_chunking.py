"""Chunking: what each strategy is for, settings, and cuts between characters."""

import pytest

from dowse.errors import InvalidParameterError
from dowse.ingest import ChunkingSettings, build_chunker, get_extractor
from dowse.ingest.chunking.measure import count_words
from dowse.ingest.chunking.pieces import character_boundary
from dowse.ingest.limits import Allowance


def cut(
    text: str, strategy: str = "structure", max_words: int = 20, overlap_words: int = 5
) -> list[str]:
    """Returns the chunks' text."""
    extracted = get_extractor("markdown").extract(text.encode(), "a.md", Allowance())
    chunks = build_chunker(ChunkingSettings(strategy, max_words, overlap_words)).chunk(extracted)
    return [extracted.text[chunk.byte_start : chunk.byte_end].decode() for chunk in chunks]


def test_structure_keeps_a_section_whole() -> None:
    """Preamble, section and sub-section are one chunk each, headings included."""
    assert cut("pre\n\n# A\n\na\n\nb\n\n## B\n\nc\n") == ["pre", "# A\n\na\n\nb", "## B\n\nc"]


def test_structure_cuts_a_long_section_between_sentences() -> None:
    """Windows end at a sentence and repeat the last one when it is short enough."""
    sentences = [
        f"This is sentence {word} here." for word in ("one", "two", "three", "four", "five")
    ]
    windows = cut("# A\n\n" + " ".join(sentences), max_words=17)
    assert "# A\n\n" + " ".join(sentences[:3]) == windows[0]
    assert " ".join(sentences[2:]) == windows[1]


def test_structure_prefers_the_end_of_a_paragraph() -> None:
    """A paragraph's end near the limit wins over a fuller window."""
    first = "one two three four five six seven eight. Nine ten eleven twelve thirteen."
    rest = "fourteen fifteen. sixteen seventeen eighteen nineteen twenty. 21 22 23"
    assert first == cut(f"{first}\n\n{rest}", max_words=18)[0]


def test_structure_does_not_cut_code_that_fits() -> None:
    """A code block goes with its fences into one window."""
    text = "# A\n\n" + "word " * 15 + "\n\n```py\na = 1\n\nb = 2\n\nc = 3\n```\n\n" + "word " * 15
    assert any(
        "```py\na = 1\n\nb = 2\n\nc = 3\n```" in window for window in cut(text, overlap_words=0)
    )


def test_indentation_of_the_first_line_is_kept() -> None:
    """A chunk that begins with indented code begins at the line's start."""
    assert cut("\n\n    code\n")[0] == "    code"


def test_paragraph_gives_one_chunk_each() -> None:
    """Paragraphs apart, the heading with the first."""
    assert cut("# A\n\none\n\ntwo\n\nthree\nfour\n", "paragraph") == [
        "# A\n\none",
        "two",
        "three\nfour",
    ]


def test_sentence_never_starts_in_a_sentence() -> None:
    """Every window starts where a sentence starts."""
    text = " ".join(f"S{n} has five words here." for n in range(20))
    assert all(window[0] == "S" and window[-1] == "." for window in cut(text, "sentence"))


def test_recursive_joins_short_paragraphs() -> None:
    """Paragraphs are packed until the window is full."""
    text = "\n\n".join(["a b c d e f g"] * 4)
    assert cut(text, "recursive", overlap_words=0) == ["a b c d e f g\n\na b c d e f g"] * 2


def test_words_repeats_exactly_the_overlap() -> None:
    """Windows of twenty words, five of them repeated."""
    windows = cut(" ".join(map(str, range(40))), "words")
    assert [(int(w.split()[0]), int(w.split()[-1])) for w in windows] == [
        (0, 19),
        (15, 34),
        (30, 39),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("a b\nc", 3),
        ("x" * 36, 1),
        ("x" * 600, 100),
        ("字" * 100, 50),
        ("слово " * 10, 10),
    ],
)
def test_words_are_counted(text: str, words: int) -> None:
    """Long runs count by their bytes; wide characters count half a word."""
    assert words == count_words(text.encode(), 0, 1 << 30)


@pytest.mark.parametrize("joined", ["e\u0301", "👩‍👩‍👧", "👍🏽", "कि", "☺\ufe0f", "é"])
def test_cuts_keep_a_readers_character_whole(joined: str) -> None:
    """No cut falls between a letter and its mark, or inside a joined emoji."""
    text = ("ab" + joined + "cd").encode()
    inside = range(2, 2 + len(joined.encode()))
    assert {2} == {character_boundary(text, 0, offset) for offset in inside}


@pytest.mark.parametrize(
    "values",
    [
        {"strategy": "x"},
        {"max_words": 7},
        {"max_words": 5001},
        {"overlap_words": -1},
        {"overlap_words": 161},
    ],
)
def test_settings_refuse_what_is_out_of_range(values: dict[str, int]) -> None:
    """Each limit is checked when the settings are made."""
    with pytest.raises(InvalidParameterError):
        ChunkingSettings(**values)  # type: ignore[arg-type]


def test_fingerprint_tells_settings_apart() -> None:
    """Equal settings, equal fingerprint; any other value, another."""
    variants = [{}, {"strategy": "words"}, {"max_words": 100}, {"overlap_words": 0}]
    assert len({ChunkingSettings(**values).fingerprint() for values in variants}) == 4  # type: ignore[arg-type]
    assert ChunkingSettings().fingerprint() == ChunkingSettings().fingerprint()
