"""Folding, signatures and dictionaries of words over any text; compiled equals plain."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.analysis import fold_text, sign_texts, sound_codes
from dowse.analysis.normal_form import compose, compose_all, is_composed
from dowse.analysis.sounds import sounds_of
from dowse.analysis.table import load_table
from dowse.kernels import find_candidates, signature_bits, slice_rows
from dowse.kernels.layout import DROPPED, WordArrays, sliced_bytes
from dowse.kernels.reference import folding, signatures, word_merging

TABLE = load_table()
# Characters that vanish, combine, expand or separate, so that rules meet; any character besides.
TELLING = "abAs '.\t\n\0\x01\u200b\u00ad\u00a0éßﬁ½漢のがカｶﾞﾟ\u3099한ᄒ\u1161\u11ab\u0301и\u0306ёı😀"
TELLING += "\u09c7\u09be\u0915\u093c\u0e33\u1025\u102e\U000110a5\U000110ba\U00011131\U00011127\ufdfa\u2026"
TEXTS = st.text(st.sampled_from(TELLING) | st.characters(), max_size=40)


def twins(name: str) -> list:
    """The plain and the compiled module of a kernel."""
    plain = {"folding": folding, "signatures": signatures, "word_merging": word_merging}[name]
    return [plain, pytest.importorskip(f"dowse.kernels._{name}")]


@given(TEXTS)
@settings(max_examples=500)
def test_folding_twice_is_folding_once(text):
    """A folded text is composed, has no two spaces in a row, and folds to itself."""
    folded = fold_text(text)
    assert folded == fold_text(folded)
    assert is_composed(folded)
    assert "  " not in folded


def test_every_character_folds_to_a_fixed_point():
    """What any character folds to is composed and folds to itself."""
    for char in map(chr, range(0x110000)):
        if unicodedata.category(char) not in ("Cn", "Co", "Cs"):
            folded = fold_text(char)
            assert (char, folded) == (char, fold_text(folded))


@given(st.lists(TEXTS, max_size=6))
def test_texts_are_composed_together_as_each_by_itself(texts):
    """Composing many looks closely at few, and changes what composing one would change."""
    given = texts.copy()
    expected = [text if is_composed(text) else compose(text) for text in texts]
    assert (expected, given) == (compose_all(texts), texts)
    plain, compiled = twins("folding")
    assert plain.find_uncomposed(texts) == compiled.find_uncomposed(texts)


def test_no_doubt_about_a_character_means_none_in_any_text():
    """Both twins doubt the same characters; the others are composed beside whatever others there are."""
    plain, compiled = twins("folding")
    chars = list(map(chr, range(0x110000)))
    doubtful = compiled.find_uncomposed(chars)
    assert plain.find_uncomposed(chars) == doubtful
    sure = set(chars).difference(chars[place] for place in doubtful)
    assert 0x300 < len(sure)
    assert all(is_composed(char) and not unicodedata.combining(char) for char in sure)
    canonical = [d.split() for d in map(unicodedata.decomposition, chars) if d and d[0] != "<"]
    assert sure.isdisjoint(chr(int(parts[1], 16)) for parts in canonical if len(parts) == 2)


@given(st.lists(TEXTS, max_size=6))
@settings(max_examples=400)
def test_texts_are_signed_as_they_are_folded(texts):
    """A text's signature has exactly the bits of its folded form, whatever it takes to fold it."""
    signed = sign_texts(texts)
    for text, signature in zip(texts, signed, strict=True):
        bits = np.flatnonzero(np.unpackbits(signature, bitorder="little"))
        assert signature_bits(fold_text(text)).tolist() == bits.tolist()


@given(st.lists(TEXTS, max_size=6))
@settings(max_examples=400)
def test_compiled_folding_equals_reference(texts):
    """Both give the same folded texts, signatures and doubts."""
    plain, compiled = twins("folding")
    one, other = (make.Folder(TABLE.pages, TABLE.entries, TABLE.pool) for make in (plain, compiled))
    for text in texts:
        folded = one.fold(text)
        assert folded == other.fold(text)
        expected, actual = plain.signature_bits(folded), compiled.signature_bits(folded)
        assert (expected.dtype, expected.tolist()) == (actual.dtype, actual.tolist())
    for expected, actual in zip(one.sign_all(texts), other.sign_all(texts), strict=True):
        assert (expected.dtype, expected.tolist()) == (actual.dtype, actual.tolist())


@given(st.integers(0, 1100), st.integers(0, 2**32 - 1), st.sampled_from([0.02, 0.5, 0.98]))
@settings(max_examples=30, deadline=None)
def test_compiled_slices_equal_reference(rows, seed, density):
    """Slicing, the way back and the search are the same in both, for full blocks and half ones."""
    random = np.random.default_rng(seed)
    given_rows = np.packbits(random.random((rows, 4096)) < density, axis=1)
    bits = random.integers(0, 4096, random.integers(0, 5)).astype(np.uint32)
    plain, compiled = twins("signatures")
    sliced = plain.slice_rows(given_rows)
    assert sliced_bytes(rows) == len(sliced)
    assert np.array_equal(sliced, compiled.slice_rows(given_rows))
    for twin in (plain, compiled):
        assert np.array_equal(given_rows, twin.unslice_rows(sliced, rows))
        found = twin.find_candidates(sliced, rows, bits)
        has_all = np.unpackbits(given_rows, axis=1, bitorder="little")[:, bits].all(axis=1)
        assert (np.dtype(np.uint32), np.flatnonzero(has_all).tolist()) == (found.dtype, found.tolist())


