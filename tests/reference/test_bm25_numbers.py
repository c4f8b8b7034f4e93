"""BM25 scores that other people's programs computed.

Where each number comes from stands beside it. All use k1 = 1.2 and b = 0.75. Lengths stay below 64, where
our length buckets are exact.
"""

import pytest

import dowse
from dowse.kernels.layout import length_buckets
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import FieldMatch, FieldWeights, TermStatistics, build_model
from dowse.scoring.bm25 import BM25
from dowse.scoring.bm25f import BM25F

ONE_EACH = FieldWeights((1.0,) * FIELD_COUNT, (0.75,) * FIELD_COUNT)
MODELS = (BM25(ONE_EACH, k1=1.2), BM25F(ONE_EACH, k1=1.2))

# Reference manual of Elasticsearch, page "Explain API": the answer to the query "elasticsearch" on the
# manual's sample data. term_freq, field_length, avg_field_length, doc_freq, doc_count → idf, score.
# Version 7.1: https://www.elastic.co/guide/en/elasticsearch/reference/7.1/search-explain.html
# Version 6: the same page, quoted at https://blog.csdn.net/fenshen6046/article/details/84880842
ELASTICSEARCH = [
    pytest.param(1, 3, 5.4, 1, 5, 1.3862944, 1.6943597, id="7.1"),
    pytest.param(1, 4, 5.4, 1, 5, 1.3862944, 1.55077, id="6"),
]

CORPUS = (
    "green tea is steeped in water",
    "black tea",
    "water water everywhere and not a drop to drink",
    "coffee and tea and tea",
    "the cat sat",
)
# tantivy 0.27.0, written and read on 2026-11-16: CORPUS in one field with the "whitespace" tokenizer,
# a boolean query of should-clauses, `searcher.search`. Document number → score (32-bit floats).
TANTIVY = {
    "tea": {0: 0.498232, 1: 0.714333, 3: 0.74112},
    "water": {0: 0.809257, 2: 0.982669},
    "green tea": {0: 1.77968, 1: 0.714333, 3: 0.74112},
}
# bm25s 0.3.16, the same day and CORPUS: BM25(method="lucene", k1=1.2, b=0.75).get_scores. This variant
# leaves out the factor k1 + 1, which changes no order.
BM25S = {
    "tea": {0: 0.226469, 1: 0.324697, 3: 0.336873},
    "water": {0: 0.367844, 2: 0.446668},
    "green tea": {0: 0.808946, 1: 0.324697, 3: 0.336873},
}
# bm25s 0.3.16 again, written and read on 2026-11-16: CORPUS, BM25(method=…, k1=1.2, b=0.75, delta=…,
# dtype="float64").get_scores of one word, method and delta as given. "lucene" and "robertson" leave out the
# factor k1 + 1. A word in more than half of the texts has Robertson's idf at 0, which we floor.
# rank_bm25 0.2.2, the same day: BM25Plus(k1=1.2, b=0.75, delta=1) gives the same eight digits for "bm25+".
VARIANTS = {
    ("bm25", "lucene, 0.5", 2.2): {
        "tea": {0: 0.22646912, 1: 0.32469669, 3: 0.33687281},
        "and": {2: 0.29981806, 3: 0.54716796},
        "coffee": {3: 0.6301338},
    },
    ("bm25-robertson", "robertson, 0.5", 2.2): {
        "tea": {0: 0.0, 1: 0.0, 3: 0.0},
        "water": {0: 0.14137489, 2: 0.17166951},
        "and": {2: 0.11523022, 3: 0.21029515},
        "coffee": {3: 0.49936922},
    },
    ("bm25-atire", "atire, 0.5", 1.0): {
        "tea": {0: 0.47219175, 1: 0.67699781, 3: 0.70238523},
        "water": {0: 0.84699143, 2: 1.0284896},
        "and": {2: 0.69035603, 3: 1.25989976},
        "coffee": {3: 1.60943791},
    },
    ("bm25l", "bm25l, 0.5", 1.0): {
        "tea": {0: 0.63202128, 1: 0.78133601, 3: 0.80121101},
        "water": {0: 1.02656486, 2: 1.14256089},
        "and": {2: 0.93195059, 3: 1.30137245},
        "coffee": {3: 1.69435977},
    },
    ("bm25plus", "bm25+, 1", 1.0): {
        "tea": {0: 1.33387147, 1: 1.61177597, 3: 1.64622455},
        "water": {0: 2.11413625, 2: 2.33174853},
        "and": {2: 1.92633388, 3: 2.60920419},
        "coffee": {3: 3.58351894},
    },
}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant[0])
def test_variants_of_bm25s(variant):
    """On the same texts, each variant gives the scores of bm25s; a zero is a floor of 1e-12."""
    name, _, factor = variant
    model, texts = build_model(name, fields=ONE_EACH), [text.split() for text in CORPUS]
    average = sum(map(len, texts)) / len(texts)
    for word, expected in VARIANTS[variant].items():
        statistics = TermStatistics(sum(word in text for text in texts), len(texts))
        actual = {}
        for number, text in enumerate(texts):
            if word in text:
                match = FieldMatch(Field.BODY, text.count(word), len(text), average)
                actual[number] = model.explain(word, statistics, [match], 1.0).value
        assert min(actual.values()) > 0.0
        scaled = {number: factor * score for number, score in expected.items()}
        assert scaled == pytest.approx(actual, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize(
    ("freq", "length", "average", "doc_freq", "doc_count", "idf", "score"), ELASTICSEARCH
)
def test_elasticsearch_manual(model, freq, length, average, doc_freq, doc_count, idf, score):
    """One term in one field: both models give the score that Lucene explains in the manual."""
    statistics = TermStatistics(doc_freq, doc_count)
    match = FieldMatch(Field.BODY, freq, int(length_buckets(length)), average)
    explanation = model.explain("elasticsearch", statistics, [match], 1.0)
    assert score == pytest.approx(explanation.value, rel=1e-6)
    assert idf == pytest.approx(explanation.parts[1].value, rel=1e-6)


@pytest.fixture(scope="module")
def index():
    """The corpus, with titles no query asks for."""
    with dowse.open(":memory:") as index:
        for number, text in enumerate(CORPUS):
            index.add(str(number), text, title=f"number {number}")
        index.commit()
        yield index


@pytest.mark.parametrize("query", TANTIVY)
@pytest.mark.parametrize(
    ("scores", "factor"), [(TANTIVY, 1.0), (BM25S, 2.2)], ids=["tantivy", "bm25s"]
)
def test_other_engines_on_the_same_texts(index, query, scores, factor):
    """Through the whole engine, analysis to kernel, the plain preset scores as other engines do."""
    hits = index.search(dowse.SearchRequest(query, preset="plain")).hits
    expected = {number: score * factor for number, score in scores[query].items()}
    assert expected == pytest.approx({int(hit.doc_key): hit.score for hit in hits}, rel=1e-5)
    by_score = sorted(expected, key=expected.__getitem__, reverse=True)
    assert by_score == [int(hit.doc_key) for hit in hits]
