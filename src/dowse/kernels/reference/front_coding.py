"""Sorted texts without the beginnings they share with the text before; the plain twin.

Of each text the codes have how many bytes it shares with the one before, how many more there are, and these;
numbers are LEB128 varints. Every 16th text is a restart: it shares nothing and its first number is left out,
so that reading can begin there. Halves what a dictionary takes, and leaves out its offsets.
"""

from itertools import pairwise

import numpy as np

from dowse.kernels.layout import RESTART_EVERY, U8, U32, U64


def front_code(offsets: U64, spellings: U8) -> tuple[U32, U8]:
    """Returns the restarts (where each block of 16 texts begins in the codes) and the codes.

    Args:
        offsets: Start of each text in `spellings`, and the end of the last.
        spellings: The texts, best sorted: what neighbours do not share is not saved.

    Raises:
        ValueError: Offsets do not ascend or lie outside, or the codes take more than 4 GB.
    """
    ends = offsets.tolist()
    if any(start > stop for start, stop in pairwise(ends)) or ends[-1] > len(spellings):
        raise ValueError("offsets must ascend and lie inside of the spellings")
    raw, before = spellings.tobytes(), b""
    restarts, codes = [], bytearray()
    for number, (start, stop) in enumerate(pairwise(ends)):
        text, shared = raw[start:stop], 0
        if number % RESTART_EVERY == 0:
            restarts.append(len(codes))
        else:
            while shared < min(len(text), len(before)) and text[shared] == before[shared]:
                shared += 1
            codes += _varint(shared)
        codes += _varint(len(text) - shared) + text[shared:]
        before = text
    if len(codes) > 0xFFFFFFFF:
        raise ValueError("the texts of a segment take at most 4 GB")
    return np.array(restarts, np.uint32), np.frombuffer(bytes(codes), np.uint8)


def expand_texts(restarts: U32, codes: U8, count: int) -> tuple[U64, U8]:
    """Returns offsets and spellings of front-coded texts: the way back from `front_code`.

    Raises:
        ValueError: The codes are not those of so many texts.
    """
    if len(restarts) != -(-count // RESTART_EVERY):
        raise ValueError("the restarts are not those of so many texts")
    raw, at, text = codes.tobytes(), 0, b""
    texts = []
    for number in range(count):
        shared = 0
        if number % RESTART_EVERY:
            shared, at = _take_varint(raw, at)
        elif at != int(restarts[number // RESTART_EVERY]):
            raise ValueError("front-coded texts are damaged")
        rest, at = _take_varint(raw, at)
        if shared > len(text) or rest > len(raw) - at:
            raise ValueError("front-coded texts are damaged")
        text = text[:shared] + raw[at : at + rest]
        at += rest
        texts.append(text)
    if at != len(raw):
        raise ValueError("front-coded texts are damaged")
    sizes = np.fromiter(map(len, texts), np.uint64, count)
    offsets = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
    return offsets, np.frombuffer(b"".join(texts), np.uint8)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _take_varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(raw) and shift < 63:
        value |= (raw[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if not raw[at - 1] & 128:
            return value, at
    raise ValueError("front-coded texts are damaged")
