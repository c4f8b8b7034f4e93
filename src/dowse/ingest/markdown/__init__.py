"""How is a Markdown file taken apart?

Three questions, one module each: the YAML at the top (`front_matter`), headings and code blocks
(`blocks`), links and tags inside the prose (`inline`). `dowse.ingest.extractors.markdown` puts them
together.

May import: `dowse.schema`, `dowse.ingest.lines`; markdown-it-py and PyYAML inside functions only,
so that a search never pays for them.

Reading order: `front_matter` · `blocks` · `inline`.

Invariants:
1. All offsets are bytes in the whole stored text, all line indexes count from 0 in it.
2. Nothing raises on any valid UTF-8 text, and the work grows about linearly with its size.

Not for: rendering. Dowse never makes HTML of Markdown.
"""
