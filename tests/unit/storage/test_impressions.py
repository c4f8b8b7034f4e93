"""The note of chunks that were shown before the model had read them."""

import pytest

from dowse.storage.impressions import FILE_NAME, MOST_BYTES, Impressions


def counted(shown: Impressions) -> dict[int, int]:
    """Returns how often each key was shown."""
    keys, counts = shown.count()
    return dict(zip(keys.tolist(), counts.tolist(), strict=True))


@pytest.fixture(params=["disk", "memory"])
def shown(request, tmp_path) -> Impressions:
    """A note on disk, and one of an index in memory."""
    return Impressions(tmp_path if request.param == "disk" else None)


def test_keys_are_counted_and_forgotten(shown):
    """Each as often as it was shown, until nothing is left to be read."""
    assert {} == counted(shown)
    shown.add([3, 1])
    shown.add([3, 2**40])
    assert {1: 1, 3: 2, 2**40: 1} == counted(shown)
    shown.forget()
    shown.forget()
    assert {} == counted(shown)


def test_it_does_not_grow_without_end(shown):
    """What is shown beyond its room is not noted."""
    for _ in range(5):
        shown.add(range(MOST_BYTES // 16))
    keys, counts = shown.count()
    assert MOST_BYTES // 16 == len(keys)
    assert counts.sum() * 8 <= MOST_BYTES


def test_two_processes_share_it(tmp_path):
    """One searches, another one embeds."""
    Impressions(tmp_path).add([7])
    other = Impressions(tmp_path)
    assert {7: 1} == counted(other)
    other.forget()
    assert {} == counted(Impressions(tmp_path))


def test_what_cannot_be_read_or_written_is_done_without(tmp_path):
    """Half a key, and a folder in its place: an order is missed, nothing else."""
    (tmp_path / FILE_NAME).write_bytes(b"\7\0\0\0\0\0\0\0" + b"\1")
    assert {7: 1} == counted(Impressions(tmp_path))
    (tmp_path / FILE_NAME).unlink()
    (tmp_path / FILE_NAME).mkdir()
    shown = Impressions(tmp_path)
    shown.add([1])
    assert {} == counted(shown)
    shown.forget()
