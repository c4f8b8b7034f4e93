"""A real HTTP server that answers as OpenAI's embeddings do, or as badly as a test wants."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes | Iterator[bytes]]
"""Status, headers and content; content that is an iterator is sent piece by piece, as it comes."""
Behaviour = Callable[[dict[str, Any]], Answer]


def vector_of(text: str, dimensions: int) -> list[float]:
    """Returns numbers that depend on the text alone; they are not of length 1."""
    source = random.Random(text)
    return [source.uniform(-3.0, 3.0) for _ in range(dimensions)]


def answer_with(rows: list[dict[str, Any]]) -> Answer:
    """Returns a good answer with these rows."""
    return 200, {}, json.dumps({"object": "list", "data": rows}).encode()


def well_behaved(dimensions: int) -> Behaviour:
    """Returns the behaviour of a service that works; rows come in reverse, as the protocol allows."""

    def answer(body: dict[str, Any]) -> Answer:
        rows = [
            {"index": at, "embedding": vector_of(text, dimensions)} for at, text in enumerate(body["input"])
        ]
        return answer_with(rows[::-1])

    return answer


@dataclass
class Service:
    """A running server.

    Attributes:
        url: Up to and with the version.
        behaviours: What is answered, one after the other; the last one stays.
        asked: Paths, headers and bodies of the requests so far.
        has_answered: Set when an answer has been sent, or nobody was there any more to take it.
    """

    url: str
    behaviours: list[Behaviour]
    asked: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    has_answered: threading.Event = field(default_factory=threading.Event)


@contextmanager
def running_service(*behaviours: Behaviour) -> Iterator[Service]:
    """Runs a server on a free port of this machine until the block ends."""

    class Face(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.asked.append((self.path, dict(self.headers), body))
            at = min(len(service.asked), len(service.behaviours)) - 1
            status, headers, content = service.behaviours[at](body)
            whole = {"Content-Length": str(len(content))} if isinstance(content, bytes) else {}
            try:
                self.send_response(status)
                for name, value in {**whole, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in (content,) if isinstance(content, bytes) else content:
                    self.wfile.write(piece)
            except OSError:
                pass  # the client gave up, as some tests want it to
            service.has_answered.set()

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Face)
    server.daemon_threads = True
    service = Service(f"http://127.0.0.1:{server.server_port}/v1", list(behaviours))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
