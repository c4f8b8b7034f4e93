"""Files from before 2007: refused with the right words, converted when LibreOffice is there."""

import pytest

from dowse.ingest import get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.office import conversion
from support.office_files import build_docx, paragraph

_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le")


def code_of(data: bytes) -> str:
    """Returns the code with which a file is refused."""
    with pytest.raises(UnextractableError) as caught:
        get_extractor("legacy-office").extract(data, "a.doc", Allowance())
    return caught.value.code


def test_without_libreoffice_the_problem_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is for programs, the hint for people."""
    monkeypatch.setattr(conversion, "PROGRAMS", ())
    with pytest.raises(UnextractableError, match="LibreOffice") as caught:
        get_extractor("legacy-office").extract(_WORD, "a.doc", Allowance())
    assert "needs-libreoffice" == caught.value.code
    assert "install" in caught.value.hint


def test_what_is_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Protected files and other compound files never reach LibreOffice."""
    monkeypatch.setattr(conversion, "PROGRAMS", ())
    assert "encrypted" == code_of("EncryptedPackage".encode("utf-16-le"))
    assert "binary-file" == code_of(b"\xd0\xcf\x11\xe0")


def test_the_converted_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As any file in the newer format."""
    converted = build_docx(paragraph("Old words"))
    monkeypatch.setattr(conversion, "convert_by_libreoffice", lambda *_: converted)
    assert b"Old words\n" == get_extractor("legacy-office").extract(_WORD, "a.doc", Allowance()).text
