"""What the user config says of the language model, each key with what is allowed for it."""

from __future__ import annotations

from typing import NamedTuple

PI = "pi"
"""What `llm` says where Pi is the way to the models."""
KEY_VARIABLE = "VAULTMEM_LLM_KEY"
"""The variable that holds an endpoint's key, where the user config names no other."""
_MOST_NAME = 200
"""Characters of a model's name."""
WINDOWS = range(1_000, 100_000_001)
"""Tokens of a model's window."""


class LlmSettings(NamedTuple):
    """How the language model is reached; the fields are keys of `core.config_keys.KEYS`.

    Attributes:
        llm: `PI`, or the address of an endpoint in its normal form; None where none is set up.
        llm_model: its name for extraction.
        llm_consolidation_model: its name for the rewriting.
        llm_key: the variable that holds the endpoint's key.
        llm_window: tokens that it can read at once.
    """

    llm: str | None = None
    llm_model: str | None = None
    llm_consolidation_model: str | None = None
    llm_key: str | None = None
    llm_window: int | None = None


def way(value: object) -> str | None:
    """`pi`, or an address in its normal form."""
    from vaultmem.core.endpoint_url import parse_endpoint  # few configs have one

    if not isinstance(value, str) or value == PI:
        return PI if value == PI else None
    endpoint = parse_endpoint(value)
    return None if endpoint is None else endpoint.url


def model_name(value: object) -> str | None:
    """A name; as it may become an argument of a program, it may not look like an option."""
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_NAME or value[0] == "-":
        return None
    return value if value.isprintable() and " " not in value else None


def variable_name(value: object) -> str | None:
    """The name of an environment variable."""
    return value if isinstance(value, str) and value.isascii() and value.isidentifier() else None


def window(value: object) -> int | None:
    """A number of tokens."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value in WINDOWS else None
