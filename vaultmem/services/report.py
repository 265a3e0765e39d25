"""The situation report over the vault's memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.context import Context
from vaultmem.core.governance_keys import SCOPED
from vaultmem.core.ids import MemoryId
from vaultmem.core.place import Kind
from vaultmem.core.query_class import classify
from vaultmem.core.report import Report, build_report
from vaultmem.core.report_caps import Caps
from vaultmem.core.selection import today
from vaultmem.core.settled import Settled, SettledFor, settle
from vaultmem.services.report_extras import extras
from vaultmem.services.switch import READ, switched_off
from vaultmem.services.syncing.observe import observe

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def report(
    call: Call,
    *,
    project: str = "",
    prompt: str = "",
    budget: int | None = None,
    session: str = "",
) -> Report:
    """Build the report; what a person edited since the last sync counts already.

    Args:
        call: the circumstances.
        project: the project's identity; memories of other projects are left out.
        prompt: decides the query class and which conditions are met.
        budget: tokens; None for the vault's setting.
        session: the agent's session that is told, "" outside of any.
    """
    made = situation(call, Context(call.seconds, project, prompt, session=session), budget)
    if made.text and (call.agent is not None or session):
        # A person's report needs no key and counts nothing.
        from vaultmem.services.capturing.shown import remember_shown
        from vaultmem.services.telemetry import Told, injected

        remember_shown(call, made.text.splitlines())
        told = (Told(MemoryId(name), one.name) for one in made.sections for name in one.ids)
        injected(call, session=session, query_class=made.query_class.value, told=told)
    if put_off := call.vault.put_off:
        made = made._replace(findings=(*made.findings, put_off))
    return made


def situation(
    call: Call, context: Context, budget: int | None = None, *, look: bool = True
) -> Report:
    """The report for a context; nobody is recorded as having seen it.

    Args:
        call: the circumstances.
        context: when and for what.
        budget: tokens; None for the vault's setting.
        look: whether to look for what was edited since the last sync, which takes a stat of every
            note; False where the caller knows that nothing was.
    """
    limit = call.vault.settings.report_budget if budget is None else budget
    if off := switched_off(call, READ, project=context.project, session=context.session):
        return Report("", 0, limit, classify(context.prompt), (), (), findings=(off,))
    if look:
        _look(call)
    governance = call.governance
    if governance.injection_mode != SCOPED:
        from vaultmem.core.report_rules import rules_report  # the usual report tells memories

        baseline = call.vault.baseline
        waiting = len(baseline.paths(kind=Kind.CANDIDATE.value))
        return rules_report(baseline.standings(), governance, waiting=waiting, budget=limit)
    found, kind = _settled(call, context), classify(context.prompt)
    return build_report(
        found.rest,
        context,
        budget=limit,
        query_class=kind,
        extras=extras(call, context, kind),
        caps=caps_of(call),
        settled=found.excluded,
    )


def caps_of(call: Call) -> Caps:
    """How many memories may stand at most, by the settings that hold."""
    held = call.governance
    return Caps(held.max_records, held.max_l1_records, held.max_l2_records)


def _look(call: Call) -> None:
    seen = observe(call.vault)
    if not seen.clean or call.vault.baseline.has_pending():
        from vaultmem.services.sync import catch_up  # the usual report needs no writer

        catch_up(call, seen)


def _settled(call: Call, context: Context) -> Settled:
    """What day and project decide; kept, because a session asks many times for the same."""
    rows, day = call.vault.baseline.standings(), today(context.now)
    known = call.vault.settled
    if known is None or not known.fits(rows, day, context.project):
        found = settle(rows, day=day, project=context.project)
        known = SettledFor(rows, day, context.project, found)
        call.vault.settled = known
    return known.settled
