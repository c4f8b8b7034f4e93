"""Subtitles: words without time codes."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance


def read(text: str) -> Extracted:
    """Reads subtitles."""
    return get_extractor("subtitles").extract(text.encode(), "talk.srt", Allowance())


@pytest.mark.parametrize(
    "text",
    [
        "1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i>\n{\\an8}there\n\n2\n"
        "00:00:03,000 --> 00:00:04,000\nall\n",
        "WEBVTT\n\nNOTE by me\n\nintro\n00:01.000 --> 00:02.000 align:start\nHello\nthere\n\n"
        "00:03.000 --> 00:04.000\nall\n",
        "{25}{50}Hello|there\n{75}{100}{\\i1}all\n",
        "0:00:01.000,0:00:02.000\nHello\nthere\n\n0:00:03.000,0:00:04.000\nall\n",
        "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello\\Nthere\n"
        "Dialogue: 0,0:00:03.00,0:00:04.00,D,,0,0,0,,all\n",
        "1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\nthere\r\n\r\n2\r\n"
        "00:00:03,000 --> 00:00:04,000\r\nall\r\n",
    ],
    ids=["srt", "vtt", "microdvd", "subviewer", "substation", "crlf"],
)
def test_each_kind_gives_what_is_said(text: str) -> None:
    """Numbers, times, styles and notes are left out."""
    extracted = read(text)
    assert b"Hello there all\n" == extracted.text
    assert [("time", "00:00:01")] == [(anchor.kind, anchor.label) for anchor in extracted.anchors]


def test_an_anchor_comes_every_half_minute() -> None:
    """A long talk is parted, and each part says when it begins."""
    cues = "".join(
        f"00:{n // 60:02}:{n % 60:02}.000 --> 01:00:00.000\nword{n}\n\n" for n in range(0, 100, 10)
    )
    extracted = read("WEBVTT\n\n" + cues)
    assert ["00:00:00", "00:00:30", "00:01:00", "00:01:30"] == [anchor.label for anchor in extracted.anchors]
    assert b"word0 word10 word20\n\nword30" in extracted.text


def test_rolling_captions_are_kept_once() -> None:
    """A line shown again with the next is no new line."""
    text = "1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:02,000 --> 00:00:03,000\none\ntwo\n"
    assert b"one two\n" == read(text).text


def test_speakers_are_named() -> None:
    """A voice tag names who speaks."""
    assert b"Ada: Hi & bye\n" == read("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hi &amp; bye</v>\n").text


def test_without_times_it_is_plain_text() -> None:
    """A file that only has the name is read as it is."""
    assert b"just\nwords\n" == read("just\nwords\n").text
