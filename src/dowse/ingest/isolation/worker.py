"""The worker's side: reads jobs from its input, answers on its output, until the input ends."""

import os
import signal
import sys

from dowse.ingest.chunking import build_chunker
from dowse.ingest.isolation.confinement import allow_seconds, confine, held_bytes
from dowse.ingest.isolation.messages import READY, read_message, write_message
from dowse.ingest.jobs import read_job

SPENT_BYTES = 300 << 20
"""Memory that one file took is rarely given back: a worker that holds this much is let go."""


def main() -> None:
    """Serves one process until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    limits, chunking = read_message(source)
    chunker = build_chunker(chunking)
    confine(limits)
    write_message(answers, READY)
    while True:
        try:
            jobs = read_message(source)
        except EOFError:
            return
        allow_seconds(limits.seconds)
        readings = [read_job(job, chunker, limits) for job in jobs]
        write_message(answers, (readings, held_bytes() > SPENT_BYTES))


if __name__ == "__main__":
    main()
