from collections.abc import Mapping

from dowse.kernels.layout import I32

class PieceCutter:
    def __init__(self, pieces: Mapping[str, int], inner_mark: str, max_word_chars: int) -> None: ...
    def cut(self, text: bytes, at_most: int) -> tuple[I32, I32]: ...
