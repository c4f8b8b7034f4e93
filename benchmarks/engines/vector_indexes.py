"""Vector indexes as `vectors.py` drives them: built whole, asked one query at a time, on one thread."""

from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]
I64 = npt.NDArray[np.int64]
BUILD_THREADS = 2


class VectorIndex(Protocol):
    """One index of unit vectors; the key of a vector is its row.

    Attributes:
        name: As the table shows it.
        package: The distribution whose version is reported.
        note: What a reader must know to compare fairly.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    note: ClassVar[str]

    def __init__(self, home: Path) -> None:
        """Remembers a folder that exists and is empty."""

    def build(self, vectors: F32) -> None:
        """Takes all vectors, and is ready to answer."""

    def ask(self, query: F32, k: int) -> list[int]:
        """Returns the keys of the nearest, best first."""

    def delete(self, keys: I64) -> None:
        """Makes some keys never come back."""


class DowseFast:
    """This engine, as it searches by default."""

    name, package = "dowse", "dowse"
    note = "files are mapped and their pages counted as memory; deleting sets a byte a row"
    mode = "fast"

    def __init__(self, home: Path) -> None:
        self._home = home

    def build(self, vectors: F32) -> None:
        from dowse.storage.disk_directory import DiskDirectory
        from dowse.storage.vectors import VectorReader, build_space, get_scan_mode, write_vector_segment

        directory = DiskDirectory(self._home)
        self._space = build_space(np.asarray(vectors[:10_000]))
        keys, kinds = np.arange(len(vectors)), np.ones(len(vectors), np.uint8)
        written = write_vector_segment(directory, "vectors", self._space, keys, vectors, kinds)
        self._reader = VectorReader(directory, "vectors", written.checksum)
        self._allowed = np.ones(len(vectors), np.uint8)
        self._mode = get_scan_mode(self.mode)

    def ask(self, query: F32, k: int) -> list[int]:
        rows, _ = self._reader.scan(self._space.prepare(query), self._allowed, k, self._mode)
        return rows.tolist()

    def delete(self, keys: I64) -> None:
        self._allowed[keys] = 0


class DowseExact(DowseFast):
    """This engine, looking at every vector in 8 bits."""

    name = "dowse, exact"
    note = "the same files; every vector in 8 bits, the best in 12"
    mode = "exact"


class FaissFlat:
    """FAISS, every vector in single precision."""

    name, package = "faiss flat", "faiss-cpu"
    note = "IndexFlatIP under IndexIDMap2: exact; deleting moves what follows"

    def __init__(self, home: Path) -> None:
        import faiss

        self._faiss = faiss

    def build(self, vectors: F32) -> None:
        self._index = self._faiss.IndexIDMap2(self._faiss.IndexFlatIP(vectors.shape[1]))
        self._index.add_with_ids(np.ascontiguousarray(vectors), np.arange(len(vectors)))
        self._faiss.omp_set_num_threads(1)

    def ask(self, query: F32, k: int) -> list[int]:
        return self._index.search(query[None], k)[1][0].tolist()

    def delete(self, keys: I64) -> None:
        self._index.remove_ids(keys)


class UsearchGraph:
    """usearch's HNSW with its default parameters."""

    name, package = "usearch HNSW", "usearch"
    note = "half precision, default connectivity and expansion; a file is not written"

    def __init__(self, home: Path) -> None:
        pass

    def build(self, vectors: F32) -> None:
        from usearch.index import Index

        self._index = Index(ndim=vectors.shape[1], metric="ip", dtype="f16")
        self._index.add(np.arange(len(vectors)), np.ascontiguousarray(vectors), threads=BUILD_THREADS)

    def ask(self, query: F32, k: int) -> list[int]:
        return self._index.search(query, k, threads=1).keys.tolist()

    def delete(self, keys: I64) -> None:
        self._index.remove(keys)


class Hnswlib:
    """hnswlib with M 16, as its documentation begins."""

    name, package = "hnswlib", "hnswlib"
    note = "M 16, ef_construction 200, ef 64, single precision; deleting marks"

    def __init__(self, home: Path) -> None:
        pass

    def build(self, vectors: F32) -> None:
        import hnswlib

        self._index = hnswlib.Index(space="ip", dim=vectors.shape[1])
        self._index.init_index(max_elements=len(vectors), ef_construction=200, M=16)
        keys = np.arange(len(vectors))
        self._index.add_items(np.ascontiguousarray(vectors), keys, num_threads=BUILD_THREADS)
        self._index.set_ef(64)
        self._index.set_num_threads(1)

    def ask(self, query: F32, k: int) -> list[int]:
        return self._index.knn_query(query[None], k=k)[0][0].tolist()

    def delete(self, keys: I64) -> None:
        for key in keys.tolist():
            self._index.mark_deleted(key)


class SqliteVec:
    """sqlite-vec's virtual table, in a file."""

    name, package = "sqlite-vec", "sqlite-vec"
    note = "vec0 with float[…] and cosine: exact, by scanning; through apsw, committed to a file"

    def __init__(self, home: Path) -> None:
        import apsw
        import sqlite_vec

        self._database = apsw.Connection(str(home / "vectors.db"))
        self._database.enable_load_extension(True)
        self._database.load_extension(sqlite_vec.loadable_path())

    def build(self, vectors: F32) -> None:
        width = vectors.shape[1]
        self._database.execute(
            f"create virtual table vectors using vec0(vector float[{width}] distance_metric=cosine)"
        )
        with self._database:
            self._database.executemany(
                "insert into vectors(rowid, vector) values (?, ?)",
                ((row, vector.tobytes()) for row, vector in enumerate(vectors)),
            )

    def ask(self, query: F32, k: int) -> list[int]:
        statement = "select rowid from vectors where vector match ? and k = ? order by distance"
        return [row for (row,) in self._database.execute(statement, (query.tobytes(), k))]

    def delete(self, keys: I64) -> None:
        with self._database:
            statement = "delete from vectors where rowid = ?"
            self._database.executemany(statement, ((key,) for key in keys.tolist()))


VECTOR_INDEXES: tuple[type[VectorIndex], ...] = (
    DowseFast,
    DowseExact,
    FaissFlat,
    UsearchGraph,
    Hnswlib,
    SqliteVec,
)
