"""ONNX files as bytes: what is read of them."""

import numpy as np

from dowse.embedding.graph_file import Node, parse_graph


def varint(number: int) -> bytes:
    """Returns a number, seven bits a byte."""
    low, high = number & 127, number >> 7
    return bytes([low | 128]) + varint(high) if high else bytes([low])


def field(number: int, payload: bytes | int) -> bytes:
    """Returns a field: a counted one for bytes, a varint for a number."""
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def tensor(name: bytes, kind: int, shape: tuple[int, ...], payload: bytes) -> bytes:
    """Returns a tensor whose values are in `payload`, a field or several."""
    return b"".join(field(1, size) for size in shape) + field(2, kind) + payload + field(8, name)


FLOATS = np.array([1.5, -2.0], "<f4").tobytes()


def model(*parts: bytes) -> bytes:
    """Returns a file with a version and a graph."""
    return field(1, 8) + field(7, b"".join(parts)) + b"\x45" + b"four" + b"\x41" + b"of eight"


def test_tensors_are_read_in_the_forms_that_quantisers_write():
    """Raw bytes, floats, small integers and large ones."""
    content = model(
        field(5, tensor(b"raw", 1, (1, 2), field(9, FLOATS))),
        field(5, tensor(b"floats", 1, (2,), field(4, FLOATS))),
        field(5, tensor(b"zero", 2, (), field(5, b"\x07"))),
        field(5, tensor(b"large", 2, (2,), field(5, varint(200) + varint(3)))),
        field(5, tensor(b"negative", 3, (), field(5, varint(2**64 - 5)))),
        field(5, tensor(b"of no use", 10, (2,), field(9, b"abcd"))),
        field(5, tensor(b"elsewhere", 1, (2,), field(13, b"location"))),
    )
    tensors = parse_graph(content).tensors
    assert {"raw", "floats", "zero", "large", "negative"} == tensors.keys()
    assert [[1.5, -2.0]] == tensors["raw"].tolist()
    assert [1.5, -2.0] == tensors["floats"].tolist()
    assert (7, [200, 3], -5) == tuple(tensors[name].tolist() for name in ("zero", "large", "negative"))
    assert [np.float32, np.uint8, np.int8] == [tensors[name].dtype for name in ("raw", "zero", "negative")]


def test_nodes_have_names_and_constants_are_tensors():
    """A constant is known by what it makes."""
    node = field(1, b"a") + field(1, b"b") + field(2, b"c") + field(3, b"sum") + field(4, b"Add")
    value = field(1, b"value") + field(5, tensor(b"", 1, (2,), field(9, FLOATS)))
    constant = field(2, b"a") + field(3, b"first") + field(4, b"Constant") + field(5, value)
    graph = parse_graph(model(field(1, constant), field(1, node)))
    assert (Node("sum", "Add", ("a", "b"), ("c",)),) == graph.nodes
    assert [1.5, -2.0] == graph.tensors["a"].tolist()
