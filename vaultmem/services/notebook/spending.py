"""Count what a model was asked for the notebook: tokens and cost, by day, purpose and model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.llm.model import Model, Purpose, Usage
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog


def count_spent(
    call: Call, catalog: NotebookCatalog, model: Model, purpose: Purpose, before: Usage
) -> Usage:
    """Count one question or task, also one without an answer; returns what it cost.

    Args:
        call: the circumstances.
        catalog: keeps it.
        model: that was asked.
        purpose: what for.
        before: `model.spent()` before it was asked.

    Raises:
        As the methods of `NotebookCatalog`.
    """
    spent = model.spent().since(before)
    catalog.usage.add(
        call.local.date(),
        purpose,
        model.name,
        input=spent.input,
        output=spent.output,
        cost=spent.cost,
    )
    return spent
