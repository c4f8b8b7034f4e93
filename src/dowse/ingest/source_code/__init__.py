"""What is defined in a source file, and what in it is prose?

A definition (class, function, type, target of a build) begins a section, so that a hit says in which function
it is; comments and documentation are prose, all else is code. Nothing is compiled or run, and a file that
does not parse is read as well as one that does: lines, indentation and a few patterns a language say enough.

May import: `dowse.ingest` (sections), the standard library.

Reading order: `language` and `languages` (the table) · `prose` (comments) · `definitions` (by lines) ·
`python_definitions` (by Python's own parser, with the lines as the way back) · `outline` (all of it for one
file).

Invariants:
1. Time grows linearly with the file: patterns see a line's first 400 characters only, and no two repetitions
   in them can share what they match.
2. What is defined inside a function is part of it and begins no section.

Not for: what words mean in code; splitting identifiers is `dowse.analysis`' work.
"""
