"""The report of a session that is given no memories: the rules of use, and how many wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import tokens
from vaultmem.core.governance_keys import WAKEUP
from vaultmem.core.query_class import QueryClass
from vaultmem.core.report import Report
from vaultmem.core.selection import Excluded
from vaultmem.core.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.governance import Governance
    from vaultmem.core.standing import Standing

TITLE = "# Project Memory"


def rules_report(
    memories: Iterable[Standing], governance: Governance, *, waiting: int, budget: int
) -> Report:
    """The report of the modes `policy_only` and `wakeup`; it holds no statement of any memory.

    Args:
        memories: every memory that the baseline knows; they are counted, and named as left out.
        governance: the settings that hold; `injection_mode` is one of the two.
        waiting: candidates in the inbox, which only `wakeup` tells.
        budget: tokens; lines that do not fit are left out, the last ones first.
    """
    known = list(memories)
    lines = [
        TITLE,
        f"No memories are recalled here (mode {governance.injection_mode}, governance "
        f"{governance.mode}).",
        "- Before you assume something, look for it with memory_search, and in earlier sessions "
        "with session_search.",
        "- What should be remembered is proposed with memory_add; it counts once it was decided.",
        "- Memories change by reviewed patches alone, and identity memories (L1) only by the "
        "person.",
    ]
    if governance.injection_mode == WAKEUP:
        active = sum(memory.status == "active" for memory in known)
        told = count(active, "memory is", "memories are")
        waits = count(waiting, "candidate waits", "candidates wait")
        lines.append(f"- {told} active; {waits} for the person.")
    while lines and tokens("\n".join(lines)) > budget:
        del lines[-1]
    text = "\n".join(lines)
    reason = f"mode:{governance.injection_mode}"
    left_out = sorted(Excluded(memory.id, reason) for memory in known)
    return Report(
        text=text,
        tokens=tokens(text),
        budget=budget,
        query_class=QueryClass.GENERAL,
        sections=(),
        excluded=tuple(left_out),
        mode=governance.injection_mode,
    )
