"""An open index: adding, getting, deleting, looking after."""

import threading

import pytest

import dowse
from dowse.errors import (
    DocumentNotFoundError,
    IndexNotFoundError,
    InvalidParameterError,
    UnknownModelError,
    UnknownTreeError,
)
from dowse.storage.merging import FANOUT


@pytest.fixture(params=["memory", "disk"])
def index(request, tmp_path):
    """An index of each kind."""
    home = ":memory:" if request.param == "memory" else tmp_path / "home"
    with dowse.open(home) as index:
        yield index


def keys(index: dowse.Index, query: str) -> list[str]:
    """Returns the keys that a query finds."""
    return [hit.doc_key for hit in index.search(query).hits]


def test_a_document_comes_back_as_it_was_stored(index):
    """Text, title, tags, sections and format."""
    text = "---\ntitle: Tea\ntags: [green]\n---\n\n# Steeping\n\nAt 80 °C.\n\n## Water\n\nSoft.\n"
    assert [] == index.add("tea.md", text, path="notes/tea.md", tags=["hot"], format="markdown")
    index.commit()
    stored = index.get("tea.md")
    assert (text, "Tea", ("hot", "green")) == (stored.text, stored.title, stored.tags)
    assert ("markdown", "default", None) == (stored.format, stored.tree, stored.file)
    assert ["steeping", "water"] == [section.slug for section in stored.sections[1:]]
    hit = index.search("soft").hits[0]
    assert (("Steeping", "Water"), "water") == (hit.section_path, hit.slug)


def change_without_commit(index: dowse.Index) -> None:
    """Adds, replaces and deletes on top of one committed document."""
    index.add("a", "green tea")
    index.commit()
    index.search("tea")
    index.add("b", "black tea")
    index.add("a", "changed tea")
    index.delete("a")


def test_a_search_sees_only_what_was_committed(index):
    """Changes show after the commit, all at once."""
    change_without_commit(index)
    (hit,) = index.search("tea").hits
    assert ("a", "green tea") == (hit.doc_key, hit.snippet.text)
    index.commit()
    assert ["b"] == keys(index, "tea")


def test_get_and_status_see_only_what_was_committed(tmp_path):
    """On disk the catalogue is read as of the last commit."""
    with dowse.open(tmp_path) as index:
        change_without_commit(index)
        assert ("green tea", 1) == (index.get("a").text, index.status().documents)
        with pytest.raises(DocumentNotFoundError):
            index.get("b")


def test_in_memory_get_sees_changes_at_once():
    """In memory there is one connection, so `get` and `status` do not wait for the commit; search does."""
    with dowse.open(":memory:") as index:
        change_without_commit(index)
        assert "black tea" == index.get("b").text
        assert ["a"] == keys(index, "tea")


def test_deleting_says_whether_it_was_there(index):
    """In any tree, or in the one named."""
    index.add("a", "tea", tree="one")
    index.add("a", "tea", tree="two")
    index.commit()
    assert not index.delete("b")
    assert not index.delete("a", tree="three")
    assert index.delete("a", tree="one")
    index.commit()
    assert ["two"] == [hit.tree for hit in index.search("tea").hits]
    assert "two" == index.get("a").tree
    assert index.delete("a")
    index.commit()
    assert [] == keys(index, "tea")


def test_a_missing_document_is_an_error_with_a_guess(index):
    """The hint names what the caller may have meant."""
    index.add("guide/tea.md", "tea")
    index.commit()
    for wrong in ("tea.md", "guide/tee.md"):
        with pytest.raises(DocumentNotFoundError) as caught:
            index.get(wrong)
        assert "guide/tea.md" in caught.value.hint


def test_a_document_needs_a_name(index):
    """An empty key is refused, and nothing was added."""
    with pytest.raises(InvalidParameterError, match="doc_key"):
        index.add("", "text")
    assert 0 == index.commit()


@pytest.mark.parametrize("text", ["\ud800 tea", "tea\0tea", "\ufeff tea", "tea" * 50_000 + " tea"])
def test_odd_strings_can_be_pushed(index, text):
    """Half pairs, NULs, marks and endless words: the text is there and its word finds it."""
    index.add("odd \ud800 key", text, title="\ufb2c" * 60_000, tags=["\udfff"], path="a/\ud800")
    index.commit()
    assert 1 == len(keys(index, "tea"))
    assert index.get("odd \ud800 key").text
    assert index.delete("odd \ud800 key")


def test_binary_content_is_a_problem(index):
    """Bytes with NULs are no text; the caller is told and nothing is indexed."""
    (problem,) = index.add("image", b"\x89PNG\0\0")
    assert "binary-file" == problem.code
    assert 0 == index.commit()


def test_status_counts_what_is_there(index):
    """Documents, chunks and bytes per tree; segments with their deletions; format and kernels."""
    index.add("a", "green tea")
    index.add("b", "black tea", tree="other")
    index.add("blank", " ")
    index.commit()
    index.delete("a")
    index.commit()
    status = index.status()
    assert (2, 2, 3) == (status.documents, status.chunks, status.generation)
    assert [("default", 1, 1), ("other", 1, 1)] == [
        (tree.name, tree.documents, tree.chunks) for tree in status.trees
    ]
    assert (2, 1) == (status.segments[0].rows, status.segments[0].deleted)
    assert status.kernels in ("compiled", "partly compiled", "numpy")
    assert status.disk_bytes > 0
    assert (dowse.__version__, index.home) == (status.version, status.home)


def test_a_blank_document_is_found_by_its_title(index):
    """Title, path and tags count even where there is no text; a rebuild keeps that."""
    index.add("blank", "", title="Steeping times")
    index.commit()
    assert ["blank"] == keys(index, "steeping")
    index.rebuild()
    assert ["blank"] == keys(index, "steeping")


