"""Subtitles: what is said, without time codes; an anchor every half minute says when."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.text_reading import build_own_text, open_composer, read_own_text

SECONDS_A_PARAGRAPH = 30
_TIMES = re.compile(
    r"\s{0,10}(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,]\d{1,6})?\s{0,10}(?:-->|,)\s{0,10}(?:\d{1,3}:)?\d{1,2}:\d{1,2}"
)
_FRAMES = re.compile(r"\{(\d{1,9})\}\{\d{0,9}\}(.*)\Z")
_DIALOGUE = re.compile(r"Dialogue:[^,]*,(\d{1,3}):(\d{1,2}):(\d{1,2})[^,]*,(?:[^,]*,){7}(.*)\Z")
_SPEAKER = re.compile(r"<v(?:\.[^\s>]{0,50})?\s+([^>]{1,100})>")
_MARKUP = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,200}\}")
_FRAMES_A_SECOND = 25
_NOT_SPOKEN = ("WEBVTT", "NOTE", "STYLE", "REGION")


class Cue(NamedTuple):
    """A line and when it is shown."""

    seconds: int
    text: str


class SubtitlesExtractor:
    """Reads SubRip, WebVTT, MicroDVD, SubViewer and SubStation Alpha."""

    name = "subtitles"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads subtitles; a file without time codes is plain text."""
        text, builder = open_composer(data, path, allowance)
        cues = list(_iter_cues(re.split(r"\r\n?|\n", text)))
        if not cues:
            return build_own_text(read_own_text(data, path), path, ())
        for start, spoken in _iter_paragraphs(cues):
            builder.anchor("time", f"{start // 3600:02}:{start // 60 % 60:02}:{start % 60:02}")
            builder.paragraph(spoken)
        return builder.finish(title=choose_title(path=path))


def _iter_cues(rows: list[str]) -> Iterator[Cue]:
    """Yields what is said, line by line."""
    seconds: int | None = None
    was_blank = True
    for index, row in enumerate(rows):
        stripped = row.strip()
        if times := _TIMES.match(row):
            seconds = _seconds(times[1], times[2], times[3])
        elif frames := _FRAMES.match(stripped):
            yield Cue(int(frames[1]) // _FRAMES_A_SECOND, _plain(frames[2].replace("|", " ")))
        elif spoken := _DIALOGUE.match(stripped):
            yield Cue(_seconds(spoken[1], spoken[2], spoken[3]), _plain(spoken[4].replace("\\N", " ")))
        elif was_blank and (stripped.startswith(_NOT_SPOKEN) or _is_number_of_cue(rows, index)):
            seconds = None
        elif seconds is not None and stripped:
            yield Cue(seconds, _plain(stripped))
        was_blank = not stripped


def _is_number_of_cue(rows: list[str], index: int) -> bool:
    """Says whether the next line has the times of a cue, and this one only numbers or names it."""
    return index + 1 < len(rows) and _TIMES.match(rows[index + 1]) is not None


def _seconds(hours: str | None, minutes: str, seconds: str) -> int:
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)


def _plain(text: str) -> str:
    text = _MARKUP.sub("", _SPEAKER.sub(r"\1: ", text)).replace("&nbsp;", " ")
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


def _iter_paragraphs(cues: list[Cue]) -> Iterator[tuple[int, str]]:
    """Joins cues; captions that roll repeat each line, which is kept once."""
    start, spoken = cues[0].seconds, [""]
    for cue in cues:
        if abs(cue.seconds - start) >= SECONDS_A_PARAGRAPH and len(spoken) > 1:
            yield start, " ".join(spoken[1:])
            start, spoken = cue.seconds, [spoken[-1]]
        if cue.text and cue.text != spoken[-1]:
            spoken.append(cue.text)
    if len(spoken) > 1:
        yield start, " ".join(spoken[1:])
