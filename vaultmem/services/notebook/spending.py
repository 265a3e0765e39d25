"""Count what a model was asked for the notebook: tokens and cost, by day, purpose and model."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.errors import ModelUnreachedError, NoModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultmem.llm.model import Model, Purpose, Usage
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog


@contextmanager
def counted(
    call: Call,
    catalog: NotebookCatalog,
    model: Model,
    purpose: Purpose,
    told: Callable[[Usage], object] = bool,
) -> Iterator[None]:
    """Count the question or task within, also one without an answer, unless nothing was sent.

    Args:
        call: the circumstances.
        catalog: keeps it.
        model: that is asked.
        purpose: what for.
        told: called with what it cost.

    Raises:
        As the methods of `NotebookCatalog`.
    """
    before = model.spent()
    left = True
    try:
        yield
    except (NoModelError, ModelUnreachedError):
        left = model.spent() != before  # a task may have come far before that
        raise
    finally:
        if left:
            spent = model.spent().since(before)
            catalog.usage.add(
                call.local.date(),
                purpose,
                model.name,
                input=spent.input,
                output=spent.output,
                cost=spent.cost,
            )
            told(spent)
