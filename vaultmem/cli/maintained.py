"""What maintenance proposes, and the questions that wait, as lines and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count, project_name, say, say_wrapped
from vaultmem.core.ids import short_id
from vaultmem.core.operation import spelled

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.core.values import Normal
    from vaultmem.services.inquiries import Asked, Kept
    from vaultmem.services.maintain import Maintained, Planned


def maintained_json(done: Maintained) -> dict[str, Json]:
    """The answer of `maintain list` and `maintain run`."""
    return {
        "planned": [_planned_json(one) for one in done.planned],
        "left": done.left,
        "proposed": done.proposed,
        "patch": done.proposed_id,
        "waiting": done.waiting,
        "inquiries": [asked_json(one) for one in done.inquiries],
    }


def asked_json(done: Asked) -> dict[str, Json]:
    """The answer of `maintain ask`, `answer` and `withdraw`."""
    return {
        "outcome": done.outcome,
        "id": done.id,
        "path": done.path or None,
        "question": done.question,
        "answer": done.answer or None,
        "already": done.already,
    }


def inquiry_json(one: Kept) -> dict[str, Json]:
    """A line of `maintain inquiries`."""
    inquiry = one.inquiry
    return {
        "id": one.id,
        "path": one.path,
        "question": inquiry.question,
        "status": inquiry.status.value,
        "priority": inquiry.priority.value,
        "project": inquiry.project,
        "matched": list(inquiry.matched),
        "candidate": inquiry.candidate,
        "sessions": list(inquiry.sessions),
        "created": inquiry.created.isoformat() if inquiry.created else None,
        "last_seen": inquiry.last_seen.isoformat() if inquiry.last_seen else None,
        "answer": inquiry.answer,
        "external": one.external,
    }


def say_maintained(done: Maintained, *, ran: bool) -> None:
    """Tell what is proposed, one memory after the other, and how to decide."""
    for one in done.planned:
        _say_planned(one)
    for asked in done.inquiries:
        say_asked(asked)
    if done.left:
        say_wrapped(f"Up to {done.left} more can wait until that is decided.")
    if done.proposed is not None:
        say(f"{count(len(done.planned), 'change')} proposed in:")
        say(f"  {done.proposed}", note=done.proposed)
    say_wrapped(_next_step(done, ran=ran))


def say_asked(done: Asked) -> None:
    """Tell what became of a question, by which memory, and the id that other verbs take."""
    already = " already" if done.already else ""
    say_wrapped(f"{_OUTCOMES[done.outcome]}{already}: {done.question}")
    if done.answer:
        say(f"  by {done.answer}")
    say(f"  {', '.join(filter(None, (short_id(done.id), done.path)))}")


def say_inquiry(one: Kept) -> None:
    """Tell one question, and what there is to know of it."""
    inquiry = one.inquiry
    say_wrapped(inquiry.question)
    facts = [
        short_id(one.id),
        inquiry.status.value,
        f"{inquiry.priority} priority",
        project_name(inquiry.project or ""),
        f"answered by {inquiry.answer}" if inquiry.answer else "",
        "changed by something other than you" if one.external else "",
    ]
    say(f"  {', '.join(filter(None, facts))}")
    say(f"  {one.path}", note=one.path)


_OUTCOMES = {
    "asked": "Asked",
    "seen": "Asked before, and noted once more",
    "known": "Asked already",
    "answered": "Answered",
    "withdrawn": "Withdrawn",
    "stale": "Not asked any more",
}


def _next_step(done: Maintained, *, ran: bool) -> str:
    if done.proposed_id is not None:
        return f"Look at it with `vaultmem patch show {short_id(done.proposed_id)}`."
    if done.waiting is not None:
        waits = short_id(done.waiting)
        return (
            f"A patch of maintenance waits already. Look at it with `vaultmem patch show {waits}`, "
            f"decide with `vaultmem patch apply {waits}` (what is ticked in its note, or what "
            f"`--op` names) or `vaultmem patch reject {waits}`, then run this again."
        )
    if not done.planned:
        return "Nothing asks for a change."
    if ran:
        return "Nothing was proposed: what is left holds a secret, which `vaultmem doctor` finds."
    return "Propose it with `vaultmem maintain run`."


def _say_planned(one: Planned) -> None:
    operation = one.operation
    what = operation.op.value.replace("_", " ")
    away = ", into the archive" if operation.archive else ""
    say_wrapped(one.memory.statement)
    say(f"  {short_id(one.memory.id)}, {what}{away}, {operation.risk} risk{_changes(one)}")
    say_wrapped(operation.reason, indent=2)


def _changes(one: Planned) -> str:
    parts = (f"{name} {spelled(value)}" for name, value in one.operation.changes.items())
    return "".join(f", {part}" for part in parts)


def _planned_json(one: Planned) -> dict[str, Json]:
    operation = one.operation
    return {
        "op": operation.op.value,
        "target": one.memory.id,
        "path": one.path,
        "statement": one.memory.statement,
        "risk": operation.risk.value,
        "selected": operation.selected,
        "archive": operation.archive,
        "changes": {name: _shown(value) for name, value in operation.changes.items()},
        "reason": operation.reason,
    }


def _shown(value: Normal) -> Json:
    shown = spelled(value)
    return list(shown) if isinstance(shown, list) else shown
