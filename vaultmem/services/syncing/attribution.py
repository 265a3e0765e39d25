"""Who made a change: a device that signed for it, a tool of the agent, or the person."""

from __future__ import annotations

import json
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import ulid
from vaultmem.core.ledger import NO_NOTE, LedgerKind
from vaultmem.core.normal import statement_key
from vaultmem.core.place import Kind
from vaultmem.services.call import Actor
from vaultmem.services.write import SINCE, content_mac
from vaultmem.store.baseline_rows import number_in
from vaultmem.store.ledger import named_by
from vaultmem.store.windows import read_windows, tidy_windows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.call import Call
    from vaultmem.services.syncing.observe import Fresh
    from vaultmem.store.baseline_rows import LedgerRow
    from vaultmem.store.walk import Stat
    from vaultmem.store.windows import Windows

EXTERNAL_ACT = "external"
APPROVED = "approved"
SAID = "said"
"""Key of an external line for the keyed hash of what the note said."""


class Origin(StrEnum):
    """Whose a difference is (DESIGN §3.2)."""

    PERSON = "person"
    DEVICE = "device"
    """A device signed for exactly these bytes, or for this move or removal."""
    EXTERNAL = "external"
    """It happened while a tool of the agent could write, or an agent's command met it."""
    ADOPTED = "adopted"
    """It was there when this device first looked; nobody is named."""


PLACE = "place"
"""Key of an external line that speaks of the note's place: moved or removed."""
_MOVES = ("moved", "renamed")
PLACE_ACTS = (*_MOVES, "removed", "vanished")
"""What a ledger says of a note's place; such a line explains one change and no later one."""


def origin_of_bytes(call: Call, identifier: str, fresh: Fresh, *, back: bool = False) -> Origin:
    """Whose the present bytes of a note are.

    Args:
        call: the circumstances.
        identifier: the memory, empty for a new note.
        fresh: the note.
        back: the note was gone and is there again, which this device never does by itself.
    """
    own = "" if back else _newest_of_ours(call, identifier)
    device = call.vault.device
    lines = [
        line
        for line in lines_of_bytes(call, identifier, fresh.data)
        if line.device != device or line.act == EXTERNAL_ACT or line.line == own
    ]
    mtime, _, _, ctime = fresh.stat
    return _origin(call, lines, moments_ns=(mtime, ctime, *_arrivals(call, fresh)))


def _arrivals(call: Call, fresh: Fresh) -> Iterator[int]:
    """When the folders above a file that is new in its place were changed after the file was.

    A folder that is moved keeps every time of the files in it: only its own says when it came. A
    file that was written after that has its own time.
    """
    row = call.vault.baseline.note(fresh.path)
    if row is None or row.inode != fresh.stat[2]:
        yield from _above(call, fresh)


def _above(call: Call, fresh: Fresh) -> Iterator[int]:
    """When the folders above a file were changed after the file was."""
    for folder in (call.vault.path / fresh.path).parents:
        with suppress(OSError):
            if (came := folder.stat().st_ctime_ns) > fresh.stat[3]:
                yield came
        if folder == call.vault.path:
            return


class Owner(NamedTuple):
    """Whose the bytes of a file are; `device` names the one that signed for them, "" for none."""

    origin: Origin
    device: str = ""
    by_person: bool = False
    """Whether the device says that its person wrote them."""


