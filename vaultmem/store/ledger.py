"""Ledgers: append-only notes in `System/Ledger/`, one per month, kind and device, signed by line.

Several devices share a vault and none writes another's file, so a sync client never has to merge
two. A line that is unsigned, or whose signature is wrong, is read and reported; nothing that acts
by itself may count it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import ULID_FORM, is_id
from vaultmem.core.ledger import (
    UNSIGNED,
    LedgerEntry,
    LedgerKind,
    LedgerLine,
    ParsedLine,
    is_list_item,
    is_torn,
    parse_line,
    signed_message,
    spell_entry,
)
from vaultmem.errors import (
    NameTakenError,
    NoteNotFoundError,
    NoteUnreadableError,
    ReadOnlyError,
    UnsafePathError,
)
from vaultmem.store.append import append_lines
from vaultmem.store.files import create_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from vaultmem.store.key import Key
    from vaultmem.store.lock import VaultLock

FOLDER = "System/Ledger"
DOMAIN = "ledger"
"""The key's domain for signatures of ledger lines."""

_NAME = re.compile(rf"(\d{{4}}-\d\d) ({'|'.join(LedgerKind)}) (dev_{ULID_FORM})\.md")
_WORDS = (
    "Written by vaultmem: one line for each event, times in UTC. Nothing here needs reading.\n\n"
)


class Author(NamedTuple):
    """Who writes a ledger, and what it lists; a signature covers both."""

    kind: LedgerKind
    device: str


class LedgerWriter:
    """Appends to this device's ledgers of one vault."""

    def __init__(
        self, vault: Path, root: str, *, device: str, key: Key | None, lock: VaultLock
    ) -> None:
        """Name the place and the author; nothing is opened yet.

        Args:
            vault: the vault's folder.
            root: the memory root, relative to it.
            device: this machine's id.
            key: signs the lines; without one they say `unsigned`.
            lock: the vault's lock, taken for each append.
        """
        self._vault = vault
        self._root = root
        self._device = device
        self._key = key
        self._lock = lock

    def append(self, kind: LedgerKind, entries: Iterable[LedgerEntry]) -> tuple[LedgerLine, ...]:
        """Write the entries, each to the note of its month; durable when it returns.

        Returns the lines as a reader with this key will see them.

        Raises:
            BusyError: if another process holds the lock too long.
            ReadOnlyError: if the note may not be written, or something else lies in its place.
            NoteChangedError, DiskFullError, DiskFailedError: if it cannot be written. Entries of
                later months are then not written.
        """
        author = Author(kind, self._device)
        months: dict[str, list[LedgerEntry]] = {}
        for entry in entries:
            months.setdefault(entry.at.strftime("%Y-%m"), []).append(entry)
        with self._lock:
            for month, batch in sorted(months.items()):
                self._write(author, month, batch)
        signed = self._key is not None
        return tuple(
            LedgerLine(*entry, kind=kind, device=self._device, signed=signed)
            for batch in months.values()
            for entry in batch
        )

    def _write(self, author: Author, month: str, entries: list[LedgerEntry]) -> None:
        relative = f"{self._root}/{FOLDER}/{ledger_name(month, author)}"
        try:
            self._add(relative, author, month, entries)
        except (NoteUnreadableError, UnsafePathError) as error:
            raise ReadOnlyError(
                f"{relative} cannot be written, because something else lies in its place "
                "or in that of its folder. Move that away."
            ) from error

    def _add(self, relative: str, author: Author, month: str, entries: list[LedgerEntry]) -> None:
        data = "".join(f"{self._signed(author, entry)}\n" for entry in entries).encode()
        try:
            append_lines(self._vault, relative, data)
        except NoteNotFoundError:
            header = _header(month, author, entries[0].id)
            try:
                create_file(self._vault, relative, header + data)
            except NameTakenError:  # a sync client brought it this very moment
                append_lines(self._vault, relative, data)

    def _signed(self, author: Author, entry: LedgerEntry) -> str:
        text = spell_entry(entry)
        if self._key is None:
            return f"{text} ~{UNSIGNED}"
        return f"{text} ~{self._key.mac(DOMAIN, signed_message(*author, text))}"


