"""Changed, cut and missing bytes in every file of a segment are noticed, named and healed (S4)."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dowse
from dowse.engine.generations import Generations
from dowse.errors import CorruptFileError
from dowse.storage.segment_files import FILES, MANIFEST
from support.index_dump import Dump, dump_index, segment_folders
from support.open_trees import tree_folder
from support.pages import QUERIES, page

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
        return tree_folder(self.home) / "segments" / self.folder / name

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


def must_notice_flips(sound: tuple[Path, Dump], fast_folder: Path, name: str, count: int) -> None:
    dice = random.Random(name)
    size = (Patient(sound, fast_folder / "size")).path(name).stat().st_size
    places = {0, 8, 12, size - 1, *(dice.randrange(size) for _ in range(count))}
    for place in sorted(places):
        patient = Patient(sound, fast_folder / "flipped")
        raw = bytearray(patient.path(name).read_bytes())
        raw[place] ^= 1 << dice.randrange(8)
        patient.path(name).write_bytes(raw)
        patient.must_recover(name, f"byte {place} of {size}")


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_flipped_bit_is_named_and_healed(
    sound: tuple[Path, Dump], fast_folder: Path, name: str
) -> None:
    """One bit at a few places of a file: `check` names the file, the next search heals it."""
    must_notice_flips(sound, fast_folder, name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_FILES)
def test_a_flipped_bit_anywhere_is_named_and_healed(
    sound: tuple[Path, Dump], fast_folder: Path, name: str
) -> None:
    """The same at many places."""
    must_notice_flips(sound, fast_folder, name, 20)


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_cut_or_missing_file_is_named_and_healed(
    sound: tuple[Path, Dump], fast_folder: Path, name: str
) -> None:
    """A file that is shorter, longer, empty or not there at all is named and healed."""
    size = Patient(sound, fast_folder / "size").path(name).stat().st_size
    for left in (0, size // 2, size - 1, size + 5):
        patient = Patient(sound, fast_folder / "cut")
        with patient.path(name).open("r+b") as file:
            file.truncate(left)
        patient.must_recover(name, f"{left} of {size} bytes")
    patient = Patient(sound, fast_folder / "gone")
    patient.path(name).unlink()
    patient.must_recover(name, "missing")


def test_a_missing_segment_is_healed(sound: tuple[Path, Dump], fast_folder: Path) -> None:
    """A segment without a folder, and all segments without one, come back from the catalogue."""
    patient = Patient(sound, fast_folder / "one")
    shutil.rmtree(tree_folder(patient.home) / "segments" / patient.folder)
    patient.must_recover(MANIFEST, "no folder")
    patient = Patient(sound, fast_folder / "all")
    shutil.rmtree(tree_folder(patient.home) / "segments")
    with dowse.open(patient.home) as index:
        assert sound[1] == dump_index(patient.home, index, QUERIES)


def test_check_names_every_damaged_file_and_repairs_them(
    sound: tuple[Path, Dump], fast_folder: Path
) -> None:
    """Several damaged files are several findings; after the repair the report says healthy."""
    patient = Patient(sound, fast_folder / "home")
    for name in FILES:
        patient.path(name).write_bytes(b"")
    with dowse.open(patient.home) as index:
        report = index.check(repair=True)
        places = sorted(finding.message.split(" ")[0] for finding in report.findings)
        assert sorted(f"{patient.folder}/{name}" for name in FILES) == places
        assert report.is_healthy
        assert () == index.check().findings
        assert sound[1] == dump_index(patient.home, index, QUERIES)


def test_a_deletion_in_a_damaged_segment_is_refused_until_it_is_healed(
    sound: tuple[Path, Dump], fast_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting by damaged chunk keys must not hit other chunks; after a search has healed it works."""
    patient = Patient(sound, fast_folder / "home")
    raw = bytearray(patient.path("columns").read_bytes())
    raw[16:80] = bytes(64)  # the first chunk keys
    patient.path("columns").write_bytes(raw)
    keys = [f"page-{number}" for number in range(24)]
    with monkeypatch.context() as patch, dowse.open(patient.home) as index:
        # As with a large segment, which is compared with its checksums in the background.
        patch.setattr(Generations, "_needs_healing", lambda *_: False)
        for key in keys:
            index.delete(key)
        with pytest.raises(CorruptFileError, match=f"{patient.folder}/columns"):
            index.commit()
    with dowse.open(patient.home) as index:
        assert sound[1] == dump_index(patient.home, index, QUERIES)
        for key in keys[:-1]:
            index.delete(key)
        index.commit()
        assert {keys[-1]} == {hit.doc_key for hit in index.search("page").hits}
        assert () == index.check().findings


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
@pytest.mark.parametrize("seed", range(2, 4))
def test_kernels_never_read_beyond_damaged_arrays_for_long(
    sound: tuple[Path, Dump], seed: int
) -> None:
    """The same, seven times as long with other seeds."""
    run_kernels(sound[0], seed, 3000)
