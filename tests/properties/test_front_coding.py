"""Front-coded texts: any texts come back, compiled equals plain, and damage is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.reference import front_coding

compiled = pytest.importorskip("dowse.kernels._front_coding")
TWINS = (front_coding, compiled)
TEXTS = st.lists(st.text("aab\u00e9", max_size=9) | st.text(max_size=300)).map(
    lambda texts: sorted(text.encode("utf-8", "surrogatepass") for text in texts)
)


def plain(texts: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Returns offsets and spellings of texts."""
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.uint64)
    return offsets, np.frombuffer(b"".join(texts), np.uint8)


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_texts_come_back_as_they_were(texts):
    """Both twins write the same codes, and read them back to the texts."""
    offsets, spellings = plain(texts)
    expected, actual = (twin.front_code(offsets, spellings) for twin in TWINS)
    for one, other in zip(expected, actual, strict=True):
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())
    for twin in TWINS:
        found = twin.expand_texts(*actual, len(texts))
        assert (offsets.tolist(), spellings.tobytes()) == (found[0].tolist(), found[1].tobytes())


@given(TEXTS, st.data())
@settings(max_examples=150, deadline=None)
def test_damage_is_an_error_or_other_texts_and_the_twins_agree(texts, data):
    """Whatever bytes change, nothing is read elsewhere."""
    restarts, codes = compiled.front_code(*plain(texts))
    codes = codes.copy()
    for _ in range(data.draw(st.integers(0, 3))):
        if len(codes):
            codes[data.draw(st.integers(0, len(codes) - 1))] = data.draw(st.integers(0, 255))
    outcomes = []
    for twin in TWINS:
        try:
            outcomes.append([array.tolist() for array in twin.expand_texts(restarts, codes, len(texts))])
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("twin", TWINS)
def test_offsets_outside_are_refused(twin):
    """The writer's own mistakes do not get into a file."""
    with pytest.raises(ValueError, match="ascend"):
        twin.front_code(np.array([0, 5, 3], np.uint64), np.zeros(5, np.uint8))
    with pytest.raises(ValueError, match="restarts"):
        twin.expand_texts(np.zeros(2, np.uint32), np.zeros(0, np.uint8), 3)
