"""``dowse version``: what is installed, for a report of a bug."""

import argparse

from dowse.cli import exit_status
from dowse.cli.terminal import write


class VersionCommand:
    """Shows the version and what it runs on."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds nothing: ``dowse -V`` is the brief form."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the version to stdout."""
        from dowse import __version__

        if getattr(arguments, "brief", False):
            write(f"dowse {__version__}\n")
            return exit_status.DONE
        import platform

        from dowse.cli.rendering.status import iter_kernel_lines
        from dowse.kernels import FALLBACKS, KERNELS

        write(f"dowse {__version__}\n")
        write("kernels " + "\n        ".join(iter_kernel_lines(KERNELS, tuple(FALLBACKS.items()))) + "\n")
        write(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}\n")
        return exit_status.DONE
