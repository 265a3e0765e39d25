"""Ask the model what to sort, merge, look at again and file elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.dream import SCHEMA, DreamAnswer, DreamAnswerError, parse_dream
from vaultmem.llm.model import Ask, Purpose
from vaultmem.llm.prompts import load
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.notebook.asking import ASK_SECONDS, OUTPUT, RETRY_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.llm.model import Model

PROMPT = "dream"


def question(text: str, *, most_output: int = OUTPUT) -> Ask:
    """What is sent: our instructions, and what `showing.show` gathered."""
    return Ask(Purpose.DREAM, load(PROMPT).text, text, SCHEMA, most_output)


def ask(model: Model, text: str, stop: Callable[[], bool]) -> DreamAnswer | None:
    """Ask, and once more with a larger budget where the answer is none; None where it is twice.

    Raises:
        ModelAccessError: as `Model.ask`.
    """
    for most in (OUTPUT, RETRY_OUTPUT):
        found = model.ask(question(text, most_output=most), seconds=ASK_SECONDS, stop=stop)
        if (answer := _read(found.text)) is not None and not found.cut:
            return answer
    return None


def _read(text: str) -> DreamAnswer | None:
    try:
        return parse_dream(text).with_reasons(redact)
    except DreamAnswerError:
        return None
