"""Name in a curation's operations the knowledge notes that their candidates' notes suggest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.knowledge_link import elsewhere
from vaultmem.core.naming import link_targets
from vaultmem.services.curating.hinting import hints_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.curation import Curation
    from vaultmem.core.drafting import Draft
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting


def with_notes(call: Call, found: Curation, candidates: Mapping[str, Waiting]) -> Curation:
    """The same curation, whose reasons name the notes; nothing is looked for here."""
    drafts = tuple(_linked(call, draft, candidates) for draft in found.drafts)
    return replace(found, drafts=drafts)


def _linked(call: Call, draft: Draft, candidates: Mapping[str, Waiting]) -> Draft:
    operation = draft.operation
    one = candidates.get(operation.candidate or "")
    hints = () if one is None else hints_of(call, one)
    if not hints:
        return draft
    named = ", ".join(f"“{_name(hint.link)}”" for hint in hints)
    reason = f"{operation.reason} See also {named}.".strip()
    return replace(draft, operation=replace(operation, reason=reason))


def _name(link: str) -> str:
    """A note in a sentence: a link there would be taken apart."""
    if (other := elsewhere(link)) is not None:
        return f"{other.vault}: {other.path}"
    return next(link_targets([link]), link)
