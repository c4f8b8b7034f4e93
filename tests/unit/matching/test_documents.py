"""Masks of filters: kept within bounds, and damage is named."""

import numpy as np
import pytest

import dowse
from dowse.errors import CorruptFileError
from dowse.matching import Condition, Documents, documents
from dowse.storage.columns import reader


@pytest.fixture
def snapshot():
    """Ten documents in one segment."""
    with dowse.open(":memory:") as index:
        for number in range(10):
            index.add(f"{number}.md", "water")
        index.commit()
        yield index.answering(None).current().snapshot


def test_masks_are_bounded(snapshot, monkeypatch):
    """A bound that changes with every second, as that of `date:7d` does, leaks nothing."""
    monkeypatch.setattr(documents, "MOST_MASK_BYTES", 25)
    found = Documents(snapshot)
    for second in range(100):
        assert 10 == found.mask(Condition("size", (), float(-second), None), 0).sum()
        assert found.nbytes <= 25
    kept = Condition("size", (), -99.0, None)
    assert found.mask(kept, 0) is found.mask(kept, 0)


def test_damaged_columns_are_named(snapshot, monkeypatch):
    """A number beyond the dictionary is damage, not a wrong answer."""
    monkeypatch.setattr(reader, "read_part", lambda pool, part: np.full(part.count, 200, part.dtype))
    with pytest.raises(CorruptFileError, match="columns"):
        Documents(snapshot).mask(Condition("ext", ("md",)), 0)
