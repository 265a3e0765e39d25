"""Guardrails for people and for scripts: what is met, what there is, what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import Json, count, finding_json, say, say_wrapped
from vaultmem.core.enforcement.happening import RuleAct
from vaultmem.core.enforcement.rule import Action
from vaultmem.core.ids import short_id
from vaultmem.services.enforcing.trial import REFUSE, VERIFY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.enforcing.audit import AuditLine
    from vaultmem.services.enforcing.listing import Listed
    from vaultmem.services.enforcing.trial import Met, Trial

_DOES = {
    Action.BLOCK.value: "blocks it",
    Action.WARN.value: "warns afterwards",
    Action.RUN_AFTER.value: "runs its command afterwards",
    REFUSE: "would run a command, which this machine does not allow",
    VERIFY: "is checked at the end of the turn",
}
_RESTS = {
    "unreviewed": "not ratified",
    "never_fires": "can never fire",
    "applies_when": "its condition is not met",
    "expired": "its time is over",
}
_DID = {
    RuleAct.BLOCKED.value: "blocked",
    RuleAct.WARNED.value: "warned of",
    RuleAct.RAN.value: "ran its command",
    RuleAct.FAILED.value: "ran its command, which failed",
    RuleAct.REFUSED.value: "did not run its command",
    RuleAct.UNKEPT.value: "was not kept",
}


def trial_json(one: Trial) -> dict[str, Json]:
    """The stable shape."""
    return {**one._asdict(), "met": [rule._asdict() for rule in one.met]}


def listed_json(one: Listed) -> dict[str, Json]:
    """The stable shape."""
    return {**one._asdict(), "findings": [finding_json(each) for each in one.findings]}


def audit_json(one: AuditLine) -> dict[str, Json]:
    """The stable shape."""
    return {**one._asdict(), "at": one.at.isoformat()}


def say_trial(one: Trial) -> None:
    """Print what would happen, and by which rules."""
    if not one.met:
        say_wrapped("No guardrail is about this.")
        return
    if one.blocked:
        say_wrapped("It would not run.")
    else:
        acting = any(not rule.why for rule in one.met)
        say_wrapped("It would run." if acting else "It would run; no guardrail does anything here.")
    for rule in one.met:
        _say_met(rule)
    for told in filter(None, (one.reason, one.append)):
        say()
        say("The agent would be told:")
        for line in told.splitlines():
            say_wrapped(line, indent=2)


def _say_met(rule: Met) -> None:
    say()
    say_wrapped(f"{rule.statement} [{short_id(rule.id)}]")
    does = _DOES[rule.does] if not rule.why else f"does nothing: {_rests(rule.why)}"
    say_wrapped(f"`{rule.trigger}` {does}.", indent=4)


def say_listed(found: Sequence[Listed]) -> None:
    """Print every guardrail with what it does, and what is wrong with it."""
    if not found:
        say_wrapped(
            "No memory names a guardrail. Give one a trigger and an action with `vaultmem edit`, "
            "or let `vaultmem promote run` find those that have earned it."
        )
        return
    for one in found:
        say_wrapped(f"{one.statement} [{short_id(one.id)}]")
        if one.trigger:
            say_wrapped(f"`{one.trigger}` → {one.action}", indent=4)
        if one.verifier:
            say_wrapped(f"`{one.verifier}`", indent=4)
        if one.why:
            say_wrapped(f"Does nothing here: {_rests(one.why)}.", indent=4)
        for each in one.findings:
            message = "" if each.code == "VM330" else f"{each.message} "  # it was just said
            say_wrapped(f"{message}{each.remedy}", indent=4)
    acting = sum(one.acts for one in found)
    here = f"{acting} of them" if len(found) > 1 else "and it is" if acting else "and it is not"
    say(f"{count(len(found), 'guardrail')}, {here} in force here.")


def say_audit(found: Sequence[AuditLine]) -> None:
    """Print what guardrails did."""
    if not found:
        say_wrapped("No guardrail did anything on this machine that is still remembered.")
        return
    for one in found:
        tool = f" {one.tool}" if one.tool else ""
        say(f"{one.at:%Y-%m-%d %H:%M}  {_DID.get(one.act, one.act)}{tool}")
        say_wrapped(f"{one.statement or 'not in force any more'} [{short_id(one.id)}]", indent=4)
        if one.trigger:
            say_wrapped(f"by `{one.trigger}`", indent=4)


def _rests(why: str) -> str:
    word, _, detail = why.partition(":")
    known = {"status": f"it is {detail}", "project": f"it is of {detail}"}
    return known.get(word) or _RESTS.get(word) or (f"not when “{detail}”" if detail else word)
