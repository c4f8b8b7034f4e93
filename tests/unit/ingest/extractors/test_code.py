"""Source code: definitions as sections, comments as prose."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.formats import BY_NAME as FORMATS
from dowse.ingest.formats import CODE_NAMES
from dowse.ingest.limits import Allowance
from dowse.ingest.source_code.languages import BY_EXTENSION, BY_NAME, LANGUAGES


def read(text: str, path: str) -> Extracted:
    """Reads a source file."""
    return get_extractor("code").extract(text.encode(), path, Allowance())


def titles(extracted: Extracted) -> list[str]:
    """Returns the sections' titles, each indented by its depth."""
    return ["  " * (section.depth - 1) + section.title for section in extracted.sections[1:]]


PYTHON = '''"""What it is."""

import os

# About the class.
@final
class Parser(object):
    """Parses."""

    LIMIT = """
    not documentation
    """

    async def parse(self):
        # why
        def inner(): ...
        return {}


def main(): pass
'''


@pytest.mark.parametrize("end", ["", "\nbroken = ("])
def test_python_is_read_whether_it_parses_or_not(end: str) -> None:
    """The same sections and the same prose come from the parser and from the lines."""
    extracted = read(PYTHON + end, "tool.py")
    assert ["class Parser", "  def Parser.parse", "def main"] == titles(extracted)
    assert 5 == extracted.sections[1].line_start
    prose = extracted.text
    for start, stop in reversed(extracted.code_spans):
        prose = prose[:start] + prose[stop:]
    assert [b'"""What it is."""', b"# About the class.", b'"""Parses."""', b"# why"] == [
        line.strip() for line in prose.splitlines() if line.strip()
    ]
    assert {"language": "python", "symbols": ["Parser", "parse", "main"]} == extracted.metadata


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "export class A {\n  go(x) {\n    if (x) {\n    }\n  }\n}\n"
         "export const f = async (a) => {\n}\nfunction g() {\n}\n",
         ["class A", "  method A.go", "function f", "function g"]),
        ("a.ts", "export interface P {\n  x: number\n}\nexport type Q = P\n", ["interface P", "type Q"]),
        ("A.java", "public final class A {\n    /** Doc. */\n    @Override\n"
         "    public int size() {\n        return f(1);\n    }\n}\n",
         ["class A", "  A.size"]),
        ("a.go", "type T struct {\n}\n\n// Run runs.\nfunc (t *T) Run(x int) error {\n}\nfunc main() {\n}\n",
         ["type T", "func T.Run", "func main"]),
        ("a.rs", "pub struct S;\nimpl<T> Show for S {\n    pub(crate) fn show(\n        &self,\n"
         "    ) -> u8 {\n    }\n}\nfn f() {}\n",
         ["struct S", "impl Show for S", "  fn Show for S.show", "fn f"]),
        ("a.c", "struct p { int x; };\nstruct p q;\nstatic int\nadd(int a)\n{\n"
         "    if (a) { call(a); }\n}\nint main(void) {\n}\nint g(void);\n",
         ["struct p", "add", "main"]),
        ("a.cpp", "namespace n {\nclass A {\npublic:\n    void go() {\n    }\n};\n}\nvoid A::run() {\n}\n",
         ["namespace n", "class A", "  A.go", "A::run"]),
        ("a.rb", "module M\n  class C\n    def self.go?\n    end\n  end\n"
         "end\n", ["module M", "  class M.C", "    def M.C.self.go?"]),
        ("a.kt", "data class D(val x: Int)\nsuspend fun <T> List<T>.go() {\n}\n", ["class D", "fun go"]),
        ("a.php", "<?php\nclass A {\n  public static function go() {\n  }\n"
         "}\n", ["class A", "  function A.go"]),
        ("a.sh", "go() {\n  x\n}\nfunction stop {\n}\n", ["function go", "function stop"]),
        ("a.sql", "-- all\nCREATE TABLE IF NOT EXISTS people (\n  id int\n);\n"
         "create view v as select 1;\n", ["table people", "view v"]),
        ("Makefile", "all: a b\n\tcc\nX := 1\nclean:\n\trm\n", ["target all", "target clean"]),
        ("Dockerfile", "FROM a AS b\nRUN x\nFROM c\n", ["from a AS b", "from c"]),
        ("a.ex", "defmodule A.B do\n  def go(x) do\n  end\nend\n", ["defmodule A.B", "  def A.B.go"]),
        ("a.hs", "data T = A\ngo :: Int -> Int\ngo x = x\n", ["data T", "function go"]),
        ("a.lua", "local function f()\nend\nM.g = function()\nend\n", ["function f", "function M.g"]),
        ("a.swift", "public struct S {\n    func go() {\n    }\n}\n", ["struct S", "  func S.go"]),
        ("a.proto", "message M {\n  string x = 1;\n}\nservice S {\n  rpc Go(M) returns (M);\n"
         "}\n", ["message M", "service S", "  rpc S.Go"]),
        ("a.tf", 'resource "aws" "web" {\n}\nvariable "x" {\n}\n', ["resource web", "block x"]),
        ("a.clj", "(ns a.b)\n(defn go [x]\n  (def y 1))\n", ["ns a.b", "defn go"]),
        ("a.unknown", "class A:\n", []),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 12 else "",
)  # fmt: skip
def test_definitions_are_sections(path: str, text: str, expected: list[str]) -> None:
    """Each language's usual definitions are found, and nothing inside functions."""
    assert expected == titles(read(text, path))