def test_a_pushed_tree_has_its_own_settings(index):
    """Language and stop words of a tree of pushed texts; other settings for a known tree are refused."""
    index.add_tree("notizen", language="german", stop_words="none")
    index.add("a", "Die Häuser am See", tree="notizen")
    index.commit()
    assert ["a"] == keys(index, "haus")
    assert ["a"] == keys(index, "die")
    with pytest.raises(InvalidParameterError):
        index.add_tree("notizen", language="french")


def test_a_healthy_index_has_no_findings(index):
    """Every byte is read, nothing is wrong, nothing needs mending."""
    index.add("a", "green tea")
    index.commit()
    report = index.check(repair=True)
    assert (True, (), ()) == (report.is_healthy, report.findings, report.repaired)
    assert report.checked_files > 0
    assert report.checked_bytes > 0


def test_rebuilding_makes_every_segment_again(index):
    """Answers stay; folders are new; deleted rows are gone."""
    for number in range(3):
        index.add(str(number), "green tea " * (number + 1))
        index.commit()
    index.delete("1")
    index.commit()
    before = [(hit.doc_key, hit.score) for hit in index.search("tea").hits]
    folders = {segment.name for segment in index.status().segments}
    assert len(folders) == index.rebuild()
    assert before == [(hit.doc_key, hit.score) for hit in index.search("tea").hits]
    status = index.status()
    assert not folders & {segment.name for segment in status.segments}
    assert 0 == sum(segment.deleted for segment in status.segments)
    assert index.check().is_healthy


def test_optimizing_merges_small_segments(index):
    """Many commits become few segments, with the same answers."""
    for number in range(2 * FANOUT + 1):
        index.add(str(number), "green tea " * (number + 1))
        index.commit()
    before = [(hit.doc_key, hit.score) for hit in index.search("tea").hits]
    index.optimize()
    assert len(index.status().segments) < FANOUT
    assert before == [(hit.doc_key, hit.score) for hit in index.search("tea").hits]
    assert 0 == index.optimize()


def test_a_mostly_deleted_segment_shrinks(index):
    """Merging removes the bytes of deleted rows."""
    for number in range(10):
        index.add(str(number), f"tea {number}")
    index.commit()
    for number in range(8):
        index.delete(str(number))
    index.commit()
    index.optimize()
    (segment,) = index.status().segments
    assert (2, 0) == (segment.rows, segment.deleted)
    assert ["8", "9"] == keys(index, "tea")


def test_an_emptied_index_has_no_segments_after_merging(index):
    """All deleted: nothing is left to search, and nothing breaks."""
    index.add("a", "tea")
    index.commit()
    index.delete("a")
    index.commit()
    index.optimize()
    assert () == index.status().segments
    assert () == index.search("tea").hits
    index.add("b", "tea")
    index.commit()
    assert ["b"] == keys(index, "tea")


def test_an_empty_index_answers(index):
    """No document, no tree: no hits and no error, whatever is asked for."""
    for query in ("tea", '"green tea"', "-tea", ""):
        assert () == index.search(query).hits
    assert 0 == index.status().documents
    assert 0 == index.rebuild()
    assert index.check().is_healthy


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"limit": 0}, InvalidParameterError),
        ({"limit": 10_001}, InvalidParameterError),
        ({"offset": -1}, InvalidParameterError),
        ({"preset": "nobody"}, UnknownModelError),
        ({"tree": "nowhere"}, UnknownTreeError),
    ],
)
def test_requests_outside_the_legal_range_are_refused(index, changes, error):
    """The error says what is legal."""
    with pytest.raises(error) as caught:
        index.search(dowse.SearchRequest("tea", **changes))
    assert caught.value.hint


@pytest.mark.parametrize("offset", [5, 10**6, 2**31, 2**63])
def test_a_page_beyond_the_end_is_empty(index, offset):
    """However far beyond; the total is still the total."""
    index.add("a", "tea")
    index.commit()
    response = index.search(dowse.SearchRequest("tea", offset=offset))
    assert ((), 1) == (response.hits, response.total)


def test_several_threads_search_one_index(index):
    """Answers are the same in every thread, while another one commits."""
    for number in range(20):
        index.add(str(number), "green tea " * (number + 1))
    index.commit()
    expected = keys(index, "tea")
    found: list[list[str]] = []
    failures: list[BaseException] = []

    def search() -> None:
        try:
            found.extend(keys(index, "tea") for _ in range(30))
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(8):
        index.add(f"coffee {number}", "coffee")
        index.commit()
    for thread in threads:
        thread.join()
    assert [] == failures
    assert [expected] * 90 == found


def test_a_missing_index_is_not_made_unless_asked_for(tmp_path):
    """`create=False` is an error, and leaves no trace."""
    with pytest.raises(IndexNotFoundError):
        dowse.open(tmp_path / "nothing", create=False)
    assert [] == list(tmp_path.iterdir())


def test_a_closed_index_opens_as_it_was(tmp_path):
    """Committed is kept, the rest is forgotten; another process's view is the same."""
    with dowse.open(tmp_path / "home") as index:
        index.add("a", "tea")
        index.commit()
        index.add("b", "tea")
    with dowse.open(tmp_path / "home") as one, dowse.open(tmp_path / "home") as two:
        assert (["a"], ["a"]) == (keys(one, "tea"), keys(two, "tea"))
        one.add("c", "tea")
        one.commit()
        assert (["a", "c"], ["a", "c"]) == (keys(one, "tea"), keys(two, "tea"))
