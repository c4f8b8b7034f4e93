"""Asks an embedding service over HTTP, in the form that OpenAI, Ollama, TEI, LM Studio and others understand.

Only the standard library, so that a service costs no dependency. What a service answers is not believed:
vectors are counted, measured and checked for NaN before anybody sees them. Waiting and the time come from
outside.
"""

import hashlib
import http.client
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dowse.embedding.address import parse_address
from dowse.embedding.circuit_breaker import CircuitBreaker
from dowse.embedding.embedder import Vectors, cut_text, normalise
from dowse.embedding.exchange import MAX_ANSWER_BYTES, Answer, post
from dowse.errors import EmbeddingServiceError, InvalidParameterError

MAX_WAIT_S = 60.0
"""Longest that one call waits between its attempts, all waits together. A service that asks for more gets no
second attempt: people would rather know than watch a command that does nothing."""
RETRIED_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
TOO_MUCH_STATUSES = frozenset({400, 413, 422})
"""What services say to a text of more tokens than they read, to too many texts, and to what is wrong
altogether. Only the service can count its tokens, so less is sent until it takes them."""
SAID_CHARS = 200
BROKEN_OFF = "broke off in the middle of an answer"
LEAST_CHARS = 256
"""Texts are not cut below this: every model reads so much, and what is refused then is refused for good."""


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """Which service to ask, and how patiently.

    Attributes:
        url: Its address up to and with the version, as "http://localhost:11434/v1"; "/embeddings" is added to
            the path unless it is there. A query, such as "?api-version=1", is sent along; user and password
            are refused.
        model: The name that the service gives its model.
        dimensions: Length of its vectors; an answer of another length is an error.
        key: Sent as a bearer token; never shown. Empty for services that want none.
        max_tokens: Tokens of a text that count; what is longer for certain is cut before it is sent.
        query_prefix: What goes before a question.
        passage_prefix: What goes before a passage.
        batch_size: Texts in one request.
        timeout_s: Longest time of one request, from looking up the address to the last byte of the answer.
        retries: Further attempts after one that may succeed later: overload, failure, no answer.
        first_wait_s: Wait before the first of them; it doubles each time, unless the service names a time.
            All of them together wait no longer than `MAX_WAIT_S`.
        breaker_failures: Failed calls in a row after which the service is left alone.
        breaker_rest_s: For how long.
    """

    url: str
    model: str
    dimensions: int
    key: str = field(default="", repr=False)
    max_tokens: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_size: int = 32
    timeout_s: float = 30.0
    retries: int = 3
    first_wait_s: float = 0.5
    breaker_failures: int = 3
    breaker_rest_s: float = 30.0

    def __post_init__(self) -> None:
        parse_address(self.url)
        if not self.key.isascii() or not self.key.isprintable():
            legal = "a key is printable ASCII, so look for a line end at the end of it"
            raise InvalidParameterError(name="key", value="what was given", legal=legal)
        for name, low in (("dimensions", 1), ("max_tokens", 1), ("batch_size", 1), ("retries", 0),
                          ("breaker_failures", 1)):  # fmt: skip
            if getattr(self, name) < low:
                legal = f"legal values are {low} and up"
                raise InvalidParameterError(name=name, value=getattr(self, name), legal=legal)
        for name in ("timeout_s", "first_wait_s", "breaker_rest_s"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise InvalidParameterError(
                    name=name, value=getattr(self, name), legal="legal values are above 0"
                )


class _PassingTroubleError(Exception):
    """One attempt failed in a way that a later one may not; `wait_s` is what the service asks for."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.wait_s = reason, wait_s


class _TooMuchError(Exception):
    """The service rejects these texts and may accept fewer or shorter ones; if not, raise `error`."""

    def __init__(self, error: EmbeddingServiceError) -> None:
        super().__init__(error.message)
        self.error = error


class HttpEmbedder:
    """A model behind an OpenAI-compatible service. Threads may share it: requests share no connection."""

    def __init__(
        self,
        settings: HttpSettings,
        *,
        sleep: Callable[[float], object],
        clock: Callable[[], float],
    ) -> None:
        """Prepares the embedder; nothing is sent yet.

        Args:
            settings: Which service.
            sleep: Waits for some seconds, as `time.sleep` does.
            clock: Seconds that only ever go forward, as `time.monotonic` gives them.
        """
        self._settings, self._sleep = settings, sleep
        self._breaker = CircuitBreaker(settings.breaker_failures, settings.breaker_rest_s, clock)
        self._parts = parse_address(settings.url)
        path = self._parts.path.rstrip("/")
        self._path = path if path.endswith("/embeddings") else f"{path}/embeddings"
        self._target = f"{self._path}?{self._parts.query}" if self._parts.query else self._path

    @property
    def name(self) -> str:
        return self._settings.model

    @property
    def fingerprint(self) -> str:
        """Changes with the address, the model, the cut and the prefixes; what the service hides is unseen."""
        settings = self._settings
        parts = (settings.url, settings.model, settings.dimensions, settings.max_tokens,
                 settings.query_prefix, settings.passage_prefix)  # fmt: skip
        return hashlib.sha256(f"http {parts}".encode()).hexdigest()

    @property
    def dimensions(self) -> int:
        return self._settings.dimensions

    @property
    def max_tokens(self) -> int:
        return self._settings.max_tokens

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of questions, in their order.

        Raises:
            EmbeddingServiceError: The service is down, slow or unwilling, or its answer cannot be used.
        """
        return self._embed(texts, self._settings.query_prefix)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of passages, in their order. Raises as `embed_queries` does."""
        return self._embed(texts, self._settings.passage_prefix)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        cut = [cut_text(prefix + text.strip(), self.max_tokens) for text in texts]
        # Services refuse the empty string; a full stop says as little.
        cut = [text if text.strip() else "." for text in cut]
        size = self._settings.batch_size
        rows = [self._ask(cut[start : start + size]) for start in range(0, len(cut), size)]
        return np.concatenate(rows) if rows else np.empty((0, self.dimensions), np.float32)

    def _ask(self, texts: list[str]) -> Vectors:
        rest_s = self._breaker.rest_s()
        if rest_s > 0.0:
            times = self._settings.breaker_failures
            reason = f"failed {times} times in a row and is left alone for {rest_s:.0f} s"
            raise self._error(reason, "check that it runs, then try again")
        try:
            vectors = self._ask_for_less(texts)
        except EmbeddingServiceError:
            self._breaker.note_failure()
            raise
        self._breaker.note_success()
        return vectors

    def _ask_for_less(self, texts: list[str]) -> Vectors:
        """Asks for all texts at once; for fewer, and then for the start of one, when they are refused.

        One text that is too long for the service must not keep all others from their vectors.
        """
        try:
            return self._ask_patiently(texts)
        except _TooMuchError as refused:
            half = len(texts) // 2
            if half:
                return np.concatenate([self._ask_for_less(texts[:half]), self._ask_for_less(texts[half:])])
            (text,) = texts
            if len(text) < 2 * LEAST_CHARS:
                raise refused.error from refused
            return self._ask_for_less([text[: len(text) // 2]])

    def _ask_patiently(self, texts: list[str]) -> Vectors:
        wait_s, left_s = self._settings.first_wait_s, MAX_WAIT_S
        for attempt in range(self._settings.retries + 1):
            try:
                return self._read_vectors(self._send(texts), len(texts))
            except _PassingTroubleError as trouble:
                pause_s = min(wait_s, left_s) if trouble.wait_s is None else trouble.wait_s
                if attempt == self._settings.retries or pause_s > left_s or left_s <= 0.0:
                    raise self._give_up(trouble, attempt + 1) from trouble
                self._sleep(pause_s)
                wait_s, left_s = wait_s * 2.0, left_s - pause_s
        raise AssertionError("the last attempt either returns or raises")

    def _give_up(self, trouble: _PassingTroubleError, attempts: int) -> EmbeddingServiceError:
        tries = f" ({attempts} attempts)" if attempts > 1 else ""
        if trouble.wait_s is None:
            remedy = "check that it runs and is not overloaded, then try again"
            return self._error(trouble.reason + tries, remedy)
        asked = f"{trouble.wait_s:,.0f} s"
        reason = f"{trouble.reason}; it asks to be left alone for {asked}{tries}"
        return self._error(reason, f"try again in {asked}")

    def _send(self, texts: list[str]) -> bytes:
        body = json.dumps({"model": self._settings.model, "input": texts, "encoding_format": "float"})
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        try:
            answer = post(self._parts, self._target, body.encode(), headers, self._settings.timeout_s)
        except TimeoutError as error:
            raise _PassingTroubleError(f"did not answer within {self._settings.timeout_s:g} s") from error
        except (OSError, UnicodeError) as error:  # a name that is no name of a host is a UnicodeError
            raise _PassingTroubleError(f"cannot be reached: {error or type(error).__name__}") from error
        except http.client.IncompleteRead as error:
            raise _PassingTroubleError(BROKEN_OFF) from error
        except http.client.HTTPException as error:
            reason = f"does not speak HTTP: {_one_line(str(error)) or type(error).__name__}"
            raise _PassingTroubleError(reason) from error
        if not answer.is_whole:
            raise _PassingTroubleError(BROKEN_OFF)
        self._check_status(answer)
        return answer.content

    def _check_status(self, answer: Answer) -> None:
        if answer.status == 200:
            if len(answer.content) > MAX_ANSWER_BYTES:
                reason = f"answers more than {MAX_ANSWER_BYTES // 2**20} MB"
                raise self._error(reason, "ask for smaller batches")
            return
        said = _one_line(answer.content[: 4 * SAID_CHARS].decode("utf-8", "replace"))
        reason = f"answers {answer.status} {answer.reason}" + (f": {said}" if said else "")
        if answer.status in RETRIED_STATUSES:
            raise _PassingTroubleError(reason, _seconds(answer.retry_after))
        remedies = {401: "check the key", 403: "check the key", 404: "check the address and the model's name"}
        error = self._error(reason, remedies.get(answer.status, "check the address, the model and the key"))
        raise _TooMuchError(error) if answer.status in TOO_MUCH_STATUSES else error

    def _read_vectors(self, content: bytes, count: int) -> Vectors:
        try:
            answer = json.loads(content)
            rows = [row["embedding"] for row in _in_order(answer["data"])]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._unusable("something that is not a list of vectors") from error
        if len(rows) != count:
            raise self._unusable(f"{len(rows)} vectors for {count} texts")
        try:
            vectors = np.array(rows, dtype=np.float64)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._unusable("vectors of different lengths, or of other than numbers") from error
        if vectors.ndim != 2 or vectors.shape[1] != self.dimensions:
            found = vectors.shape[1] if vectors.ndim == 2 else 0
            raise self._unusable(f"vectors of {found} dimensions instead of {self.dimensions}")
        if not np.isfinite(vectors).all():
            raise self._unusable("vectors with numbers that are not finite (NaN or infinity)")
        if not vectors.any(axis=1).all():
            raise self._unusable("a vector of zeros")
        return normalise(vectors / np.abs(vectors).max(axis=1, keepdims=True))

    def _unusable(self, what: str) -> EmbeddingServiceError:
        return self._error(f"answers {what}", "check which model it serves under this name")

    def _error(self, reason: str, remedy: str) -> EmbeddingServiceError:
        # Without the query, which may hold a key.
        address = f"{self._parts.scheme}://{self._parts.netloc}{self._path}"
        return EmbeddingServiceError(url=address, reason=reason, remedy=remedy)


def _in_order(rows: Any) -> list[dict[str, Any]]:
    """Returns the rows by their "index", which services may send in any order; as they come without one."""
    if rows and all("index" in row for row in rows):
        ordered = sorted(rows, key=lambda row: row["index"])
        if [row["index"] for row in ordered] != list(range(len(ordered))):
            raise ValueError("the indexes of the vectors are not 0, 1, 2, …")
        return ordered
    return list(rows)


def _one_line(text: str) -> str:
    """Returns the start of what a service said; it may have said anything."""
    return " ".join(text.split())[:SAID_CHARS]


def _seconds(header: str | None) -> float | None:
    try:
        seconds = float(header or "")
    except ValueError:  # a date, or nothing
        return None
    return seconds if 0.0 <= seconds < math.inf else None
