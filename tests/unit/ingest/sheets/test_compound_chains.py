"""Circles among the sectors of an old workbook are seen before anybody runs in them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest.extractors.spreadsheet import SpreadsheetExtractor
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.sheets.compound_chains import has_endless_chain
from support.compound_files import build_compound_file

SECTOR = 512
WORKBOOK = build_compound_file({"Workbook": b"\x09\x08" * 4_000})
TABLE_AT = (struct.unpack_from("<I", WORKBOOK, 76)[0] + 1) * SECTOR


def chained(changes: dict[int, int]) -> bytes:
    """The workbook with other sectors following some."""
    data = bytearray(WORKBOOK)
    for sector, following in changes.items():
        struct.pack_into("<I", data, TABLE_AT + 4 * sector, following)
    return bytes(data)


def test_a_sound_file_has_none() -> None:
    """Chains that end are no reason to refuse a file."""
    assert not has_endless_chain(WORKBOOK)


@pytest.mark.parametrize("changes", [{1: 1}, {1: 2, 2: 1}, {3: 4, 4: 5, 5: 3}])
def test_a_circle_is_seen(changes: dict[int, int]) -> None:
    """Of any length, wherever it lies."""
    assert has_endless_chain(chained(changes))


def test_chains_that_join_are_no_circle() -> None:
    """Two sectors may be followed by the same one, as in files that were repaired badly."""
    assert not has_endless_chain(chained({1: 5, 2: 5, 5: 0xFFFFFFFE}))


def test_a_list_of_table_sectors_that_comes_back_is_seen() -> None:
    """The table's own sectors are listed in a chain too."""
    data = bytearray(WORKBOOK)
    struct.pack_into("<I", data, 68, 2)
    struct.pack_into("<I", data, 3 * SECTOR + SECTOR - 4, 2)
    assert has_endless_chain(bytes(data))


def test_such_a_workbook_is_damaged() -> None:
    """It ends in words instead of all memory."""
    with pytest.raises(UnextractableError) as caught:
        SpreadsheetExtractor().extract(chained({1: 1}), "a.xls", Allowance())
    assert "damaged-file" == caught.value.code


@given(st.binary(max_size=2_000), st.integers(0, 1_600))
def test_any_bytes_are_answered(noise: bytes, place: int) -> None:
    """Nonsense anywhere is looked at without an error."""
    data = WORKBOOK[:place] + noise + WORKBOOK[place + len(noise) :]
    assert has_endless_chain(data) in (True, False)
    assert not has_endless_chain(noise[:SECTOR])
