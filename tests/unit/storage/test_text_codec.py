"""Stored texts: compressed, read in parts, and told apart from plain ones."""

import random
import sqlite3

import pytest

from dowse.storage import text_codec
from dowse.storage.catalog import open_memory_catalog
from dowse.storage.text_codec import BLOCK_BYTES, MAGIC, TextDecoder, TextEncoder, split_frames

WORDS = [f"word{number}" for number in range(500)]


def make_text(size: int, seed: int = 1) -> bytes:
    """Returns so many bytes of words."""
    source = random.Random(seed)
    return " ".join(source.choices(WORDS, k=size // 5 + 5)).encode()[:size]


@pytest.fixture
def connection():
    """A catalogue in memory."""
    return open_memory_catalog().connection


@pytest.mark.parametrize(
    "size", [0, 1, 63, 64, 1_000, 4_097, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES + 7]
)
def test_parts_of_texts_are_as_they_were(connection, size):
    """Whole texts, their ends, and parts across blocks."""
    text = make_text(size)
    stored = TextEncoder(connection).encode(text)
    decoder = TextDecoder(connection)
    for start, stop in [(0, size), (0, 0), (size, size), (size // 2, size), (size // 3, size // 2 + 1)]:
        assert text[start:stop] == decoder.read(stored, start, stop)
    assert size < 1_000 or len(stored) < size // 2


def test_a_part_of_a_long_text_reads_only_its_blocks(connection, monkeypatch):
    """A chunk of a book costs a block, not the book."""
    stored = TextEncoder(connection).encode(make_text(20 * BLOCK_BYTES))
    decoder, read = TextDecoder(connection), []
    own = decoder._decompress
    monkeypatch.setattr(decoder, "_decompress", lambda frame: read.append(frame) or own(frame))
    decoder.read(stored, 5 * BLOCK_BYTES - 10, 5 * BLOCK_BYTES + 10)
    assert 20 == len(split_frames(stored))
    assert 2 == len(read)


def test_texts_that_do_not_become_smaller_stay_plain(connection):
    """Noise is kept as it is; so are texts of older catalogues."""
    noise = random.Random(2).randbytes(300).replace(b"\x28", b"")
    assert noise == TextEncoder(connection).encode(noise)
    assert b"an older text"[3:8] == TextDecoder(connection).read(b"an older text", 3, 8)


def test_the_first_bytes_of_a_frame_are_no_text():
    """So a plain text is never taken for a compressed one."""
    with pytest.raises(UnicodeDecodeError):
        MAGIC.decode()


def test_small_texts_share_a_dictionary(connection):
    """It is made from the first many, is in the catalogue, and others find it there."""
    texts = [make_text(600, seed) for seed in range(text_codec.LEAST_SAMPLES)]
    alone = TextEncoder(connection).encode(texts[0])
    encoder = TextEncoder(connection)
    encoder.learn(texts)
    stored = encoder.encode(texts[0])
    assert len(stored) < len(alone)
    assert texts[0] == TextDecoder(connection).read(stored, 0, 600)
    assert stored == TextEncoder(connection).encode(texts[0])
    assert [(1,)] == connection.execute("SELECT count(*) FROM text_dictionaries").fetchall()


def test_few_texts_make_no_dictionary(connection):
    """Training would cost more than it saves."""
    TextEncoder(connection).learn([make_text(600, seed) for seed in range(20)])
    assert [(0,)] == connection.execute("SELECT count(*) FROM text_dictionaries").fetchall()


def test_a_missing_dictionary_is_an_error_not_a_wrong_text(connection):
    """Who lost it cannot read what it compressed."""
    encoder = TextEncoder(connection)
    texts = [make_text(600, seed) for seed in range(text_codec.LEAST_SAMPLES)]
    encoder.learn(texts)
    stored = encoder.encode(texts[0])
    connection.execute("DELETE FROM text_dictionaries")
    with pytest.raises(sqlite3.OperationalError):
        connection.execute("SELECT text_part(?, 0, 600)", (stored,)).fetchone()
