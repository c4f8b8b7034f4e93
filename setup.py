"""Builds the optional Cython kernels; everything else is declared in pyproject.toml.

Without a C compiler the build goes on and the NumPy twins run instead (`dowse status` says which).
"""

import os
import runpy
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

FOLDER = Path("src/dowse/kernels")
TABLE = runpy.run_path(str(FOLDER / "table.py"))  # not imported: that would need NumPy

# What every kernel with a memory view needs is compiled once, here, instead of once per kernel: that code was
# more than half of what a build cost.
SHARED = "dowse.kernels._memory_views"

# -ffp-contract=off: a fused multiply-add would round differently from the NumPy twin. -g0: nobody debugs the
# generated C, and writing out its symbols took a fifth of the time.
FLAGS = [] if os.name == "nt" else ["-g0", "-O3", "-ffp-contract=off"]
LIGHT_FLAGS = [] if os.name == "nt" else ["-g0", "-O1"]  # once per call, not once per posting


def build_extension(name: str) -> Extension:
    headers = [str(FOLDER / header) for header in TABLE["HEADERS"].get(name, ())]
    source = str(FOLDER / f"_{name}.pyx")
    return Extension(f"dowse.kernels._{name}", [source], depends=headers, extra_compile_args=FLAGS)


shared_source = str(FOLDER / "_memory_views.c")
extensions = cythonize(
    [
        *(build_extension(name) for name in TABLE["KERNEL_TABLE"]),
        Extension(SHARED, [shared_source], extra_compile_args=LIGHT_FLAGS),
    ],
    language_level=3,
    shared_utility_qualified_name=SHARED,
    compiler_directives={
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
    },
)
for extension in extensions:
    extension.optional = True  # cythonize forgets it when it is given to Extension

# All processors: compiling is most of a first installation.
setup(ext_modules=extensions, options={"build_ext": {"parallel": True}})
