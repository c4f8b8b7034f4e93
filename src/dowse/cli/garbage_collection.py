"""Keeps Python's garbage collector out of the way while a command starts.

Importing makes many objects and no garbage; searching them for garbage takes 10 ms. So the collector is off
until an index is opened, and objects that exist by then are never searched again.
"""

import gc


def pause() -> None:
    """Switches the collector off; the first thing that a process does."""
    gc.disable()


def resume() -> None:
    """Switches it on for everything that is made from now on."""
    gc.freeze()
    gc.enable()
