"""How do we read what an older Dowse wrote, when an upgrade in place cannot?

One module per layout that is gone, frozen: it reads that layout and nothing else, and never writes. Whoever
opens an index of that layout makes a new one of it, document by document.

May import: `schema`, `errors`, and nothing of the rest of `storage`, which goes on changing.

Main types: `SingleCatalog` (a home with one catalogue for all trees, catalogue versions 1 and 2).

Reading order: `single_catalog`.

Invariants that hold everywhere here:
1. What is read is not changed.
2. A module here changes only when it reads something wrong.

Not for: versions of a catalogue that a few statements bring up to date (`catalog_schema.UPGRADES`), nor old
segments, which are made again from the catalogue (S15).
"""
