"""Makes `tests/support` importable: pytest puts the folder of this file on the path."""

import os

# Commands that tests run make no vectors unless a test asks for them: loading a model costs more than most
# tests take, and what they check must not depend on whether one is installed.
os.environ["DOWSE_EMBEDDING_KIND"] = "none"
