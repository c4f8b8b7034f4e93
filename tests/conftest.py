"""Makes `tests/support` importable: pytest puts the folder of this file on the path."""
