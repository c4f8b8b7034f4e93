"""The plain twins of the compiled kernels: same names, same results, written for reading."""
