"""What we do at each event of the agent: one function for each, which calls services."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vaultmem import __version__
from vaultmem.core.injection import PROJECT_MEMORY
from vaultmem.core.notebook.section import NOTEBOOK
from vaultmem.core.session_entry import WRITERS
from vaultmem.core.session_past import PAST_SESSIONS
from vaultmem.hooks import enforcing, guarding, notebook, past
from vaultmem.hooks.answers import (
    Appended,
    Done,
    Message,
    Reminding,
    RulesTold,
    Sections,
    Started,
    Verdict,
)
from vaultmem.hooks.background import daily, leave, settle_left
from vaultmem.hooks.boundary import or_else
from vaultmem.hooks.looking import look_soon
from vaultmem.hooks.payloads import RESTART
from vaultmem.hooks.telling import in_window, notices_of

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here, Later
    from vaultmem.hooks.payloads import (
        Compacted,
        Compacting,
        MessageEnded,
        PromptComes,
        RulesAsked,
        SessionEnded,
        SessionStarted,
        TextTyped,
        ToolCalled,
        ToolDone,
        TurnEnded,
    )

SUB_AGENT = "You are a sub-agent: use these notes, and write nothing to the memory."
"""What stands before a sub-agent's report; from the topic-file memory (section 5)."""
SEEN = ("tui", "rpc")
"""Modes in which a person sees what is told, and can answer."""


def session_start(here: Here, event: SessionStarted) -> Started:
    """Sync, and say what was applied by itself and how many wait."""
    from vaultmem.services.config_changed import config_changes  # the first event only
    from vaultmem.services.session_start import session_start as start  # as above

    known = here.known(event)
    known.nested = event.nested
    seen = event.mode in SEEN
    guarding.all_ended(here)
    guarding.missed(here, event.missed)
    if event.reason == RESTART:
        known.rules = enforcing.rules(here, event)
        return Started(rules=known.rules, program=__version__)
    settle_left(here)
    done = start(here.policy(), tell=seen, daily=False)
    here.shared.later(lambda own: daily(own, event))
    here.shared.later(past.look)
    notebook.began(here, event)
    known.rules = enforcing.rules(here, event)
    off = _switched_off(here, event)
    panel = None
    if done.opens_inbox and seen and not off:
        from vaultmem.hooks.panels import inbox_panel  # seldom

        panel = inbox_panel(here)
    changed = config_changes(here.shared.home, at_ns=time.time_ns(), tell=seen)
    unread = here.app.config.why_unread  # else what it trusts and switches on only seems off
    told = (*filter(None, (changed, unread)), *off, *notices_of(done))
    return Started(rules=known.rules, notices=told, panel=panel, program=__version__)


def _switched_off(here: Here, event: SessionStarted) -> tuple[str, ...]:
    """What is switched off, and how it is switched on; else it would look as if nothing worked."""
    from vaultmem.services.switch import READ, WRITE, switched_off  # the first event only

    call, project = here.policy(), here.project(event) or None
    found = (
        switched_off(call, one, project=project, session=event.session) for one in (WRITE, READ)
    )
    return tuple(in_window(one.sentence) for one in found if one is not None)


def typed(here: Here, event: TextTyped) -> Done:
    """The person said something: it is heard later, when nobody waits."""
    known = here.known(event)
    if event.source == "extension" or known.nested or not here.shared.typed:
        return Done()
    known.hear(event.text)

    def capture(own: Here) -> None:
        from vaultmem.services.message import capture_message  # not on the way of other events

        capture_message(
            own.policy(),
            own.engine,
            event.text,
            session=event.session,
            message_id=event.entry,
            project=own.project(event) or None,
        )

    here.shared.later(capture)
    return Done()


def before_agent_start(here: Here, event: PromptComes) -> Sections:
    """The sections of the system prompt."""
    if event.sub_agent:
        notebook.leave_out(here, event)
        return _for_sub_agent(here, event)
    from vaultmem.services.inject import inject

    known = here.known(event)
    known.begin(event.prompt)
    guarding.all_ended(here)
    project = here.project(event)
    made = inject(
        here.policy(),
        here.engine,
        project=project,
        prompt=event.prompt,
        session=event.session,
        look=not here.shared.watching.is_set(),
        fresh=here.shared.warm.is_set(),
        wait=False,
    )
    sections = {one.name: one.text for one in made.sections}
    earlier = or_else(here, lambda: past.section(here, event, event.prompt), "")
    sections[PAST_SESSIONS] = earlier
    sections[NOTEBOOK] = sections.pop(NOTEBOOK, "")  # the last one
    known.rules = enforcing.rules(here, event)
    return Sections(
        sections={name: text for name, text in sections.items() if text},
        rules=known.rules,
        notices=known.take_notices(),
    )


