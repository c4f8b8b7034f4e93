"""The catalogue's connections."""

from dowse.storage.catalog import MAPPED_BYTES, open_catalog, open_read_only_catalog


def test_readers_map_the_database_and_the_writer_does_not(tmp_path):
    """Texts are read in place; what is written goes through the writer's own cache."""
    sql = "PRAGMA mmap_size"
    writer = open_catalog(tmp_path, create=True)
    reader = open_read_only_catalog(tmp_path)
    assert (MAPPED_BYTES,) == reader.fetch_one(sql)
    assert (0,) == writer.fetch_one(sql)
    reader.close()
    writer.close()
