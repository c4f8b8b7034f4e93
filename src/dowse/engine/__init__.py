"""Where does an index live, and who wires it together?

Opens an index home and gives it to faces as one object: add, sync, search, explain, check, rebuild. The
only layer that knows the environment, the clock and where things are on disk.

May import: everything below.

Main names: `Engine` (what a face may ask) · `open_configured` · `open_index`, `default_home` · `Index` ·
`TreeIndex`.

Reading order: `engine` · `opening` · `requests` · `home` · `documents`, `listing` · `writing` (many
threads, one writer) · `generations` (the newest snapshot, healed) · `texts`, `folders`, `vectors`,
`upkeep` (what works on one store) · `tree_index` (these parts joined: one tree) · `trees`, `registry`,
`open_trees` · `scope` (several trees searched as one) · `availability`, `answering` · `home_upkeep`,
`health`, `sweeping`, `migration` · `index` (the facade) · `file_checks` · `watching` · `embedders`,
`cross_encoders`, `model_trial` · `static_tier` · `embeddings` · `embedding_run` · `background_vectors`.

Invariants:
1. Faces ask an `Engine`, and know nothing below it; exceptions are listed in `tests/architecture`.
2. An `Index` answers from the newest generation; writing never blocks answering.
3. Damage found on the way is healed from the catalogue where possible, and always reported.
4. Any number of threads may use one `Index`. Only `Writing` opens an `IndexWriter`, and each call is atomic.
5. What commits by itself starts with nothing pending: it never commits or forgets texts that were pushed.

Not for: parsing arguments or rendering (`cli`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.engine.home import default_home
    from dowse.engine.index import Index, open_index
    from dowse.engine.index import open_index as open  # noqa: A004 - dowse.open is the way in

__all__ = ["Index", "default_home", "open", "open_index"]

_HOMES = {
    "Index": ("dowse.engine.index", "Index"),
    "default_home": ("dowse.engine.home", "default_home"),
    "open": ("dowse.engine.index", "open_index"),
    "open_index": ("dowse.engine.index", "open_index"),
}


def __getattr__(name: str) -> object:
    # Loaded when first used: the configuration can be asked without NumPy and SQLite.
    if name not in _HOMES:
        raise AttributeError(f"module 'dowse.engine' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    found = globals()[name] = getattr(import_module(module), attribute)
    return found
