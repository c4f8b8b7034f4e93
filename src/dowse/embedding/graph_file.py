"""Reads the weights of an ONNX graph, and how its nodes are joined, without onnxruntime.

An ONNX file is one message of Protocol Buffers: fields of a number, a kind and a payload. The few numbers
that are needed here are those of `onnx.proto`, which never change their meaning. Callers guarantee that a
file is what they take it for, by its hash: a damaged one is not looked for here.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
Span = tuple[int, int]

MODEL_GRAPH = 7
GRAPH_NODE, GRAPH_TENSOR = 1, 5
NODE_INPUT, NODE_OUTPUT, NODE_NAME, NODE_KIND, NODE_ATTRIBUTE = 1, 2, 3, 4, 5
ATTRIBUTE_TENSOR = 5
TENSOR_DIMENSION, TENSOR_TYPE, TENSOR_FLOATS, TENSOR_INTEGERS, TENSOR_NAME, TENSOR_BYTES = 1, 2, 4, 5, 8, 9
TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("<f4"), 2: np.dtype("u1"), 3: np.dtype("i1")}
VARINT, COUNTED, FIXED_BYTES = 0, 2, {1: 8, 5: 4}


class Node(NamedTuple):
    """One step of a graph, and the values it takes and makes, by name."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class GraphFile(NamedTuple):
    """What a file says.

    Attributes:
        nodes: In the order of the file, constants left out.
        tensors: Weights and constants, by name; they may be views of the file's bytes.
    """

    nodes: tuple[Node, ...]
    tensors: dict[str, AnyArray]


def parse_graph(content: bytes) -> GraphFile:
    """Returns the nodes and tensors of an ONNX file.

    Tensors that are kept elsewhere, or are of kinds that Dowse has no use for, are left out.
    """
    nodes: list[Node] = []
    tensors: dict[str, AnyArray] = {}
    for number, *graph in _iter_fields(content, (0, len(content))):
        if number != MODEL_GRAPH:
            continue
        for part, start, end in _iter_fields(content, (graph[0], graph[1])):
            if part == GRAPH_NODE:
                node, constant = _parse_node(content, (start, end))
                if node.kind != "Constant":
                    nodes.append(node)
                elif constant is not None:
                    tensors[node.outputs[0]] = constant
            elif part == GRAPH_TENSOR:
                name, values = _parse_tensor(content, (start, end))
                if values is not None:
                    tensors[name] = values
    return GraphFile(tuple(nodes), tensors)


def _parse_node(content: bytes, span: Span) -> tuple[Node, AnyArray | None]:
    texts: dict[int, list[str]] = {NODE_INPUT: [], NODE_OUTPUT: [], NODE_NAME: [""], NODE_KIND: [""]}
    constant = None
    for number, start, end in _iter_fields(content, span):
        if number in texts:
            texts[number].append(content[start:end].decode())
        elif number == NODE_ATTRIBUTE and texts[NODE_KIND][-1] == "Constant":
            for part, *tensor in _iter_fields(content, (start, end)):
                if part == ATTRIBUTE_TENSOR:
                    constant = _parse_tensor(content, (tensor[0], tensor[1]))[1]
    inputs, outputs = tuple(texts[NODE_INPUT]), tuple(texts[NODE_OUTPUT])
    return Node(texts[NODE_NAME][-1], texts[NODE_KIND][-1], inputs, outputs), constant


def _parse_tensor(content: bytes, span: Span) -> tuple[str, AnyArray | None]:
    name, shape, dtype, values = "", list[int](), None, None
    for number, start, end in _iter_fields(content, span):
        if number == TENSOR_DIMENSION:
            shape += _read_varints(content, start, end)
        elif number == TENSOR_TYPE:
            dtype = TYPES.get(_read_varints(content, start, end)[0])
        elif number == TENSOR_NAME:
            name = content[start:end].decode()
        elif number == TENSOR_BYTES and dtype is not None:
            values = np.frombuffer(content, dtype, (end - start) // dtype.itemsize, start)
        elif number == TENSOR_FLOATS and dtype is not None:
            values = np.frombuffer(content, dtype, (end - start) // 4, start)
        elif number == TENSOR_INTEGERS and dtype is not None:
            values = _read_integers(content, start, end).astype(dtype)
    return name, None if values is None else values.reshape(shape)


def _iter_fields(content: bytes, span: Span) -> Iterator[tuple[int, int, int]]:
    """Yields the number of each field, and where its payload starts and ends."""
    at, end = span
    while at < end:
        key, at = _read_varint(content, at)
        kind = key & 7
        if kind == COUNTED:
            size, at = _read_varint(content, at)
        elif kind == VARINT:
            size = _read_varint(content, at)[1] - at
        else:
            size = FIXED_BYTES[kind]
        yield key >> 3, at, at + size
        at += size


def _read_integers(content: bytes, start: int, end: int) -> AnyArray:
    """Returns varints as an array; where all are below 128, as zero points are, each is one byte."""
    numbers = np.frombuffer(content, np.uint8, end - start, start)
    if numbers.max(initial=0) < 128:
        return numbers
    return np.array(_read_varints(content, start, end), np.uint64)


def _read_varints(content: bytes, at: int, end: int) -> list[int]:
    numbers = []
    while at < end:
        number, at = _read_varint(content, at)
        numbers.append(number)
    return numbers


def _read_varint(content: bytes, at: int) -> tuple[int, int]:
    """Returns a number and where it ends: seven bits a byte, the lowest first."""
    number = shift = 0
    while content[at] >= 128:
        number |= (content[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return number | content[at] << shift, at + 1
