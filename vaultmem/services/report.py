"""The situation report over the vault's memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.context import Context
from vaultmem.core.governance_keys import SCOPED
from vaultmem.core.place import Kind
from vaultmem.core.query_class import classify
from vaultmem.core.report import Report, build_report
from vaultmem.core.report_caps import Caps
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
    made = _report(call, Context(call.seconds, project, prompt, session=session), budget)
    if made.text and (call.agent is not None or session):
        from vaultmem.services.capturing.shown import (
            remember_shown,  # a person's report needs no key
        )

        remember_shown(call, made.text.splitlines())
    if put_off := call.vault.put_off:
        made = made._replace(findings=(*made.findings, put_off))
    return made


def _report(call: Call, context: Context, budget: int | None) -> Report:
    limit = call.vault.settings.report_budget if budget is None else budget
    if off := switched_off(call, READ, project=context.project, session=context.session):
        return Report("", 0, limit, classify(context.prompt), (), (), findings=(off,))
    seen = observe(call.vault)
    if not seen.clean or call.vault.baseline.has_pending():
        from vaultmem.services.sync import catch_up  # the usual report needs no writer

        catch_up(call, seen)
    governance = call.governance
    if governance.injection_mode != SCOPED:
        from vaultmem.core.report_rules import rules_report  # the usual report tells memories

        baseline = call.vault.baseline
        waiting = len(baseline.notes(kind=Kind.CANDIDATE.value))
        return rules_report(baseline.standings(), governance, waiting=waiting, budget=limit)
    caps = Caps(governance.max_records, governance.max_l1_records, governance.max_l2_records)
    return build_report(call.vault.baseline.standings(), context, budget=limit, caps=caps)
