"""An endpoint's failures as errors of ours: what is wrong, and what to do."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from vaultmem.errors import (
    ModelAccessError,
    ModelDownError,
    ModelRefusedError,
    ModelUnreachedError,
)
from vaultmem.llm.said import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openai import APIConnectionError, APIStatusError

    from vaultmem.core.endpoint_url import Endpoint

_FORM_WORDS = ("response_format", "json_schema", "json_object", "structured", "grammar")
_NO_CREDIT = ("insufficient_quota", "billing")
_LATER = (408, 409, 425, 429)


class Misunderstood(Exception):  # noqa: N818 - it is answered with another request
    """The server refuses a part of the request that can be said in another way.

    Attributes:
        about: `form` for the form of the answer, `limit` for its length.
    """

    def __init__(self, about: str, error: ModelAccessError) -> None:
        self.about = about
        self._error = error
        super().__init__(about)

    def give_up(self) -> NoReturn:
        """There is no other way.

        Raises:
            ModelRefusedError.
        """
        raise self._error


@contextmanager
def endpoint_errors(
    endpoint: Endpoint, model: str, *, key: str | None, sent: str
) -> Iterator[None]:
    """Translate what the package raises.

    Args:
        endpoint: where the request went.
        model: the name of the model.
        key: which no text may hold.
        sent: the texts of the request.

    Raises:
        ModelDownError, ModelRefusedError: in place of the package's errors.
        Misunderstood: if the request can be made in another manner.
    """
    from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

    try:
        yield
    except APIStatusError as error:
        raise _of_status(error, endpoint, model, key=key, sent=sent) from None
    except APITimeoutError as error:
        raise _no_answer(error)(
            f"{endpoint.url} did not answer in time. Wait; a later run tries it again."
        ) from None
    except APIConnectionError as error:
        if isinstance(error.__cause__, ModelDownError):  # our own limit ended it
            raise error.__cause__ from None
        raise _no_answer(error)(
            f"{endpoint.url} cannot be reached. Check that it runs and that this machine is "
            "connected; a later run tries it again."
        ) from None
    except OpenAIError:
        raise nonsense(endpoint) from None


def _no_answer(error: APIConnectionError) -> type[ModelDownError]:
    """Whether nothing was sent; by name, for the package's HTTP client is not ours to import."""
    unsent = type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout")
    return ModelUnreachedError if unsent else ModelDownError


def nonsense(endpoint: Endpoint) -> ModelDownError:
    """What is raised for an answer that is none."""
    return ModelDownError(
        f"{endpoint.url} does not answer as an OpenAI-compatible server does. Check that `llm` is "
        "its base address, which often ends in /v1."
    )


def _of_status(
    error: APIStatusError, endpoint: Endpoint, model: str, *, key: str | None, sent: str
) -> ModelAccessError | Misunderstood:
    told = _message(error)
    refused = _refused(error, endpoint, model, said(told, sent=sent, secret=key))
    lower = f"{told} {error.param}".lower()
    if error.status_code not in (400, 422):
        return refused
    if "max_completion_tokens" in lower or "max_tokens" in lower:
        return Misunderstood("limit", refused)
    if any(word in lower for word in _FORM_WORDS):
        return Misunderstood("form", refused)
    return refused


def _refused(
    error: APIStatusError, endpoint: Endpoint, model: str, quoted: str
) -> ModelAccessError:
    """What a status means; `quoted` is what may be told of the server's own sentence."""
    url, status = endpoint.url, error.status_code
    kind: type[ModelAccessError] = ModelRefusedError
    if status in (401, 403):  # not quoted: some servers repeat the key
        text = (
            f"{url} does not accept the key ({status}). Check the variable that `llm_key` names, "
            "or the keyring."
        )
    elif status == 404:
        text = (
            f"{url} knows no model {model}, or is not the base address (404).{quoted} Check "
            "`llm_model` and `llm` in the user config, which `vaultmem status` names."
        )
    elif 300 <= status < 400:
        text = (
            f"{url} sends elsewhere ({status}), which is not followed. Put the final address into "
            "`llm`."
        )
    elif status == 402 or any(word in f"{error.code} {error.type}" for word in _NO_CREDIT):
        text = f"The credit at {url} is used up ({status}).{quoted} See your account there."
    elif status in _LATER or status >= 500:
        kind = ModelDownError
        text = f"{url} is busy or broken ({status}).{quoted} Wait; a later run tries it again."
    else:
        text = (
            f"{url} does not take the request ({status}).{quoted} Check `llm_model` and "
            "`llm_window` in the user config, which `vaultmem status` names."
        )
    return kind(text)


def _message(error: APIStatusError) -> str:
    """The server's own sentence; "" where its body is of another shape."""
    match error.body:
        case {"message": str(text)} | {"error": str(text)} | {"detail": str(text)}:
            return text
    return ""