def owner_of_file(call: Call, fresh: Fresh, *, seen_ns: int) -> Owner:
    """Whose the present bytes of a file without an id are, as those of the notebook.

    Args:
        call: the circumstances.
        fresh: the file.
        seen_ns: when it was last seen as it should be; 0 for a new file. What this device signed
            for before explains nothing: somebody put the old bytes back.
    """
    if is_said_external(call, "", fresh.data or b"") and not is_another_devices(
        call, "", fresh.data or b""
    ):
        return Owner(Origin.EXTERNAL)
    first = ulid(max(seen_ns, 0) // 1_000_000, bytes(10))
    lines = [
        line
        for line in lines_of_bytes(call, "", fresh.data)
        if line.act != EXTERNAL_ACT and (line.device != call.vault.device or line.line >= first)
    ]
    if lines:
        last = lines[-1]
        return Owner(Origin.DEVICE, last.device, by_person=_says(last, "by", "person"))
    mtime, _, _, ctime = fresh.stat
    moments = (mtime, ctime, *(() if seen_ns else _above(call, fresh)))
    return Owner(_by_time(call, moments))


def owner_of_loss(call: Call, *, looked_ns: int) -> Owner:
    """Whose the disappearance of such a file is, which was there at `looked_ns`."""
    agents = call.actor is Actor.AGENT or look_at_windows(call).any_since(looked_ns)
    return Owner(Origin.EXTERNAL if agents else Origin.PERSON)


def is_said_external(call: Call, identifier: str, data: bytes) -> bool:
    """Whether a device signed that these bytes of a note are no person's."""
    return any(line.act == EXTERNAL_ACT for line in lines_of_bytes(call, identifier, data))


def since(stat: Stat) -> int:
    """When a file became what it is, as a ledger line tells it; nobody sets this time by hand."""
    return stat[3] // 1_000_000


def is_explained(call: Call, word: LedgerRow) -> bool:
    """Whether the change that a device called external is another device's after all.

    A file that a sync program delivers while a tool runs looks like the tool's. That other device
    signed for exactly these bytes: because vaultmem wrote them there, because the person ratified
    them, or because the file was so there before it was so here. What an agent wrote here reaches
    the others later, so that one of them which takes it for its person's explains nothing.
    """
    lines = lines_of_mac(call, word.note, word.after)
    return any(_explains(line, word) for line in lines)


def _explains(line: LedgerRow, word: LedgerRow) -> bool:
    told, held = json.loads(line.data), json.loads(word.data)
    ours = line.device == word.device
    if PLACE in held or line.act in (EXTERNAL_ACT, *PLACE_ACTS):
        return False  # a place has no bytes that could be told apart
    if line.act == APPROVED:
        return not ours or line.line > word.line
    if ours or told.get("via") != "sync":
        return not ours
    return is_earlier(number_in(told, SINCE), number_in(held, SINCE))


def is_earlier(there: float, here: float) -> bool:
    """Whether a file was as it is on one device before it was so on another; 0 is not known."""
    return 0 < there < here


def was_first(word: LedgerRow, stat: Stat | None) -> bool:
    """Whether our file was so before the device that calls it external had it."""
    return stat is not None and is_earlier(since(stat), word.number(SINCE))


def is_moved_by_another_device(call: Call, identifier: str, folder: str, data: bytes) -> bool:
    """Whether a note whose move into `folder` was held was moved there by another device."""
    words = [one for one in lines_of_bytes(call, identifier, data) if _says(one, PLACE, "moved")]
    held = max((one.number(SINCE) for one in words), default=0)
    moves = [line for line in new_place_lines(call, identifier) if line.act in _MOVES]
    return any(
        line.device != call.vault.device
        and _says(line, "folder", folder)
        and is_earlier(line.number(SINCE), held)
        for line in moves
    )


def is_another_devices(call: Call, identifier: str, data: bytes) -> bool:
    """Whether bytes that were held as external are, by all that is signed, another device's."""
    lines = lines_of_bytes(call, identifier, data)
    words = [line for line in lines if line.act == EXTERNAL_ACT]
    return bool(words) and all(is_explained(call, word) for word in words)


def lines_of_bytes(call: Call, identifier: str, data: bytes | None) -> list[LedgerRow]:
    """The signed lines that name exactly these bytes of a note, "" for one without an id."""
    mac = content_mac(call, data) if data is not None else ""
    return lines_of_mac(call, identifier or NO_NOTE, mac)


def lines_of_mac(call: Call, note: str, mac: str) -> list[LedgerRow]:
    """The signed lines about a note that name a version by its keyed hash; none for ""."""
    lines = call.vault.baseline.ledger.of_hash(mac, LedgerKind.ACTIVITY) if mac else []
    return [line for line in lines if line.signed and line.note == note]


def _newest_of_ours(call: Call, identifier: str) -> str:
    """Our last word about the note's bytes: what we write is recorded at once, unless we die.

    An older line of ours explains nothing: bytes that went back to it were put back by somebody.
    """
    signed = call.vault.baseline.ledger.signed(identifier or NO_NOTE, LedgerKind.ACTIVITY)
    ours = (one for one in reversed(signed) if one.device == call.vault.device and one.after)
    return next((one.line for one in ours), "")


def origin_of_move(call: Call, identifier: str, folder: str) -> Origin:
    """Whose the move of a note into `folder` is."""
    lines = [
        line
        for line in new_place_lines(call, identifier)
        if (line.act in _MOVES and _says(line, "folder", folder)) or _says(line, PLACE, "moved")
    ]
    return _origin(call, lines)


def origin_of_loss(call: Call, identifier: str) -> Origin:
    """Whose the disappearance of a note is."""
    lines = [
        line
        for line in new_place_lines(call, identifier)
        if line.act == "removed" or _says(line, PLACE, "removed")
    ]
    return _origin(call, lines)


def new_place_lines(call: Call, identifier: str) -> list[LedgerRow]:
    """What the ledgers say of the note's place and has not yet explained a change."""
    used = call.vault.baseline.meta(f"placed {identifier}").split()
    return [line for line in _place_lines(call, identifier) if line.line not in used]


def use_place_lines(call: Call, identifier: str) -> None:
    """The note's place is explained as it is now: no line that is known explains a later change."""
    lines = _place_lines(call, identifier)
    if lines:
        used = " ".join(line.line for line in lines)
        call.vault.baseline.set_meta(f"placed {identifier}", used)


def said_mac(call: Call, statement: str) -> str:
    """The keyed hash by which an external line names what a note said; empty without a key."""
    key = call.vault.key
    return key.mac("said", statement_key(statement).encode()) if key is not None else ""


def is_an_agents_statement(call: Call, identifier: str, statement: str) -> bool:
    """Whether a device knows that an agent wrote this into the memory's note, and nobody approved.

    The note may have been saved again since, so that no line names its present bytes.
    """
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    told = [
        line
        for line in lines
        if line.act == APPROVED
        or (line.act == EXTERNAL_ACT and _said(line) and not is_explained(call, line))
    ]
    mac = said_mac(call, statement)
    return bool(mac and told) and told[-1].act == EXTERNAL_ACT and _said(told[-1]) == mac


def is_said_of_an_unnamed_note(call: Call, statement: str) -> bool:
    """Whether a device knows that an agent wrote this into a note that had no id yet."""
    mac = said_mac(call, statement)
    lines = call.vault.baseline.ledger.signed(NO_NOTE, LedgerKind.ACTIVITY)
    words = (line for line in lines if line.act == EXTERNAL_ACT and _said(line) == mac)
    return bool(mac) and any(not is_explained(call, word) for word in words)


def _said(line: LedgerRow) -> str:
    return str(json.loads(line.data).get(SAID, ""))


def _place_lines(call: Call, identifier: str) -> list[LedgerRow]:
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return [
        line
        for line in lines
        if line.act in PLACE_ACTS or (line.act == EXTERNAL_ACT and PLACE in json.loads(line.data))
    ]


def _says(line: LedgerRow, key: str, value: str) -> bool:
    return bool(json.loads(line.data).get(key) == value)


def _origin(
    call: Call, lines: list[LedgerRow], *, moments_ns: tuple[int, ...] | None = None
) -> Origin:
    if lines:
        external = all(line.act == EXTERNAL_ACT for line in lines)
        return Origin.EXTERNAL if external else Origin.DEVICE
    if not call.vault.baseline.meta("adopted"):
        return Origin.ADOPTED
    return _by_time(call, moments_ns)


def _by_time(call: Call, moments_ns: tuple[int, ...] | None) -> Origin:
    """Whose a change is of which no line says anything."""
    if call.actor is Actor.AGENT or _in_window(call, moments_ns):
        return Origin.EXTERNAL
    return Origin.PERSON


def _in_window(call: Call, moments_ns: tuple[int, ...] | None) -> bool:
    """Whether a tool could write at one of the moments; without any, at any since the last look.

    A file that is moved or copied in keeps the time of its last edit; its change time tells.
    """
    known = call.vault.windows
    windows = known[1] if known and known[0] == call.nanoseconds else look_at_windows(call)
    if moments_ns is None:
        return windows.any_since(call.vault.baseline.parsed_meta("looked_ns", int) or 0)
    return windows.hold(*moments_ns)


def look_at_windows(call: Call) -> Windows:
    """When tools of agents on this machine could write, as it is known now.

    For a difference to be held against it this has to be read after the note was: then no tool
    that wrote the note has begun unseen.
    """
    state = call.vault.state.folder.parent
    windows = read_windows(state, at_ns=call.nanoseconds)
    call.vault.windows = (call.nanoseconds, windows)
    return windows


def other_devices(call: Call) -> bool:
    """Whether a ledger of another device lies in the vault, so that files may arrive late.

    Its name says so where no line of it has arrived whole.
    """
    baseline, device = call.vault.baseline, call.vault.device
    if baseline.ledger.has_other_device(device):
        return True
    named = map(named_by, baseline.paths(kind=Kind.LEDGER))
    return any(one is not None and one[1].device != device for one in named)


def tool_is_running(call: Call) -> bool:
    """Whether a tool of an agent may be writing now; a window ends with its agent.

    The caller holds the lock, and has looked at the notes before.
    """
    tidy_windows(call.vault.state.folder.parent, at_ns=call.nanoseconds)
    return look_at_windows(call).is_open
