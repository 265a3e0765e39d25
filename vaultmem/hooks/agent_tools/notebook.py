"""Tools over the notebook: memory_list, memory_read and memory_search there; memory_consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.browsing import MOST_LISTED, MOST_READ_TOKENS
from vaultmem.core.notebook.text_search import LINES_TOGETHER, MOST_FOUND, MatchMode, Question
from vaultmem.core.report_line import plain_line
from vaultmem.errors import BrowseError, CaptureRefusedError
from vaultmem.hooks.reading import WrongFieldError
from vaultmem.services.notebook.browse import Notebook
from vaultmem.services.notebook.enable import is_consolidating, refuse_disabled
from vaultmem.services.notebook.use import count_use, used_by_reading
from vaultmem.services.switch import READ, refuse_switched_off, switched_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.notebook.browsing import Lines
    from vaultmem.core.notebook.text_search import Match
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields

NOTEBOOK = "notebook"
"""Where the tools look, as `what` or `in` says it."""
ONLY_HERE = {
    "memory_list": ("path", "max_results"),
    "memory_read": ("path", "line_offset", "max_lines", "max_tokens"),
    "memory_search": (
        "match_mode",
        "line_count",
        "context_lines",
        "case_sensitive",
        "normalized",
        "path",
        "max_results",
    ),
}
"""Parameters that mean something in the notebook only."""
NOT_HERE = {
    "memory_list": ("category", "limit"),
    "memory_read": ("id", "date", "cursor"),
    "memory_search": ("query", "mode", "limit"),
}
"""Parameters that mean nothing there."""
_INSTEAD = {
    "query": " Give `queries`.",
    "mode": " Give `match_mode`.",
    "limit": " Give `max_results`.",
    "id": " Give `path`.",
    "cursor": " Give `line_offset`.",
}

_EMPTY = "There is nothing there yet."
_NO_MATCH = "Nothing was found. Try fewer words, or another `match_mode`."


def is_in_notebook(event: ToolAsked, where: str) -> bool:
    """Whether a call is for the notebook; `where` is what it says of the place.

    Raises:
        WrongFieldError: if it has parameters that mean nothing in that place.
    """
    here = where == NOTEBOOK
    for name in (NOT_HERE if here else ONLY_HERE)[event.name]:
        if event.arguments.get(name) is not None:
            only = "not for the notebook" if here else "for the notebook only"
            raise WrongFieldError(f"`{name}` is {only}.{_INSTEAD.get(name, '') if here else ''}")
    return here


def list_notebook(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """A folder of the notebook, a name a line."""
    found = _open(here, event).listed(
        arguments.text("path", ""),
        cursor=arguments.maybe("cursor"),
        most=arguments.number("max_results", MOST_LISTED),
    )
    lines = [f"- {plain_line(one.path)}{'/' * one.is_folder}" for one in found.entries]
    return "\n".join([*lines, *_more(found.cursor)]) or _EMPTY


def read_notebook(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Lines of a file of the notebook."""
    notebook = _open(here, event)
    most = arguments.number("max_lines", 0)
    lines = notebook.read(
        arguments.text("path"),
        offset=arguments.number("line_offset", 1),
        most_lines=most or None,
        most_tokens=arguments.number("max_tokens", MOST_READ_TOKENS),
    )
    used = used_by_reading(notebook, lines)
    count_use(here.agent(), here.app.notebook, used, here.known(event).counted)
    return _told(lines)


def _told(lines: Lines) -> str:
    head = f"{plain_line(lines.path)}, lines {lines.start}-{lines.end}:"
    more = f"\nMore with line_offset {lines.next}." if lines.truncated else ""
    return f"{head}\n{lines.text.removesuffix(chr(10))}{more}"


def search_notebook(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Places in the notebook's files that hold some words."""
    question = Question(
        arguments.texts("queries"),
        mode=MatchMode(arguments.text("match_mode", MatchMode.ANY)),
        line_count=arguments.number("line_count", LINES_TOGETHER),
        case_sensitive=arguments.flag("case_sensitive"),
        normalized=arguments.flag("normalized"),
        context=arguments.number("context_lines", 0),
    )
    found = _open(here, event).search(
        question,
        folder=arguments.text("path", ""),
        cursor=arguments.maybe("cursor"),
        most=arguments.number("max_results", MOST_FOUND),
    )
    parts = [_match(one) for one in found.matches]
    return "\n\n".join([*parts, *_more(found.cursor)]) or _NO_MATCH


def _match(match: Match) -> str:
    end = match.start + match.text.count("\n")
    named = ", ".join(plain_line(one) for one in match.queries)
    return (
        f"{plain_line(match.path)}:{match.line} ({named}), lines {match.start}-{end}:\n{match.text}"
    )


def _more(cursor: str | None) -> Iterator[str]:
    if cursor is not None:
        yield f"More with cursor {cursor}."


def memory_consolidate(here: Here, event: ToolAsked, arguments: Fields) -> str:  # noqa: ARG001 - one form
    """Let the notebook be rewritten when the agent rests."""
    call, project = here.agent(), here.project(event)
    refuse_disabled(here.app.config.config, project)
    refuse_switched_off(call, project=project, session=event.session)
    if not is_consolidating(call):
        raise CaptureRefusedError(
            "Another device of the user rewrites the notebook, when it is used next. Nothing to do "
            "here."
        )
    here.app.notebook.jobs.mark_dirty(call.now.timestamp())
    here.shared.notebook_wanted.set()
    return "The notebook will be rewritten when you rest. Nothing need be done for it."


def _open(here: Here, event: ToolAsked) -> Notebook:
    """The notebook, where it is on and recalling is not off.

    Raises:
        NotebookOffError: if it is not on for the project.
        BrowseError: if recalling is off.
    """
    call, project = here.agent(), here.project(event)
    refuse_disabled(here.app.config.config, project)
    if off := switched_off(call, READ, project=project, session=event.session):
        raise BrowseError(off.sentence)
    return Notebook(call)
