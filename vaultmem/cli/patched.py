"""What was applied, left out or taken back, as lines and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import say, say_wrapped
from vaultmem.core.patch_status import PatchStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.cli.output import Json
    from vaultmem.services.patching.result import Applied, Done, Skipped
    from vaultmem.services.patching.show import Listed, Shown, ShownOperation
    from vaultmem.services.revert import Reverted
    from vaultmem.services.undo import LastChange


def applied_json(done: Applied) -> dict[str, Json]:
    """The answer of `patch apply`."""
    return {
        "id": done.id,
        "status": done.status.value,
        "applied": _done(done.applied),
        "skipped": _skipped(done.skipped),
    }


def reverted_json(done: Reverted) -> dict[str, Json]:
    """The answer of `patch revert` and of `undo`."""
    return {
        "id": done.id,
        "status": done.status.value,
        "applied_at": done.at.isoformat(),
        "by": done.by,
        "via": done.via,
        "reverted": _done(done.reverted),
        "skipped": _skipped(done.skipped),
    }


def listed_json(one: Listed) -> dict[str, Json]:
    """A line of `patch list`."""
    return {
        "id": one.id,
        "status": one.status.value,
        "path": one.path,
        "operations": one.operations,
        "summary": one.summary,
        "created": one.created.isoformat() if one.created else None,
    }


def shown_json(one: Shown) -> dict[str, Json]:
    """The answer of `patch show`."""
    return {
        "id": one.id,
        "status": one.status.value,
        "path": one.path,
        "created": one.created.isoformat() if one.created else None,
        "device": one.device,
        "operations": [_operation_json(operation) for operation in one.operations],
        "altered": list(one.altered),
    }


def say_applied(done: Applied) -> None:
    """Tell what a patch did, what was left out and why, and how to take it back."""
    for one in done.applied:
        say(f"Applied {one.id} ({one.op}): {one.path or one.memory or done.id}")
    _say_skipped(done.skipped)
    if done.status is PatchStatus.PROPOSED:
        say_wrapped("Nothing was applied; the patch stays open.")
    elif done.applied:
        say_wrapped(f"Take it back with `vaultmem patch revert {done.id}`.")
    elif not done.skipped:
        say("Nothing was selected; the patch is closed and its candidates still wait.")


def say_reverted(done: Reverted) -> None:
    """Tell what was taken back."""
    say_wrapped(f"{done.id}, {_applied(done)}:")
    say_taken_back(done)


def say_last(last: LastChange) -> None:
    """Tell what `undo` takes back, before it does."""
    say_wrapped(f"The last change is {last.patch}, {_applied(last)}:")
    for one in last.changes:
        say_wrapped(one, indent=2)


def _applied(one: Reverted | LastChange) -> str:
    """Who applied a patch, where and when; the inbox is a command, a panel, and notes."""
    ways = {"inbox": "as you decided in the inbox", "patch": "as you decided about it"}
    how = ways.get(one.via, f"with `vaultmem {one.via}`")
    by = "by itself" if one.by == "policy" else how
    return f"applied {by} on {one.at:%Y-%m-%d at %H:%M}"


def say_taken_back(done: Reverted) -> None:
    """Tell the operations that were taken back."""
    for one in done.reverted:
        say(f"  Reverted {one.id} ({one.op}): {one.path or one.memory or done.id}")
    _say_skipped(done.skipped)


def say_shown(one: Shown, *, hint: bool = True) -> None:
    """Tell a patch, an operation after the other, and how to apply it."""
    say(f"{one.id}, {one.status.value.replace('_', ' ')}")
    if one.path:
        say(f"  {one.path}", note=one.path)
    for operation in one.operations:
        _say_operation(operation)
    for name in one.altered:
        say_wrapped(f"{name} was changed after it was proposed; it is not applied.")
    if hint and one.status is PatchStatus.PROPOSED:
        ticked = any(operation.selected for operation in one.operations)
        first = "" if ticked else "Nothing is ticked yet: tick what you want in the note. "
        say_wrapped(
            f"{first}Apply what is ticked with `vaultmem patch apply {one.id}`, or name operations "
            "with `--op`; turn all of it down with `vaultmem patch reject`."
        )


def _say_operation(one: ShownOperation) -> None:
    mark = "x" if one.selected else " "
    head = f"[{mark}] {one.id} {one.op}, {one.risk} risk"
    say(f"{head}: {one.result}" if one.result else head)
    if one.statement:
        say_wrapped(one.statement, indent=4)
    if one.before:
        say_wrapped(f"instead of: {one.before}", indent=4)
    for name, value in (("target", one.target), ("candidate", one.candidate)):
        if value:
            say(f"    {name} {value}")
    for change in one.changes:
        say_wrapped(change.sentence, indent=4)
    for sentence in filter(None, (one.acts, one.reason)):
        say_wrapped(sentence, indent=4)
    if one.refusal:
        say_wrapped(f"Cannot be applied now: {one.refusal}", indent=4)
    _say_difference(one.difference)


def _say_skipped(skipped: Iterable[Skipped]) -> None:
    for one in skipped:
        say_wrapped(f"Left out {one.id}: {one.reason}")
        _say_difference(one.difference)


def _say_difference(text: str) -> None:
    for line in text.splitlines():
        say(f"    {line}")


def _done(done: Iterable[Done]) -> list[Json]:
    return [dict(one._asdict()) for one in done]


def _skipped(skipped: Iterable[Skipped]) -> list[Json]:
    return [
        {
            "id": one.id,
            "reason": one.code,
            "message": one.reason,
            "difference": one.difference or None,
        }
        for one in skipped
    ]


def _operation_json(one: ShownOperation) -> dict[str, Json]:
    return {
        "id": one.id,
        "op": one.op,
        "target": one.target,
        "memory": one.memory,
        "candidate": one.candidate,
        "risk": one.risk,
        "selected": one.selected,
        "statement": one.statement,
        "before": one.before or None,
        "changes": [dict(change._asdict()) for change in one.changes],
        "acts": one.acts or None,
        "reason": one.reason,
        "result": one.result or None,
        "refusal": one.code or None,
        "difference": one.difference or None,
    }
