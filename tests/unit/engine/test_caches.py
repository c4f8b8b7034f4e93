"""What an open index keeps between requests: bounded, and told in its status."""

from datetime import datetime, timedelta

import dowse
from dowse.schema import CacheStatus, SearchRequest
from support.fake_embedder import FakeEmbedder, RememberingTier


def caches_of(index: dowse.Index) -> dict[str, CacheStatus]:
    """Returns the caches by name."""
    return {cache.name: cache for cache in index.status().caches}


def test_forty_values_of_a_parameter_keep_no_more_memory_than_eight():
    """Tables of a scoring model take megabytes; those asked for last are kept."""
    with dowse.open(":memory:") as index:
        index.add("a", "green tea")
        index.commit()
        for number in range(8):
            index.search(SearchRequest("tea", mode="bm25f", parameters=(("k1", 1 + number / 100),)))
        after_eight = caches_of(index)["score tables"]
        for number in range(40):
            index.search(SearchRequest("tea", mode="bm25f", parameters=(("k1", 1 + number / 100),)))
        assert after_eight == caches_of(index)["score tables"]
        assert 8 == after_eight.entries
        assert after_eight.memory_bytes > 1 << 20


def test_many_dates_keep_no_more_masks_than_fit():
    """A filter by date is another one each second; its masks go when newer ones need the room."""
    with dowse.open(":memory:") as index:
        for number in range(50):
            index.add(f"{number}", "green tea")
        index.commit()
        day = datetime(2024, 1, 1)
        for number in range(200):
            index.search(f"tea date:{day + timedelta(number):%Y-%m-%d}..")
        kept = caches_of(index)["filter masks"]
        assert 50 * kept.entries == kept.memory_bytes
        assert kept.memory_bytes <= 8 << 20


def test_the_vectors_of_questions_are_counted():
    """A question takes as many bytes as its vector."""
    with dowse.open(":memory:") as index:
        index.__dict__["embeddings"] = RememberingTier(FakeEmbedder())
        index.add("a", "green tea")
        index.commit()
        index.embed()
        index.search(SearchRequest("tea", mode="hybrid"))
        cache = caches_of(index)["query vectors"]
        assert 1 == cache.entries
        assert cache.memory_bytes > 0
