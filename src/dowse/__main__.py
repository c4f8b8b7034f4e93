"""``python -m dowse`` is the same as ``dowse``."""

import sys

from dowse.cli import main

if __name__ == "__main__":
    sys.exit(main())
