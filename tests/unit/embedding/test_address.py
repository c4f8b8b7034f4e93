"""Addresses of services: which can be used, and how they are shown."""

import pytest

from dowse.embedding.address import parse_address, show_address
from dowse.errors import InvalidParameterError

SECRET = [
    "http://ann:geheim@host/v1",
    "https://geheim@host:8080/v1",
    "http://ann:ge@heim@host/v1",
    "http://ann:geheim/x@host/v1",
    "http://ann:geheim @host",
    "ftp://ann:geheim@host/v1",
    "ann:geheim@host:11434/v1",
    "https://host/v1?key=geheim",
    "http://ann:gehe?im@host",
    "https://host/v1?a=1\n&key=geheim",
]


@pytest.mark.parametrize("url", SECRET)
def test_what_may_be_secret_is_not_shown(url: str) -> None:
    """Whether the address can be used or not; where it leads stays."""
    shown = show_address(url)
    assert "host" in shown
    assert not any(part in shown for part in ("geheim", "heim", "ann", "gehe"))


@pytest.mark.parametrize("url", ["http://localhost:11434/v1", "https://example.com/openai/d/embeddings", ""])
def test_what_is_not_secret_is_shown(url: str) -> None:
    """An address without user and query stays as it is."""
    assert url == show_address(url)


@pytest.mark.parametrize("url", [one for one in SECRET if "@" in one])
def test_a_password_is_refused_and_not_repeated(url: str) -> None:
    """Neither in the message nor in the hint; the hint says where a key belongs."""
    with pytest.raises(InvalidParameterError) as caught:
        parse_address(url)
    said = caught.value.message + caught.value.hint
    assert not any(part in said for part in ("geheim", "gehe", "ann:"))


def test_the_refusal_of_a_password_names_the_variable() -> None:
    """Somebody who needs a key learns where to put it."""
    with pytest.raises(InvalidParameterError, match="a user or a password") as caught:
        parse_address("http://ann@host/v1")
    assert "DOWSE_EMBEDDING_KEY" in caught.value.hint


def test_a_query_is_part_of_an_address() -> None:
    """Some services have their version there."""
    assert "api-version=2024-02-01" == parse_address("https://h/openai?api-version=2024-02-01").query


@pytest.mark.parametrize("url", ["http://h/é", "http://h/v1?é", "http://h/\tx", "http:///v1", "http://h:x/"])
def test_what_cannot_be_sent_is_no_address(url: str) -> None:
    """Found before anything is sent."""
    with pytest.raises(InvalidParameterError, match="url cannot be"):
        parse_address(url)
