"""What `migrate` tells: how many records have each fate, what was not taken, what is next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.output import Json, count, say, say_wrapped
from vaultmem.core.ids import short_id
from vaultmem.core.importing.plan import Fate
from vaultmem.core.model import Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.core.importing.plan import Plan, Planned
    from vaultmem.errors import VaultmemError
    from vaultmem.services.migrating.carry_out import Migrated

_SHOWN = 5
"""Records of a fate that are shown without `--all`."""
_FATES = {
    Fate.CANDIDATE: ("goes into the inbox", "go into the inbox"),
    Fate.STRENGTHENED: ("counts for a memory that says so", "count for memories that say so"),
    Fate.KNOWN: ("is known already", "are known already"),
}


class Removal(NamedTuple):
    """What became of the source: which files are gone, or why none is."""

    files: tuple[str, ...] = ()
    refused: VaultmemError | None = None


def migrated_json(path: Path, done: Migrated, *, dry_run: bool, gone: Removal) -> dict[str, Json]:
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
        "fates": [_fate_json(one) for one in plan.planned],
        "quarantined": [{"where": one.where, "reason": one.reason} for one in plan.quarantined()],
        "left_out": dict(plan.left_out()),
        "notices": list(plan.gathered.notices),
        "patch": done.patch,
        "report": done.report,
        "removed": list(gone.files),
        "not_removed": str(gone.refused) if gone.refused is not None else None,
    }


def _fate_json(one: Planned) -> dict[str, Json]:
    """One record with its fate; of what is not taken, which may hold a secret, only the place."""
    taken = one.fate is Fate.MEMORY or one.fate in _FATES
    return {
        "where": one.item.where,
        "fate": one.fate.value,
        "status": one.memory.status.value,
        "category": one.memory.category.value,
        "statement": one.memory.statement if taken else "",
        "reason": one.reason,
    }


def say_migrated(
    done: Migrated,
    *,
    dry_run: bool,
    whole: bool = False,
    remove: bool = False,
    gone: Removal,
) -> None:
    """Tell a person.

    Args:
        done: what was done, or would be.
        dry_run: whether nothing was written.
        whole: show every record, not the first ones of each fate.
        remove: whether the person asked to remove the source.
        gone: what of it was removed.
    """
    plan = done.plan
    most = None if whole else _SHOWN
    say_wrapped(f"{count(plan.gathered.records, 'record')} read.")
    for status in Status:
        found = [one for one in plan.of(Fate.MEMORY) if one.memory.status is status]
        _say_records(len(found), _as(status), found, most)
    for fate, words in _FATES.items():
        _say_records(plan.counts()[fate], words, plan.of(fate), most)
    _say_force(plan)
    if plan.asked:
        say_wrapped(f"{count(len(plan.asked), 'question')} to ask you.")
    if plan.tasks:
        say_wrapped(f"{count(len(plan.tasks), 'item')} for the scratchpad.")
    for name, number in sorted(plan.left_out().items()):
        say_wrapped(f"Left out, {name}: {number}.")
    _say_quarantined(plan, most)
    for notice in plan.gathered.notices:
        say_wrapped(notice)
    if remove:
        said = _removal(plan, gone.files, dry_run=dry_run)
        say_wrapped(said if gone.refused is None else str(gone.refused))
    if done.report is not None:
        say("What became of each record stands in:")
        say(f"  {done.report}", note=done.report)
    if next_step := _next_step(done, dry_run=dry_run):
        say_wrapped(next_step)


def _as(status: Status) -> tuple[str, str]:
    """What becomes of one record and of several that come with a status."""
    if status is Status.ACTIVE:
        return "becomes a memory", "become memories"
    if status is Status.DELETED:
        return "was deleted there and comes as deleted", "were deleted there and come as deleted"
    return f"comes as {status}, as it is there", f"come as {status}, as they are there"


def _say_records(
    number: int, words: tuple[str, str], found: Sequence[Planned], most: int | None
) -> None:
    if not number:
        return
    say_wrapped(f"{count(number, 'record')} {words[number > 1]}:")
    for planned in found[:most]:
        say_wrapped(planned.memory.statement, first="- ", indent=2)
        where = planned.item.where
        say_wrapped(": ".join(filter(None, (where, planned.reason))), indent=2, whole=(where,))
    _say_more(len(found), most)


def _say_more(number: int, most: int | None) -> None:
    if most is not None and number > most:
        say(f"- … {number - most} more; `--all` shows them")


def _removal(plan: Plan, removed: Sequence[str], *, dry_run: bool) -> str:
    """What came of `--remove-source`."""
    removable = plan.gathered.removable
    if not removable:
        kind = plan.gathered.kind
        return f"Of a {kind} store nothing is removed: its tool removed nothing after an import."
    if dry_run:
        return f"With `--yes` this is removed, if it is there: {', '.join(removable)}."
    return f"Removed from the source: {', '.join(removed) or 'nothing, for nothing is there'}."


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


def _say_quarantined(plan: Plan, most: int | None) -> None:
    found = plan.quarantined()
    if not found:
        return
    say_wrapped(f"{count(len(found), 'record')} could not be taken:")
    for one in found[:most]:
        say_wrapped(f"{one.where}: {one.reason}", first="- ", indent=2, whole=(one.where,))
    _say_more(len(found), most)


def _next_step(done: Migrated, *, dry_run: bool) -> str:
    if dry_run and not done.plan.has_news:
        return "There is nothing new to import."
    if dry_run:
        return "Nothing was written. Run it again with `--yes` to import this."
    if done.report is None:
        return "Nothing was new, so nothing was written."
    if done.patch is None:
        return ""
    return f"`vaultmem patch revert {short_id(done.patch)}` takes the memories back."
