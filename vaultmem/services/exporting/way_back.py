"""Writes the memories in the format of another tool into a folder, so that nobody is locked in."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.exporting.records import PAD, STORES, record_files
from vaultmem.core.exporting.topic_files import SCORES, Rendered, topic_files
from vaultmem.core.standing import local_moment
from vaultmem.errors import NotConfirmedError, UnsafePathError
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.exporting.gather import as_told, gather
from vaultmem.services.scratchpad import scratchpad_items
from vaultmem.store.export_folders import remember_export
from vaultmem.store.exported import Exported, plan_export, write_export

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vaultmem.core.holdings import Held, Holdings, Waits
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call

JSONL, TOPICS = "jsonl", "topics"
_TOPIC_FILE = re.compile(r"topics/[a-z]+(-\d+)?\.md")
_PROJECT_FILE = re.compile(r"memory/projects/[^/]+\.jsonl")


class WayBack(NamedTuple):
    """What an export wrote, and what has no place in it; each a plural noun with its count."""

    folder: Path
    taken: Mapping[str, int]
    left_out: Mapping[str, int]
    done: Exported


def export_topics(call: Call, folder: Path, *, project: str = "", over: bool = False) -> WayBack:
    """Write the active memories as a topic-file memory, the `.pi/memory` of a project.

    Args:
        call: the circumstances.
        folder: made where it is not there.
        project: its identity; memories of other projects stay. "" for everything.
        over: replace also files that this export of this vault did not write.

    Raises:
        AgentRefusedError: if an agent calls.
        NotConfirmedError: if a file is there that it did not write, and not `over`.
        UnsafePathError: if the files would be notes of the vault, or one of them is a link.
        NoteError, ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    held = _gathered(call, TOPICS, folder, project)
    return _write(call, folder, topic_files(held.memories, at=call.now), TOPICS, over=over)


def export_records(call: Call, folder: Path, *, project: str = "", over: bool = False) -> WayBack:
    """Write everything as the JSONL stores of a governed memory's root.

    Args, raises: as `export_topics`.
    """
    held = _gathered(call, JSONL, folder, project)
    pad = () if project else scratchpad_items(call)
    tasks = [(as_told(one.text), one.done) for one in pad]
    made = record_files(held, tasks, day=call.local.date().isoformat())
    return _write(call, folder, made, JSONL, over=over)


def _gathered(call: Call, kind: str, folder: Path, project: str) -> Holdings:
    call.person_only(f"export {kind}")
    _refuse_notes(folder.resolve(), call.vault.path.resolve())
    held = gather(call, project=project)
    return replace(
        held,
        memories=tuple(_live(call, one) for one in held.memories),
        candidates=tuple(_told(one) for one in held.candidates),
    )


def _refuse_notes(folder: Path, vault: Path) -> None:
    """Refuse a folder whose files Obsidian would take for notes of the vault."""
    inside = folder.is_relative_to(vault)
    if inside and not any(part.startswith(".") for part in folder.relative_to(vault).parts):
        raise UnsafePathError(
            f"{folder} lies in the vault, where the files would be notes. Choose another folder "
            "with `--to`, or a hidden one, such as a project's `.pi/memory`."
        )


def _write(call: Call, folder: Path, made: Rendered, kind: str, *, over: bool) -> WayBack:
    files = {name: text.encode() for name, text in made.files.items()}
    by = f"{kind} {call.vault.state.vault_id}"
    with call.vault.lock():
        plan = plan_export(folder, files, by=by, now=call.now.timestamp())
        if plan.strangers and not over:
            raise _not_ours(folder, kind, plan.strangers)
        remember_export(call.vault.state.folder, folder.resolve())  # a purge looks there
        done = write_export(plan, makes=partial(_makes, kind))
    return WayBack(folder, made.taken, made.left_out, done)


def _not_ours(folder: Path, kind: str, strangers: Sequence[str]) -> NotConfirmedError:
    more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
    return NotConfirmedError(
        f"{strangers[0]}{more} in {folder} was not written by `vaultmem export {kind}` of this "
        "vault, or was changed since. Nothing was written. Choose another folder, or replace it "
        "with `--yes`."
    )


def _makes(kind: str, name: str) -> bool:
    """Whether an export may have a file of that name, and may remove it when it has it no more."""
    if kind == TOPICS:
        return name == SCORES or bool(_TOPIC_FILE.fullmatch(name))
    return name in (PAD, *STORES) or bool(_PROJECT_FILE.fullmatch(name))


def _live(call: Call, one: Held) -> Held:
    """The memory with the evidence that later outcomes counted, and its texts without secrets."""
    standing = call.vault.baseline.standing(one.memory.id)
    memory = _visible(one.memory)
    one = one._replace(path=redact(one.path))
    if standing is None:
        return one._replace(memory=memory)
    since = local_moment(standing.reinforced) if standing.reinforced else None
    count = max(round(standing.evidence_count), 1)
    return one._replace(memory=replace(memory, evidence_count=count, reinforced=since))


def _told(one: Waits) -> Waits:
    return one._replace(memory=_visible(one.memory), path=redact(one.path))


def _visible(memory: Memory) -> Memory:
    """The memory with every other text, too, as one visible line without secrets."""
    return replace(
        memory,
        tags=tuple(tag.removeprefix("memory/") for tag in memory.tags),
        domains=tuple(map(as_told, memory.domains)),
        applies_when=tuple(map(as_told, memory.applies_when)),
        not_when=tuple(map(as_told, memory.not_when)),
        exceptions=tuple(map(as_told, memory.exceptions)),
        change_condition=_line(memory.change_condition),
        source_session=_line(memory.source_session),
        vault_ref=memory.vault_ref and redact(memory.vault_ref),
        trigger=memory.trigger and redact(memory.trigger),
        action=memory.action and redact(memory.action),
        verifier=memory.verifier and redact(memory.verifier),
    )


def _line(text: str | None) -> str | None:
    return as_told(text) if text is not None else None
