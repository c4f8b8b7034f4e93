"""The compressed RTF in which Outlook keeps the bodies of mails (MS-OXRTFCP)."""

import struct

from dowse.ingest.limits import Allowance, UnextractableError

_COMPRESSED = b"LZFu"
_UNCOMPRESSED = b"MELA"
_SIZES = struct.Struct("<II")
_WINDOW = 4096
# What the window holds at first, as the format says.
_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    rb"MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress_rtf(data: bytes, allowance: Allowance) -> bytes:
    """Returns the RTF; what is cut off is left out.

    Raises:
        UnextractableError: It is no compressed RTF, or unpacks to more than is allowed.
    """
    if len(data) < 16:
        raise UnextractableError("damaged-file", "the body of this mail is damaged")
    _, size = _SIZES.unpack_from(data)
    kind = data[8:12]
    if kind == _UNCOMPRESSED:
        return data[16 : 16 + size]
    if kind != _COMPRESSED:
        raise UnextractableError("damaged-file", "the body of this mail is damaged")
    out = _unpack(data[16:])
    allowance.expand(len(data), len(out), len(out))
    return out[:size]


def _unpack(data: bytes) -> bytes:
    """Copies letters and repeats from the window; a byte unpacks to at most nine."""
    # The window slides over the output itself: a place in it is a place in the last 4,096 bytes.
    out = bytearray(_START)
    place = 0
    while place < len(data):
        control = data[place]
        place += 1
        for bit in range(8):
            if place >= len(data):
                break
            if not control >> bit & 1:
                out.append(data[place])
                place += 1
                continue
            if place + 1 >= len(data):
                return bytes(out[len(_START) :])
            reference = data[place] << 8 | data[place + 1]
            place += 2
            offset, length = reference >> 4, (reference & 15) + 2
            write_at = len(out) % _WINDOW
            if offset == write_at:
                return bytes(out[len(_START) :])
            back = (write_at - offset) % _WINDOW
            for _ in range(length):
                out.append(out[-back] if back <= len(out) else 0x20)
    return bytes(out[len(_START) :])
