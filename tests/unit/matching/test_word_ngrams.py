"""Runs of a query's words, against a search of the texts by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.matching.word_ngrams import find_ngrams
from support.open_trees import only_tree

WORDS = ("kor", "bim", "zap", "dul", "fex")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def shares(documents, query, *, each_its_segment=False, dead=()):
    """Returns the share of the best run of each document that lives, in their order."""
    with dowse.open(":memory:") as index:
        for number, (title, text) in enumerate(documents):
            index.add(f"{number:03}", text, title=title)
            if each_its_segment:
                index.commit()
        index.commit()
        for number in dead:
            index.delete(f"{number:03}")
        index.commit()
        snapshot = only_tree(index).generations.current()
        rows = [
            np.flatnonzero(np.ones(s.reader.row_count) if s.live is None else s.live).astype(np.uint32)
            for s in snapshot.segments
        ]
        words = [(word, place) for place, word in enumerate(query)]
        found = find_ngrams(snapshot, words, lambda doc_freq: 1 / doc_freq, rows)
        return np.concatenate(found).tolist()


def search_by_hand(documents, query):
    """Looks for every stretch of the query that has its rarest word in every title and text."""
    fields = [[title.split(), text.split()] for title, text in documents]
    doc_freqs = [sum(any(word in field for field in own) for own in fields) for word in query]
    weights = [1 / found if found else 0.0 for found in doc_freqs]
    if not any(weights):
        return [0.0] * len(documents)
    rarest = weights.index(max(weights))
    best = []
    for own in fields:
        found = [0.0]
        for first in range(rarest + 1):
            for stop in range(max(rarest + 1, first + 3), len(query) + 1):
                wanted = query[first:stop]
                if any(
                    wanted == field[at : at + len(wanted)] for field in own for at in range(len(field))
                ):
                    found.append(sum(weights[first:stop]) / sum(weights))
        best.append(max(found))
    return best


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(("kor bim zap", "-", "fex")), TEXTS), min_size=1, max_size=6),
    st.lists(st.sampled_from((*WORDS, "nowhere")), min_size=1, max_size=7),
    st.booleans(),
)
def test_runs_are_those_of_a_search_by_hand(documents, query, each_its_segment):
    """In titles and texts, in one segment or many, with words that come twice or nowhere."""
    found = shares(documents, query, each_its_segment=each_its_segment)
    assert pytest.approx(search_by_hand(documents, query)) == found


def test_what_is_deleted_counts_for_nothing():
    """Neither as a hit nor in how rare a word is."""
    documents = [("-", "kor bim zap"), ("-", "dul dul zap"), ("-", "bim kor bim zap dul")]
    found = shares(documents, ["kor", "bim", "zap", "dul"], dead=[1])
    assert pytest.approx(search_by_hand([documents[0], documents[2]], ["kor", "bim", "zap", "dul"])) == found
    assert 1.0 == found[1]


def test_a_run_without_the_rarest_word_is_none():
    """A common expression says little about what is asked for."""
    documents = [("-", "bim zap dul fex"), ("-", "bim zap dul"), ("-", "kor")]
    assert [0.0, 0.0, 0.0] == shares(documents, ["kor", "bim", "zap", "dul"])


def test_two_words_are_no_run():
    """They stand together by chance too often."""
    assert [0.0] == shares([("-", "kor bim")], ["kor", "bim"])
    assert [0.0] == shares([("-", "kor bim dul")], ["kor", "bim", "zap"])


def test_a_run_does_not_reach_from_one_chunk_into_the_next():
    """Positions begin again in every chunk."""
    assert [0.0, 0.0] == shares([("-", "kor bim"), ("-", "zap dul")], ["kor", "bim", "zap"])
