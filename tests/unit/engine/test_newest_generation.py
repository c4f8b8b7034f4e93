"""The newest generation: opened once, healed when damaged, checked only when a kernel met damage."""

from pathlib import Path

import pytest

import dowse
from dowse.engine import generations
from dowse.storage.segment_reader import SegmentReader


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An index of some texts in one segment."""
    with dowse.open(tmp_path / "home") as index:
        for number in range(40):
            index.add(f"{number}", f"green tea number{number} " + "leaf " * number)
        index.commit()
    return tmp_path / "home"


@pytest.mark.parametrize("name", ["terms", "columns"])
def test_damage_that_an_answer_meets_is_healed(home: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    """Large segments are checked in the background; until that is done an answer may see it first."""
    monkeypatch.setattr(generations, "CHECK_ON_OPEN_BYTES", -1)
    monkeypatch.setattr(generations.Generations, "_check_later", lambda self, readers: None)
    with dowse.open(home) as index:
        expected = [hit.doc_key for hit in index.search("tea").hits]
    (file,) = home.rglob(f"segments/*/{name}")
    raw = file.read_bytes()
    file.write_bytes(raw[:64] + b"\xff" * (len(raw) - 64))
    with dowse.open(home) as index:
        assert expected == [hit.doc_key for hit in index.search("tea").hits]
        assert index.check().is_healthy


def test_an_error_of_our_own_checks_nothing(home: Path, monkeypatch: pytest.MonkeyPatch):
    """A ValueError that has nothing to do with a segment is raised at once, however large the index is."""
    checked = []
    with dowse.open(home) as index:
        index.search("tea")
        monkeypatch.setattr(SegmentReader, "verify", lambda self: checked.append(self))

        def fail(*_: object) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr("dowse.engine.answering.answer", fail)
        with pytest.raises(ValueError, match="a bug"):
            index.search("tea")
    assert [] == checked
