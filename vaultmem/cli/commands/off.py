"""`vaultmem off`: switch remembering or recalling off, on this machine."""

from __future__ import annotations

from vaultmem.cli.switching import switching


@switching(off=True)
def command() -> None:
    """Stop remembering and recalling on this machine.

    Without --write and --read both are switched off, without --project and
    --session everywhere. What is remembered stays as it is.
    """
