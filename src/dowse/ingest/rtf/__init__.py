"""How is a rich text file taken apart?

Rich text is a stream of words after backslashes, groups in braces, and text in the code page of its font.
It is read from the first byte to the last in one loop; nothing of ours knew the format well enough to
borrow: readers that drop the marks lose tables, headings, notes and most code pages.

May import: `dowse.ingest` (text_builder, decoding, office.flow and its paragraphs).

Reading order: `code_pages` · `destinations` (what a group is for) · `state` · `header` (fonts, styles,
what the file says of itself) · `cells` (rows on their way to a table) · `reader` (the loop) · `document`.

Invariants:
1. No recursion; an open group costs one reference, whatever its depth.
2. Work is linear: no byte is looked at twice, and no number in the file moves the place back.
3. A number that lies (of binary bytes, of columns, of a depth) is ignored or bounded.

Not for: pictures and embedded objects.
"""
