"""Prints everything that a prompt brings an agent: the report and the sections beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import counter, say, say_findings
from vaultmem.core.injection import CONTEXTUAL
from vaultmem.core.notebook.section import NOTEBOOK
from vaultmem.core.session_past import PAST_SESSIONS
from vaultmem.services.inject import inject

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.inject import Injection
    from vaultmem.services.sessions.index import SessionIndex


def given_in_full(
    call: Call,
    engine: SearchEngine,
    sessions: SessionIndex,
    *,
    project: str,
    prompt: str,
    session: str,
    budget: int | None,
) -> Injection:
    """Everything for a prompt, once all texts are embedded."""
    with counter("Embedding") as progress:
        return inject(
            call,
            engine,
            project=project,
            prompt=prompt,
            session=session,
            budget=budget,
            progress=progress,
            sessions=sessions,
        )


_WHY_NOTHING_BESIDE = {
    False: "no memory is near the prompt",
    True: "what is near the prompt stands in it already, or is left out of it for a reason",
}


def _why_nothing(made: Injection) -> str:
    if made.report.excluded:
        return "There is nothing to tell here. `vaultmem report --explain` says why."
    return "There is nothing to tell yet. Add a memory with `vaultmem add`."


def say_sections(made: Injection) -> None:
    """The sections between their tags, then what was missing."""
    say(made.text or _why_nothing(made))
    if made.text and not any(one.text for one in made.sections[1:]):
        say()
        say(f"Nothing is told beside the report: {_WHY_NOTHING_BESIDE[bool(made.excluded)]}.")
    if made.degraded:
        say()
        say(made.degraded)
    say_findings(made.findings)


def sections_json(made: Injection) -> dict[str, Json]:
    """The keys beside those of the report."""
    return {
        CONTEXTUAL: _contextual_json(made),
        PAST_SESSIONS: _past_json(made),
        NOTEBOOK: _notebook_json(made),
        "degraded": made.degraded,
    }


def _contextual_json(made: Injection) -> Json:
    similar: dict[str, float | None] = {one.id: one.similarity for one in made.told}
    section = made.contextual
    return {
        "text": section.text,
        "tokens": section.tokens,
        "budget": section.cap,
        "memories": [{"id": one, "similarity": similar[one]} for one in section.ids],
        "excluded": [{"id": one.id, "reason": one.reason} for one in made.excluded],
    }


def _past_json(made: Injection) -> Json:
    section = made.past
    return {
        "text": section.text,
        "tokens": section.tokens,
        "budget": section.cap,
        "sessions": list(section.ids),
    }


def _notebook_json(made: Injection) -> Json:
    section = made.notebook
    return {"text": section.text, "tokens": section.tokens, "budget": section.cap}
