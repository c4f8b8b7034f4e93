"""Options of embedding become what `embedding` takes; a project may not choose who reads texts."""

from pathlib import Path

import pytest

from dowse.config.embedding_settings import build_embedding, resolve_model
from dowse.config.loading import load_effective
from dowse.config.merging import Effective
from dowse.config.options import BY_NAME, get_default
from dowse.embedding import DEFAULT_MODEL, EMBEDDERS, EmbeddingSettings, HttpSettings
from dowse.errors import ConfigError
from dowse.fusion import DEFAULT_FUSION, FUSIONS

SERVICE = '[embedding]\nkind = "http"\nurl = "http://localhost:1/v1"\ndimensions = 8\nmodel = "theirs"\n'


def effective_of(tmp_path: Path, text: str, **environment: str) -> Effective:
    """Returns what holds with this text in the user's file."""
    (tmp_path / "config.toml").write_text(text)
    return load_effective(tmp_path, {"DOWSE_CONFIG": str(tmp_path / "config.toml")} | environment)


def built(tmp_path: Path, text: str, **environment: str) -> EmbeddingSettings:
    """Returns the settings that this text makes."""
    return build_embedding(effective_of(tmp_path, text), environment, tmp_path / "cache", threads=3)


def wrong(tmp_path: Path, text: str, **environment: str) -> ConfigError:
    """Returns what is wrong with this text; words can be searched all the same, so it is not raised."""
    settings = built(tmp_path, text, **environment)
    assert (None, "theirs") == (settings.http, settings.model)
    assert settings.error is not None
    return settings.error


def test_nothing_said_means_the_default_model_here(tmp_path: Path) -> None:
    """Defaults of the options are those of the package that owns them."""
    assert EmbeddingSettings(threads=3, cache_folder=tmp_path / "cache") == built(tmp_path, "")
    assert (DEFAULT_MODEL, DEFAULT_FUSION) == (get_default("embedding.model"), get_default("search.fusion"))
    assert tuple(row.name for row in EMBEDDERS) == BY_NAME["embedding.kind"].choices
    assert tuple(kind.name for kind in FUSIONS) == BY_NAME["search.fusion"].choices


def test_a_service_gets_its_key_from_the_named_variable_only(tmp_path: Path) -> None:
    """Another program's key is never sent, and no key is shown."""
    http = built(tmp_path, SERVICE, OPENAI_API_KEY="theirs", DOWSE_EMBEDDING_KEY="mine").http
    assert http is not None
    assert ("http://localhost:1/v1", "theirs", 8, "mine") == (http.url, http.model, http.dimensions, http.key)
    assert "mine" not in repr(http)
    named = built(tmp_path, SERVICE + 'key_variable = "OTHER"\n', OTHER="key", DOWSE_EMBEDDING_KEY="no").http
    assert named is not None
    assert "key" == named.key
    assert "" == built(tmp_path, SERVICE).http.key  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["url", "dimensions"])
def test_a_service_must_be_described(tmp_path: Path, name: str) -> None:
    """The error says which file chose a service, what is missing, and how to say it."""
    text = "".join(f"{line}\n" for line in SERVICE.splitlines() if not line.startswith(name))
    error = wrong(tmp_path, text)
    assert f"embedding.{name} is not set" in error.message
    assert f"{tmp_path / 'config.toml'}:2" in error.message
    assert error.hint.startswith(f"set-option embedding.{name} ")


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://x/v1", "http://", "http://x:0/v1", "http://x y/"])
def test_an_address_that_is_none_is_named_with_its_line(tmp_path: Path, url: str) -> None:
    """Found before anything is sent."""
    error = wrong(tmp_path, SERVICE.replace("http://localhost:1/v1", url))
    assert f"{tmp_path / 'config.toml'}:3: “embedding.url” cannot be " in error.message


def test_a_password_in_an_address_is_refused_with_its_line_and_not_shown(tmp_path: Path) -> None:
    """The hint says where a key belongs."""
    error = wrong(tmp_path, SERVICE.replace("localhost", "ann:geheim@localhost"))
    assert f"{tmp_path / 'config.toml'}:3: “embedding.url” cannot be an address with a user" in error.message
    assert "DOWSE_EMBEDDING_KEY" in error.hint
    assert "geheim" not in error.message + error.hint


@pytest.mark.parametrize("key", ["sesame\n", "sésame", "ses\tame"])
def test_a_key_that_cannot_be_sent_is_looked_for_in_its_variable(tmp_path: Path, key: str) -> None:
    """The address is not blamed for it, and the key is not shown."""
    error = wrong(tmp_path, SERVICE + 'key_variable = "OTHER"\n', OTHER=key)
    assert error.message.startswith("$OTHER: it holds a key that cannot be sent")
    assert "s" + key[1:] not in error.message + error.hint


def test_a_service_is_asked_as_the_options_say(tmp_path: Path) -> None:
    """Prefixes keep their spaces and line ends; nothing said is the owner's default."""
    prefixes = 'query_prefix = "Instruct: find\\nQuery: "\npassage_prefix = "p: "\n'
    http = built(tmp_path, SERVICE + prefixes + "timeout_seconds = 90\nretries = 0\n").http
    assert http is not None
    assert ("Instruct: find\nQuery: ", "p: ") == (http.query_prefix, http.passage_prefix)
    assert (90.0, 0) == (http.timeout_s, http.retries)
    assert HttpSettings("http://localhost:1/v1", "theirs", 8) == built(tmp_path, SERVICE).http


def test_a_prefix_is_taken_as_it_is_typed(tmp_path: Path) -> None:
    """In the environment as well: models were trained with the space."""
    effective = effective_of(tmp_path, "", DOWSE_EMBEDDING_QUERY_PREFIX=" q: ", DOWSE_EMBEDDING_MODEL=" m ")
    assert (" q: ", "m") == tuple(effective.values[f"embedding.{name}"] for name in ("query_prefix", "model"))


@pytest.mark.parametrize(
    "line",
    ["kind", "url", "model", "folders", "key_variable", "dimensions", "query_prefix", "passage_prefix"],
)
def test_a_project_may_not_choose_who_reads_texts(tmp_path: Path, line: str) -> None:
    """Each of these options is the user's, unless the user trusts the project."""
    values = {"kind": '"http"', "folders": '["x"]', "dimensions": "8"}
    project = tmp_path / "project"
    project.mkdir()
    (project / ".dowse.toml").write_text(f"[embedding]\n{line} = {values.get(line, repr('x'))}\n")
    user = tmp_path / "config.toml"
    with pytest.raises(ConfigError, match="decides who reads your texts"):
        load_effective(project, {"DOWSE_CONFIG": str(user)})
    user.write_text(f'trusted = ["{project}"]\n')
    assert load_effective(project, {"DOWSE_CONFIG": str(user)}).values[f"embedding.{line}"]


def test_a_model_that_was_added_goes_by_the_name_of_its_folder(tmp_path: Path) -> None:
    """Names of the table and paths stay what they are."""
    folders = ("/models/mine", "/models/yours")
    assert ["/models/yours", "bge-small-en-v1.5", "/elsewhere/mine"] == [
        resolve_model(name, folders) for name in ("yours", "bge-small-en-v1.5", "/elsewhere/mine")
    ]
    text = '[embedding]\nfolders = ["/models/mine"]\nmodel = "mine"\nmax_tokens = 99\n'
    settings = built(tmp_path, text)
    assert ("/models/mine", 99) == (settings.model, settings.max_tokens)
