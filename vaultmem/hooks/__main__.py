"""`python -m vaultmem.hooks serve|hook …`: the commands without the code of the command line.

The agent waits while its extension starts us, and the libraries of the command line take as long
as everything else.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from vaultmem.hooks.processes import is_alone, run_hook, run_serve, write_whole
from vaultmem.hooks.wire import MAX_LINE

USAGE = "usage: python -m vaultmem.hooks serve [VAULT] | hook EVENT [VAULT]"


def main(arguments: list[str]) -> int:
    """Start the process that is asked for; returns 2 where that is not understood."""
    match arguments:
        case ["serve", *rest] if len(rest) <= 1:
            run_serve(rest[0] if rest else None)
        case ["hook", event, *rest] if len(rest) <= 1:
            if not is_alone():
                payload = sys.stdin.buffer.read(MAX_LINE + 1)
                run_hook(event, rest[0] if rest else None, payload, _say)
        case _:
            sys.stderr.write(f"{USAGE}\n")
            return 2
    return 0


def _say(line: bytes) -> None:
    out = os.fdopen(sys.stdout.fileno(), "wb", buffering=0, closefd=False)
    with out, suppress(BrokenPipeError):  # nobody reads it; the event happened all the same
        write_whole(out, line)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    gc.freeze()  # as the command line does
    sys.exit(code)