def test_a_comment_above_belongs_to_the_definition() -> None:
    """The section starts at the comment, which is prose."""
    extracted = read("int x;\n\n/*\n * Adds.\n */\nint add(int a) {\n}\n", "a.c")
    assert 3 == extracted.sections[1].line_start
    assert [b"int x;\n", b"int add(int a) {\n}\n"] == [
        extracted.text[a:b].lstrip() for a, b in extracted.code_spans
    ]


def test_a_source_file_is_named_by_its_whole_name() -> None:
    """`parser.py` and `parser.c` are different things."""
    assert "parser.py" == read("x = 1\n", "src/parser.py").title


def test_the_table_and_the_extractor_name_the_same_files() -> None:
    """No language is forgotten, none twice; file names agree too."""
    assert sorted(BY_EXTENSION) == sorted(FORMATS["code"].extensions.split())
    assert set(BY_NAME) == CODE_NAMES
    assert sum(len(language.extensions) for language in LANGUAGES) == len(BY_EXTENSION)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@pytest.mark.parametrize(
    "row",
    ["public " * 50_000, "a(" * 50_000, "const a = (" + "a" * 50_000, "create " * 20_000,
    "(" * 50_000 + ")", "impl" + "<" * 50_000,
     "func (" + "a " * 50_000, "\t" * 50_000 + "x", "a::" * 50_000 + "(", "fun " + "<a>" * 20_000],
    ids=range(10),
)  # fmt: skip
def test_endless_lines_take_no_time(language, row: str) -> None:
    """A line of one repeated thing is matched against no more than its beginning."""
    path = f"a{language.extensions[0]}"
    assert len(row) == len(read(row, path).text)


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "-" * 100_000 + "1", "def f():\n" + " " * 50_000 + "x", "if x:\n" * 200, "x = '\0'"[:5]],
)
def test_python_that_breaks_parsers_is_read(text: str) -> None:
    """Nesting without end ends in the lines, not in an error."""
    assert text.encode() == read(text, "a.py").text


def test_symbols_are_bounded() -> None:
    """A generated file does not fill the catalogue with names."""
    assert 200 == len(read("".join(f"def f{n}(): pass\n" for n in range(500)), "a.py").metadata["symbols"])
