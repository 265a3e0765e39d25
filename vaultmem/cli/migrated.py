"""What `migrate` tells: how many records have each fate, what was not taken, what is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import Json, count, say, say_wrapped
from vaultmem.core.ids import short_id
from vaultmem.core.importing.plan import Fate
from vaultmem.core.model import Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.core.importing.plan import Plan
    from vaultmem.services.migrating.carry_out import Migrated

_SHOWN = 5
"""Records of a fate that are shown; the report note lists all."""
_FATES = {
    Fate.MEMORY: ("becomes a memory", "become memories"),
    Fate.CANDIDATE: ("waits in the inbox", "wait in the inbox"),
    Fate.STRENGTHENED: ("counts for a memory that says so", "count for memories that say so"),
    Fate.KNOWN: ("is known already", "are known already"),
}


def migrated_json(
    path: Path, done: Migrated, *, dry_run: bool, removed: Sequence[str] = ()
) -> dict[str, Json]:
    """The stable shape."""
    plan = done.plan
    counts = plan.counts()
    return {
        "kind": plan.gathered.kind.value,
        "path": str(path),
        "dry_run": dry_run,
        "records": plan.gathered.records,
        "memories": counts[Fate.MEMORY],
        "candidates": counts[Fate.CANDIDATE],
        "known": counts[Fate.KNOWN],
        "strengthened": counts[Fate.STRENGTHENED],
        "inquiries": len(plan.asked),
        "scratchpad": len(plan.tasks),
        "quarantined": [{"where": one.where, "reason": one.reason} for one in plan.quarantined()],
        "left_out": dict(plan.left_out()),
        "notices": list(plan.gathered.notices),
        "patch": done.patch,
        "report": done.report,
        "removed": list(removed),
    }


def say_migrated(done: Migrated, *, dry_run: bool, removed: Sequence[str] = ()) -> None:
    """Tell a person."""
    plan = done.plan
    say_wrapped(f"{count(plan.gathered.records, 'record')} read.")
    for fate in _FATES:
        _say_fate(plan, fate)
    _say_force(plan)
    if plan.asked:
        say_wrapped(f"{count(len(plan.asked), 'question')} to ask you.")
    if plan.tasks:
        say_wrapped(f"{count(len(plan.tasks), 'item')} for the scratchpad.")
    for name, number in sorted(plan.left_out().items()):
        say_wrapped(f"Left out, {name}: {number}.")
    _say_quarantined(plan)
    for notice in plan.gathered.notices:
        say_wrapped(notice)
    if removed:
        say_wrapped(f"Removed from the source: {', '.join(removed)}.")
    say_wrapped(_next_step(done, dry_run=dry_run))


def _say_fate(plan: Plan, fate: Fate) -> None:
    number = plan.counts()[fate]
    if not number:
        return
    one, many = _FATES[fate]
    say_wrapped(f"{count(number, 'record')} {one if number == 1 else many}:")
    found = plan.of(fate)
    for planned in found[:_SHOWN]:
        say_wrapped(planned.memory.statement, first="- ", indent=2)
        told = [planned.item.where, planned.reason]
        say_wrapped(": ".join(filter(None, told)), indent=2)
    if len(found) > _SHOWN:
        say(f"- … {len(found) - _SHOWN} more")


def _say_force(plan: Plan) -> None:
    """What the person's `--yes` signs: each rule that would act, all of them."""
    taken = [one.memory for one in plan.of(Fate.MEMORY) if one.memory.status is Status.ACTIVE]
    pinned = sum(one.pinned for one in taken)
    if pinned:
        verb = "is" if pinned == 1 else "are"
        say_wrapped(f"{count(pinned, 'memory', 'memories')} among them {verb} pinned, as there.")
    rules = [one for one in taken if one.action]
    if rules:
        say_wrapped(f"{count(len(rules), 'rule')} among them that you put in force with `--yes`:")
    for one in rules:
        say_wrapped(f"{one.statement} On {one.trigger}: {one.action}", first="- ", indent=2)


def _say_quarantined(plan: Plan) -> None:
    found = plan.quarantined()
    if not found:
        return
    say_wrapped(f"{count(len(found), 'record')} could not be taken:")
    for one in found[:_SHOWN]:
        say_wrapped(f"{one.where}: {one.reason}", first="- ", indent=2)
    if len(found) > _SHOWN:
        say(f"- … {len(found) - _SHOWN} more")


def _next_step(done: Migrated, *, dry_run: bool) -> str:
    if dry_run and not done.plan.has_news:
        return "There is nothing new to import."
    if dry_run:
        return "Nothing was written. Run it again with `--yes` to import this."
    if done.report is None:
        return "Nothing was new, so nothing was written."
    undo = ""
    if done.patch is not None:
        undo = f" `vaultmem patch revert {short_id(done.patch)}` takes the memories back."
    return f"What became of each record stands in {done.report}.{undo}"
