"""Tools that read: memory_read and memory_list."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId, is_id, short_id
from vaultmem.core.model import Category
from vaultmem.core.readable import readable
from vaultmem.core.report_line import memory_line, plain_line
from vaultmem.core.selection import other_project, today
from vaultmem.errors import NoteNotFoundError
from vaultmem.hooks.agent_tools.notebook import is_in_notebook, list_notebook, read_notebook
from vaultmem.hooks.agent_tools.pages import page_of, text_page
from vaultmem.hooks.agent_tools.places import with_asides, with_place
from vaultmem.hooks.reading import WrongFieldError

if TYPE_CHECKING:
    from datetime import date

    from vaultmem.hooks.agent_tools.pages import Page
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields
    from vaultmem.services.show import Shown

LONG_TERM_TOKENS = 4_000
"""Of the long-term memory as one text, one page of a tool's answer."""
_TOLD = ("category", "status", "scope", "project", "confidence", "tags", "vault_ref", "created")
"""Properties of a memory that tell a model how far to trust it."""
_NONE = "There is none."


def memory_read(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """One note, or a part of the memory."""
    what = arguments.text("what", "note")
    if is_in_notebook(event, what):
        return read_notebook(here, event, arguments)
    if what == "note":
        name = arguments.maybe("id")
        if name is None:
            raise WrongFieldError(
                "`id` is missing. Name a memory by its id, or a note by its path."
            )
        text = _note(here, event, name)
    elif what == "log":
        text = _log(here, arguments.day("date"))
    elif what == "long_term":
        text = _long_term(here, event)
    elif what == "scratchpad":
        text = _scratchpad(here)
    else:
        text = _inbox(here, event)
    return text_page(arguments, text)


def _note(here: Here, event: ToolAsked, name: str) -> str:
    from vaultmem.services.read_text import read_text
    from vaultmem.services.show import show
    from vaultmem.services.telemetry import looked_up

    call = here.agent()
    with suppress(NoteNotFoundError):
        found = show(call, name)
        if is_id(found.id, "mem"):
            looked_up(call, [MemoryId(found.id)], session=event.session)
        return _memory(found, here.project(event))
    return read_text(call, name, knowledge=here.app.config.config.knowledge)


def _memory(found: Shown, here: str) -> str:
    told = ((key, found.properties.get(key)) for key in _TOLD)
    spelled = ((key, plain_line(_spelled(value))) for key, value in told if value)
    facts = [with_asides(f"{key}: {value}", _aside(key, value, here)) for key, value in spelled]
    body = readable(found.body)
    more = ["", body] if body and body != plain_line(found.statement) else []
    return "\n".join(
        [f"{plain_line(found.statement)} [{short_id(found.id)}]", found.path, *facts, *more]
    )


def _aside(key: str, value: str, here: str) -> str:
    """What a property says that its value alone does not."""
    return "not this session's" if key == "project" and other_project(value, here) else ""


def _spelled(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _log(here: Here, day: date | None) -> str:
    from vaultmem.services.agent_log import read_log

    call = here.agent()
    wanted = day or call.local.date()
    return readable(read_log(call, wanted)) or f"Nothing was logged on {wanted.isoformat()}."


def _long_term(here: Here, event: ToolAsked) -> str:
    from vaultmem.services.report import report

    made = report(
        here.agent(),
        project=here.project(event),
        budget=LONG_TERM_TOKENS,
        session=event.session,
    )
    return made.text or "There is no memory yet."


def _scratchpad(here: Here) -> str:
    from vaultmem.hooks.agent_tools.writing import listed
    from vaultmem.services.scratchpad import scratchpad

    return listed(scratchpad(here.agent()).items)


def _inbox(here: Here, event: ToolAsked) -> str:
    return "\n".join(_candidates(here, event)) or "Nothing waits in the inbox."


def _candidates(here: Here, event: ToolAsked) -> list[str]:
    from vaultmem.services.curating.foresee import list_waiting

    return [
        with_place(
            f"- {plain_line(one.candidate.memory.statement)} [{one.id}, {seen.verification}]",
            one.candidate.memory.project,
            here.project(event),
        )
        for one, seen in list_waiting(here.agent())
    ]


def memory_list(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Memories, or what waits, in a line each."""
    what = arguments.text("what", "memories")
    if is_in_notebook(event, what):
        return list_notebook(here, event, arguments)
    page = page_of(arguments, arguments.number("limit", 20))
    category = arguments.maybe("category")
    if what == "candidates":
        lines = _candidates(here, event)
    elif what == "inquiries":
        lines = _inquiries(here, event)
    elif what == "notes":
        lines = _notes(here)
    else:
        return _memories(here, event, page, category) or _NONE
    shown, more = page.cut(lines)
    return "\n".join([*shown, *more]) or _NONE


def _memories(here: Here, event: ToolAsked, page: Page, category: str | None) -> str:
    from vaultmem.services.list_memories import list_memories
    from vaultmem.services.telemetry import looked_up

    call = here.agent()
    wanted = None if category is None else Category(category)
    found = list_memories(call, project=here.project(event), category=wanted)
    shown, more = page.cut(found)
    looked_up(call, (MemoryId(one.id) for one in shown), session=event.session)
    return "\n".join([*(memory_line(one, today(call.seconds)) for one in shown), *more])


def _inquiries(here: Here, event: ToolAsked) -> list[str]:
    from vaultmem.core.inquiry import InquiryStatus
    from vaultmem.services.inquiries import listed
    from vaultmem.services.sync import catch_up

    call = here.agent()
    catch_up(call)
    return [
        with_place(
            f"- {plain_line(one.inquiry.question)} [{one.id}]",
            one.inquiry.project,
            here.project(event),
        )
        for one in listed(call)
        if one.inquiry.status is InquiryStatus.OPEN and not one.external
    ]


def _notes(here: Here) -> list[str]:
    from vaultmem.services.remember_note import notes_left

    return [f"- {plain_line(path)}" for path in notes_left(here.agent())]
