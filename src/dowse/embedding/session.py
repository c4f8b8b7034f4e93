"""Opens ONNX graphs and tokenizers: checked, without idle spinning, optimised once.

A text is run by itself, without padding, and several texts are run at once by as many threads, each a run
of its own on one core. Measured against batches of 2 and 4 on two cores: no slower (5.3 CPU seconds for 48
passages against 5.9 and 6.2), no waiting at barriers when the machine is busy, and above all a text's
vector does not depend on its neighbours: int8 graphs scale their activations by the largest of the whole
batch, and the cosine between a text alone and the same text in a batch of four was as low as 0.993.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.model_card import INSTALLING, OTHER_HASH, ModelFiles, check_tokens
from dowse.errors import InvalidParameterError, ModelDamagedError, ModelMissingError

if TYPE_CHECKING:
    from types import ModuleType

    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

Part = TypeVar("Part")
Result = TypeVar("Result")
Tokens = NDArray[np.int64]

SAID_CHARS = 300
INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class TokenModel:
    """A tokenizer, and an ONNX graph over its tokens.

    Attributes:
        files: Where it came from.
        max_tokens: Tokens that count, special ones included.
        threads: Texts that are run at once.
    """

    def __init__(self, files: ModelFiles, max_tokens: int, threads: int, cache_folder: Path | None) -> None:
        """Loads the tokenizer; the graph is loaded when it is first needed, for questions may never need it.

        Raises:
            InvalidParameterError: `max_tokens` or `threads` is out of range.
            ModelMissingError: onnxruntime, tokenizers or the tokenizer's file is not there.
            ModelDamagedError: The tokenizer's file is not what it should be.
        """
        check_tokens(files.card, max_tokens)
        if not 1 <= threads <= 256:
            raise InvalidParameterError(name="threads", value=threads, legal="legal values are 1 to 256")
        self.files, self.max_tokens, self.threads = files, max_tokens, threads
        self.tokenizer = open_tokenizer(files, max_tokens)
        self._cache_folder = cache_folder
        self._opening = Lock()
        self._opened: tuple[InferenceSession, tuple[str, ...]] | None = None
        if find_spec("onnxruntime") is None:
            raise _not_installed(files, "onnxruntime")

    @property
    def outputs(self) -> tuple[tuple[str, Sequence[int | str]], ...]:
        """Names and shapes of what the graph makes.

        Raises:
            ModelMissingError: A file is not there, or the graph wants what Dowse does not know.
            ModelDamagedError: A file is not what it should be, or cannot be loaded.
        """
        session, _ = self._open()
        return tuple((entry.name, entry.shape) for entry in session.get_outputs())

    def run(self, output: str, tokens: Tokens, types: Tokens | None = None) -> NDArray[np.float32]:
        """Returns one output for texts of equal length: (n, length) token ids, nothing padded.

        Raises:
            ModelMissingError, ModelDamagedError: As `outputs`, when it is the first that needs the graph.
            ModelDamagedError: The graph can be loaded and not run: the tokenizer is another model's.
        """
        session, inputs = self._open()
        feed = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens) if types is None else types,
        }
        try:
            result = session.run([output], {name: feed[name] for name in inputs})[0]
        # onnxruntime raises a dozen exceptions of its own, which share no class but Exception.
        except Exception as error:
            raise unusable_file(self.files, self.files.model, error) from error
        return np.asarray(result, dtype=np.float32)

    def _open(self) -> "tuple[InferenceSession, tuple[str, ...]]":
        """Returns the session and the inputs it wants; it is opened when it is first needed."""
        with self._opening:
            if self._opened is None:
                session = _open_session(self.files, self._cache_folder)
                inputs = tuple(entry.name for entry in session.get_inputs())
                unknown = [name for name in inputs if name not in INPUTS]
                if unknown:
                    reason = f"its graph wants {', '.join(unknown)}, which Dowse does not know"
                    raise ModelMissingError(
                        name=self.files.card.name, reason=reason, remedy=self.files.remedy
                    )
                self._opened = session, inputs
            return self._opened

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """Returns what `work` makes of each part, in order; `threads` parts are worked on at once."""
        if self.threads == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        # The threads live for one call: an embedder that is not at work holds none, and needs no closing.
        with ThreadPoolExecutor(min(self.threads, len(parts)), "dowse-embedding") as pool:
            return list(pool.map(work, parts))


def open_tokenizer(files: ModelFiles, max_tokens: int) -> "Tokenizer":
    """Returns a model's tokenizer, which cuts at `max_tokens` and never pads; the graph is not loaded.

    Raises:
        ModelMissingError: The file, or the package that reads it, is not there.
        ModelDamagedError: The file is not what it should be.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _not_installed(files, "tokenizers") from error
    content = read_checked(files, files.tokenizer, files.tokenizer_sha256)
    try:
        tokenizer = Tokenizer.from_buffer(content)
    # The library raises plain Exception for whatever it cannot read.
    except Exception as error:
        raise unusable_file(files, files.tokenizer, error) from error
    # Files may fix padding to 128 or 512 tokens: 18 ms per query instead of 1.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def load_onnxruntime() -> "ModuleType":
    """Imports onnxruntime so that it keeps to itself.

    From 1.31 on it notes machine, processor and path at its import, and sends that to its maker when it can.
    Only this variable, set before the import, stops it; its own `disable_telemetry_events` comes too late.
    """
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    module: ModuleType = onnxruntime
    return module


