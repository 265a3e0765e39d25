"""The situation report over the vault's memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.context import Context
from vaultmem.core.report import Report, build_report
from vaultmem.services.observe import observe

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def report(call: Call, *, project: str = "", prompt: str = "", budget: int | None = None) -> Report:
    """Build the report; what a person edited since the last sync counts already.

    Args:
        call: the circumstances.
        project: the project's identity; memories of other projects are left out.
        prompt: decides the query class and which conditions are met.
        budget: tokens; None for the vault's setting.
    """
    seen = observe(call.vault)
    if not seen.clean or call.vault.baseline.has_pending():
        from vaultmem.services.sync import ensure_current  # the usual report needs no writer

        ensure_current(call, seen)
    limit = call.vault.settings.report_budget if budget is None else budget
    context = Context(now=call.seconds, project=project, prompt=prompt)
    return build_report(call.vault.baseline.standings(), context, budget=limit)
