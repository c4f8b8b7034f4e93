"""Every value that crosses a face survives JSON, also when it comes from a newer version."""

import subprocess
import sys
from typing import get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse import schema

# What a face shows, by the name under which it can be had; documents on their way in are not among it.
VALUES = [
    getattr(schema, name)
    for name in schema.__all__
    if isinstance(getattr(schema, name), type) and issubclass(getattr(schema, name), msgspec.Struct)
]
# Texts that come back from JSON as they were: no half surrogate pairs.
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)


def build(kind: type) -> st.SearchStrategy[object]:
    """Returns a strategy of values of a struct, made of legal fields."""
    if kind is schema.SearchRequest:
        return st.builds(
            schema.SearchRequest,
            query=TEXTS,
            also=st.tuples(TEXTS),
            limit=st.integers(1, 10_000),
            parameters=st.tuples(st.tuples(TEXTS, st.floats(-5, 5))),
            fields=st.tuples(TEXTS),
            synonyms=st.tuples(build(schema.SynonymRule)),
            diversify=st.none() | st.floats(0, 1),
            default_operator=st.sampled_from(["ranked", "all", "any"]),
            explain=st.booleans(),
        )
    if kind is schema.Explanation:
        leaf = st.builds(kind, st.floats(-9, 9), TEXTS, st.just(()), TEXTS)
        return st.builds(kind, st.floats(-9, 9), TEXTS, st.lists(leaf, max_size=2).map(tuple), TEXTS)
    hints = get_type_hints(kind)
    return st.builds(kind, **{one.name: build_field(hints[one.name]) for one in msgspec.structs.fields(kind)})


def build_field(hint: object) -> st.SearchStrategy[object]:
    """Returns a strategy of one field; structs inside are built by the same rule."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return build(hint)
    arguments = getattr(hint, "__args__", ())
    if arguments and getattr(hint, "__origin__", None) is tuple and arguments[-1] is Ellipsis:
        return st.lists(build_field(arguments[0]), max_size=2).map(tuple)
    if arguments and getattr(hint, "__origin__", None) is tuple:
        return st.tuples(*map(build_field, arguments))
    if arguments and getattr(hint, "__origin__", None) is dict:
        return st.dictionaries(TEXTS, build_field(arguments[1]), max_size=2)
    if arguments and type(hint).__name__ == "UnionType":
        return st.one_of(*map(build_field, arguments))
    if hint is str:
        return TEXTS
    if hint is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if hint is int:
        return st.integers(-(2**40), 2**40)
    if "Mapping" in str(hint):
        return st.dictionaries(TEXTS, TEXTS | st.integers(0, 9), max_size=2)
    return st.from_type(hint)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_survives_json(kind: type) -> None:
    """What is decoded equals what was encoded."""

    @settings(max_examples=15, deadline=None)
    @given(build(kind))
    def check(value: object) -> None:
        assert value == msgspec.json.decode(msgspec.json.encode(value), type=kind)

    check()


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_of_a_newer_version_is_read(kind: type) -> None:
    """Fields that nobody knows here are ignored; missing ones have their defaults."""

    @settings(max_examples=5, deadline=None)
    @given(build(kind))
    def check(value: object) -> None:
        built = msgspec.to_builtins(value)
        required = {one.name for one in msgspec.structs.fields(kind) if one.required}
        newer = {name: one for name, one in built.items() if name in required} | {"invented": [1]}
        found = msgspec.convert(msgspec.json.decode(msgspec.json.encode(newer)), kind)
        known = {name: getattr(value, name) for name in required}
        assert kind(**known) == found

    check()


def test_the_public_values_are_all_tested() -> None:
    """Whatever `dowse` exports and a face may send is in the list."""
    exported = [getattr(dowse, name) for name in dowse.__all__]
    values = [one for one in exported if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    assert [] == [one.__name__ for one in values if one not in VALUES]


def test_values_need_no_numpy() -> None:
    """A face builds requests and reads responses without it."""
    code = "import sys, dowse.schema; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False" == done.stdout.strip()
