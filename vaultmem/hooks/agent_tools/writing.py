"""Tools that write: log, candidates, notes to remember, reinforcement, scratchpad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.model import IN_A_PROJECT, Category, Scope
from vaultmem.core.report_line import plain_line
from vaultmem.hooks.reading import WrongFieldError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.checklist import Item
    from vaultmem.core.finding import Finding
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields
    from vaultmem.services.capture import Captured, Wish

_OUTCOMES = {
    "added": "It is remembered",
    "candidate": "It waits in the inbox for the user",
    "reinforced": "It is known already and counts as one more piece of evidence",
    "refused": "It is not remembered.",
}


def memory_write(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """A line of the log, or a proposal."""
    text = arguments.word("text")
    if arguments.text("target") == "daily":
        from vaultmem.services.agent_log import write_log

        done = write_log(here.agent(), text, session=event.session, project=here.project(event))
        return f"Logged in {done.path}."
    from vaultmem.services.capture import Wish

    return _capture(here, event, Wish(text=text, category=Category.LESSON))


def memory_add(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """A proposal with everything that can be said of it."""
    from vaultmem.services.capture import Wish

    named = arguments.maybe("scope")
    scope = Scope.GLOBAL if named is None else Scope(named)
    wish = Wish(
        text=arguments.word("text"),
        category=Category(arguments.text("category")),
        scope=scope,
        project=here.project(event) if scope in IN_A_PROJECT else None,
        tags=arguments.texts("tags"),
        trigger=arguments.maybe("trigger"),
        action=arguments.maybe("action"),
        verifier=arguments.maybe("verifier"),
    )
    return _capture(here, event, wish, override=arguments.flag("override_conflicts"))


def _capture(here: Here, event: ToolAsked, wish: Wish, *, override: bool = False) -> str:
    from vaultmem.services.capture import add
    from vaultmem.services.capturing.source import Channel, Source

    source = Source(
        channel=Channel.TOOL,
        session=event.session,
        ref=event.call,
        user_messages=tuple(here.known(event).said),
        project=here.project(event),
    )
    done = add(here.agent(), here.engine, wish, source=source, override_conflicts=override)
    return _told(done)


def _told(done: Captured) -> str:
    where = f" ({short_id(done.id)}, {plain_line(done.path or '')})." if done.id else ""
    return "\n".join([f"{_OUTCOMES[done.outcome]}{where}", *_findings(done.findings)])


def _findings(found: Sequence[Finding]) -> list[str]:
    return [f"{plain_line(one.message)} {plain_line(one.remedy)}" for one in found]


def memory_add_note(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """A note to be worked in later."""
    from vaultmem.services.remember_note import remember_note

    path = remember_note(
        here.agent(),
        arguments.word("title"),
        arguments.word("text"),
        said=tuple(here.known(event).said),
        request=arguments.text("request", ""),
        session=event.session,
        project=here.project(event),
    )
    here.app.notebook.jobs.mark_dirty(here.app.now.timestamp())
    return f"The note is kept in {path}."


def memory_reinforce(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """One more piece of evidence for a memory."""
    from vaultmem.services.confirm import confirm

    done = confirm(
        here.agent(),
        arguments.word("id"),
        session=event.session,
        note=arguments.text("note", ""),
        project=here.project(event),
        hosted=True,
    )
    words = {"reinforced": "It is counted.", "known": "This session counted before."}
    first = words.get(done.outcome, "It is not counted.")
    return "\n".join([first, *_findings(done.findings)])


def scratchpad(here: Here, event: ToolAsked, arguments: Fields) -> str:  # noqa: ARG001 - one form
    """The list of open items."""
    from vaultmem.services import scratchpad as pad

    op, text = arguments.text("op"), arguments.text("text", "")
    call = here.agent()
    if op in ("add", "done", "undo") and not text.strip():
        raise WrongFieldError("`text` is missing. Name the item by its words.")
    if op == "add":
        done = pad.add_item(call, text)
    elif op == "clear_done":
        done = pad.clear_done(call)
    elif op == "list":
        done = pad.scratchpad(call)
    else:
        done = pad.tick(call, text, done=op == "done")
    return listed(done.items)


def listed(items: Sequence[Item]) -> str:
    """The items in a line each."""
    lines = [f"- [{'x' if one.done else ' '}] {plain_line(one.text)}" for one in items]
    return "\n".join(lines) or "The scratchpad is empty."