def read_ledger(
    data: bytes, key: Key | None, *, path: str
) -> tuple[tuple[LedgerLine, ...], tuple[Finding, ...]]:
    """The lines of one ledger note, each id once, in the order of the file.

    A line counts as signed only if this device has the key and the signature holds. Damaged
    properties are replaced by what the file's name says.

    Args:
        data: the note's bytes.
        key: this device's key; without one nothing counts as signed, and that is not reported here.
        path: the note, relative to the vault, for the name and the findings.
    """
    body, first_line, authors, findings = _authors(data, path)
    if not authors:
        return (), tuple(findings)
    lines: dict[str, LedgerLine] = {}
    trouble = _Trouble(path)
    for number, raw in enumerate(body.split(b"\n"), start=first_line):
        text = raw.decode(errors="replace").rstrip("\r")
        parsed = parse_line(text)
        if parsed is None:
            if is_list_item(text):
                trouble.note("VM408" if is_torn(text) else "VM407", number)
            continue
        if parsed.after:
            trouble.note("VM409", number)
        author = _signer(parsed, authors, key)
        if author is None and key is not None:
            trouble.note("VM406" if parsed.mac == UNSIGNED else "VM405", number)
        line = LedgerLine(
            *parsed.entry,
            kind=(author or authors[0]).kind,
            device=(author or authors[0]).device,
            signed=author is not None,
        )
        known = lines.get(line.id)
        if known is None or (line.signed and not known.signed):  # a forgery hides no true line
            lines[line.id] = line
    return tuple(lines.values()), (*findings, *trouble.findings())


def named_by(path: str) -> tuple[str, Author] | None:
    """The month and the author that a ledger's name tells; None for another name."""
    named = _NAME.fullmatch(path.rpartition("/")[2])
    return None if named is None else (named[1], Author(LedgerKind(named[2]), named[3]))


def ledger_name(month: str, author: Author) -> str:
    """The base name of a ledger; unique in the vault, because it holds the device's id."""
    return f"{month} {author.kind} {author.device}.md"


class _Trouble:
    """Counts what is wrong, so that a thousand wrong lines are one finding."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: dict[str, tuple[int, int]] = {}

    def note(self, code: str, line: int) -> None:
        first, count = self._seen.get(code, (line, 0))
        self._seen[code] = (first, count + 1)

    def findings(self) -> Iterator[Finding]:
        for code, (first, count) in sorted(self._seen.items()):
            found = finding(code, path=self._path, line=first)
            if count > 1:
                text = f"{found.message} There are {count} such lines, the first is this one."
                found = found._replace(message=text)
            yield found


def _header(month: str, author: Author, identifier: str) -> bytes:
    from vaultmem.notes.frontmatter import new_note  # once a month

    properties: Mapping[str, object] = {
        "id": f"log_{identifier}",
        "type": "ledger",
        "kind": author.kind.value,
        "device": author.device,
        "month": month,
    }
    return new_note(properties, _WORDS)


def _authors(data: bytes, path: str) -> tuple[bytes, int, list[Author], list[Finding]]:
    """The bytes of the body, the number of its first line, and who may have signed it."""
    from vaultmem.notes.frontmatter import read  # only where ledgers changed

    named = named_by(path)
    by_name = None if named is None else named[1]
    try:
        block = read(data)
    except NoteUnreadableError as error:
        text = f"A ledger cannot be read as a note; its name is used instead. {error.problem}"
        found = finding("VM410", text, path=path, line=error.line, remedy=error.remedy)
        return data, 1, [by_name] if by_name else [], [found]
    claimed = _claimed(block.properties)
    authors = [author for author in (claimed, by_name) if author is not None]
    if claimed is not None and claimed == by_name:
        return data[block.body_start :], block.body_line, [claimed], []
    return data[block.body_start :], block.body_line, authors, [finding("VM410", path=path)]


def _claimed(properties: Mapping[str, object]) -> Author | None:
    kind, device = properties.get("kind"), properties.get("device")
    if isinstance(device, str) and is_id(device, "dev") and kind in tuple(LedgerKind):
        return Author(LedgerKind(str(kind)), device)
    return None


def _signer(parsed: ParsedLine, authors: list[Author], key: Key | None) -> Author | None:
    if key is None:
        return None
    for author in authors:
        if key.verify(DOMAIN, signed_message(*author, parsed.text), parsed.mac):
            return author
    return None
