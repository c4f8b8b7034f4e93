"""Excel's formats: `.xlsx`, `.xlsm`, `.xlsb` and `.xls`, by python-calamine.

python-calamine unpacks whatever a package says and lays a sheet out as a full grid from its first cell to
its last, so it is given a copy of the package without compression, whose sheets are known to be of a size
that can be laid out.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from python_calamine import CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from dowse.ingest.limits import UnextractableError
from dowse.ingest.packages import Package
from dowse.ingest.sheets.cells import Row, Sheet, show_value
from dowse.ingest.sheets.compound_chains import has_endless_chain

MAX_GRID_CELLS = 8_000_000
"""About 250 MB while a sheet is read."""

_CELL = re.compile(rb'<(?:\w+:)?c\s[^<>]*?\br="([A-Za-z]{1,3})([0-9]{1,7})"')
_PLACES = re.compile(rb'(<(?:\w+:)?(?:c|row)\b[^<>]*?)\sr="[A-Za-z0-9]*"')
_ROW = re.compile(rb"<(?:\w+:)?row\b")
_CELL_START = re.compile(rb"<(?:\w+:)?c\b")
_SHEETS = "xl/worksheets/"
_NEEDED = re.compile(
    r"\[content_types\]\.xml|_rels/.*|xl/_rels/.*|xl/(?:workbook|styles|sharedstrings)[^/]*\.(?:xml|bin)"
    r"|xl/(?:work|chart|dialog|macro)sheets/[^/]*\.(?:xml|bin)",
    re.IGNORECASE | re.DOTALL,
)


def copy_uncompressed(package: Package) -> tuple[bytes, bool]:
    """Returns a package's sheets without compression, and whether all cells kept their places.

    Raises:
        UnextractableError: It unpacks to more than is allowed, or a sheet is too large.
    """
    copy = io.BytesIO()
    has_places = True
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as archive:
        for name in package.names:
            # Only the usual names: calamine finds the parts by their relationships, which say the same.
            if not _NEEDED.fullmatch(name.replace("\\", "/").lstrip("/")):
                continue
            content = package.read(name)
            if name.lower().replace("\\", "/").startswith(_SHEETS) and name.lower().endswith(".xml"):
                content, is_kept = _bounded(content)
                has_places = has_places and is_kept
            archive.writestr(zipfile.ZipInfo(name), content)
    return copy.getvalue(), has_places


def _bounded(content: bytes) -> tuple[bytes, bool]:
    """Returns a sheet that can be laid out: as it is, or with its cells moved together."""
    places = _CELL.findall(content)
    if not places:
        return content, True
    width = max(map(_column_number, {letters for letters, _ in places}))
    height = max(map(int, {number for _, number in places}))
    if width * height <= MAX_GRID_CELLS:
        return content, True
    rows = _ROW.split(content)
    width = max(len(_CELL_START.findall(row)) for row in rows)
    if width * len(rows) > MAX_GRID_CELLS:
        raise UnextractableError("expands-too-much", "one of its sheets has too many cells")
    return _PLACES.sub(rb"\1", content), False


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def iter_sheets(data: bytes) -> Iterator[Sheet]:
    """Yields the sheets of a workbook.

    Args:
        data: An old `.xls`, or what `copy_uncompressed` returned.

    Raises:
        UnextractableError: It is protected or damaged.
    """
    if has_endless_chain(data):
        raise _damaged()
    with _named_failures():
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        kinds = [sheet.typ for sheet in workbook.sheets_metadata]
        names = workbook.sheet_names
    for index, name in enumerate(names):
        if kinds[index] in (SheetTypeEnum.WorkSheet, SheetTypeEnum.MacroSheet):
            with _named_failures():
                sheet = workbook.get_sheet_by_index(index)
            yield Sheet(name, _iter_rows(sheet))


def _iter_rows(sheet: CalamineSheet) -> Iterator[Row]:
    if sheet.start is None:
        return
    column = sheet.start[1]
    rows = iter(sheet.iter_rows())
    for number in count():
        with _named_failures():
            values = next(rows, None)
        if values is None:
            return
        if any(value != "" for value in values):
            yield Row(number, column, [show_value(value) for value in values])


@contextmanager
def _named_failures() -> Iterator[None]:
    """Turns what python-calamine raises into the one error of extractors."""
    try:
        yield
    except PasswordError as error:
        raise UnextractableError(
            "encrypted", "this file is protected by a password", "save a copy without a password"
        ) from error
    except BaseException as error:
        # A broken assumption in Rust code comes as a `PanicException`, which is no `Exception`.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise _damaged() from error
        raise


def _damaged() -> UnextractableError:
    return UnextractableError(
        "damaged-file",
        "this workbook is damaged or cut off",
        "open it in its own program and save it again",
    )
