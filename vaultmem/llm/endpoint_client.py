"""The client of the `openai` package, held to what we send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from openai import DefaultHttpxClient, OpenAI

from vaultmem.errors import ModelDownError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

    from vaultmem.core.endpoint_url import Endpoint

_NEEDED = (
    *("host", "content-length", "content-type", "accept", "accept-encoding", "connection"),
    "x-stainless-raw-response",  # by it the package itself knows what to return
)
"""Headers that a request needs; the package adds others, of this machine and its variables."""


MOST_BYTES = 16 << 20
"""Of one answer, unpacked: a hundred times what the longest that is asked for takes."""


class _Request(Protocol):
    @property
    def headers(self) -> MutableMapping[str, str]: ...


class _Response(Protocol):
    iter_bytes: Callable[..., Iterator[bytes]]


def client(endpoint: Endpoint, key: str | None) -> OpenAI:
    """A client that follows no redirect, repeats nothing and tells nothing of this machine.

    An answer that is longer than any model's ends in a `ModelDownError`, as the cause of the error
    that the package raises.

    Args:
        endpoint: the base address.
        key: sent as the bearer; None for none.
    """

    def only_needed(request: _Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _NEEDED:
                del request.headers[name]
        request.headers["user-agent"] = "vaultmem"
        if key is not None:
            request.headers["authorization"] = f"Bearer {key}"

    def bounded(response: _Response) -> None:
        whole = response.iter_bytes

        def iter_bytes(chunk_size: int | None = None) -> Iterator[bytes]:
            size = 0
            for chunk in whole(chunk_size):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise ModelDownError(
                        f"{endpoint.url} sends more than {MOST_BYTES >> 20} MiB, which is no "
                        "answer of a model. Check that `llm` is its base address."
                    )
                yield chunk

        response.iter_bytes = iter_bytes

    http = DefaultHttpxClient(
        follow_redirects=False,
        trust_env=not endpoint.local,  # no proxy stands between this machine and itself
        event_hooks={"request": [only_needed], "response": [bounded]},
    )
    return OpenAI(base_url=endpoint.url, api_key=key or "none", max_retries=0, http_client=http)
