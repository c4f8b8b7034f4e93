"""How are office files taken apart: letters, slides and books of word processors?

Each format is walked once, from its first element to its last, and tells a `Flow` what it meets:
paragraphs, tables, notes and text boxes. The flow puts them into the builder in reading order. So a table
in a letter, on a slide and in an OpenDocument text come out in the same words.

May import: `dowse.ingest` (composing, packages, markup, allowance), lxml. Only extractors import from here,
inside functions, so that a search never pays for lxml.

Reading order: `paragraphs`, `tables` and `flow` (what all formats share) · `parts` and `properties` (of
Office Open XML packages) · `word_styles`, `word_numbering`, `word_story`, `word` · `reading_order`,
`drawing_text`, `slides` · `open_styles`, `open_story`, `open_package`, `open_text`, `open_slides` ·
`conversion` (formats before XML).

Invariants:
1. No recursion on a document's depth; what is open is kept on a list.
2. Work grows linearly with the file: repeated cells and spans are bounded, cross references followed once.
3. What was deleted with changes tracked is left out, what was inserted is kept.

Not for: spreadsheets, and formats that are not XML (`dowse.ingest.rtf`).
"""
