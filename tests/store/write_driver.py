"""One of many processes that append to the same note and the same ledger under the vault's lock.

`python -m tests.store.write_driver VAULT ROUNDS NUMBER`
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.store.crash_driver import AT, DEVICE, KEY
from vaultmem.core.ledger import LedgerKind, new_entry
from vaultmem.store.files import etag_of, read_note, replace_file
from vaultmem.store.ledger import LedgerWriter
from vaultmem.store.lock import VaultLock

NOTE = "Memory/Note.md"


def main(vault: Path, rounds: int, number: int) -> None:
    lock = VaultLock(vault.parent / "lock", timeout=60)
    writer = LedgerWriter(vault, "Memory", device=DEVICE, key=KEY, lock=lock)
    for turn in range(rounds):
        line = f"{number} {turn}"
        with lock:
            data = read_note(vault, NOTE)
            replace_file(vault, NOTE, data + f"{line}\n".encode(), expected=etag_of(data))
        entry = new_entry(AT, "edited", "-", {"turn": line}, randomness=os.urandom(10))
        writer.append(LedgerKind.ACTIVITY, [entry])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
