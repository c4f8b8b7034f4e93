"""Words and signatures of segments are those of their texts, however these got there (S13, S14)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import TEXTS
from test_storage import STEPS, run, small_tiers

import dowse
from dowse.analysis import AnalysisSettings, Analyzer, fold_text, sign_texts, sound_codes
from dowse.indexing.segment_builder import SegmentBuilder
from dowse.kernels import signature_bits
from support.open_trees import only_tree

STEMMING, PLAIN = Analyzer(), Analyzer(AnalysisSettings(language="none"))
WITH_CODE = "# Tea\n\nBoil the *water*.\n\n```python\nbrewTea(é=2)\n```\n\nThen `wait` and drink.\n"


def live_texts(index: dowse.Index) -> dict[int, str]:
    """Returns the stored text of each live chunk by its key."""
    rows = only_tree(index).generations.current().catalog.fetch(
        "SELECT c.chunk_key, text_part(x.text, c.byte_start, c.byte_end) FROM chunks c"
        " JOIN documents d ON d.doc_id = c.doc_id JOIN texts x ON x.doc_id = c.doc_id WHERE d.is_live"
    )
    return {key: (text or b"").decode("utf-8", "replace") for key, text in rows}


def words_of(reader) -> Counter:
    """Returns the words of a segment: frequency by spelling and term."""
    words, found = reader.words, Counter()
    names = [words.spelling(ordinal) for ordinal in range(len(words))]
    terms = reader.postings.spell(range(reader.postings.term_count))
    columns = words.terms.tolist(), words.doc_freqs.tolist(), words.sounds.tolist()
    for name, term, doc_freq, sounds in zip(names, *columns, strict=True):
        assert sound_codes(name) == tuple(sounds)
        found[name, terms[term].decode()] = doc_freq
    ordered = list(zip([name.encode() for name in names], words.terms.tolist(), strict=True))
    assert sorted(set(ordered)) == ordered
    return found


def expected_words(rows: list[list[tuple[int, str]]]) -> Counter:
    """Returns how many rows, given as texts of fields, have each word, by spelling and term."""
    found: Counter = Counter()
    for texts in rows:
        pairs = [pair for _, text in texts for pair in zip(PLAIN.spans(text).terms,
                 STEMMING.spans(text).terms, strict=True)]  # fmt: skip
        found.update(set(pairs))
    return found


def rebuilt(index: dowse.Index) -> list[list[tuple[int, str]]]:
    """Makes the segments again; returns the texts of the fields of every row they are made of."""
    rows = []
    add = SegmentBuilder.add

    def spy(self, key, doc_id, tree_id, ordinal, doc_key, texts, whole_text):
        rows.append(texts)
        add(self, key, doc_id, tree_id, ordinal, doc_key, texts, whole_text)

    index.optimize()  # a segment that a merge replaces meanwhile would not be made again
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SegmentBuilder, "add", spy)
        index.rebuild()
    return rows


def check_signatures(index: dowse.Index) -> None:
    """Every live row has exactly the signature of its text, and its substrings find it."""
    texts = live_texts(index)
    for segment in only_tree(index).generations.current().segments:
        reader = segment.reader
        signed = np.concatenate(list(reader.signatures.iter_rows()))
        for row, key in enumerate(reader.columns.chunk_keys.tolist()):
            if segment.live is not None and not segment.live[row]:
                continue
            text = texts.pop(key)
            assert np.array_equal(sign_texts([text])[0], signed[row])
            folded = fold_text(text)
            for size in (1, 2, 3, 7, len(folded)):
                part = folded[len(folded) // 3 :][:size]
                assert row in reader.signatures.find_candidates(signature_bits(part)).tolist()
    assert {} == texts


def check_words(index: dowse.Index) -> None:
    """All segments together have every word of every live text, in at least as many rows."""
    found: Counter = Counter()
    for segment in only_tree(index).generations.current().segments:
        found += words_of(segment.reader)
    rows = rebuilt(index)
    expected = expected_words(rows)
    assert expected <= found
    total: Counter = Counter()
    for segment in only_tree(index).generations.current().segments:
        total += words_of(segment.reader)
    assert expected == total


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_words_and_signatures_survive_every_history(steps):
    """Many segments, merged ones and rebuilt ones, with deletions, have what their texts have."""
    with small_tiers(), dowse.open(":memory:") as index:
        run(index, steps)
        check_signatures(index)
        check_words(index)
        check_signatures(index)
        index.optimize()
        check_signatures(index)


@given(st.lists(st.booleans(), min_size=8, max_size=8), st.lists(TEXTS, min_size=8, max_size=8))
@settings(max_examples=30, deadline=None)
def test_a_merge_leaves_the_rest_of_what_was_deleted(deleted, texts):
    """Of two segments with some rows deleted the merged one has the live rows' words and signatures."""
    with small_tiers(), dowse.open(":memory:") as index:
        for number, text in enumerate(texts):
            index.add(f"k{number}", text)
            if number in (3, 7):
                index.commit()
        for number, is_deleted in enumerate(deleted):
            if is_deleted:
                index.delete(f"k{number}")
        index.commit()
        index.optimize()
        check_signatures(index)
        check_words(index)


@given(st.lists(TEXTS, max_size=8))
@settings(max_examples=20, deadline=None)
def test_words_of_one_segment_are_exactly_those_of_its_texts(texts):
    """Without deletions nothing is left over: not even a merge changes what the words are."""
    with small_tiers(), dowse.open(":memory:") as index:
        for number, text in enumerate(texts):
            index.add(f"k{number}", text)
            index.commit()
        index.optimize()
        before: Counter = Counter()
        for segment in only_tree(index).generations.current().segments:
            before += words_of(segment.reader)
        assert expected_words(rebuilt(index)) == before


def test_code_is_signed_in_its_place():
    """A substring that begins in prose and ends in code is found; so is what only the code has."""
    with dowse.open(":memory:") as index:
        index.add("tea", WITH_CODE, format="markdown")
        index.commit()
        check_signatures(index)
        (segment,) = only_tree(index).generations.current().segments
        for part in ("water*. ```python brewtea(e=2)", "``` then `wait`"):
            bits = signature_bits(fold_text(part))
            assert len(segment.reader.signatures.find_candidates(bits))
        assert not len(segment.reader.signatures.find_candidates(signature_bits("coffee")))


def test_a_word_has_the_term_of_its_tree_and_language():
    """A word of two languages becomes another term in each tree."""
    with small_tiers(), dowse.open(":memory:") as index:
        index.add_tree("german", language="german")
        index.add("a", "die Organisation", tree="german")
        index.add("b", "the organisation, the organisation")
        index.commit()
        found = set()
        for entry in index._trees.find_scope(None):
            (segment,) = index._trees.open(entry).generations.current().segments
            found |= {name for name in words_of(segment.reader) if "org" in name[0]}
        assert {("organisation", "organis"), ("organisation", "organisation")} == found
