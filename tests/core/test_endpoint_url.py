"""Which addresses an endpoint may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.endpoint_url import Endpoint, is_loopback, parse_endpoint


@pytest.mark.parametrize(
    ("text", "url", "local"),
    [
        ("https://models.example/v1", "https://models.example/v1", False),
        ("https://models.example", "https://models.example", False),
        ("https://models.example/", "https://models.example", False),
        ("HTTPS://Models.Example:443/Api/V1/", "https://models.example:443/Api/V1", False),
        ("https://10.0.0.7:8000/v1", "https://10.0.0.7:8000/v1", False),
        ("http://localhost:11434/v1", "http://localhost:11434/v1", True),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("http://127.9.9.9/v1", "http://127.9.9.9/v1", True),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", True),
        ("https://localhost/v1", "https://localhost/v1", True),
        ("https://[2001:db8::1]/v1", "https://[2001:db8::1]/v1", False),
    ],
)
def test_https_anywhere_and_http_on_this_machine_may_be_used(
    text: str, url: str, local: bool
) -> None:
    assert parse_endpoint(text) == Endpoint(url, local)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pi",
        "models.example/v1",
        "ftp://models.example/v1",
        "file:///etc/passwd",
        "https://",
        "https:///v1",
        "https:models.example",
        # plain text over the net, also where it looks like this machine
        "http://models.example/v1",
        "http://10.0.0.7:8000/v1",
        "http://localhost.example/v1",
        "http://127.0.0.1.example/v1",
        "http://127.1/v1",
        "http://2130706433/v1",
        "http://0.0.0.0/v1",
        "http://[::ffff:10.0.0.7]/v1",
        # what would be stored and shown, or is read differently elsewhere
        "https://ann:secret@models.example/v1",
        "https://ann@models.example/v1",
        "http://localhost@models.example/v1",
        "https://models.example/v1?key=secret",
        "https://models.example/v1#x",
        "https://models.example\\@evil.example/v1",
        "https://models.example/v1\n",
        " https://models.example/v1",
        "https://models.example/v 1",
        "https://mödels.example/v1",
        "https://models.example:0/v1",
        "https://models.example:65536/v1",
        "https://models.example:/v1",
        "https://-models.example/v1",
        "https://models.example/" + "x" * 500,
    ],
)
def test_any_other_address_may_not_be_used(text: str) -> None:
    assert parse_endpoint(text) is None


@pytest.mark.parametrize(
    ("host", "local"), [("localhost", True), ("::1", True), ("[::1]", True), ("example", False)]
)
def test_knows_this_machine(host: str, local: bool) -> None:
    assert is_loopback(host) is local


@given(st.text(max_size=30), st.sampled_from(["", "http://", "https://", "https://a/"]))
def test_what_may_be_used_holds_nothing_but_an_address(text: str, head: str) -> None:
    found = parse_endpoint(head + text)
    if found is not None:
        assert found.url.isprintable()
        assert found.url.isascii()
        assert not set(found.url) & set(' ?#"\\<>')
        assert found.url.startswith("https://") or found.local
        assert parse_endpoint(found.url) == found