@pytest.mark.parametrize("place", range(2))
def test_signatures_of_another_size_are_refused(place):
    """Bytes that are not those of so many rows, and bits that do not exist, are an error."""
    twin = twins("signatures")[place]
    sliced, bits = np.zeros(sliced_bytes(600), np.uint8), np.zeros(1, np.uint32)
    for rows in (-1, 0, 599 - 8, 601, 2**40):
        with pytest.raises((ValueError, OverflowError)):
            twin.find_candidates(sliced, rows, bits)
        with pytest.raises((ValueError, OverflowError)):
            twin.unslice_rows(sliced, rows)
    with pytest.raises(ValueError, match="no such bit"):
        twin.find_candidates(sliced, 600, bits + np.uint32(4096))


@given(st.lists(TEXTS, min_size=1, max_size=20), st.data())
@settings(max_examples=200)
def test_a_substring_is_always_among_the_candidates(texts, data):
    """Whatever part of a folded text is asked for, its row is a candidate."""
    row = data.draw(st.integers(0, len(texts) - 1))
    folded = fold_text(texts[row])
    start = data.draw(st.integers(0, len(folded)))
    part = folded[start : data.draw(st.integers(start, len(folded)))]
    found = find_candidates(slice_rows(sign_texts(texts)), len(texts), signature_bits(part))
    assert row in found.tolist()
    assert sorted(set(found.tolist())) == found.tolist()


WORDS = st.lists(st.tuples(st.binary(max_size=10), st.integers(0, 3), st.integers(1, 9)), max_size=20)


def word_arrays(entries) -> WordArrays:
    """The arrays of some words, each given once with a term and a frequency."""
    known = {(word, term): doc_freq for word, term, doc_freq in entries}
    names = sorted(known)
    return WordArrays(
        np.cumsum([0, *(len(word) for word, _ in names)], dtype=np.uint64),
        np.frombuffer(b"".join(word for word, _ in names), np.uint8),
        np.array([DROPPED if term == 3 else term for _, term in names], np.uint32),
        np.array([known[name] for name in names], np.uint32),
        np.array([(len(word), sum(word)) for word, _ in names], np.uint32).reshape(-1, 2),
    )


@given(st.lists(WORDS, max_size=4))
@settings(max_examples=300)
def test_compiled_word_merging_equals_reference(dictionaries):
    """Both join the same words, add their frequencies, and leave out those without a term."""
    plain, compiled = twins("word_merging")
    sources = [word_arrays(entries) for entries in dictionaries]
    for expected, actual in zip(plain.merge_words(sources), compiled.merge_words(sources), strict=True):
        assert (expected.dtype, expected.tolist()) == (actual.dtype, actual.tolist())


@given(st.sets(st.binary(max_size=3), max_size=20), st.sets(st.binary(max_size=3), max_size=20))
def test_compiled_term_maps_equal_reference(old, new):
    """Both find the place of each term in the other dictionary, or that it has none."""
    plain, compiled = twins("word_merging")
    arrays = []
    for terms in (sorted(old), sorted(new)):
        arrays.append(np.cumsum([0, *map(len, terms)], dtype=np.uint64))
        arrays.append(np.frombuffer(b"".join(terms), np.uint8))
    expected = [sorted(new).index(term) if term in new else DROPPED for term in sorted(old)]
    assert expected == plain.map_terms(*arrays).tolist() == compiled.map_terms(*arrays).tolist()


@pytest.mark.parametrize("place", range(2))
def test_damaged_offsets_are_refused(place):
    """Offsets that descend or lie outside of the spellings are an error in both."""
    twin = twins("word_merging")[place]
    good = np.array([0, 1, 2], np.uint64), np.frombuffer(b"ab", np.uint8)
    for offsets in ([], [0, 2, 1], [0, 1, 3], [0, 1, 2**63]):
        bad = np.array(offsets, np.uint64), good[1]
        for arrays in ((*bad, *good), (*good, *bad)):
            with pytest.raises(ValueError, match="offsets must ascend"):
                twin.map_terms(*arrays)
        columns = np.zeros(2, np.uint32), np.zeros(2, np.uint32), np.zeros((2, 2), np.uint32)
        with pytest.raises(ValueError, match="offsets must ascend"):
            twin.merge_words([WordArrays(*bad, *columns)])
    with pytest.raises(ValueError, match="for each word"):
        twin.merge_words([WordArrays(*good, columns[0][:1], *columns[1:])])


@given(st.lists(st.text(st.sampled_from("abcghst") | st.characters(codec="utf-8"), max_size=70), max_size=8))
def test_a_dictionary_sounds_as_its_words_do(words):
    """The sounds of many words at once are those of each alone."""
    raw = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, raw)], dtype=np.uint64)
    found = sounds_of(offsets, np.frombuffer(b"".join(raw), np.uint8))
    assert [list(sound_codes(word)) for word in words] == found.tolist()
