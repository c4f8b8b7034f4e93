"""How does an answer look to a person, and how to a program?

Pure functions from the engine's values to text; nothing here writes to a stream.

May import: `schema`, the tables of `search.modes` and `scoring`, `cli.terminal`.

Reading order: `hits` (the blocks of a search) · `wrapping` (snippets to lines) · `summary` (the
last line, the outcome of indexing) · `status` · `suggestions` · `modes` ·
`json_output` (every answer as JSON).

Invariants:
1. Text from files passes `terminal.without_controls` before it is coloured.
2. JSON has the fields of the values as they are, and a few facts that these derive.

Not for: deciding what to show; commands do.
"""
