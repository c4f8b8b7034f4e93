"""The one open transaction of a writer on its catalogue: all of it becomes true at once, or none of it.

Named writes of the `stored_…` modules happen inside `change`. A change that fails breaks the transaction:
SQLite may have rolled back by itself, and going on would make the rest true without what was before it.
"""

from contextlib import AbstractContextManager

from dowse.errors import StorageError
from dowse.storage.catalog import Catalog
from dowse.storage.failures import storage_failures
from dowse.storage.store import Store


class CatalogTransaction:
    """Begins with the first change and ends with `commit` or `rollback`; the next change begins another.

    Only the holder of the writer lock has one. Threads may take turns: a change holds the catalogue's lock,
    nothing holds it between two changes.

    Attributes:
        catalog: As the open transaction sees it.
        is_open: Whether there is something to commit.
        next_chunk_key: The key that the next chunk gets; its user counts on.
        next_doc_id: The same for documents.
    """

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self._store, self.catalog, self.home = store, catalog, store.home
        self._step = _Step(self)
        self.is_open = self.is_broken = False
        self.next_chunk_key = self.next_doc_id = 0

    def change(self) -> AbstractContextManager[Catalog]:
        """Returns a context in which the catalogue may be changed.

        Raises:
            StorageError: An earlier change failed: nothing is kept until `rollback`.
        """
        return self._step

    def begin(self) -> None:
        """Begins unless a transaction is open; the first change does it by itself."""
        if self.is_open:
            return
        with storage_failures(self.home), self.catalog.lock:
            self._store.checkpoint(self.catalog)
            self.catalog.connection.execute("BEGIN IMMEDIATE")
            self.is_open = True
            self.next_chunk_key = self.catalog.counter("next_chunk_key")
            self.next_doc_id = self.catalog.counter("next_doc_id")

    def count_generation(self) -> int:
        """Stores the counters as part of the transaction; returns the generation that it makes."""
        generation = self.catalog.counter("generation") + 1
        self.catalog.set_counters(
            {
                "generation": generation,
                "next_chunk_key": self.next_chunk_key,
                "next_doc_id": self.next_doc_id,
            }
        )
        return generation

    def commit(self) -> None:
        """Makes all changes true at once; on failure the transaction is still to be rolled back."""
        self._store.make_visible(self.catalog)
        self.is_open = False

    def rollback(self) -> None:
        """Forgets all changes."""
        self.is_open = self.is_broken = False
        with self.catalog.lock:
            if self.catalog.connection.in_transaction:
                self.catalog.connection.execute("ROLLBACK")


class _Step:
    """One change. A class rather than a generator: it surrounds every document that is added."""

    __slots__ = ("_transaction",)

    def __init__(self, transaction: CatalogTransaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> Catalog:
        transaction = self._transaction
        # For the step and no longer: the next one may come from another thread.
        transaction.catalog.lock.acquire()
        try:
            transaction.begin()
            if transaction.is_broken:
                reason = "an earlier change failed; nothing since the last commit is kept"
                raise StorageError(home=transaction.home, reason=reason)
        except BaseException:
            transaction.catalog.lock.release()
            raise
        return transaction.catalog

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._transaction.catalog.lock.release()
        if error is not None:
            self._transaction.is_broken = True
            storage_failures(self._transaction.home).__exit__(kind, error, trace)
