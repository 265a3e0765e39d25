"""One vault opened on this machine: its folders, baseline and key, each opened when needed."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem.core.governance import NOTHING_SAID, Said, govern
from vaultmem.core.wording import argument
from vaultmem.errors import CANNOT_WRITE, DiskFullError, KeyMissingError, VaultIdError
from vaultmem.store.baseline import RACY_NS, Baseline, open_baseline
from vaultmem.store.baseline_rows import LedgerRow, NoteRow
from vaultmem.store.growing import GrowingFiles
from vaultmem.store.ledger_table import UNWRITTEN
from vaultmem.store.settings import IN_FORCE, read_settings, text_of
from vaultmem.store.state import VaultState, known_id
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from vaultmem.config import HomeDirs
    from vaultmem.core.enforcement.known import KnownRules
    from vaultmem.core.finding import Finding
    from vaultmem.core.governance import Governance
    from vaultmem.core.ledger import LedgerEntry, LedgerKind, LedgerLine
    from vaultmem.core.settings import Settings
    from vaultmem.core.settled import SettledFor
    from vaultmem.errors import VaultmemError
    from vaultmem.store.key import Key
    from vaultmem.store.lock import VaultLock
    from vaultmem.store.patches import PatchTable
    from vaultmem.store.windows import Windows

_HASH = 16
"""Hex digits of `OpenVault.keyed_hash` that are kept: 64 bits."""


class OpenVault:
    """What every service needs of the vault that it works on."""

    def __init__(
        self,
        path: Path,
        root: str,
        *,
        settings: Settings,
        state: VaultState,
        findings: tuple[Finding, ...] = (),
        said: Said = NOTHING_SAID,
        written: bytes | None = None,
    ) -> None:
        """Hold the parts; `open_vault` finds them."""
        self.path = path
        self.root = root
        self.settings = settings
        self.state = state
        self.findings = findings
        self.said = said
        self.written = written
        """The bytes of the settings note on the disk, None where there is none."""
        self.governance: Governance = govern(said)[0]
        """The settings of governance that hold; the app takes the user config into account."""
        self.settled: SettledFor | None = None
        """What `services.report` found out about a day and a project, for the next report."""
        self.guardrails: KnownRules | None = None
        """The rules that `services.enforcing` decoded, for the next call of a tool."""
        self.run_after: frozenset[tuple[str, ...]] = frozenset()
        """The commands that the user config lets a rule run; a vault allows none."""
        self.notebook: frozenset[str] = frozenset()
        """The projects, casefolded, whose sessions the user config lets become a notebook."""
        self.knowledge: Callable[[], Mapping[str, Path]] = dict
        """The other vaults of knowledge by their names, which the user config or `PI_VAULT_PATH`
        names; looked up when asked."""
        self._growing = GrowingFiles()
        self.windows: tuple[int, Windows] | None = None
        """When a tool could write, as read at a moment; `services.syncing.attribution` reads it."""
        self.put_off: Finding | None = None
        """What could not be written during this command and waits, if anything."""

    @property
    def device(self) -> str:
        """This machine's id."""
        return self.state.device

    @cached_property
    def baseline(self) -> Baseline:
        """What this machine last saw."""
        return open_baseline(self.state.folder / "baseline.sqlite")

    @property
    def patches(self) -> PatchTable:
        """The patches that this machine decided, in the baseline's file."""
        from vaultmem.store.patches import PatchTable

        return PatchTable(self.baseline.connection)

    @cached_property
    def key(self) -> Key | None:
        """The vault's key, or None on a device that has not been given it or whose key is damaged.

        A damaged key is no reason to stop: nothing is signed, and `doctor` says so (VM404).
        """
        try:
            return self.state.key_file.load()
        except KeyMissingError:
            return None

    def settings_are_known(self) -> bool:
        """Whether the settings on the disk are those that this machine let be in force."""
        return self.written is not None and text_of(self.written) == self.baseline.meta(IN_FORCE)

    def forget_report(self) -> None:
        """Let go of what a report leaves for the next one, before much else needs memory."""
        self.settled = None
        self.baseline.forget_standings()

    def forget_key(self) -> None:
        """Read the key file again at the next use: a key was just imported."""
        self.__dict__.pop("key", None)

    def keyed_hash(self, domain: str, data: bytes) -> str:
        """16 hex digits for a text that nobody without this vault's key can guess from them."""
        if self.key is not None:
            return self.key.mac(domain, data)[:_HASH]
        from hashlib import blake2b  # a device without the key

        return blake2b(data, key=self.device.encode(), digest_size=_HASH // 2).hexdigest()

    def lock(self) -> VaultLock:
        """The lock that every writer holds."""
        return self.state.lock()

    def close(self) -> None:
        """Give the baseline's file back."""
        if "baseline" in self.__dict__:
            self.baseline.close()
            del self.__dict__["baseline"]

    def vouches(self, row: LedgerRow) -> bool:
        """Whether a line of a ledger counts: it is signed, or nobody can tell without the key."""
        return bool(row.signed) or self.key is None

    def append(self, kind: LedgerKind, entries: Sequence[LedgerEntry]) -> None:
        """Write entries into this device's ledger and let the baseline know them at once.

        Where the vault cannot be written now, they wait in the baseline for the next append, so
        that a vault on a read-only or full disk can still be read as it is.

        Raises:
            BusyError, NoteError, DiskFailedError: as `LedgerWriter.append`.
        """
        if not entries:
            return
        waiting = [_entry_of(row) for row in self.baseline.ledger.unwritten(kind)]
        try:
            self._append(kind, [*waiting, *entries])
        except CANNOT_WRITE as error:
            self.put_off_for(error)
            from vaultmem.core.ledger import LedgerLine

            signed = self.key is not None
            self.baseline.ledger.put(
                ledger_row(LedgerLine(*entry, kind, self.device, signed), UNWRITTEN)
                for entry in entries
            )

    def append_waiting(self) -> None:
        """Write the ledger lines that waited for a vault which could not be written, if it can.

        Raises:
            BusyError, NoteError, DiskFailedError: as `LedgerWriter.append`.
        """
        from vaultmem.core.ledger import LedgerKind

        try:
            for kind in LedgerKind:
                if waiting := self.baseline.ledger.unwritten(kind):
                    self._append(kind, [_entry_of(row) for row in waiting])
        except CANNOT_WRITE as error:
            self.put_off_for(error)

    def put_off_for(self, error: VaultmemError, *, state: bool = False) -> Finding:
        """Remember that something waits because it could not be written; what to tell of it.

        Args:
            error: what the system said, one of `CANNOT_WRITE`.
            state: not even this machine's state could be written.
        """
        from vaultmem.core.finding import finding

        if isinstance(error, DiskFullError):
            self.put_off = finding("VM322", _STATE_FULL if state else _FULL, remedy=_FREE)
        elif state:
            self.put_off = finding("VM322", _STATE_READ_ONLY, remedy=str(error))
        else:
            self.put_off = finding("VM322", remedy=f"{error} Then run `vaultmem sync`.")
        return self.put_off

    def _append(self, kind: LedgerKind, entries: Sequence[LedgerEntry]) -> None:
        from vaultmem.store.ledger import FOLDER, Author, LedgerWriter, ledger_name

        author = Author(kind, self.device)
        months = {entry.at.strftime("%Y-%m") for entry in entries}
        paths = [f"{self.root}/{FOLDER}/{ledger_name(month, author)}" for month in sorted(months)]
        with self.lock() as lock:
            known = [path for path in paths if self._is_known(path)]
            writer = LedgerWriter(self.path, self.root, device=self.device, key=self.key, lock=lock)
            lines = writer.append(kind, entries)
            with self.baseline.transaction():
                self.baseline.ledger.put(ledger_row(line, "") for line in lines)
                self.baseline.ledger.now_written([line.id for line in lines])
                for path in known:
                    self._record_ledger(path)

    def _is_known(self, path: str) -> bool:
        """Whether nobody but us has changed a ledger since the baseline saw it."""
        row = self.baseline.note(path)
        try:
            found = stat_of(self.path, path)
        except OSError:
            return row is None
        return row is not None and row.stat == found

    def _record_ledger(self, path: str) -> None:
        """Record the file that we just wrote, so that it is no difference at the next look."""
        from vaultmem.core.naming import name_key
        from vaultmem.core.place import Kind

        row = self.baseline.note(path)
        before = row.stat if row is not None else None
        stat, etag = self._growing.version(self.path, path, before=before)
        stem = name_key(path.rpartition("/")[2].removesuffix(".md"))
        findings = row.findings if row is not None else ""
        now = stat[0] + RACY_NS  # we hold the lock, and no other device writes this file
        self.baseline.put_note(
            NoteRow(path, *stat, now, etag, Kind.LEDGER.value, "", "", stem, findings)
        )

    def free_path(self, folder: str, statement: str, identifier: str, *, apart: str = "") -> str:
        """A vault-relative path for a new note, whose base name no other note of the vault has.

        Args:
            folder: below the memory root.
            statement: what the name is made of.
            identifier: the note's id; its end tells two equal names apart.
            apart: an id of which the end stands in the name in any case, because another device may
                make a note of the same name before either knows of the other's; "" for none.
        """
        from vaultmem.core.naming import base_name, with_suffix

        name = base_name(statement)
        first = with_suffix(name, apart) if apart else name
        for wanted in (first, with_suffix(name, identifier)):
            path = f"{self.root}/{folder}/{wanted}.md"
            if self.is_free(wanted, path):
                return path
        return f"{self.root}/{folder}/{identifier}.md"

    def is_free(self, name: str, path: str) -> bool:
        """Whether no note of the vault has the name, also one that no sync has seen yet."""
        from vaultmem.core.naming import name_key

        return not self.baseline.stems(name_key(name)) and not os.path.lexists(self.path / path)


_FULL = "The vault's disk is full; what was noticed waits on this machine."
_STATE_FULL = "The disk is full, so what changed since the last look does not count yet."
_STATE_READ_ONLY = "What changed since the last look cannot be recorded and does not count yet."
_FREE = "Free some space, then run `vaultmem sync`."


def _entry_of(row: LedgerRow) -> LedgerEntry:
    from datetime import datetime

    from vaultmem.core.ledger import LedgerEntry

    return LedgerEntry(
        row.line, datetime.fromisoformat(row.at), row.act, row.note, json.loads(row.data)
    )


def ledger_row(line: LedgerLine, file: str) -> LedgerRow:
    """A line as the baseline keeps it; `file` is the ledger it was read from."""
    return LedgerRow(
        line=line.id,
        kind=line.kind.value,
        device=line.device,
        at=line.at.isoformat(),
        act=line.act,
        note=line.note,
        data=json.dumps(dict(line.values)),
        after=str(line.values.get("after", "")),
        signed=int(line.signed),
        file=file,
    )


def open_vault(home: HomeDirs, path: Path, root: str, *, moved: bool = False) -> OpenVault:
    """Open the vault at `path` whose memory root is `root`.

    Where its settings are damaged, the id that this machine knew it by serves, with the findings.

    Raises:
        VaultIdError: if it has no id yet, or another live vault has the same one.
        UnsafePathError: if a state folder is a link or another user's.
        ReadOnlyError, DiskFailedError: if the state folder cannot be made.
    """
    loaded = read_settings(path, root)
    identifier = loaded.settings.id or known_id(home, path, root)
    if identifier is None:
        raise VaultIdError(
            f"{path} has no id yet. Run `vaultmem sync` in it, which gives it one, "
            f"or `vaultmem init {argument(path)}`."
        )
    state = VaultState.open(home, identifier, path, root=root, moved=moved)
    return OpenVault(
        path,
        root,
        settings=loaded.settings,
        state=state,
        findings=(*loaded.findings, *state.findings),
        said=loaded.said,
        written=loaded.data,
    )
