"""Builds the optional Cython kernels; everything else is declared in pyproject.toml.

Without a C compiler the build goes on and the NumPy twins run instead (`dowse status` says which).
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

# -ffp-contract=off: a fused multiply-add would round differently from the NumPy twin.
FLAGS = [] if os.name == "nt" else ["-O3", "-ffp-contract=off"]

KERNELS = (
    "_folding",
    "_form_merging",
    "_inversion",
    "_measuring",
    "_piece_cutting",
    "_postings",
    "_row_names",
    "_signatures",
    "_sorted_sets",
    "_sounds",
    "_spans",
    "_tokenising",
    "_transformer",
    "_vectors",
    "_vocabulary",
    "_word_merging",
)

HEADERS = {
    "_transformer": ("processor.h", "transformer_pass.h"),
    "_vectors": ("processor.h", "vector_scan.h"),
}

extensions = cythonize(
    [
        Extension(
            f"dowse.kernels.{name}",
            [f"src/dowse/kernels/{name}.pyx"],
            depends=[f"src/dowse/kernels/{header}" for header in HEADERS.get(name, ())],
            extra_compile_args=FLAGS,
        )
        for name in KERNELS
    ],
    language_level=3,
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
