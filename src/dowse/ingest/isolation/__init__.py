"""What may a file do to us while it is read? Nothing.

Files of unknown origin are read in worker processes that may take only so much time and memory, may not
write, connect or start anything, and are thrown away when they crash or hang. The file at fault becomes a
problem; those that waited behind it are read by the next worker.

May import: the rest of `dowse.ingest`, the standard library.

Main types: `ExtractionPool` (reads many files, in order) · `FileJob` in, `FileReading` out (`ingest.intake`).

Reading order: `pool` (this side) · `worker_process` (one worker as this side sees it) · `messages` (what goes
over the pipes) · `worker` (that side) · `confinement` (what it may not do).

Invariants:
1. Every job is answered exactly once, whatever its file does.
2. A worker never outlives this process by more than the time limit of one file.
3. What a worker sends is read as values of a few known types only; it cannot run code here.

Not for: deciding which files to read (`indexing`).
"""

from dowse.ingest.isolation.pool import ExtractionPool

__all__ = ["ExtractionPool"]
