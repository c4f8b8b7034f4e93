"""What goes over the pipes between this process and a worker: a length, then a pickled value.

A worker has read a file that may have taken it over, so its answers are not trusted: only the types listed
here are ever made of them.
"""

import io
import pickle
import struct
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")
MAX_MESSAGE_BYTES = 1 << 30
READY = "ready"
"""What a worker says first: it has started, and its time counts from now on."""

_KNOWN_TYPES = {
    ("dowse.ingest.jobs", "FileReading"),
    ("dowse.schema.document", "Anchor"),
    ("dowse.schema.document", "Chunk"),
    ("dowse.schema.document", "Document"),
    ("dowse.schema.document", "Link"),
    ("dowse.schema.document", "Section"),
    ("dowse.schema.problem", "Problem"),
    ("datetime", "date"),
    ("datetime", "datetime"),
    ("datetime", "time"),
    ("datetime", "timedelta"),
    ("datetime", "timezone"),
}


class UntrustedMessageError(Exception):
    """A worker sent something that is not an answer."""


def write_message(stream: BinaryIO, value: object) -> None:
    """Sends one value."""
    body = pickle.dumps(value, protocol=5)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """Returns the next value from this side, which is trusted.

    Raises:
        EOFError: The other side is gone.
    """
    return pickle.loads(_read_body(stream))


def read_untrusted_message(stream: BinaryIO) -> Any:
    """Returns the next value from a worker.

    Raises:
        EOFError: The worker is gone.
        UntrustedMessageError: It is made of anything but the types of an answer.
    """
    body = _read_body(stream)
    try:
        return _Unpickler(io.BytesIO(body)).load()
    except UntrustedMessageError:
        raise
    except Exception as error:
        raise UntrustedMessageError(str(error)) from error


def _read_body(stream: BinaryIO) -> bytes:
    size = _LENGTH.unpack(_read_exactly(stream, _LENGTH.size))[0]
    if size > MAX_MESSAGE_BYTES:
        raise UntrustedMessageError(f"a message of {size} bytes")
    return _read_exactly(stream, size)


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN_TYPES:
            raise UntrustedMessageError(f"an answer of type {module}.{name}")
        return super().find_class(module, name)
