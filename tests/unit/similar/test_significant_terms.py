"""The most telling words of a text, against a plain count over the stored texts."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.errors import InvalidParameterError
from dowse.similar import SimilarSettings, choose_terms

WORDS = ("apple", "pear", "plum", "fig", "quince", "banana")
text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(text, min_size=1, max_size=6),
    st.integers(0, 2),
    text,
    st.builds(
        SimilarSettings,
        min_doc_freq=st.integers(1, 2),
        max_doc_freq=st.sampled_from((None, 2, 3)),
        min_term_freq=st.integers(1, 2),
        max_terms=st.integers(1, 4),
        min_word_length=st.integers(1, 5),
    ),
)
def test_words_are_those_a_plain_count_finds(texts, deleted, source, chosen):
    """Frequencies are those of live chunks, in however many segments; order and weights as documented."""
    with dowse.open(":memory:") as index:
        for number, content in enumerate(texts):
            index.add(str(number), content, title="-")
            index.commit()
        live = dict(enumerate(texts))
        if deleted in live and len(live) > 1:
            index.delete(str(deleted))
            index.commit()
            del live[deleted]
        context = index.answering(None).current()
        found = choose_terms(source, context.tree_analyzers(None)[0], context.snapshot, chosen)
    doc_freqs = Counter(word for content in live.values() for word in set(content.split()))
    most = chosen.max_doc_freq or len(live)
    expected = [
        (-count * (math.log((len(live) + 1) / (doc_freqs[word] + 1)) + 1.0), word, count, doc_freqs[word])
        for word, count in Counter(source.split()).items()
        if chosen.min_doc_freq <= doc_freqs[word] <= most
        and count >= chosen.min_term_freq
        and len(word) >= chosen.min_word_length
    ]
    expected = sorted(expected)[: chosen.max_terms]
    assert [(word, count, freq) for _, word, count, freq in expected] == [entry[:3] for entry in found]
    assert [pytest.approx(weight / expected[0][0]) for weight, *_ in expected] == [w.weight for w in found]


def test_forms_of_a_word_count_together():
    """The most frequent form stands for all of them; stop words never count."""
    with dowse.open(":memory:") as index:
        index.add("a", "the plant, plants, planting")
        index.commit()
        context = index.answering(None).current()
        analyzer, snapshot = context.tree_analyzers(None)[0], context.snapshot
        found = choose_terms("the plants and the plants the plant", analyzer, snapshot, SimilarSettings())
    assert [("plants", 3, 1, 1.0)] == [tuple(word) for word in found]


@pytest.mark.parametrize(
    "changes",
    [
        {"min_doc_freq": 0},
        {"max_terms": 0},
        {"min_doc_freq": 3, "max_doc_freq": 2},
        {"min_word_length": 5, "max_word_length": 4},
        {"boost": 0.0},
        {"boost": float("nan")},
    ],
)
def test_settings_out_of_range_are_refused(changes):
    """With the legal range."""
    with pytest.raises(InvalidParameterError) as caught:
        SimilarSettings(**changes)
    assert "legal values are" in caught.value.hint
