"""Source code: definitions are sections, comments are prose, the rest is code."""

from dowse.ingest.allowance import Allowance
from dowse.ingest.extractor import Extracted
from dowse.ingest.text_reading import build_own_text, read_own_text

CODE_NAMES = frozenset(
    {
        "makefile", "gnumakefile", "dockerfile", "containerfile", "jenkinsfile", "vagrantfile", "rakefile",
        "gemfile", "brewfile", "podfile", "fastfile", "justfile", "cmakelists.txt", "sconstruct", "vimrc",
    }
)  # fmt: skip
"""Whole file names, in lower case, that are source code."""


class CodeExtractor:
    """Reads source code of some fifty languages; `dowse.ingest.source_code` has their table."""

    name = "code"
    # Written out, and checked against the table by a test: to find a file's extractor, no pattern is needed.
    extensions = (
        ".py", ".pyi", ".pyw", ".pyx", ".pxd", ".pxi", ".js", ".mjs", ".cjs", ".jsx", ".vue", ".svelte",
        ".ts", ".tsx", ".mts", ".cts", ".java", ".kt", ".kts", ".scala", ".sc", ".groovy", ".gradle", ".c",
        ".h", ".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ino", ".cu", ".cuh", ".cs", ".m", ".mm",
        ".go", ".rs", ".rb", ".rake", ".gemspec", ".php", ".phtml", ".swift", ".dart", ".lua", ".pl", ".pm",
        ".t", ".r", ".jl", ".ex", ".exs", ".erl", ".hrl", ".hs", ".lhs", ".ml", ".mli", ".fs", ".fsx",
        ".fsi", ".clj", ".cljs", ".cljc", ".edn", ".el", ".lisp", ".scm", ".rkt", ".cl", ".sh", ".bash",
        ".zsh", ".fish", ".ksh", ".ps1", ".psm1", ".psd1", ".bat", ".cmd", ".sql", ".psql", ".ddl", ".css",
        ".scss", ".sass", ".less", ".proto", ".thrift", ".graphql", ".gql", ".graphqls", ".tf", ".tfvars",
        ".hcl", ".nix", ".zig", ".vim", ".cmake", ".mk", ".mak", ".just", ".dockerfile", ".f90", ".f95",
        ".f03", ".f", ".pas", ".pp", ".dpr", ".vb", ".bas", ".vbs", ".s", ".asm", ".sol",
    )  # fmt: skip
    reads_text = True

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a source file; nothing in it is run."""
        # Imported late: the table's patterns take a while to compile.
        from dowse.ingest.source_code.languages import find_language
        from dowse.ingest.source_code.outline import build_outline

        own = read_own_text(data, path)
        language = find_language(path)
        outline = build_outline(own.rows, language)
        return build_own_text(
            own,
            path,
            outline.headings,
            title=path.rstrip("/").rpartition("/")[2],
            code=outline.code,
            metadata={"language": language.name, "symbols": outline.symbols},
        )
