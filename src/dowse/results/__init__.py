"""What does the user see of a hit?

The part of a chunk that answers best, with the words that matched marked.

May import: `analysis`, `schema`.

Main names: `cut_snippet`.

Not for: choosing hits, or colours and tags (`cli`, `http`).
"""

from dowse.results.snippets import cut_snippet

__all__ = ["cut_snippet"]
