"""The HTTP embedder against a real server on this machine: what it asks, and what it makes of bad answers."""

import json
import socket
import threading
import time

import numpy as np
import pytest

from dowse.embedding.http import HttpEmbedder, HttpSettings
from dowse.errors import EmbeddingServiceError, InvalidParameterError
from support.embedding_service import answer_with, running_service, vector_of, well_behaved

DIMENSIONS = 4


class FakeTime:
    """A clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def embedder_for(url: str, time: FakeTime | None = None, **settings) -> HttpEmbedder:
    """Returns an embedder that asks `url`."""
    time = time or FakeTime()
    given = {"url": url, "model": "tiny", "dimensions": DIMENSIONS, **settings}
    return HttpEmbedder(HttpSettings(**given), sleep=time.sleep, clock=time.clock)


def status(number: int, headers: dict[str, str] | None = None):
    """Returns a behaviour that answers a status."""
    return lambda body: (number, headers or {}, b'{"error": {"message": "not today"}}')


def rows(*vectors):
    """Returns a behaviour that answers these vectors, whatever was asked."""
    return lambda body: answer_with([{"index": at, "embedding": row} for at, row in enumerate(vectors)])


def test_vectors_come_back_in_order_and_of_length_one():
    """Batches are cut, rows sorted by their index, and vectors brought to length 1."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        found = embedder_for(service.url, batch_size=2).embed_passages(["a", "b", "c"])
    expected = np.array([vector_of(text, DIMENSIONS) for text in "abc"])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert [["a", "b"], ["c"]] == [body["input"] for _, _, body in service.asked]
    assert {"/v1/embeddings"} == {path for path, _, _ in service.asked}


def test_the_key_is_sent_and_never_shown():
    """The key goes into one header, and neither into messages nor into the look of the settings."""
    with running_service(status(401)) as service:
        embedder = embedder_for(service.url, key="secret-123")
        with pytest.raises(EmbeddingServiceError) as caught:
            embedder.embed_queries(["a"])
    assert "Bearer secret-123" == service.asked[0][1]["Authorization"]
    assert "secret" not in str(caught.value) + caught.value.hint
    assert "secret" not in repr(HttpSettings("http://h/v1", "m", 4, key="secret-123"))
    assert "check the key" == caught.value.hint


def test_a_query_is_sent_and_never_shown():
    """It follows the path, as Azure's version does; errors have the address without it."""
    with running_service(status(404)) as service:
        embedder = embedder_for(f"{service.url}?api-version=1&code=secret")
        with pytest.raises(EmbeddingServiceError) as caught:
            embedder.embed_queries(["a"])
    assert ["/v1/embeddings?api-version=1&code=secret"] == [path for path, _, _ in service.asked]
    assert "secret" not in str(caught.value) + caught.value.hint


def test_no_key_sends_no_header():
    """Services on this machine want none."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        embedder_for(service.url).embed_queries(["a"])
    assert "Authorization" not in service.asked[0][1]


def test_questions_and_passages_get_their_own_prefix():
    """The prefixes of the settings go before the texts."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        embedder = embedder_for(service.url, query_prefix="\nq: ", passage_prefix="p: ")
        embedder.embed_queries(["x"])
        embedder.embed_passages([" x\n"])
    assert [["\nq: x"], ["p: x"]] == [body["input"] for _, _, body in service.asked]


