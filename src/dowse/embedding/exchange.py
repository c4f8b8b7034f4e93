"""One request and its answer over HTTP, within a time that holds for all of it.

The timeout of a socket is one of silence: a server that sends one byte per second never breaks it. So the
exchange runs in a thread of its own, and whoever waits for it hangs up when the time is over. That covers
finding the address, connecting and TLS as well.
"""

import contextlib
import http.client
import socket
import threading
from typing import NamedTuple
from urllib.parse import SplitResult

MAX_ANSWER_BYTES = 256 * 2**20
PIECE_BYTES = 1 << 16


class Answer(NamedTuple):
    """What a server said.

    Attributes:
        status: Such as 200.
        reason: The status in the server's words.
        retry_after: How long the server wants to be left alone, as it says it; None when it does not.
        content: Cut after `MAX_ANSWER_BYTES` and one byte.
        is_whole: Whether all bytes came that were announced.
    """

    status: int
    reason: str
    retry_after: str | None
    content: bytes
    is_whole: bool


def post(
    address: SplitResult, target: str, body: bytes, headers: dict[str, str], timeout_s: float
) -> Answer:
    """Sends a body and returns the answer.

    Args:
        address: Whose scheme, host and port are used.
        target: Path and query.
        body: As it is sent.
        headers: Besides those that HTTP wants.
        timeout_s: Longest time for everything, in seconds.

    Raises:
        TimeoutError: The answer was not there in full when the time was over.
        OSError, http.client.HTTPException: There is no server, or it does not speak HTTP.
    """
    exchange = _Exchange(address, target, body, headers, timeout_s)
    exchange.start()
    try:
        exchange.join(timeout_s)
        is_late = exchange.is_alive()
    finally:
        exchange.hang_up()  # also when Ctrl-C ends the wait; harmless when all is said
    if is_late:  # asked before: what hanging up does to the exchange is no answer
        raise TimeoutError
    if exchange.error is not None:
        raise exchange.error
    assert exchange.answer is not None, "an exchange ends with an answer or an error unless it is given up"
    return exchange.answer


class _Exchange(threading.Thread):
    """A request under way; `answer` or `error` is there when it has ended by itself."""

    def __init__(
        self, address: SplitResult, target: str, body: bytes, headers: dict[str, str], timeout_s: float
    ) -> None:
        super().__init__(name="dowse-http", daemon=True)  # one that hangs must not keep the process
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(str(address.hostname), address.port, timeout=timeout_s)
        self._request = target, body, headers
        self._socket: socket.socket | None = None
        self._is_given_up = False
        self.answer: Answer | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.answer = self._exchange()
        except Exception as error:  # nobody sees what ends a thread: the caller raises it
            self.error = error
        finally:
            self._connection.close()

    def hang_up(self) -> None:
        """Ends what is still under way; the thread notices at once, unless it is still connecting."""
        self._is_given_up = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not the shutdown of TLS, which would change what the other thread is reading from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _exchange(self) -> Answer | None:
        self._connection.connect()
        # Kept here, for the connection forgets its socket when the answer is to end with it.
        self._socket = self._connection.sock
        if self._is_given_up:
            return None
        target, body, headers = self._request
        self._connection.request("POST", target, body, headers)
        with contextlib.closing(self._connection.getresponse()) as response:
            content = self._read(response)
            is_whole = not response.length or len(content) > MAX_ANSWER_BYTES
            named = response.getheader("Retry-After")
        return Answer(response.status, response.reason, named, content, is_whole)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        content = bytearray()
        # In pieces, for a server that never stops would fill the memory of somebody who has hung up.
        while not self._is_given_up and len(content) <= MAX_ANSWER_BYTES:
            piece = response.read(PIECE_BYTES)
            if not piece:
                break
            content += piece
        return bytes(content[: MAX_ANSWER_BYTES + 1])
