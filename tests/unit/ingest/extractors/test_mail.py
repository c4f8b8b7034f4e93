"""Mails, mailboxes and Outlook items."""

import base64
import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.extraction import extract
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.mail.compressed_rtf import decompress_rtf
from support.compound_files import build_compound_file, build_outlook_item
from support.well_formed import assert_well_formed

HEAD = b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nFrom: Ada <ada@example.com>\nTo: b@example.com\n"
DATED = HEAD + b"Date: Mon, 20 Jul 2015 01:01:07 +0200\n"


def read(data: bytes, name: str = "email") -> Extracted:
    """Reads a mail, or something of another format."""
    return get_extractor(name).extract(data, "folder/file", Allowance())


def mixed(*parts: bytes, kind: bytes = b"mixed", head: bytes = HEAD) -> bytes:
    """Returns a mail of several parts."""
    body = b"".join(b"--X\n" + part + b"\n" for part in parts)
    return head + b"Content-Type: multipart/" + kind + b'; boundary="X"\n\n' + body + b"--X--\n"


def test_headers_are_title_metadata_and_first_lines() -> None:
    """The subject is the title; people and date can be found in the text."""
    found = read(DATED + b"\nSome words\n> quoted\n")
    assert "Grüße" == found.title == found.sections[1].title
    expected = {"author": "Ada <ada@example.com>", "to": "b@example.com", "date": "2015-07-20T01:01:07+02:00"}
    assert expected == dict(found.metadata)
    assert b"From: Ada <ada@example.com>\n" in found.text
    assert b"Some words\n> quoted\n" in found.text


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((b"\nplain words", b"Content-Type: text/html\n\n<p>html words"), "plain words"),
        ((b"\n ", b"Content-Type: text/html\n\n<p>html <b>words"), "html words"),
    ],
)
def test_plain_text_is_preferred(parts: tuple[bytes, ...], expected: str) -> None:
    """Of a mail that says the same twice, one is kept."""
    found = read(mixed(*parts, kind=b"alternative")).text.decode()
    assert expected == found.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (b"Content-Type: text/plain; charset=koi8-r\n\n" + "слово".encode("koi8-r"), "слово"),
        (b"Content-Transfer-Encoding: quoted-printable\n\ngr=C3=BC=C3=9Fe lo=\nng", "grüße long"),
        (b"Content-Transfer-Encoding: base64\n\n" + base64.b64encode("grüße".encode())[:-1] + b"!", "grüße"),
        (b"Content-Type: text/plain; charset=nonsense\n\nwords", "words"),
        (b"Content-Type: text/html; charset=cp1251\n\n<p>" + "слово".encode("cp1251"), "слово"),
    ],
)
def test_parts_are_decoded(part: bytes, expected: str) -> None:
    """Transfer encodings and character sets, also broken ones."""
    assert expected in read(mixed(part)).text.decode()


def test_attachments_are_sections() -> None:
    """Each is read as the file that it is; what is no text is named only."""
    note = b"Content-Disposition: attachment; filename=note.md\n\n# Heading\n\nattached words"
    picture = b"Content-Type: image/png\nContent-Disposition: attachment; filename=p.png\n\n\0\1\2"
    found = read(mixed(b"\nbody", note, picture))
    assert ["Grüße", "note.md", "Heading"] == [part.title for part in found.sections[1:]]
    assert [("part", "note.md")] == [(anchor.kind, anchor.label) for anchor in found.anchors]
    assert b"Attachments: note.md, p.png\n" in found.text
    assert () == found.problems


def test_forwarded_messages_are_sections() -> None:
    """A message inside a message has its own heading and body."""
    inner = b"Content-Type: message/rfc822\n\nSubject: Inner\nFrom: c@example.com\n\ninner words"
    found = read(mixed(b"\nbody", inner))
    assert [("Grüße", 1), ("Inner", 2)] == [(part.title, part.depth) for part in found.sections[1:]]


def test_parts_nest_as_deep_as_they_like() -> None:
    """Five thousand levels are read, and the text at the bottom is found."""
    level = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    levels = b"".join(level % (number, number) for number in range(5000))
    assert b"bottom" in read(HEAD + levels + b"\nbottom words").text


def test_mailboxes_hold_messages() -> None:
    """Each message is a section under its own anchor; a sentence that begins with “From ” is none."""
    first = b"From a@b.c Mon Jul 20 01:01:07 2015\nSubject: One\n\nwords\n\n"
    second = b"From x\nSubject: Two\n\nmore\n"
    found = read(first + b"From here on it rains.\n>From me\n\n" + second, "mailbox")
    assert ["One", "Two"] == [part.title for part in found.sections[1:]]
    assert [("message", "1"), ("message", "2")] == [(anchor.kind, anchor.label) for anchor in found.anchors]
    assert b"From here on it rains.\nFrom me\n" in found.text


def outlook_file() -> bytes:
    """Returns an Outlook item with an attachment and an item inside it."""
    inner = build_outlook_item({0x37: "Inner", 0x1000: "inner words"})
    texts = {0x37: "Outer", 0x0C1A: "Ada", 0x5D01: "ada@example.com", 0x0E04: "Bob", 0x1000: "outer words"}
    return build_compound_file(build_outlook_item(texts, {"note.txt": b"attached words".ljust(4096)}, inner))


def test_outlook_items_are_mails() -> None:
    """Subject, people, date, body, attachments and items inside."""
    found = read(outlook_file(), "outlook")
    assert "Outer" == found.title
    expected = {"author": "Ada <ada@example.com>", "to": "Bob", "date": "2024-01-17T21:20:00+00:00"}
    assert expected == dict(found.metadata)
    assert ["Outer", "note.txt", "Inner"] == [part.title for part in found.sections[1:]]
    for words in (b"outer words", b"attached words", b"inner words"):
        assert words in found.text


def test_compressed_rtf_is_unpacked() -> None:
    """The two examples of the format's description."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n" == decompress_rtf(packed, Allowance())
    crossing = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}" == decompress_rtf(crossing, Allowance())


SAMPLES = {
    "email": mixed(b"\nbody", b"Content-Disposition: attachment; filename=a.txt\n\nwords", head=DATED),
    "mailbox": b"From a\nSubject: One\n\nwords\n\nFrom b\nSubject: Two\n\nmore\n",
    "outlook": outlook_file(),
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_damage_costs_this_file_only(name: str, data: st.DataObject) -> None:
    """Changed and cut files are read or refused, with nothing raised but the one error."""
    changed = bytearray(SAMPLES[name])
    for place in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=20)):
        changed[place] = data.draw(st.integers(0, 255))
    cut = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    for damaged in (bytes(changed), cut):
        with contextlib.suppress(UnextractableError):
            assert_well_formed(get_extractor(name).extract(damaged, "a", Allowance()))
            assert_well_formed(extract(damaged, "a", get_extractor(name), Allowance()))
