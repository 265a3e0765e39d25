"""The fenced tools for Pi's extension: a line of JSON in, a line of JSON out, until the input ends.

The first line is the desk: `{"folder", "writable", "protected"}`. Each further one is a call,
`{"tool", "arguments"}`, and is answered with `{"text", "is_error"}`. The extension does nothing
with files itself, so that every kind of worker has the same fence.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.llm.tools import call_tool
from vaultmem.store.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def answers(lines: Iterable[bytes]) -> Iterator[str]:
    """What the lines are answered; none that the extension did not write is expected."""
    desk: Desk | None = None
    for line in lines:
        given = json.loads(line)
        if desk is None:
            desk = Desk(Path(given["folder"]), given["writable"], protected=given["protected"])
            continue
        told = call_tool(desk, given["tool"], given["arguments"])
        yield json.dumps({"text": told.text, "is_error": told.is_error})


if __name__ == "__main__":
    for answer in answers(sys.stdin.buffer):
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
