"""Status: which vault and why, what is in it, and whether its index and key are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.model import Category
from vaultmem.core.place import Kind, archived
from vaultmem.core.scoring import lifecycle
from vaultmem.core.selection import is_unreviewed, score_on, today, why_nowhere
from vaultmem.core.state import HELD_BACK, MemoryState
from vaultmem.core.topics import IDENTITY, category_name
from vaultmem.services.curating.applied_alone import applied_alone
from vaultmem.services.projects import projects_of
from vaultmem.services.sync import catch_up
from vaultmem.services.waiting import what_waits
from vaultmem.store.apart import templates_of
from vaultmem.store.switches import read_switches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.core.finding import Finding
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call
    from vaultmem.services.curating.applied_alone import AppliedAlone
    from vaultmem.store.switches import Switch
    from vaultmem.store.vault import OpenVault

TEMPLATE = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The answer of `status`.

    Attributes:
        why: the rule that chose the vault.
        memories: memories in force by category, `identity` apart.
        lifecycle: the same by what their score says today.
        out: memories that are not in force by the reason: `deleted`, `deprecated`, `superseded`,
            `expired` and the like; `archived` for those in the archive.
        held: notes of memories whose present version is not in force until the person decides.
        notes: all files of the vault by what they are to vaultmem; `template` for templates.
        waiting: candidates in the inbox.
        patches: patches there that wait for a decision.
        promotions, questions: proposed promotions and open questions that wait for one.
        off: what is switched off on this machine.
        missing: memories whose note vanished and that are in their grace.
        projects: the identity of each project that a memory is of.
        unreviewed: memories that want to act and have no signed force line.
        opens_inbox: whether so many wait that the inbox opens when a session starts.
        applied_alone: what policy applied here since the person was last told.
        settings: what is wrong with the vault's settings, does not hold on this machine, or could
            not be written.
        indexed: whether the keyword index was built.
    """

    vault: Path
    root: str
    id: str
    why: str
    device: str
    has_key: bool
    memories: Mapping[str, int]
    lifecycle: Mapping[str, int]
    out: Mapping[str, int]
    held: int
    notes: Mapping[str, int]
    waiting: int
    patches: int
    promotions: int
    questions: int
    off: tuple[Switch, ...]
    missing: int
    projects: tuple[str, ...]
    unreviewed: int
    opens_inbox: bool
    applied_alone: tuple[AppliedAlone, ...]
    settings: tuple[Finding, ...]
    state: Path
    cache: Path
    model: str
    indexed: bool


def status(call: Call, *, why: str, model: str) -> Status:
    """Look at the vault.

    Args:
        call: the circumstances.
        why: the rule that chose the vault.
        model: the name of the embedding model in use.
    """
    catch_up(call)
    vault, baseline = call.vault, call.vault.baseline
    memories: dict[str, int] = {IDENTITY: 0} | {name.value: 0 for name in Category}
    lives: dict[str, int] = {}
    day = today(call.seconds)
    known = baseline.standings()
    standings: list[Standing] = []
    out: dict[str, int] = {}
    for one in known:
        if reason := _why_out(call, one):
            out[reason] = out.get(reason, 0) + 1
            continue
        standings.append(one)
        memories[category_name(one.layer, one.category)] += 1
        word = lifecycle(score_on(one, day)).value
        lives[word] = lives.get(word, 0) + 1
    notes: dict[str, int] = {}
    held = 0
    templates = templates_of(vault.path)
    for row in baseline.notes():
        kind = row.kind
        if kind == Kind.KNOWLEDGE and templates.hold(row.path):
            kind = TEMPLATE
        notes[kind] = notes.get(kind, 0) + 1
        held += row.kind == Kind.MEMORY and row.state in HELD_BACK
    waits = what_waits(call)
    waiting = len(waits.candidates)
    return Status(
        vault=vault.path,
        root=vault.root,
        id=vault.state.vault_id,
        why=why,
        device=vault.device,
        has_key=vault.key is not None,
        memories=memories,
        lifecycle=lives,
        out=out,
        held=held,
        notes=notes,
        waiting=waiting,
        patches=len(waits.patches),
        promotions=len(waits.promotions),
        questions=len(waits.questions),
        off=tuple(sorted(read_switches(vault.state.folder))),
        missing=len(baseline.memories(state=MemoryState.MISSING)),
        projects=projects_of(known),
        unreviewed=sum(is_unreviewed(one) for one in standings),
        opens_inbox=call.governance.asks_at(waiting),
        applied_alone=tuple(applied_alone(call)),
        settings=_worth_telling(vault),
        state=vault.state.folder,
        cache=vault.state.cache,
        model=model,
        indexed=(vault.state.cache / "index" / "words").exists(),
    )


def _why_out(call: Call, memory: Standing) -> str:
    """In a word why a memory is not in force, "" if it is."""
    reason = why_nowhere(memory, call.seconds)
    if reason and archived(memory.path, call.vault.root):
        return "archived"
    return reason.removeprefix("status:")


def _worth_telling(vault: OpenVault) -> tuple[Finding, ...]:
    told = tuple(one for one in vault.findings if one.code.startswith("VM2"))
    return told if vault.put_off is None else (*told, vault.put_off)
