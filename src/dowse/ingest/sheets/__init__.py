"""How are spreadsheets read?

A workbook gives its sheets one after the other, a sheet its rows, a row its cells as text. Empty rows are
not kept, so a sheet costs what is written in it, not what it could hold.

May import: `dowse.ingest` (packages, markup, allowance), lxml and python-calamine. Only the extractor imports
from here, inside functions, so that a search never pays for them.

Reading order: `cells` (values as text, places as `B5`) · `workbooks` (Excel's formats, by python-calamine) ·
`open_document` (OpenDocument, by our own reader) · `metadata` (title, author, comments).

Invariants:
1. What is unpacked comes out of the allowance: python-calamine only ever sees a copy without compression.
2. A cell far away or repeated a billion times costs no more than it takes to write it down.

Not for: tables in letters and slides (`dowse.ingest.office`).
"""