def _for_sub_agent(here: Here, event: PromptComes) -> Sections:
    """The situation report alone, for which nothing is searched."""
    from vaultmem.services.report import report

    made = report(
        here.policy(), project=here.project(event), prompt=event.prompt, session=event.session
    )
    sections = {PROJECT_MEMORY: f"{SUB_AGENT}\n\n{made.text}"} if made.text else {}
    return Sections(sections=sections, rules=enforcing.rules(here, event))


def tool_call(here: Here, event: ToolCalled) -> Verdict:
    """Whether a tool may run: the guard of the vault's places first, then the person's rules."""
    guarding.started(here, event)  # it may run also where we cannot say whether it should
    reason = guarding.why_not(here, event)
    verdict = Verdict(block=True, reason=reason) if reason else enforcing.verdict(here, event)
    if verdict.block:
        here.known(event).blocked.add(event.call)
        guarding.ended(here, event)
    else:
        here.known(event).begun[event.call] = event.at * 1_000_000 or time.time_ns()
    return verdict


def tool_result(here: Here, event: ToolDone) -> Appended | Later:
    """What rules have to say to what a tool did; what it wrote into the vault is found soon."""
    guarding.ended(here, event)
    try:
        return enforcing.followed(here, event, here.known(event).take_changes())
    finally:  # not before: a look that has begun takes half of the answer's speed
        look_soon(here, event)


def message_end(here: Here, event: MessageEnded) -> Message:
    """Count what a reply cites, and take the citation out."""
    if event.role != "assistant" or not event.text:
        return Message()
    from vaultmem.services.telemetry import replied

    done = replied(here.policy(), event.text, session=event.session)
    notebook.count_cited(here, event, done)
    return Message(text=done.text if done.text != event.text else None)


def turn_end(here: Here, event: TurnEnded) -> Reminding:
    """Checks of what the turn did, memories about the files that it changed, open items."""
    known = here.known(event)
    since = known.call(event.tools)
    known.retried = known.retried or event.retried
    guarding.all_ended(here)
    told = (*known.take_changes(), or_else(here, lambda: reminder(here, event), ""))
    if event.outcome != "completed":
        return Reminding(messages=tuple(filter(None, told)))
    found = enforcing.checked(here, event, since)
    known.retried = known.retried or found.retry
    last = found.message or _focus(here, event, since)
    return Reminding(messages=tuple(filter(None, (*told, last))), retry=found.retry)


def _focus(here: Here, event: TurnEnded, since: int) -> str:
    """The open items, once for each prompt."""
    known = here.known(event)
    if event.turn or known.focused:
        return ""
    text = enforcing.focus(here, event, since)
    known.focused = bool(text)
    return text


def reminder(here: Here, event: TurnEnded) -> str:
    """The memories about the files that the turn changed."""
    changed = [one.input.get("path") for one in event.tools if one.tool in WRITERS]
    paths = [one for one in changed if isinstance(one, str)]
    if not paths:
        return ""
    from vaultmem.services.inject import file_reminders

    return file_reminders(
        here.policy(),
        here.engine,
        paths=paths,
        session=event.session,
        project=here.project(event),
        wait=False,
    ).text


def session_before_compact(here: Here, event: Compacting) -> Done:  # noqa: ARG001 - one form for all
    """Nothing is left to be saved: what was said was heard when it was said."""
    return Done()


def session_compact(here: Here, event: Compacted) -> Done:
    """The model has forgotten what it was reminded of; the summary becomes searchable."""
    from vaultmem.services.inject import session_compacted

    session_compacted(here.policy(), session=event.session)
    if not event.will_retry:
        here.shared.later(past.look)
    return Done()


def session_shutdown(here: Here, event: SessionEnded) -> Done:
    """Queue the session, so that it is settled by whoever comes next."""
    guarding.all_ended(here)
    if event.reason != "reload":
        leave(here, event.session)
        here.shared.later(settle_left)
    return Done()


def rules(here: Here, event: RulesAsked) -> RulesTold:
    """The literal block rules, as they are now."""
    return RulesTold(rules=enforcing.rules(here, event))
