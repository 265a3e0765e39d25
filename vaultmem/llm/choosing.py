"""Which model is asked, by what the person decided on this machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from vaultmem.core.llm_settings import KEY_VARIABLE, PI, model_name
from vaultmem.errors import NoModelError
from vaultmem.llm.model import Model, Purpose
from vaultmem.store.user_config import WHOLE_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.config import Environment
    from vaultmem.core.finding import Finding
    from vaultmem.core.llm_settings import LlmSettings

SERVICE = "vaultmem"
"""Under which the system's keyring keeps keys; the user there is the endpoint's address."""


def model_for(
    settings: LlmSettings,
    env: Environment,
    purpose: Purpose,
    *,
    variables: Mapping[str, str] | None = None,
    file: str = "config.yaml",
    findings: Sequence[Finding] = (),
) -> Model:
    """The model for a purpose; nothing is started or connected yet.

    Args:
        settings: of the user config.
        env: the variables that name a model for one command.
        purpose: what it is for.
        variables: all variables, for the key and for Pi; None for those of this process.
        file: the user config, for the person.
        findings: what is wrong with it.

    Raises:
        NoModelError: if none is set up, or its name, key, program or package is missing.
    """
    from vaultmem.variables import endpoint_key, worker_environment

    if settings.llm is None:
        _refuse_wrong("llm", file, findings)
        raise NoModelError(
            "No language model is set up. Put `llm: pi`, or `llm:` with the address of an "
            f"endpoint, into {file}."
        )
    name = _name(settings, env, purpose)
    if settings.llm == PI:
        from vaultmem.llm.pi_worker import PiModel

        environment = worker_environment(variables)
        pi = PiModel(name, environment=environment, window=settings.llm_window)
        pi.program()  # so that nobody agrees to what is not there, and no call of it is counted
        return pi
    if name is None:
        _refuse_wrong("llm_model", file, findings)
        raise NoModelError(
            f"No model of {settings.llm} is named. Put `llm_model:` with its name into {file}."
        )
    from vaultmem.core.endpoint_url import parse_endpoint
    from vaultmem.llm.endpoint import NO_PACKAGE, EndpointModel

    endpoint = parse_endpoint(settings.llm)
    if endpoint is None:
        raise NoModelError(f"{settings.llm} may not be used as `llm`. Give an https address.")
    if find_spec("openai") is None:  # so that nobody agrees to what cannot be asked
        raise NoModelError(NO_PACKAGE)
    key = endpoint_key(settings.llm_key, variables) or _from_keyring(endpoint.url)
    if key is None and not endpoint.local:
        raise NoModelError(
            f"There is no key for {endpoint.url}. Set the variable "
            f"{settings.llm_key or KEY_VARIABLE}, or keep it in the system's keyring "
            f"(service {SERVICE}, user {endpoint.url})."
        )
    return EndpointModel(endpoint, name, key=key, window=settings.llm_window)


def _refuse_wrong(key: str, file: str, findings: Sequence[Finding]) -> None:
    """Say what is wrong with a key that is there and does not count, or with the whole file.

    Raises:
        NoModelError: if anything is.
    """
    for one in findings:
        if one.message.startswith(f"`{key}` ") or one.code in WHOLE_FILE:
            where = f"line {one.line} of {file}" if one.line else file
            raise NoModelError(
                f"No language model is asked, for {where} is wrong: {one.message} {one.remedy}"
            )


def _name(settings: LlmSettings, env: Environment, purpose: Purpose) -> str | None:
    """The model's name, as the table of docs/reference/configuration.md says."""
    asked = [settings.llm_model]
    if purpose is not Purpose.EXTRACT:
        named = (env.llm_model, env.consolidation_model)
        first, fallback = (model_name(one) for one in named)
        asked = [first, settings.llm_consolidation_model, fallback, settings.llm_model]
    return next(filter(None, asked), None)


def _from_keyring(user: str) -> str | None:
    """The key in the system's keyring; None where there is no such package, keyring or entry."""
    try:
        from keyring import get_password
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        found: object = get_password(SERVICE, user)
    except KeyringError:
        return None
    return found.strip() or None if isinstance(found, str) else None
