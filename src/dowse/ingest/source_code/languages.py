"""The table of languages: their names, files, comments and definitions."""

import re

from dowse.ingest.source_code.language import MODIFIERS, Language, Rule, build_rule, defines

_SLASHES: tuple[str, ...] = ("//",)
_HASH: tuple[str, ...] = ("#",)
_DASHES: tuple[str, ...] = ("--",)
_STARS = (("/*", "*/"),)
_PYTHON_DOCUMENTATION = (('"""', '"""'), ("'''", "'''"), ('r"""', '"""'), ("r'''", "'''"))
_PYTHON_RULE = defines(r"def|class", r"\w++", before=r"(?:async\s++)?+")
_C_TYPES = defines(r"class|struct|enum class|enum|union|namespace|interface|record|@interface", r"[\w:$]++")
# A type that is only used, as in `struct point p;`, ends its line with a semicolon.
_C_DEFINED = Rule(re.compile(_C_TYPES.pattern.pattern + r"(?![^{]*;\s*\Z)"))
_SCRIPT_RULES = (
    defines(r"class|interface|enum|namespace|module|type", r"[\w$]++"),
    defines(r"function\s*\*?|function", r"[\w$]++"),
    build_rule(
        r"(?:export\s++)?+(?:default\s++)?+(?:const|let|var)\s++(?P<name>[\w$]++)\s*+(?::[^=]{1,120})?=\s*+"
        r"(?:async\b\s*+)?+(?:function\b|\([^()]{0,300}\)\s*+(?::[^=]{1,80})?=>|[\w$]++\s*+=>|\(\s*\Z)",
        "function",
    ),
    build_rule(
        r"(?:(?:public|private|protected|static|async|readonly|override|get|set|\*)\s++)*+"
        r"(?!(?:if|for|while|switch|catch|return|function|super|constructor\s*+\(\s*+\)\s*+;)\b)"
        r"(?P<name>[#\w$]++)\s*+\([^()]{0,300}\)\s*+(?::[^={]{1,120})?\{\s*\Z",
        "method",
    ),
)
_SHELL_RULES = (
    build_rule(r"(?:function\s++)?+(?P<name>[\w:.-]++)\s*+\(\s*+\)", "function"),
    build_rule(r"function\s++(?P<name>[\w:.-]++)", "function"),
)

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyi", ".pyw"),
        ("sconstruct",),
        _HASH,
        _PYTHON_DOCUMENTATION,
        (_PYTHON_RULE,),
    ),
    Language(
        "cython",
        (".pyx", ".pxd", ".pxi"),
        (),
        _HASH,
        _PYTHON_DOCUMENTATION,
        (defines(r"cdef class", r"\w++", before=""), _PYTHON_RULE),
        has_typed_functions=True,
    ),
    Language(
        "javascript", (".js", ".mjs", ".cjs", ".jsx", ".vue", ".svelte"), (), _SLASHES, _STARS, _SCRIPT_RULES
    ),
    Language("typescript", (".ts", ".tsx", ".mts", ".cts"), (), _SLASHES, _STARS, _SCRIPT_RULES),
    Language("java", (".java",), (), _SLASHES, _STARS, (_C_DEFINED,), has_typed_functions=True),
    Language(
        "kotlin",
        (".kt", ".kts"),
        (),
        _SLASHES,
        _STARS,
        (
            defines(r"enum class|class|interface|object|companion object"),
            build_rule(
                MODIFIERS + r"fun\s++(?:<[^<>]{1,100}>\s*+)?+(?:[\w<>?]{1,80}\.)?(?P<name>\w++)", "fun"
            ),
        ),
    ),
    Language(
        "scala",
        (".scala", ".sc"),
        (),
        _SLASHES,
        _STARS,
        (defines(r"class|trait|object|enum"), defines("def", r"[^\s(\[:=]++")),
    ),
    Language(
        "groovy",
        (".groovy", ".gradle"),
        ("jenkinsfile",),
        _SLASHES,
        _STARS,
        (_C_DEFINED, defines(r"task|def(?=\s+\w+\s*\()")),
        has_typed_functions=True,
    ),
    Language("c", (".c", ".h"), (), _SLASHES, _STARS, (_C_DEFINED,), has_typed_functions=True),
    Language(
        "c++",
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ino", ".cu", ".cuh"),
        (),
        _SLASHES,
        _STARS,
        (_C_DEFINED,),
        has_typed_functions=True,
    ),
    Language("c#", (".cs",), (), _SLASHES, _STARS, (_C_DEFINED,), has_typed_functions=True),
    Language(
        "objective-c",
        (".m", ".mm"),
        (),
        ("//", "%"),
        _STARS,
        (
            defines(r"@interface|@implementation|@protocol", r"\w++"),
            build_rule(r"[-+]\s*+\([^()]{1,100}\)\s*+(?P<name>\w++)", "method"),
            build_rule(r"function\s++(?:[^=(]{1,100}=\s*+)?+(?P<name>[\w.]++)", "function"),
        ),
        has_typed_functions=True,
    ),
    Language(
        "go",
        (".go",),
        (),
        _SLASHES,
        _STARS,
        (
            build_rule(
                r"func\s++(?:\(\s*+\w*+\s*+\*?(?P<owner>[\w\[\], ]{1,100})\)\s*+)?+(?P<name>\w++)", "func"
            ),
            build_rule(r"type\s++(?P<name>\w++)(?=\s++(?:struct|interface|func|map|\[|\w))", "type"),
        ),
    ),
    Language(
        "rust",
        (".rs",),
        (),
        _SLASHES,
        _STARS,
        (
            defines(r"struct|enum|trait|union|mod|type|fn|macro_rules!", r"\w++"),
            build_rule(
                r"(?:unsafe\s++)?+impl\b(?:<[^{]{0,100}?>\s)?\s*+"
                r"(?P<name>[^{]{1,120}?)\s*+(?:where\b|\{|\Z)",
                "impl",
            ),
        ),
    ),
    Language(
        "ruby",
        (".rb", ".rake", ".gemspec"),
        ("rakefile", "gemfile", "vagrantfile", "brewfile", "podfile", "fastfile"),
        _HASH,
        (("=begin", "=end"),),
        (defines(r"class|module", r"[\w:]++"), defines("def", r"(?:self\.)?[\w?!=]++")),
    ),
    Language(
        "php",
        (".php", ".phtml"),
        (),
        ("//", "#"),
        _STARS,
        (
            defines(r"class|interface|trait|enum"),
            defines("function", r"&?\w++"),
            defines("namespace", r"[\w\\]++"),
        ),
    ),
    Language(
        "swift",
        (".swift",),
        (),
        _SLASHES,
        _STARS,
        (defines(r"class|struct|enum|protocol|extension|actor", r"[\w.]++"), defines("func", r"[^\s(<]++")),
    ),
    Language(
        "dart",
        (".dart",),
        (),
        _SLASHES,
        _STARS,
        (defines(r"class|mixin|enum|extension"),),
        has_typed_functions=True,
    ),
    Language(
        "lua",
        (".lua",),
        (),
        _DASHES,
        (("--[[", "]]"),),
        (
            defines("function", r"[\w.:]++"),
            build_rule(r"(?:local\s++)?+(?P<name>[\w.]++)\s*+=\s*+function\b", "function"),
        ),
    ),
    Language(
        "perl",
        (".pl", ".pm", ".t"),
        (),
        _HASH,
        (("=pod", "=cut"), ("=head", "=cut")),
        (defines("sub", r"\w++"), defines("package", r"[\w:]++")),
    ),
    Language(
        "r",
        (".r",),
        (),
        _HASH,
        (),
        (build_rule(r"(?P<name>[\w.]++)\s*+(?:<-|=)\s*+function\b", "function"),),
    ),
    Language(
        "julia",
        (".jl",),
        (),
        _HASH,
        (("#=", "=#"), ('"""', '"""')),
        (
            defines(r"function|macro|struct|module|abstract type", r"[\w.!@]++", before=r"(?:mutable\s++)?+"),
            build_rule(r"(?P<name>[\w!]++)\([^()]{0,200}\)\s*+=(?!=)", "function"),
        ),
    ),
    Language(
        "elixir",
        (".ex", ".exs"),
        (),
        _HASH,
        (),
        (defines(r"defmodule|defprotocol|defimpl|defmacrop?|defp?", r"[\w.!?]++"),),
    ),
    Language(
        "erlang",
        (".erl", ".hrl"),
        (),
        ("%",),
        (),
        (build_rule(r"(?P<name>[a-z]\w*+)\([^()]{0,300}\)[^.]{0,200}->", "function"),),
    ),
    Language(
        "haskell",
        (".hs", ".lhs"),
        (),
        _DASHES,
        (("{-", "-}"),),
        (
            defines(r"data|newtype|type family|type|class|instance|module", r"[\w.']++", before=""),
            build_rule(r"(?P<name>[a-z_][\w']*+)\s*+::", "function"),
        ),
    ),
    Language(
        "ocaml",
        (".ml", ".mli", ".fs", ".fsx", ".fsi"),
        (),
        _SLASHES,
        (("(*", "*)"),),
        (defines(r"module|type|class|let(?: rec)?|val|and|exception", r"[\w']++", before=""),),
    ),
    Language(
        "clojure",
        (".clj", ".cljs", ".cljc", ".edn"),
        (),
        (";",),
        (),
        (
            defines(
                r"\((?:defn-?|defmacro|defprotocol|defrecord|deftype|defmulti|defmethod|def|ns)",
                r"[^\s()\[\]{}]++",
                before="",
            ),
        ),
    ),
    Language(
        "lisp",
        (".el", ".lisp", ".scm", ".rkt", ".cl"),
        (),
        (";",),
        (),
        (
            defines(
                r"\((?:defun|defmacro|defvar|defcustom|defclass|defmethod|define)", r"\(?[^\s()]++", before=""
            ),
        ),
    ),
    Language("shell", (".sh", ".bash", ".zsh", ".fish", ".ksh"), (), _HASH, (), _SHELL_RULES),
    Language(
        "powershell",
        (".ps1", ".psm1", ".psd1"),
        (),
        _HASH,
        (("<#", "#>"),),
        (Rule(re.compile(r"(?P<kind>function|filter|class|enum)\s++(?P<name>[\w:-]++)", re.IGNORECASE)),),
    ),
    Language(
        "batch",
        (".bat", ".cmd"),
        (),
        ("rem ", "REM ", "Rem ", "::"),
        (),
        (build_rule(r":(?P<name>[\w-]++)\s*\Z", "label"),),
    ),
    Language(
        "sql",
        (".sql", ".psql", ".ddl"),
        (),
        _DASHES,
        _STARS,
        (
            Rule(
                re.compile(
                    r"create\s++(?:or\s++replace\s++)?+(?:(?:temp|temporary|unique|global|unlogged)\s++)*+"
                    r"(?P<kind>table|materialized view|view|function|procedure|trigger|type|index|schema)\s++"
                    r"(?:if\s++not\s++exists\s++)?+(?P<name>[\w.\"`\[\]]++)",
                    re.IGNORECASE,
                )
            ),
        ),
    ),
    Language(
        "css",
        (".css", ".scss", ".sass", ".less"),
        (),
        _SLASHES,
        _STARS,
        (defines("@mixin|@function|@keyframes", r"[\w-]++", before=""),),
    ),
    Language(
        "protobuf",
        (".proto", ".thrift"),
        (),
        _SLASHES,
        _STARS,
        (defines(r"message|service|enum|rpc|struct|exception", r"\w++", before=""),),
    ),
    Language(
        "graphql",
        (".graphql", ".gql", ".graphqls"),
        (),
        _HASH,
        (('"""', '"""'),),
        (
            defines(
                r"type|input|interface|enum|union|scalar|query|mutation|subscription|fragment",
                before=r"(?:extend\s++)?+",
            ),
        ),
    ),
    Language(
        "terraform",
        (".tf", ".tfvars", ".hcl"),
        (),
        ("#", "//"),
        _STARS,
        (
            build_rule(r"(?:resource|data)\s++\"[^\"]{1,100}\"\s++\"(?P<name>[^\"]{1,100})\"", "resource"),
            build_rule(r"(?:module|variable|output|provider)\s++\"(?P<name>[^\"]{1,100})\"", "block"),
        ),
    ),
    Language("nix", (".nix",), (), _HASH, _STARS),
    Language(
        "zig",
        (".zig",),
        (),
        _SLASHES,
        (),
        (
            defines("fn", r"\w++"),
            build_rule(
                r"(?:pub\s++)?+const\s++(?P<name>\w++)\s*+=\s*+(?:\w{1,20}\s++)?(?:struct|enum|union)\b",
                "struct",
            ),
        ),
    ),
    Language(
        "vim",
        (".vim",),
        ("vimrc",),
        ('"',),
        (),
        (defines(r"function!?|command!?", r"[\w:#<>.]++", before=""),),
    ),
    Language(
        "cmake",
        (".cmake",),
        ("cmakelists.txt",),
        _HASH,
        (),
        (Rule(re.compile(r"(?P<kind>function|macro)\s*+\(\s*+(?P<name>\w++)", re.IGNORECASE)),),
    ),
    Language(
        "makefile",
        (".mk", ".mak"),
        ("makefile", "gnumakefile"),
        _HASH,
        (),
        (build_rule(r"(?P<name>[\w./%$(){}@-]++(?: [\w./%-]++)*+)\s*+::?+(?!=)", "target"),),
    ),
    Language(
        "justfile",
        (".just",),
        ("justfile",),
        _HASH,
        (),
        (build_rule(r"@?(?P<name>[\w-]++)[^:=]{0,200}:(?!=)", "recipe"),),
    ),
    Language(
        "dockerfile",
        (".dockerfile",),
        ("dockerfile", "containerfile"),
        _HASH,
        (),
        (Rule(re.compile(r"(?P<kind>FROM)\s++(?P<name>\S.*)", re.IGNORECASE)),),
    ),
    Language(
        "fortran",
        (".f90", ".f95", ".f03", ".f"),
        (),
        ("!",),
        (),
        (
            Rule(
                re.compile(
                    r"(?:(?:pure|elemental|recursive|integer|real|logical)\s++)*+"
                    r"(?P<kind>subroutine|function|module|program|type)\s++(?P<name>\w++)",
                    re.IGNORECASE,
                )
            ),
        ),
    ),
    Language(
        "pascal",
        (".pas", ".pp", ".dpr"),
        (),
        _SLASHES,
        (("{", "}"), ("(*", "*)")),
        (Rule(re.compile(r"(?P<kind>procedure|function|unit|program)\s++(?P<name>[\w.]++)", re.IGNORECASE)),),
    ),
    Language(
        "visual basic",
        (".vb", ".bas", ".vbs"),
        (),
        ("'",),
        (),
        (
            Rule(
                re.compile(
                    MODIFIERS + r"(?P<kind>sub|function|class|module)\s++(?P<name>\w++)", re.IGNORECASE
                )
            ),
        ),
    ),
    Language(
        "assembly",
        (".s", ".asm"),
        (),
        (";", "#", "//"),
        _STARS,
        (build_rule(r"(?P<name>[A-Za-z_]\w*+):", "label"),),
    ),
    Language(
        "solidity",
        (".sol",),
        (),
        _SLASHES,
        _STARS,
        (defines(r"contract|library|interface|function|struct|event|modifier"),),
    ),
)

BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}
BY_NAME = {name: language for language in LANGUAGES for name in language.names}
UNKNOWN = Language("unknown", ())


def find_language(path: str) -> Language:
    """Returns the language that a file's name says; one without comments or definitions when none does."""
    name = path.rpartition("/")[2].lower()
    if name in BY_NAME:
        return BY_NAME[name]
    _, dot, extension = name.rpartition(".")
    return BY_EXTENSION.get(dot + extension, UNKNOWN)
