"""Which folder is which tree."""

from pathlib import Path

import pytest

import dowse
from dowse.engine.trees import PUSHED_TREE
from dowse.errors import FolderNotFoundError, InvalidParameterError, UnknownTreeError


@pytest.fixture
def index():
    """An index in memory."""
    with dowse.open(":memory:") as index:
        yield index


def make(root: Path, *names: str) -> Path:
    """Makes a folder with a text about each name."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"tea about {Path(name).stem}\n")
    return root


def tree_names(index: dowse.Index) -> list[str]:
    """Returns the names of all trees."""
    return [tree.name for tree in index.status().trees]


def test_a_sub_folder_belongs_to_its_tree(index, tmp_path):
    """Syncing a folder inside a tree brings the whole tree up to date and makes no second one."""
    root = make(tmp_path / "notes", "a.md", "sub/b.md", "sub/deep/c.md", "subway/d.md")
    index.sync_folder(root)
    report = index.sync_folder(root / "sub")
    assert ("notes", 4) == (report.tree, report.unchanged)
    assert ["notes"] == tree_names(index)
    assert ("notes", "") == index.find_tree(root)
    assert ("notes", "sub/") == index.find_tree(root / "sub")
    assert ("notes", "sub/deep/") == index.find_tree(root / "sub" / ".." / "sub" / "deep")
    assert index.find_tree(tmp_path) is None


def test_a_search_can_stay_below_a_folder(index, tmp_path):
    """Only documents below it are hits; a folder whose name merely starts alike is another one."""
    root = make(tmp_path / "notes", "a.md", "sub/b.md", "sub/deep/c.md", "subway/d.md")
    index.sync_folder(root)
    request = dowse.SearchRequest("tea", tree="notes", under="sub/")
    assert {"sub/b.md", "sub/deep/c.md"} == {hit.doc_key for hit in index.search(request).hits}


def test_folders_of_the_same_name_get_different_trees(index, tmp_path):
    """The second one is told apart by a few letters that depend on its place only."""
    first, second = make(tmp_path / "x" / "docs", "a.md"), make(tmp_path / "y" / "docs", "b.md")
    names = [index.sync_folder(folder).tree for folder in (first, second, second)]
    assert "docs" == names[0]
    assert names[1] == names[2]
    assert names[1].startswith("docs-")
    assert ["docs", names[1]] == tree_names(index)


def test_a_folder_called_like_the_pushed_tree_is_told_apart(index, tmp_path):
    """Pushed texts and a folder named alike do not share a tree."""
    index.add("note", "tea")
    index.commit()
    report = index.sync_folder(make(tmp_path / PUSHED_TREE, "a.md"))
    assert PUSHED_TREE != report.tree
    assert "tea" == index.get("note").text


def test_a_name_can_be_chosen(index, tmp_path):
    """The chosen name is kept, and is found again without saying it."""
    root = make(tmp_path / "notes", "a.md")
    assert "mine" == index.sync_folder(root, name="mine").tree
    assert "mine" == index.sync_folder(root).tree
    assert "mine" == index.sync_folder(root, name="mine").tree


def test_a_name_of_another_tree_is_refused(index, tmp_path):
    """Two folders cannot share a name; the first one stays as it was."""
    index.sync_folder(make(tmp_path / "x", "a.md"), name="mine")
    with pytest.raises(InvalidParameterError, match="mine"):
        index.sync_folder(make(tmp_path / "y", "b.md"), name="mine")
    assert ["mine"] == tree_names(index)


def test_a_folder_cannot_have_two_names(index, tmp_path):
    """Giving a known folder another name is refused with the name it has."""
    root = make(tmp_path / "notes", "a.md")
    index.sync_folder(root)
    with pytest.raises(InvalidParameterError) as caught:
        index.sync_folder(root, name="other")
    assert "notes" in caught.value.hint
    assert ["notes"] == tree_names(index)


def test_links_lead_to_the_real_folder(index, tmp_path):
    """A folder reached over a symbolic link is the same tree."""
    root = make(tmp_path / "notes", "a.md")
    (tmp_path / "link").symlink_to(root)
    index.sync_folder(root)
    assert "notes" == index.sync_folder(tmp_path / "link").tree
    assert ("notes", "") == index.find_tree(tmp_path / "link")


def test_a_missing_folder_has_no_tree(index, tmp_path):
    """Asking for it is an error that names it."""
    with pytest.raises(FolderNotFoundError, match="nowhere"):
        index.find_tree(tmp_path / "nowhere")


def test_a_tree_can_be_removed(index, tmp_path):
    """Its documents and problems go with it; other trees stay; its name can be used again."""
    root = make(tmp_path / "notes", "a.md", "b.md")
    (root / "bad.md").write_bytes(b"\0")
    index.sync_folder(root)
    index.add("note", "tea")
    index.commit()
    assert 2 == index.remove_tree("notes")
    assert [PUSHED_TREE] == tree_names(index)
    assert ["note"] == [hit.doc_key for hit in index.search("tea").hits]
    with pytest.raises(UnknownTreeError, match="notes"):
        index.remove_tree("notes")
    assert 2 == index.sync_folder(root).added


@pytest.mark.parametrize("language", ["klingon", ""])
def test_an_unknown_language_is_refused(index, tmp_path, language):
    """Nothing is indexed in a language nobody has."""
    with pytest.raises(dowse.DowseError):
        index.sync_folder(make(tmp_path / "notes", "a.md"), language=language)
    assert [] == tree_names(index)
