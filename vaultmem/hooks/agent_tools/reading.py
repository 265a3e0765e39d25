"""Tools that read: memory_read and memory_list."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.model import Category
from vaultmem.core.readable import readable
from vaultmem.core.report_line import memory_line, plain_line
from vaultmem.core.selection import today
from vaultmem.errors import NoteNotFoundError
from vaultmem.hooks.agent_tools.notebook import is_in_notebook, list_notebook, read_notebook
from vaultmem.hooks.agent_tools.pages import page_of, text_page
from vaultmem.hooks.reading import WrongFieldError

if TYPE_CHECKING:
    from datetime import date

    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields
    from vaultmem.services.show import Shown

LONG_TERM_TOKENS = 4_000
"""Of the long-term memory as one text, one page of a tool's answer."""
_TOLD = ("category", "status", "scope", "project", "confidence", "tags", "vault_ref", "created")
"""Properties of a memory that tell a model how far to trust it."""


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
        text = _note(here, name)
    elif what == "log":
        text = _log(here, arguments.day("date"))
    elif what == "long_term":
        text = _long_term(here, event)
    elif what == "scratchpad":
        text = _scratchpad(here)
    else:
        text = _inbox(here)
    return text_page(arguments, text)


def _note(here: Here, name: str) -> str:
    from vaultmem.services.read_text import read_text
    from vaultmem.services.show import show

    call = here.agent()
    with suppress(NoteNotFoundError):
        return _memory(show(call, name))
    return read_text(call, name, knowledge=here.app.config.config.knowledge)


def _memory(found: Shown) -> str:
    told = ((key, found.properties.get(key)) for key in _TOLD)
    facts = [f"{key}: {plain_line(_spelled(value))}" for key, value in told if value]
    body = readable(found.body)
    more = ["", body] if body and body != plain_line(found.statement) else []
    return "\n".join(
        [f"{plain_line(found.statement)} [{short_id(found.id)}]", found.path, *facts, *more]
    )


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


def _inbox(here: Here) -> str:
    return "\n".join(_candidates(here)) or "Nothing waits in the inbox."


def _candidates(here: Here) -> list[str]:
    from vaultmem.services.curating.foresee import list_waiting

    return [
        f"- {plain_line(one.candidate.memory.statement)} [{one.id}, {seen.verification}]"
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
        lines = _candidates(here)
    elif what == "inquiries":
        lines = _inquiries(here)
    elif what == "notes":
        lines = _notes(here)
    else:
        lines = _memories(here, event, category)
    shown, more = page.cut(lines)
    return "\n".join([*shown, *more]) or "There is none."


def _memories(here: Here, event: ToolAsked, category: str | None) -> list[str]:
    from vaultmem.services.list_memories import list_memories

    call = here.agent()
    wanted = None if category is None else Category(category)
    found = list_memories(call, project=here.project(event), category=wanted)
    return [memory_line(one, today(call.seconds)) for one in found]


def _inquiries(here: Here) -> list[str]:
    from vaultmem.core.inquiry import InquiryStatus
    from vaultmem.services.inquiries import listed
    from vaultmem.services.sync import catch_up

    call = here.agent()
    catch_up(call)
    return [
        f"- {plain_line(one.inquiry.question)} [{one.id}]"
        for one in listed(call)
        if one.inquiry.status is InquiryStatus.OPEN and not one.external
    ]


def _notes(here: Here) -> list[str]:
    from vaultmem.services.remember_note import notes_left

    return [f"- {plain_line(path)}" for path in notes_left(here.agent())]
