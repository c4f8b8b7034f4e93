"""How is a book taken apart?

A book is a ZIP with a package document, which lists its files and the order in which they are read, and web
pages, which are its chapters. Each chapter is read as any web page is.

May import: `dowse.ingest` (composing, packages, markup, html), lxml.

Reading order: `contents` (the package document and the table of contents) · `book` (the chapters).

Invariants:
1. Each file of a book is read at most once, whatever the order lists.
2. A chapter that is missing or damaged costs that chapter only.

Not for: books with protected content, which are refused as encrypted.
"""
