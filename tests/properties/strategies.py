"""Random posting lists, documents and queries, shared by the properties."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from dowse.kernels.reference.front_coding import front_code

FIELDS = 6

# Few words, so that documents and queries meet; compounds, marks and scripts that rules mention.
WORDS = (
    "tea", "teas", "green", "Green", "water", "the", "of", "getUserById", "error-handling", "naïve",
    "C++", "2026.4.10", "漢字", "ไทย", "straße", "don't", "x", "tea-water",
)  # fmt: skip
WORD_TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
ANY_TEXTS = st.text(st.sampled_from("ab -'._\n\0\ufeff\u0301漢") | st.characters(codec="utf-8"), max_size=60)
TEXTS = WORD_TEXTS | ANY_TEXTS
QUERY_PIECES = st.sampled_from([*WORDS, '"', "-", " ", '"green tea"', "-water", '-"tea water"'])
# With half a surrogate pair, as a badly decoded argument has it.
ODD_CHARACTERS = st.sampled_from('"- \t\0\ud800\udfff') | st.characters()
QUERIES = st.lists(QUERY_PIECES, max_size=6).map(" ".join) | st.text(ODD_CHARACTERS, max_size=20)


@dataclass(frozen=True)
class Tokens:
    """What analysis hands to `invert`: terms, tokens in row order, and length buckets."""

    terms: list[bytes]
    list_ids: np.ndarray
    rows: np.ndarray
    positions: np.ndarray
    buckets: np.ndarray

    @property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """The dictionary as `Postings` takes it, front-coded."""
        return front_code(*self.dictionary)

    @property
    def dictionary(self) -> tuple[np.ndarray, np.ndarray]:
        """Term offsets and term bytes."""
        sizes = [0, *map(len, self.terms)]
        offsets = np.cumsum(sizes, dtype=np.uint64)
        return offsets, np.frombuffer(b"".join(self.terms), np.uint8)


@st.composite
def tokens(draw: st.DrawFn, max_rows: int = 150) -> Tokens:
    """Draws the tokens of one segment: several terms and fields, some rows with many positions.

    Positions have a skip every 64 postings, so half of the segments are larger than that.
    """
    row_count = min(max_rows, draw(st.integers(1, 20) | st.integers(65, 150)))
    seed = draw(st.integers(0, 2**32 - 1))
    density = draw(st.sampled_from([0.02, 0.3, 1.0]))
    spread = draw(st.sampled_from([4, 200, 65_536]))
    return random_tokens(seed, row_count, draw(st.integers(1, 6)), density, spread)


def random_tokens(seed: int, row_count: int, term_count: int, density: float, spread: int) -> Tokens:
    """Makes tokens from a seed; drawn piece by piece they would take Hypothesis too long."""
    random = np.random.default_rng(seed)
    letters = [random.integers(97, 100, random.integers(1, 5)) for _ in range(term_count)]
    names = sorted({word.astype(np.uint8).tobytes() for word in letters})
    found = []
    for term in range(len(names)):
        fields = random.permutation(FIELDS)[: random.integers(1, 4)]
        for field in fields.tolist():
            rows = np.flatnonzero(random.random(row_count) < density)
            if not len(rows):
                rows = random.integers(0, row_count, 1)
            counts = np.minimum(random.geometric(0.4, len(rows)), spread)
            if random.random() < 0.1:
                counts[0] = min(300, spread)  # above what a byte holds
            repeated = np.repeat(rows, counts)
            places = random.integers(0, spread, len(repeated))
            found.append(np.stack([np.full(len(repeated), term * 8 + field), repeated, places]))
    columns = np.concatenate(found, axis=1)
    columns = columns[:, np.argsort(columns[1], kind="stable")]
    buckets = random.integers(0, 256, (FIELDS, row_count)).astype(np.uint8)
    return Tokens(
        names,
        columns[0].astype(np.uint32),
        columns[1].astype(np.uint32),
        columns[2].astype(np.uint16),
        buckets,
    )


def random_groups(seed: int, lists_by_term: list[list[int]], row_count: int) -> list:
    """Makes scoring groups over some terms: tables that rise with frequency and fall with length."""
    random = np.random.default_rng(seed)
    groups = []
    for term in random.permutation(len(lists_by_term))[: random.integers(1, 6)].tolist():
        members = [(index, _table(random)) for index in lists_by_term[term]]
        if random.random() < 0.3:
            members = members[:1]
        if random.random() < 0.2:
            rows = np.flatnonzero(random.random(row_count) < 0.5).astype(np.uint32)
            freqs = random.integers(1, 256, len(rows)).astype(np.uint8)
            members = [*members, ((rows, freqs, int(random.integers(0, FIELDS))), _table(random))]
        groups.append((float(random.choice([0.1, 1.0, 2.0, 9.7])), 1.5, members))
    groups.sort(key=lambda group: -group[0])
    return groups


def _table(random: np.random.Generator) -> np.ndarray:
    freqs = np.arange(random.choice([4, 256]), dtype=np.float64)[:, None]
    norms = 0.25 + 0.75 * np.arange(256) / float(random.integers(1, 256))
    return random.choice([0.5, 1.0, 3.3]) * freqs / (freqs + 1.2 * norms[None, :])