def test_empty_and_huge_texts_are_made_fit_to_send():
    """Services refuse the empty string, and a text of a megabyte is cut before it is sent."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        embedder = embedder_for(service.url, max_tokens=10)
        found = embedder.embed_passages(["", " \n", "x" * 1_000_000, "\ud800"])
    assert (4, DIMENSIONS) == found.shape
    assert [1, 1, 320, 1] == [len(text) for text in service.asked[0][2]["input"]]


def test_nothing_asked_is_nothing_sent():
    """No texts, no request."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        assert (0, DIMENSIONS) == embedder_for(service.url).embed_passages([]).shape
    assert [] == service.asked


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (rows([1, 2, 3]), "vectors of 3 dimensions instead of 4"),
        (rows([1, 2, 3, 4], [1, 2, 3, 4]), "2 vectors for 1 texts"),
        (rows(), "0 vectors for 1 texts"),
        (rows([1, 2, float("nan"), 4]), "not finite"),
        (rows([1, 2, float("inf"), 4]), "not finite"),
        (rows([0, 0, 0, 0]), "a vector of zeros"),
        (rows([1, 2, "x", 4]), "other than numbers"),
        (rows([1, 2, [3], 4]), "different lengths"),
        (rows(5), "vectors of 0 dimensions"),
        (lambda body: (200, {}, b"<html>"), "not a list of vectors"),
        (lambda body: (200, {}, b"[" * 100_000), "not a list of vectors"),
        (lambda body: (200, {}, b'{"data": 7}'), "not a list of vectors"),
        (lambda body: (200, {}, b"[1]"), "not a list of vectors"),
        (lambda body: answer_with([{"index": 3, "embedding": [1, 2, 3, 4]}]), "not a list of vectors"),
        (status(404), "answers 404 Not Found: {\"error\": {\"message\": \"not today\"}}"),
    ],
)  # fmt: skip
def test_unusable_answers_are_clear_errors_and_not_retried(behaviour, message: str):
    """What the service will say again is said once, with what is wrong."""
    time = FakeTime()
    with running_service(behaviour) as service, pytest.raises(EmbeddingServiceError) as caught:
        embedder_for(service.url, time).embed_queries(["a"])
    assert message in caught.value.message
    assert service.url + "/embeddings" in caught.value.message
    assert [] == time.waits
    assert caught.value.hint


def reads_at_most(chars: int, number: int):
    """Returns a behaviour that refuses requests with a longer text, as TEI (413) and Ollama (400) do."""

    def answer(body):
        is_too_long = max(map(len, body["input"])) > chars
        return (status(number) if is_too_long else well_behaved(DIMENSIONS))(body)

    return answer


@pytest.mark.parametrize("number", [400, 413, 422])
def test_a_text_that_is_too_long_for_the_service_is_cut(number: int):
    """It gets the vector of its start, the texts beside it get their own, and each comes once."""
    with running_service(reads_at_most(1000, number)) as service:
        found = embedder_for(service.url).embed_passages(["a", "b", "c" * 4000, "d", "e" * 900])
    read = ("a", "b", "c" * 1000, "d", "e" * 900)
    expected = np.array([vector_of(text, DIMENSIONS) for text in read])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_what_is_refused_however_short_is_an_error():
    """A wrong request is not taken for a long one: few are sent, and the service's words are shown."""
    with running_service(status(400)) as service, pytest.raises(EmbeddingServiceError, match="answers 400"):
        embedder_for(service.url).embed_passages(["x" * 8000] * 32)
    assert len(service.asked) <= 12


@pytest.mark.parametrize("number", [429, 500, 502, 503])
def test_passing_trouble_is_waited_out(number: int):
    """An overloaded service is asked again, with waits that double."""
    time = FakeTime()
    with running_service(status(number), status(number), well_behaved(DIMENSIONS)) as service:
        embedder_for(service.url, time, first_wait_s=0.5).embed_queries(["a"])
    assert [0.5, 1.0] == time.waits


def test_a_wait_that_the_service_names_is_kept():
    """Retry-After wins over our own waits; a date or nonsense counts as nothing."""
    time = FakeTime()
    named = [status(429, {"Retry-After": text}) for text in ("7", "soon", "-1")]
    with running_service(*named, well_behaved(DIMENSIONS)) as service:
        embedder_for(service.url, time, retries=3, first_wait_s=0.5).embed_queries(["a"])
    assert [7.0, 1.0, 2.0] == time.waits


