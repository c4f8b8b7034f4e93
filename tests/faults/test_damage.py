"""Changed, cut and missing bytes in every file of a segment are noticed, named and healed (S4)."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.index_dump import Dump, dump_index, segment_folders
from support.pages import QUERIES, page

import dowse
from dowse.storage.segment_files import FILES, MANIFEST

ALL_FILES = (*FILES, MANIFEST)
SCRIPT = Path(__file__).parent / "damaged_kernels.py"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Dump]:
    """An index of three segments with deletions, and what it holds; tests work on copies."""
    home = tmp_path_factory.mktemp("sound") / "home"
    with dowse.open(home) as index:
        for number in range(24):
            index.add(f"page-{number}", page(number), format="markdown")
            if number % 8 == 7:
                index.delete(f"page-{number - 5}")
                index.commit()
    with dowse.open(home) as index:
        return home, dump_index(home, index, QUERIES)


class Patient:
    """A copy of the sound index with one damaged segment."""

    def __init__(self, sound: tuple[Path, Dump], home: Path) -> None:
        self.home, self._dump = home, sound[1]
        shutil.copytree(sound[0], home)
        self.folder = sorted(segment_folders(home)[0])[1]

    def path(self, name: str) -> Path:
        """The path of a file of the segment."""
        return self.home / "segments" / self.folder / name

    def must_recover(self, name: str, what: str) -> None:
        """Says what `check` must name, and that the first search is right and heals."""
        with dowse.open(self.home) as index:
            report = index.check()
        place = f"{self.folder}/{name}"
        messages = [finding.message for finding in report.findings]
        assert not report.is_healthy, f"{place}, {what}: nothing was noticed"
        assert all(place in message for message in messages), f"{place}, {what}: {messages}"
        with dowse.open(self.home) as index:
            assert self._dump == dump_index(self.home, index, QUERIES), f"{place}, {what}"
        with dowse.open(self.home) as index:
            assert () == index.check().findings, f"{place}, {what}"
        named, there = segment_folders(self.home)
        assert named == there, f"{place}, {what}: the damaged segment is still there"
        shutil.rmtree(self.home)


def must_notice_flips(sound: tuple[Path, Dump], tmp_path: Path, name: str, count: int) -> None:
    dice = random.Random(name)
    size = (Patient(sound, tmp_path / "size")).path(name).stat().st_size
    places = {0, 8, 12, size - 1, *(dice.randrange(size) for _ in range(count))}
    for place in sorted(places):
        patient = Patient(sound, tmp_path / "flipped")
        raw = bytearray(patient.path(name).read_bytes())
        raw[place] ^= 1 << dice.randrange(8)
        patient.path(name).write_bytes(raw)
        patient.must_recover(name, f"byte {place} of {size}")


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_flipped_bit_is_named_and_healed(
    sound: tuple[Path, Dump], tmp_path: Path, name: str
) -> None:
    """One bit at a few places of a file: `check` names the file, the next search heals it."""
    must_notice_flips(sound, tmp_path, name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_FILES)
def test_a_flipped_bit_anywhere_is_named_and_healed(
    sound: tuple[Path, Dump], tmp_path: Path, name: str
) -> None:
    """The same at many places."""
    must_notice_flips(sound, tmp_path, name, 40)


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_cut_or_missing_file_is_named_and_healed(
    sound: tuple[Path, Dump], tmp_path: Path, name: str
) -> None:
    """A file that is shorter, longer, empty or not there at all is named and healed."""
    size = Patient(sound, tmp_path / "size").path(name).stat().st_size
    for left in (0, 7, size // 2, size - 1, size + 5):
        patient = Patient(sound, tmp_path / "cut")
        with patient.path(name).open("r+b") as file:
            file.truncate(left)
        patient.must_recover(name, f"{left} of {size} bytes")
    patient = Patient(sound, tmp_path / "gone")
    patient.path(name).unlink()
    patient.must_recover(name, "missing")


def test_a_missing_segment_is_healed(sound: tuple[Path, Dump], tmp_path: Path) -> None:
    """A segment without a folder, and all segments without one, come back from the catalogue."""
    patient = Patient(sound, tmp_path / "one")
    shutil.rmtree(patient.home / "segments" / patient.folder)
    patient.must_recover(MANIFEST, "no folder")
    patient = Patient(sound, tmp_path / "all")
    shutil.rmtree(patient.home / "segments")
    with dowse.open(patient.home) as index:
        assert sound[1] == dump_index(patient.home, index, QUERIES)


def test_check_names_every_damaged_file_and_repairs_them(
    sound: tuple[Path, Dump], tmp_path: Path
) -> None:
    """Several damaged files are several findings; after the repair the report says healthy."""
    patient = Patient(sound, tmp_path / "home")
    for name in FILES:
        patient.path(name).write_bytes(b"")
    with dowse.open(patient.home) as index:
        report = index.check(repair=True)
        places = sorted(finding.message.split(" ")[0] for finding in report.findings)
        assert sorted(f"{patient.folder}/{name}" for name in FILES) == places
        assert report.is_healthy
        assert () == index.check().findings
        assert sound[1] == dump_index(patient.home, index, QUERIES)


def test_a_change_to_a_damaged_segment_is_healed_first(
    sound: tuple[Path, Dump], tmp_path: Path
) -> None:
    """Deleting from a segment whose columns are damaged must not delete another chunk."""
    patient = Patient(sound, tmp_path / "home")
    raw = bytearray(patient.path("columns").read_bytes())
    raw[16:80] = bytes(byte ^ 0xFF for byte in raw[16:80])  # the first chunk keys
    patient.path("columns").write_bytes(raw)
    with dowse.open(patient.home) as index:
        for number in range(24):
            if number % 3 == 0:
                index.delete(f"page-{number}")
        index.commit()
    with dowse.open(patient.home) as index:
        found = dump_index(patient.home, index, QUERIES)
        assert () == index.check().findings
    expected = tmp_path / "expected"
    shutil.copytree(sound[0], expected)
    with dowse.open(expected) as index:
        for number in range(24):
            if number % 3 == 0:
                index.delete(f"page-{number}")
        index.commit()
        assert dump_index(expected, index, QUERIES) == found


def run_kernels(home: Path, seed: int, rounds: int) -> None:
    command = [sys.executable, "-X", "faulthandler", SCRIPT, home, str(seed), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, f"seed {seed}: {done.stdout}{done.stderr}"


@pytest.mark.skipif(sys.platform == "win32", reason="walls are made by mprotect")
def test_kernels_never_read_beyond_damaged_arrays(sound: tuple[Path, Dump]) -> None:
    """Damaged offsets, sizes and rows give an error or a wrong answer, never a stray access."""
    run_kernels(sound[0], 1, 400)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="walls are made by mprotect")
@pytest.mark.parametrize("seed", range(2, 6))
def test_kernels_never_read_beyond_damaged_arrays_for_long(
    sound: tuple[Path, Dump], seed: int
) -> None:
    """The same, ten times as long with other seeds."""
    run_kernels(sound[0], seed, 4000)
