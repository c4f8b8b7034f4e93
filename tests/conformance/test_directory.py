"""Every directory keeps the contract of `storage.directory`: bytes by name, written once."""

import numpy as np
import pytest

from dowse.storage.disk_directory import DiskDirectory
from dowse.storage.memory_directory import MemoryDirectory

DIRECTORIES = {
    "disk": lambda tmp_path: DiskDirectory(tmp_path / "segments"),
    "memory": lambda tmp_path: MemoryDirectory(),
}


@pytest.fixture(params=DIRECTORIES)
def directory(request, tmp_path):
    """An empty directory of each kind; its root is made when first needed."""
    return DIRECTORIES[request.param](tmp_path)


def write(directory, folder: str, name: str, *chunks: bytes) -> None:
    """Writes a file and makes it durable."""
    out = directory.create(folder, name)
    for chunk in chunks:
        out.write(chunk)
    out.close()
    directory.sync(folder)


def test_a_file_is_read_as_written(directory):
    """Chunks come back in order, as one read-only array of bytes."""
    write(directory, "s1", "terms", b"abc", b"", b"def")
    read = directory.read("s1", "terms")
    assert b"abcdef" == read.tobytes()
    assert (np.uint8, 1) == (read.dtype, read.ndim)
    assert not read.flags.writeable


@pytest.mark.parametrize("chunk", [bytearray(b"abcd"), memoryview(np.arange(4, dtype="<u4"))])
def test_any_buffer_can_be_written(directory, chunk):
    """Memory views of arrays are written as their bytes."""
    write(directory, "s1", "postings", memoryview(chunk))
    assert memoryview(chunk).tobytes() == directory.read("s1", "postings").tobytes()


def test_an_empty_file_is_an_empty_array(directory):
    """Nothing written is nothing read, not an error."""
    write(directory, "s1", "positions")
    assert b"" == directory.read("s1", "positions").tobytes()


def test_a_large_file_survives(directory):
    """More than one write call can take at once arrives whole."""
    content = np.random.default_rng(1).integers(0, 256, 3 << 20, dtype=np.uint8)
    write(directory, "s1", "postings", memoryview(content), memoryview(content))
    assert np.array_equal(np.concatenate([content, content]), directory.read("s1", "postings"))


def test_a_file_is_written_once(directory):
    """A name that exists cannot be created again."""
    write(directory, "s1", "terms", b"abc")
    with pytest.raises(FileExistsError):
        directory.create("s1", "terms")
    assert b"abc" == directory.read("s1", "terms").tobytes()


@pytest.mark.parametrize("place", [("s1", "other"), ("s2", "terms")])
def test_what_is_not_there_cannot_be_read(directory, place):
    """A missing file or folder is a FileNotFoundError."""
    write(directory, "s1", "terms", b"abc")
    with pytest.raises(FileNotFoundError):
        directory.read(*place)


def test_folders_are_listed(directory):
    """All folders, each once, in order; none at the beginning."""
    assert [] == directory.folders()
    for folder in ("s2", "s1", "s3"):
        write(directory, folder, "terms", b"x")
        write(directory, folder, "postings", b"y")
    assert ["s1", "s2", "s3"] == directory.folders()


def test_a_removed_folder_is_gone(directory):
    """Its files go with it; other folders stay; removing again is no error."""
    write(directory, "s1", "terms", b"x")
    write(directory, "s2", "terms", b"y")
    directory.remove("s1")
    directory.remove("s1")
    directory.remove("never")
    assert ["s2"] == directory.folders()
    with pytest.raises(FileNotFoundError):
        directory.read("s1", "terms")
    assert b"y" == directory.read("s2", "terms").tobytes()


def test_open_arrays_outlive_the_folder(directory):
    """A reader keeps what it has mapped when a merge removes the files (S9)."""
    write(directory, "s1", "terms", b"x" * 100_000)
    held = directory.read("s1", "terms")
    directory.remove("s1")
    assert b"x" * 100_000 == held.tobytes()


def test_a_removed_name_can_be_used_again(directory):
    """After `remove` the folder can be written anew."""
    write(directory, "s1", "terms", b"old")
    directory.remove("s1")
    write(directory, "s1", "terms", b"new")
    assert b"new" == directory.read("s1", "terms").tobytes()
