"""What an agent is given before it thinks: the report, and memories near what is talked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import tokens
from vaultmem.core.context import Context
from vaultmem.core.governance_keys import SCOPED
from vaultmem.core.ids import MemoryId
from vaultmem.core.injection import (
    CONTEXTUAL,
    CONTEXTUAL_TOKENS,
    PROJECT_MEMORY,
    REMINDERS,
    TOP,
    InjectedSection,
    contextual_text,
    file_query,
    place,
    reminder_text,
)
from vaultmem.core.notebook.section import NOTEBOOK, NOTEBOOK_TOKENS
from vaultmem.core.report_caps import NO_CAPS
from vaultmem.core.session_past import PAST_SESSIONS, PAST_TOKENS
from vaultmem.core.trivial import is_trivial
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.indexing import refresh
from vaultmem.services.recalling import Near, Recalled, embed_all, near_memories
from vaultmem.services.report import caps_of, situation
from vaultmem.services.search import embed_for_a_moment
from vaultmem.services.switch import READ, switched_off
from vaultmem.services.telemetry import Told, injected
from vaultmem.store import session_lines
from vaultmem.store.telemetry import REMINDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.core.report import Report
    from vaultmem.core.selection import Excluded
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex


class Injection(NamedTuple):
    """Everything that one prompt brings.

    Attributes:
        report: the situation report, which is the first section.
        sections: all of them, in their order.
        told: each memory, with its section and its similarity to this prompt, where one is known.
        excluded: the memories near the prompt that are told in no section, with the reasons.
        degraded: a sentence where meaning was not available, else None.
    """

    report: Report
    sections: tuple[InjectedSection, ...]
    told: tuple[Told, ...]
    excluded: tuple[Excluded, ...] = ()
    degraded: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why there is nothing to tell; what could not be written."""
        return self.report.findings

    @property
    def contextual(self) -> InjectedSection:
        """The memories near the prompt; empty in a mode that tells none."""
        return self._named(CONTEXTUAL, CONTEXTUAL_TOKENS)

    @property
    def past(self) -> InjectedSection:
        """The earlier sessions near the prompt; likewise."""
        return self._named(PAST_SESSIONS, PAST_TOKENS)

    @property
    def notebook(self) -> InjectedSection:
        """The summary of the notebook; empty where it is off."""
        return self._named(NOTEBOOK, NOTEBOOK_TOKENS)

    @property
    def text(self) -> str:
        """All sections between their tags, a blank line between two."""
        return "\n\n".join(filter(None, (one.tagged for one in self.sections)))

    def _named(self, name: str, cap: int) -> InjectedSection:
        known = {one.name: one for one in self.sections}
        return known.get(name, InjectedSection(name, "", 0, cap, ()))


class Reminders(NamedTuple):
    """What the changed files call to mind; `text` is a message of its own, "" for nothing."""

    text: str
    told: tuple[Told, ...]


def inject(
    call: Call,
    engine: SearchEngine,
    *,
    project: str = "",
    prompt: str = "",
    session: str = "",
    budget: int | None = None,
    files: Sequence[str] = (),
    look: bool = True,
    fresh: bool = True,
    wait: bool = True,
    progress: Callable[[int], object] = int,
    sessions: SessionIndex | None = None,
) -> Injection:
    """Put together what an agent is given for a prompt.

    After a trivial prompt ("ok") nothing is searched for, and the sections stay as they were.

    Args:
        call: the circumstances.
        engine: the search engine of the vault.
        project: the project's identity; memories of other projects are left out.
        prompt: what the user asks.
        session: the agent's session, whose lines keep their places; "" outside of any.
        budget: tokens of the report; None for the vault's setting.
        files: paths that the work touches, for the conditions of memories.
        look: as `services.report.situation`; False where the caller watches the vault and keeps the
            index up.
        fresh: whether the index is brought up first where `look`; else what it holds is enough.
        wait: whether to wait for the model and for missing vectors. Otherwise what is not ready is
            left out this time.
        progress: called with the number of texts that were embedded, after each batch.
        sessions: the index of earlier sessions, for the section about them; None for none.
    """
    context = Context(call.seconds, project, prompt, tuple(files), session)
    made = situation(call, context, budget, look=look)
    told = [Told(MemoryId(name), one.name) for one in made.sections for name in one.ids]
    in_report = tuple(one.id for one in told)
    first = InjectedSection(PROJECT_MEMORY, made.text, made.tokens, made.budget, in_report)
    if made.mode != SCOPED or switched_off(call, READ, project=project, session=session):
        return Injection(made, (first,), ())
    recalled = Recalled(call, context, frozenset(in_report), _over_caps(call, made))
    near: list[Near] = []
    degraded = None
    if not is_trivial(prompt):
        if wait:
            embed_all(call, engine, progress)
        near, degraded = near_memories(
            call, engine, prompt, engine.thresholds.contextual, wait=wait, look=look and fresh
        )
    found, excluded = recalled.best(near, TOP[made.query_class])
    second = _contextual(call, recalled, found, session)
    similar = dict(near)
    told += [Told(MemoryId(name), "contextual", similar.get(name)) for name in second.ids]
    result = Injection(made, (first, second), tuple(told), excluded, degraded)
    if call.agent is not None or session:
        _record(call, result, session)
    if sessions is not None:
        from vaultmem.services.sessions.past import past_sessions  # it gives a section of this kind

        third = past_sessions(
            call, sessions, prompt=prompt, project=project, session=session, wait=wait
        )
        result = result._replace(sections=(*result.sections, third))
    if call.vault.notebook:
        fourth = _notebook(call, project, remember=call.agent is not None or bool(session))
        result = result._replace(sections=(*result.sections, fourth))
    if put_off := call.vault.put_off:
        made = made._replace(findings=(*made.findings, put_off))
    return result._replace(report=made)