def _open_session(files: ModelFiles, cache_folder: Path | None) -> "InferenceSession":
    try:
        onnxruntime = load_onnxruntime()
    except ImportError as error:
        raise _not_installed(files, "onnxruntime") from error
    try:
        if files.weights is not None:  # the graph finds them only beside itself
            return onnxruntime.InferenceSession(str(files.model), _session_options())
        if cache_folder is None:
            return onnxruntime.InferenceSession(
                read_checked(files, files.model, files.model_sha256), _session_options()
            )
        return _open_optimised(files, cache_folder)
    except (ModelDamagedError, ModelMissingError):
        raise
    # onnxruntime raises a dozen exceptions of its own, which share no class but Exception.
    except Exception as error:
        raise unusable_file(files, files.model, error) from error


def _open_optimised(files: ModelFiles, cache_folder: Path) -> "InferenceSession":
    """Opens the optimised graph of an earlier run, or makes it: 165 ms instead of 265."""
    onnxruntime = load_onnxruntime()
    kept = cache_folder / f"{files.model_sha256[:16]}-onnxruntime-{onnxruntime.__version__}.onnx"
    stamp = kept.with_suffix(".sha256")
    try:
        content = kept.read_bytes()
        if hashlib.sha256(content).hexdigest() == stamp.read_text("ascii"):
            options = _session_options()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            return onnxruntime.InferenceSession(content, options)
    # Not there yet, or half of what two processes wrote at once: it is made again, and the model not blamed.
    except Exception:
        pass
    content = read_checked(files, files.model, files.model_sha256)
    try:
        cache_folder.mkdir(parents=True, exist_ok=True)
        options = _session_options()
        # What "all" adds beyond "extended" fits this processor only, and the folder may move to another.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        made = kept.with_suffix(".part")
        options.optimized_model_filepath = str(made)
        session = onnxruntime.InferenceSession(content, options)
        stamp.unlink(missing_ok=True)
        digest = hashlib.sha256(made.read_bytes()).hexdigest()
        made.replace(kept)
        stamp.write_text(digest, "ascii")
        return session
    # A folder that cannot be written to costs time, nothing else. onnxruntime, which writes the file, has no
    # class for that; if the graph itself is wrong, this fails as well.
    except Exception:
        return onnxruntime.InferenceSession(content, _session_options())


def _session_options() -> "SessionOptions":
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Threads that spin while they wait take the cores from everybody else, themselves included.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # what goes wrong is an exception, and said by us
    return options


def read_checked(files: ModelFiles, path: Path, expected: str) -> bytes:
    """Returns the bytes of a model's file.

    Raises:
        ModelMissingError: It is not there.
        ModelDamagedError: Its hash is not what it should be.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise ModelMissingError(name=files.card.name, reason=reason, remedy=files.remedy) from error
    if hashlib.sha256(content).hexdigest() != expected:
        raise ModelDamagedError(name=files.card.name, path=path, reason=OTHER_HASH, remedy=files.remedy)
    return content


def unusable_file(files: ModelFiles, path: Path, error: Exception) -> ModelDamagedError:
    """Returns what a library says of a file it cannot use, in one line."""
    said = " ".join(str(error).split())[:SAID_CHARS] or type(error).__name__
    return ModelDamagedError(name=files.card.name, path=path, reason=said, remedy=files.remedy)


def _not_installed(files: ModelFiles, package: str) -> ModelMissingError:
    reason = f"the package {package} is not installed"
    return ModelMissingError(name=files.card.name, reason=reason, remedy=INSTALLING)
