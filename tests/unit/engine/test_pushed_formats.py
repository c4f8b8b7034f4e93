"""Documents of formats that are not text, pushed as bytes."""

import io
import zipfile

import pytest

import dowse
from dowse.errors import InvalidParameterError

DOCUMENT = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>An oolong steeped twice.</w:t></w:r></w:p></w:body></w:document>"
)


@pytest.fixture
def index():
    """An index in memory."""
    with dowse.open(":memory:") as index:
        yield index


def build_docx() -> bytes:
    """Returns a Word document with one sentence."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("word/document.xml", DOCUMENT)
    return stream.getvalue()


def test_a_pushed_word_document_is_found(index):
    """Its text is indexed under the title and tags that were given."""
    problems = index.add("memo", build_docx(), format="docx", title="A memo", tags=["drinks"])
    index.commit()
    assert [] == problems
    (hit,) = index.search("oolong").hits
    assert ("memo", "A memo", False) == (hit.doc_key, hit.title, hit.has_source_lines)
    assert ("drinks",) == index.get("memo").tags


def test_pushed_damage_is_a_problem(index):
    """What cannot be read is not indexed, and the caller learns why."""
    (problem,) = index.add("memo", b"PK\x03\x04 no more", format="docx")
    assert ("damaged-file", "memo") == (problem.code, problem.location)
    index.commit()
    assert 0 == index.status().documents


def test_an_unknown_format_is_refused(index):
    """The error lists the formats."""
    with pytest.raises(InvalidParameterError):
        index.add("memo", b"x", format="wordperfect")