@pytest.mark.parametrize(
    ("named", "waits"), [(["3600"], []), (["40", "40"], [40.0]), (["60", "1"], [60.0])]
)
def test_a_wait_that_is_too_long_ends_with_what_the_service_asks_for(named: list[str], waits: list[float]):
    """A minute in all is waited for; whoever wants more is not asked again, and the error says how long."""
    time = FakeTime()
    answers = [status(429, {"Retry-After": text}) for text in named]
    with running_service(*answers) as service, pytest.raises(EmbeddingServiceError) as caught:
        embedder_for(service.url, time, retries=5).embed_queries(["a"])
    assert waits == time.waits
    asked = f"{int(named[-1]):,} s"
    assert "answers 429 Too Many Requests" in caught.value.message
    assert f"it asks to be left alone for {asked}" in caught.value.message
    assert f"try again in {asked}" == caught.value.hint


def test_many_attempts_wait_no_longer_than_a_minute():
    """Our own waits double, and the last is cut."""
    time = FakeTime()
    with running_service(status(503)) as service, pytest.raises(EmbeddingServiceError, match="8 attempts"):
        embedder_for(service.url, time, retries=20, first_wait_s=0.5).embed_queries(["a"])
    assert [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 28.5] == time.waits


def test_lasting_trouble_ends_with_the_number_of_attempts():
    """After the last attempt the error says what the service said, and how often it was asked."""
    with running_service(status(503)) as service, pytest.raises(EmbeddingServiceError) as caught:
        embedder_for(service.url, retries=2).embed_queries(["a"])
    assert 3 == len(service.asked)
    assert "answers 503 Service Unavailable" in caught.value.message
    assert "(3 attempts)" in caught.value.message


def test_a_service_that_is_down_is_named():
    """Nothing listens: the message says where."""
    with running_service(well_behaved(DIMENSIONS)) as service:
        url = service.url
    with pytest.raises(EmbeddingServiceError, match="cannot be reached"):
        embedder_for(url, retries=0).embed_queries(["a"])


def test_a_slow_service_is_given_up():
    """Silence beyond the timeout ends the attempt."""
    may_go = threading.Event()

    def answer(body):
        may_go.wait(10)
        return status(200)(body)

    with running_service(answer) as service:
        try:
            with pytest.raises(EmbeddingServiceError, match=r"did not answer within 0\.05 s"):
                embedder_for(service.url, timeout_s=0.05, retries=0).embed_queries(["a"])
        finally:
            may_go.set()


@pytest.mark.parametrize("announced", [{}, {"Content-Length": "100000"}])
def test_a_service_that_drips_is_given_up(announced: dict[str, str]):
    """The time holds for the whole answer: a byte now and then does not make it longer."""
    may_go = threading.Event()

    def drip():
        for _ in range(250):  # five seconds
            if may_go.wait(0.02):
                return
            yield b" "

    with running_service(lambda body: (200, announced, drip())) as service:
        try:
            started = time.monotonic()
            with pytest.raises(EmbeddingServiceError, match=r"did not answer within 0\.2 s"):
                embedder_for(service.url, timeout_s=0.2, retries=0).embed_queries(["a"])
            assert time.monotonic() - started < 2.0
        finally:
            may_go.set()


def test_who_is_given_up_is_hung_up_on():
    """The thread that asked ends, and the service notices that nobody listens."""
    has_ended = threading.Event()

    def pour():
        while not has_ended.wait(0.01):
            yield b" " * 65536

    with running_service(lambda body: (200, {}, pour())) as service:
        with pytest.raises(EmbeddingServiceError, match="did not answer"):
            embedder_for(service.url, timeout_s=0.3, retries=0).embed_queries(["a"])
        # On a busy machine the time may be over before anything is sent.
        has_noticed = service.has_answered.wait(10) or not service.asked
        has_ended.set()
    assert has_noticed
    for thread in threading.enumerate():
        if thread.name == "dowse-http":
            thread.join(10)
            assert not thread.is_alive()