def file_reminders(
    call: Call,
    engine: SearchEngine,
    *,
    paths: Sequence[str],
    session: str,
    project: str = "",
    wait: bool = True,
) -> Reminders:
    """The memories to call to mind after files changed, at most three.

    Each once in a session, until it compacts (`session_compacted`). Enough that the file's name or
    folder is near: what the file holds is not read.

    Args:
        call: the circumstances; the baseline is up to date.
        engine: the search engine of the vault.
        paths: what changed; each counts once, the last ten.
        session: the agent's session.
        project: the project's identity.
        wait: whether to bring the index up, and to wait for the model and a moment for missing
            vectors.
    """
    query = file_query(paths)
    off = switched_off(call, READ, project=project, session=session)
    if not query or off or call.governance.injection_mode != SCOPED:
        return Reminders("", ())
    cache = call.vault.state.cache
    known = frozenset(session_lines.read_lines(cache, session).reminded)
    context = Context(call.seconds, project, "", tuple(paths), session)
    if wait:
        refresh(call, engine)
        embed_for_a_moment(engine)
    near, _ = near_memories(
        call, engine, query, engine.thresholds.file_reminder, wait=wait, look=False
    )
    new = [(name, similarity) for name, similarity in near if name not in known]
    recalled = Recalled(call, context, frozenset(), frozenset())
    found, _ = recalled.best(new, REMINDERS)
    if not found:
        return Reminders("", ())
    lines = recalled.lines(found)
    similar = dict(new)
    told = tuple(Told(MemoryId(name), REMINDER, similar[name]) for name in found)
    session_lines.keep_reminded(cache, session, found)
    remember_shown(call, lines.values())
    injected(call, session=session, query_class=REMINDER, told=told)
    return Reminders(reminder_text(lines.values()), told)


def session_compacted(call: Call, *, session: str) -> None:
    """The session has forgotten what it was told; it may be reminded again."""
    session_lines.compacted(call.vault.state.cache, session)


def _contextual(
    call: Call, recalled: Recalled, found: Sequence[str], session: str
) -> InjectedSection:
    """The section, where what the session was told before keeps its place."""
    cache = call.vault.state.cache
    earlier = session_lines.read_lines(cache, session).contextual if session else ()
    lines = recalled.lines((*earlier, *found), sticky=frozenset(earlier))
    placed = place(earlier, found, lines)
    if session and placed.kept != earlier:
        session_lines.keep_contextual(cache, session, placed.kept)
    text = contextual_text(lines[name] for name in placed.shown)
    return InjectedSection(CONTEXTUAL, text, tokens(text), CONTEXTUAL_TOKENS, placed.shown)


def _notebook(call: Call, project: str, *, remember: bool) -> InjectedSection:
    """The section, whose words are never learned from once an agent was told them."""
    from vaultmem.services.notebook.section import notebook_text  # where the notebook is on

    text = notebook_text(call, project=project)
    if remember:
        remember_shown(call, text.splitlines())
    return InjectedSection(NOTEBOOK, text, tokens(text), NOTEBOOK_TOKENS, ())


def _over_caps(call: Call, made: Report) -> frozenset[str]:
    """The memories that the person's own caps keep out of a session."""
    if caps_of(call) == NO_CAPS:
        return frozenset()
    return frozenset(one.id for one in made.excluded if one.reason.startswith("max_records"))


def _record(call: Call, made: Injection, session: str) -> None:
    """What an agent was told is never learned from, and what it uses of it is counted."""
    remember_shown(call, [line for one in made.sections for line in one.text.splitlines()])
    injected(call, session=session, query_class=made.report.query_class.value, told=made.told)
