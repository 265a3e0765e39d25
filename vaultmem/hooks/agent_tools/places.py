"""How a tool's line says that something belongs to another project than the session's."""

from __future__ import annotations

from vaultmem.core.report_line import plain_line
from vaultmem.core.selection import other_project


def with_place(line: str, project: str | None, here: str) -> str:
    """The line, with the project behind it where that is not the session's.

    Args:
        line: of a memory, a candidate or a question.
        project: what it belongs to; None or "" for what is of no project.
        here: the session's project.
    """
    return with_asides(line, of_project(other_project(project or "", here)))


def with_asides(line: str, *asides: str) -> str:
    """The line with what is said beside it in brackets; alone where nothing is."""
    said = "; ".join(filter(None, asides))
    return f"{line} ({said})" if said else line


def of_project(project: str) -> str:
    """`project: x`, as a note has it; "" for none."""
    return f"project: {plain_line(project)}" if project else ""
