"""The one open transaction of a writer."""

import pytest

from dowse.errors import StorageError
from dowse.storage.catalog import Catalog
from dowse.storage.catalog_transaction import CatalogTransaction
from dowse.storage.store import MEMORY, Store
from dowse.storage.stored_trees import insert_tree, list_trees


@pytest.fixture(params=["memory", "disk"])
def transaction(request, tmp_path) -> CatalogTransaction:
    """A transaction on a new catalogue, in memory or on disk."""
    store = Store(MEMORY if request.param == "memory" else tmp_path, create=True)
    return CatalogTransaction(store, store.open_writer())


def add_tree(catalog: Catalog, name: str) -> None:
    """Makes a tree of pushed texts."""
    insert_tree(catalog, name, None, "{}", "")


def test_a_first_change_begins_and_a_commit_ends(transaction):
    """What was changed is there afterwards, and the generation is one higher."""
    assert not transaction.is_open
    with transaction.change() as catalog:
        add_tree(catalog, "notes")
        assert transaction.is_open
        assert 1 == transaction.count_generation()
    transaction.commit()
    assert not transaction.is_open
    assert ["notes"] == [tree.name for tree in list_trees(transaction.catalog)]
    assert 1 == transaction.catalog.counter("generation")


def test_a_rollback_forgets_every_change(transaction):
    """Counters go back, too."""
    with transaction.change() as catalog:
        add_tree(catalog, "notes")
        transaction.next_doc_id += 10
        transaction.count_generation()
    transaction.rollback()
    assert [] == list_trees(transaction.catalog)
    assert (0, 1) == tuple(map(transaction.catalog.counter, ("generation", "next_doc_id")))


def test_after_a_change_that_failed_there_is_only_rolling_back(transaction):
    """What came before it may be gone, so nothing may follow it."""
    with transaction.change() as catalog:
        add_tree(catalog, "notes")
    with pytest.raises(ZeroDivisionError), transaction.change():
        raise ZeroDivisionError
    with pytest.raises(StorageError, match="an earlier change failed"), transaction.change():
        pass
    transaction.rollback()
    with transaction.change() as catalog:
        add_tree(catalog, "others")
    assert ["others"] == [tree.name for tree in list_trees(transaction.catalog)]


def test_nothing_is_held_between_two_changes(transaction):
    """Another thread may come next."""
    with transaction.change() as catalog:
        add_tree(catalog, "notes")
    assert transaction.catalog.lock.acquire(blocking=False)
    transaction.catalog.lock.release()
