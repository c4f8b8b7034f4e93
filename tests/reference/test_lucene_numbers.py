"""DFR and LM-Dirichlet scores that Lucene computed.

Lucene 9.12.0 (commit e913796758de3d9b9440669384b29bec07e6a5cd), package search.similarities compiled with
OpenJDK 17.0.15 and run on 2026-11-16: `DFRSimilarity.score` and `LMDirichletSimilarity.score` with the
statistics below and Lucene's default parameters (c 1, H3 mu 800, z 0.3). Lucene keeps parameters and H3's
shares as 32-bit floats, so that only seven digits can agree. GL1 and IneB2 on the first row also stand in
Lucene's own tests (TestSimilarityBase): 1.6390540599822998 and 5.747603416442871.
"""

import pytest

from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import FieldMatch, FieldWeights, TermStatistics, build_model

ONE_EACH = FieldWeights((1.0,) * FIELD_COUNT, (0.75,) * FIELD_COUNT)

# The first row is that of TestSimilarityBase; the last is a common word in a long text.
CASES = (
    (TermStatistics(10, 100, 70, 5000), FieldMatch(Field.BODY, 7, 40, 50.0)),
    (TermStatistics(37, 1000, 55, 20_000), FieldMatch(Field.BODY, 2, 33, 20.0)),
    (TermStatistics(45, 50, 130, 900), FieldMatch(Field.BODY, 1, 60, 18.0)),
)
DFR = {
    "dfr-g-l-h1": (1.63905403, 2.39621227, 0.893192382),
    "dfr-g-l-h2": (1.63112071, 2.52157985, 0.913626694),
    "dfr-g-l-h3": (1.70050888, 3.47619478, 1.24774403),
    "dfr-g-l-z": (1.61965721, 2.75443257, 0.977102723),
    "dfr-g-b-h1": (10.7283536, 3.5943184, 2.56307379),
    "dfr-g-b-h2": (10.6764264, 3.78236977, 2.62171138),
    "dfr-g-b-h3": (11.1306036, 5.21429217, 3.58048287),
    "dfr-g-b-z": (10.6013926, 4.13164886, 2.80385999),
    "dfr-in-l-h1": (2.93093057, 2.59638771, 0.0379917004),
    "dfr-in-l-h2": (2.910499, 2.73659002, 0.0452042864),
    "dfr-in-l-h3": (3.08920214, 3.80416443, 0.163135831),
    "dfr-in-l-z": (2.88097576, 2.99699618, 0.0676090684),
    "dfr-in-b-h1": (19.1842728, 3.89458156, 0.109019662),
    "dfr-in-b-h2": (19.0505389, 4.10488503, 0.129716648),
    "dfr-in-b-h3": (20.2202322, 5.70624665, 0.468128908),
    "dfr-in-b-z": (18.8572959, 4.49549427, 0.194008631),
    "dfr-ine-l-h1": (0.884270343, 2.30753235, 0.0280235222),
    "dfr-ine-l-h2": (0.878106078, 2.43213676, 0.0333436858),
    "dfr-ine-l-h3": (0.93202134, 3.38094055, 0.120332613),
    "dfr-ine-l-z": (0.869198832, 2.66357201, 0.0498699508),
    "dfr-ine-b-h1": (5.78795134, 3.46129852, 0.0804153245),
    "dfr-ine-b-h2": (5.74760342, 3.64820514, 0.095681881),
    "dfr-ine-b-h3": (6.10050332, 5.07141082, 0.345302282),
    "dfr-ine-b-z": (5.68930144, 3.99535802, 0.143105076),
    "dfr-if-l-h1": (1.15097358, 2.32912942, 0.109827633),
    "dfr-if-l-h2": (1.14295012, 2.45490005, 0.130678009),
    "dfr-if-l-h3": (1.21312667, 3.41258405, 0.471598322),
    "dfr-if-l-z": (1.13135637, 2.68850139, 0.195446475),
    "dfr-if-b-h1": (7.53364523, 3.49369413, 0.315157555),
    "dfr-if-b-h2": (7.48112805, 3.68235008, 0.374989068),
    "dfr-if-b-h3": (7.94046546, 5.11887608, 1.35328214),
    "dfr-if-b-z": (7.40524171, 4.03275209, 0.560846407),
}
# The same with H2 and another c.
DFR_C = {
    0.5: (2.71264133, 2.05184143, 0.0276249906),
    4.0: (3.09485772, 3.69735846, 0.0876106174),
}
# By mu. Lucene cuts the negative score of the last row off at 0, we at 1e-12.
LM_DIRICHLET = {
    2000.0: (0.200559595, 0.289029453, 0),
    100.0: (1.44364698, 1.81200604, 0),
}


def scores(model) -> list[float]:
    """Scores all cases."""
    return [model.explain("tea", term, [match], 1.0).value for term, match in CASES]


@pytest.mark.parametrize("name", DFR)
def test_dfr_equals_lucene(name):
    """Each of the 32 models gives Lucene's numbers."""
    assert list(DFR[name]) == pytest.approx(scores(build_model(name, fields=ONE_EACH)), rel=1e-6)


@pytest.mark.parametrize("c", DFR_C)
def test_dfr_parameter_c_equals_lucene(c):
    """A c other than 1 does what it does in Lucene."""
    model = build_model("dfr", {"c": c}, ONE_EACH)
    assert list(DFR_C[c]) == pytest.approx(scores(model), rel=1e-6)


@pytest.mark.parametrize("mu", LM_DIRICHLET)
def test_lm_dirichlet_equals_lucene(mu):
    """Both smoothings give Lucene's numbers, and a score cut off is still a match."""
    actual = scores(build_model("lm-dirichlet", {"mu": mu}, ONE_EACH))
    assert list(LM_DIRICHLET[mu]) == pytest.approx(actual, rel=1e-6, abs=1e-11)
    assert actual[-1] == 1e-12
