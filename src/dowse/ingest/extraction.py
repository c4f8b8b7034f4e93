"""Reads any file, whatever it is: the one way from bytes to text with structure.

Also the way for files inside files: archives and mails call `extract_member` for each.
"""

from dowse.ingest.decoding import BINARY_FILE, looks_binary
from dowse.ingest.detection import detect_format
from dowse.ingest.extractor import Extracted, Extractor
from dowse.ingest.extractors import get_extractor
from dowse.ingest.filters import is_excluded_name, is_secret_name
from dowse.ingest.formats import find_format
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.schema import Problem


def choose_extractor(data: bytes, path: str) -> Extractor:
    """Returns the extractor for a file: by content first, by name second, plain text when neither knows.

    Raises:
        UnextractableError: It is a binary file of a kind that nothing here reads.
    """
    detected = detect_format(data)
    if detected is not None:
        return get_extractor(detected)
    named = find_format(path)
    if named is not None and (named.reads_text or not data):
        return get_extractor(named.name)
    if looks_binary(data):
        raise UnextractableError(BINARY_FILE, "this is not a text file, nor of any format that is read")
    # A text that is named like something else.
    return get_extractor("text")


def extract(data: bytes, path: str, extractor: Extractor, allowance: Allowance) -> Extracted:
    """Reads a file; whatever goes wrong inside a format's code costs this file only.

    Raises:
        UnextractableError: There is no text to be had.
    """
    try:
        return extractor.extract(data, path, allowance)
    except UnextractableError:
        raise
    except RecursionError as error:
        raise UnextractableError("damaged-file", "its parts are nested too deep") from error
    except MemoryError as error:
        message = "reading it takes more memory than allowed"
        raise UnextractableError("needs-too-much-memory", message) from error
    except Exception as error:
        raise UnextractableError(
            "damaged-file",
            f"it cannot be read as {extractor.name}: {_first_line(error)}",
            "open it in its own program and save it again",
        ) from error


def extract_member(data: bytes, name: str, allowance: Allowance) -> Extracted | Problem | None:
    """Reads a file inside another.

    Returns:
        What is in it; the problem that keeps it from being read; or None for what is passed over in
        silence: secrets, system files, and binary files of kinds that are not read.
    """
    base = name.replace("\\", "/").rpartition("/")[2]
    if is_secret_name(base) or is_excluded_name(base):
        return None
    allowance.enter_member()
    try:
        extracted = extract(data, name, choose_extractor(data, name), allowance)
    except UnextractableError as error:
        if error.code == BINARY_FILE:
            return None
        if error.code in LIMIT_CODES:
            raise
        return Problem(error.code, name, error.message, error.hint)
    finally:
        allowance.leave_member()
    return None if extracted.is_refused else extracted


LIMIT_CODES = frozenset({"expands-too-much", "too-many-members"})
"""Problems of the outermost file: once an allowance is used up, nothing more can be read from it."""


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
