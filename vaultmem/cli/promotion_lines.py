"""Promotions on the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count, say, say_wrapped
from vaultmem.core.ids import short_id
from vaultmem.core.promotion_words import Destination
from vaultmem.notes.promotion import WHAT_FOLLOWS
from vaultmem.services.promoting.lines import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.cli.output import Json
    from vaultmem.services.promote import Decided, Listed, Proposed, Shown
    from vaultmem.services.vault_ref import Suggestion


_DECIDED = {"proposed": "", "over": ", its memory is out of use"}
"""How a proposal that nobody decided is called."""


def to_json(one: Listed | Proposed | Decided | Suggestion) -> dict[str, Json]:
    """The stable shape: every field, with null for what is not known."""
    values: dict[str, Json] = one._asdict()
    return {key: None if value == "" else value for key, value in values.items()}


def shown_json(one: Shown) -> dict[str, Json]:
    """The stable shape of one promotion."""
    made = one.promotion
    trigger, action, verifier = made.guardrail
    own: dict[str, Json] = {
        "reason": made.reason or None,
        "trigger": trigger,
        "action": action,
        "verifier": verifier,
        "skill": made.skill or None,
        "note": made.note or None,
        "evidence": list(made.evidence),
        "draft": made.draft or None,
        "heard": {
            "sessions": one.heard.sessions,
            "projects": list(one.heard.projects),
            "since": one.heard.since.isoformat() if one.heard.since else None,
        },
        "requirements": [dict(each._asdict()) for each in one.requirements],
        "suggestions": [to_json(each) for each in one.suggested],
    }
    return to_json(one.listed) | own


def say_listed(one: Listed) -> None:
    """A promotion in a list."""
    form = WORDS[one.destination] if one.destination is not None else "unknown"
    decided = _DECIDED.get(one.status, f", {one.status} by {_who(one.by)}")
    say(f"{one.id}  {form}, {count(one.sessions, 'session')}{decided}")
    say_wrapped(one.statement or "its memory is gone", indent=2)
    if one.path:
        say(f"  {one.path}", note=one.path)


def say_proposed(one: Proposed) -> None:
    """A form that was proposed, or that policy gave."""
    form = WORDS[one.destination]
    say_wrapped(f"{form[0].upper()}{form[1:]}: {one.statement}")
    if one.patch:
        say_wrapped(
            f"Made at once; take it back with `vaultmem patch revert {one.patch}`.", indent=2
        )
    else:
        say(f"  {one.id}, {one.path}", note=one.path)


def ways_to_decide(waiting: Sequence[str]) -> str:
    """The commands that decide about promotions, by the id where there is one alone."""
    name = short_id(waiting[0]) if len(waiting) == 1 else "ID"
    return f"`vaultmem promote accept {name}` or `vaultmem promote reject {name}`"


def say_shown(one: Shown) -> None:
    """One promotion with everything that a person decides on."""
    made = one.promotion
    say_listed(one.listed)
    for line in (made.reason, WHAT_FOLLOWS[made.destination]):
        if line:
            say_wrapped(line, indent=2)
    named = zip(("trigger", "action", "verifier"), made.guardrail, strict=True)
    for key, value in (*named, ("skill", made.skill), ("note", made.note)):
        if value:
            say(f"  {key}: {value}")
    for each in one.requirements:
        say_wrapped(each.says, first="  yes: " if each.met else "  no:  ", indent=7)
    if made.destination is Destination.VAULT_REF:
        say_suggestions(one.suggested)
    if made.draft:
        say()
        say(made.draft.rstrip("\n"))


def say_suggestions(found: Sequence[Suggestion]) -> None:
    """The knowledge notes that may be the right one."""
    for one in found:
        where = f", in {one.vault}" if one.vault else ""
        say(f"  {one.link}")
        say_wrapped(f"{one.score:.2f}, {one.reason}{where}", indent=4)
    if not found:
        say("  No knowledge note says more.")


def say_decided(done: Decided) -> None:
    """What came of a decision, and how to take it back."""
    if done.outcome == "rejected":
        say_wrapped(f"Rejected, and not proposed again by itself: {done.statement}")
        if done.memory:
            say_wrapped(
                f"To propose it again, run `vaultmem promote propose {short_id(done.memory)} --to "
                f"{done.destination}`.",
                indent=2,
            )
        return
    say_wrapped(f"Accepted: {done.statement}")
    say(f"  {done.path}", note=done.path)
    if done.patch:
        say_wrapped(f"Take it back with `vaultmem patch revert {done.patch}`.", indent=2)
    elif done.destination is Destination.SKILL:
        say_wrapped(
            "It is a draft from one sentence: edit it there before an agent uses it. To take it "
            "back, delete its folder.",
            indent=2,
        )
    if done.text:
        say_wrapped("Copy this into the rules of your project:", indent=2)
        say()
        say(done.text.rstrip("\n"))


def _who(by: str) -> str:
    return {"person": "you", "policy": "vaultmem", "agent": "an agent"}.get(by, "somebody")
