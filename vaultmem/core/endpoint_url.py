"""Which address a model's endpoint may have: https, or http on this machine itself."""

from __future__ import annotations

import re
from typing import NamedTuple

_SPLIT = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>(?:/[A-Za-z0-9._~%!$&'()*+,;=:@-]*)*)",
    re.ASCII,
)
_HEAD = re.compile(r"[A-Za-z]+://[^/]*")
_MOST = 500
"""Characters; a server's address has a few dozen."""


class Endpoint(NamedTuple):
    """The address of an OpenAI-compatible server.

    Attributes:
        url: the base, without `/` at its end; `/chat/completions` comes after it.
        local: whether it is this machine itself.
    """

    url: str
    local: bool


def parse_endpoint(text: str) -> Endpoint | None:
    """The endpoint that a text names; None if it may not be used.

    It may hold no name, password, query or fragment: what it holds is shown and stored.
    """
    head = _HEAD.match(text)
    match = _SPLIT.fullmatch(head[0].lower() + text[head.end() :]) if head else None
    if match is None or len(text) > _MOST or int(match["port"] or 1) not in range(1, 65_536):
        return None
    local = is_loopback(match["host"])
    if match["scheme"] == "http" and not local:
        return None
    return Endpoint(match[0].rstrip("/"), local)


def is_loopback(host: str) -> bool:
    """Whether a host, as it stands in an address, is this machine."""
    import ipaddress  # only where an endpoint is set up

    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
