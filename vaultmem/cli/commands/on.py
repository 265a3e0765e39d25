"""`vaultmem on`: switch remembering or recalling on, on this machine."""

from __future__ import annotations

from vaultmem.cli.switching import switching


@switching(off=False)
def command() -> None:
    """Remember and recall again on this machine.

    Without --write and --read both are switched on, without --project and
    --session everywhere.
    """
