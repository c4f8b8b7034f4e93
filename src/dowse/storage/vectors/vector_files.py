"""The files of a segment of vectors, and its manifest.

Built from the pieces of `segment_files`, with a format version of its own: vectors take hours to make, so a
change to how terms are kept must not cost them.
"""

import json

from msgspec import Struct, field, to_builtins

from dowse.errors import CorruptFileError
from dowse.storage.segment_files import FileEntry, FileFamily, check_version, decode_entries

VECTOR_FILES = FileFamily(b"DOWSEvec", ("rows", "bits", "levels", "remainders"), 1)


class VectorManifest(Struct, frozen=True):
    """What ``segment.json`` of a segment of vectors says.

    Attributes:
        rows: Vectors.
        dimensions: Of a vector.
        seed: Of the rotation.
    """

    format_version: int
    rows: int
    dimensions: int
    seed: int
    files: dict[str, FileEntry] = field(default_factory=dict)

    def encode(self) -> bytes:
        """Returns the manifest as JSON."""
        return json.dumps(to_builtins(self), sort_keys=True, indent=1).encode()


def decode_vector_manifest(raw: bytes, place: str) -> VectorManifest:
    """Reads a manifest; `place` names it in errors.

    Raises:
        CorruptFileError: It is no manifest of vectors, or one of an older format.
        UnsupportedFormatError: A newer Dowse wrote it.
    """
    try:
        value = json.loads(raw)
        check_version(int(value["format_version"]), VECTOR_FILES.version, place)
        files = decode_entries(value.pop("files"))
        if set(VECTOR_FILES.files) != set(files):
            raise ValueError("files are missing")
        return VectorManifest(files=files, **value)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptFileError(path=place, expectation="it is not a manifest of vectors") from error
