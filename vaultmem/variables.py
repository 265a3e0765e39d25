"""What of this process's variables the language model's side is given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultmem.config import AGENT_VARIABLES
from vaultmem.core.llm_settings import KEY_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

_OURS = ("VAULTMEM_", "PI_MEMORY_", "PI_VAULT_", "PI_SESSION_", "PI_SUBAGENT_")


def endpoint_key(name: str | None, environ: Mapping[str, str] | None = None) -> str | None:
    """The key of a model's endpoint.

    Args:
        name: the variable that holds it; None for `VAULTMEM_LLM_KEY`.
        environ: all variables; None for those of this process.
    """
    found = os.environ if environ is None else environ
    return found.get(name or KEY_VARIABLE, "").strip() or None


def worker_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables for the Pi that works for us: the person's, but nothing that leads back to us.

    It keeps what its providers need, such as keys and proxies. It belongs to no session of another
    Pi, and whatever it started of ours would be an agent's act.

    Args:
        environ: all variables; None for those of this process.
    """
    found = os.environ if environ is None else environ
    kept = {
        name: text
        for name, text in found.items()
        if not name.startswith(_OURS) and name not in AGENT_VARIABLES
    }
    return {**kept, "AI_AGENT": "vaultmem", "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}