def test_a_host_that_cannot_be_one_cannot_be_reached():
    """An empty part of a name is found when it is looked up; it is no bug of ours."""
    with pytest.raises(EmbeddingServiceError, match="cannot be reached"):
        embedder_for("http://a..b/v1", retries=0).embed_queries(["a"])


def test_an_answer_that_breaks_off_is_passing_trouble():
    """A body shorter than announced is an error of the connection, never half a vector."""
    broken = {"Content-Length": "1000"}
    with (
        running_service(lambda body: (200, broken, json.dumps({"data": []}).encode())) as service,
        pytest.raises(EmbeddingServiceError, match="broke off"),
    ):
        embedder_for(service.url, retries=0, timeout_s=1.0).embed_queries(["a"])


def test_an_answer_in_pieces_that_breaks_off_is_passing_trouble():
    """The same when nobody announced how long it is."""
    pieces = iter([b"9\r\n", b'{"da'])
    with (
        running_service(lambda body: (200, {"Transfer-Encoding": "chunked"}, pieces)) as service,
        pytest.raises(EmbeddingServiceError, match="broke off"),
    ):
        embedder_for(service.url, retries=0, timeout_s=1.0).embed_queries(["a"])


def test_what_does_not_speak_http_is_quoted_in_a_line():
    """However much it says, and with whatever in it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        greeter = threading.Thread(target=greet, args=(server, b"220 mail\tready " + b"x" * 9000 + b"\r\n"))
        greeter.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        with pytest.raises(EmbeddingServiceError, match="does not speak HTTP: 220 mail ready x") as caught:
            embedder_for(url, retries=0, timeout_s=5.0).embed_queries(["a"])
        greeter.join()
    assert len(caught.value.message) < 400


def greet(server: socket.socket, words: bytes) -> None:
    """Says something to the first who comes, and hangs up when they do."""
    connection, _ = server.accept()
    with connection:
        connection.sendall(words)
        while connection.recv(4096):
            pass


def test_a_failing_service_is_left_alone_for_a_while():
    """After so many failed calls none is sent until the rest is over; a success starts the count anew."""
    time = FakeTime()
    with running_service(status(500), status(500), well_behaved(DIMENSIONS)) as service:
        embedder = embedder_for(service.url, time, retries=0, breaker_failures=2, breaker_rest_s=30.0)
        for _ in range(2):
            with pytest.raises(EmbeddingServiceError, match="answers 500"):
                embedder.embed_queries(["a"])
        with pytest.raises(EmbeddingServiceError, match="left alone for 30 s"):
            embedder.embed_queries(["a"])
        assert 2 == len(service.asked)
        time.now += 31.0
        embedder.embed_queries(["a"])
    assert 3 == len(service.asked)


@pytest.mark.parametrize(
    "settings",
    [
        {"url": "localhost:11434"}, {"url": "ftp://x/"}, {"url": "http://"}, {"url": "http://h:99999/"},
        {"url": "http://h/a b"}, {"url": "http://h/\r\nX: y"}, {"key": "a\n"}, {"key": "ü"},
        {"dimensions": 0}, {"batch_size": 0}, {"retries": -1}, {"timeout_s": 0.0},
        {"timeout_s": float("nan")},
        {"first_wait_s": float("inf")}, {"breaker_failures": 0}, {"max_tokens": 0},
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(settings):
    """Bad settings are errors before anything is sent."""
    with pytest.raises(InvalidParameterError):
        embedder_for(**{"url": "http://localhost/v1", **settings})


def test_the_fingerprint_follows_what_changes_vectors():
    """Model, address, prefixes and cut count; key and patience do not."""
    plain = embedder_for("http://h/v1").fingerprint
    assert plain == embedder_for("http://h/v1", key="k", timeout_s=1.0).fingerprint
    for settings in (
        {"model": "other"}, {"query_prefix": "q"}, {"passage_prefix": "p"}, {"max_tokens": 9},
        {"dimensions": 5},
    ):  # fmt: skip
        assert plain != embedder_for("http://h/v1", **settings).fingerprint
