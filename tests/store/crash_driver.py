"""Runs one operation again and again, killing the process before each of its system calls in turn.

`python -m tests.store.crash_driver OPERATION FILE_SYSTEM FOLDER` leaves a vault `FOLDER/<n>` for the
kill before call n, and prints the name of that call; the last n was not killed.
"""

from __future__ import annotations

import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import filelock  # noqa: F401  (here, so that not every child imports it)

import vaultmem.notes.frontmatter  # noqa: F401  (as above)
from tests.store.faults import disk, torn_writes
from vaultmem.core.ledger import LedgerKind, new_entry
from vaultmem.store.files import create_file, etag_of, move_file, remove_file, replace_file
from vaultmem.store.key import Key
from vaultmem.store.ledger import LedgerWriter
from vaultmem.store.lock import VaultLock
from vaultmem.store.private import create_private, write_private

NOTE = "Memory/Lessons/Note.md"
OTHER = "Memory/Patterns/Other.md"
OLD = b"old version\n" * 200
NEW = b"the new version\n" * 300
KEY = Key(b"k" * 32)
DEVICE = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
AT = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)


def append(vault: Path, number: int) -> None:
    writer = LedgerWriter(vault, "Memory", device=DEVICE, key=KEY, lock=VaultLock(vault / ".lock"))
    entries = [
        new_entry(AT, "edited", "-", {"n": number}, randomness=bytes([number, part] * 5))
        for part in range(3)
    ]
    writer.append(LedgerKind.ACTIVITY, entries)


PREPARE = {
    "replace": lambda vault: create_file(vault, NOTE, OLD),
    "create": lambda vault: None,
    "remove": lambda vault: create_file(vault, NOTE, OLD),
    "move": lambda vault: create_file(vault, NOTE, OLD),
    "append": lambda vault: append(vault, 1),
    "first_append": lambda vault: None,
    "private": lambda vault: create_private(vault / "binding.json", OLD),
}
RUN = {
    "replace": lambda vault: replace_file(vault, NOTE, NEW, expected=etag_of(OLD)),
    "create": lambda vault: create_file(vault, NOTE, NEW),
    "remove": lambda vault: remove_file(vault, NOTE, expected=etag_of(OLD)),
    "move": lambda vault: move_file(vault, NOTE, OTHER, expected=etag_of(OLD)),
    "append": lambda vault: append(vault, 2),
    "first_append": lambda vault: append(vault, 2),
    "private": lambda vault: write_private(vault / "binding.json", NEW),
}


def _child(operation: str, file_system: str, vault: Path, at: int) -> None:
    """Die before call `at` with status 9, or finish with 0; never return."""
    status = 1
    try:
        with disk(file_system, at=at, act=lambda name: os._exit(9)) as calls, torn_writes():
            RUN[operation](vault)
        assert len(calls) < at
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def main(operation: str, file_system: str, folder: Path) -> None:
    at = 0
    status = 9
    while status == 9:
        at += 1
        vault = folder / str(at)
        vault.mkdir()
        PREPARE[operation](vault)
        child = os.fork()
        if child == 0:
            _child(operation, file_system, vault, at)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(at, flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
