"""What the person is told in the agent's window, in words that are safe to show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.core.inert import clean
from vaultmem.core.wording import count
from vaultmem.hooks.answers import Level, Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.curating.applied_alone import AppliedAlone
    from vaultmem.services.session_start import SessionStart

NOT_HERE = (
    *("serve", "hook", "mcp", "watch", "demo", "completion", "init"),
    *("pi install", "pi uninstall", "obsidian install", "obsidian uninstall"),
)
"""Commands that make no sense in an agent's window: they go on for ever, or are for a terminal."""

_COMMAND = re.compile(r"([`']|Usage: )vaultmem( [^`'\n]*)")
_SWITCH = re.compile(r"[`]vaultmem on(?: --(read|write))? --session [^`]+`")
_ELSEWHERE = re.compile(rf" (?:(?:{'|'.join(NOT_HERE)})\b.*|on|off|on --(?:read|write))")
"""What is named as a terminal takes it; `on` and `off` alone mean one session in the window."""

MOST_TOLD = 3
"""Patches that are told one by one, and changes of each; the rest is counted."""
WIDTH = 100
"""Quarters of a statement in a line."""
MOST_ROWS = 7
"""Of a panel; from the governed memory's (section 18)."""
ROW_WIDTH = 68 * 4
"""Quarters of the label of a row; likewise."""


def notices_of(done: SessionStart) -> tuple[str, ...]:
    """What the person is told when a session starts."""
    patches = tuple(dict.fromkeys(one.patch for one in done.applied))
    lines = [
        _applied([one for one in done.applied if one.patch == patch])
        for patch in patches[:MOST_TOLD]
    ]
    if more := len(patches) - len(lines):
        patch = count(more, "more patch was", "more patches were")
        lines.append(f"{patch} applied by themselves: `/memory patch list --all`.")
    if done.waiting:
        waits = count(done.waiting, "candidate waits", "candidates wait")
        told = (f"{waits} in the inbox: `/memory inbox`.", *(_waits(*one) for one in done.why))
        lines.append("\n".join(told))
    return tuple(lines)


def _waits(statement: str, why: str) -> str:
    said = shorten(one_line(statement), WIDTH)
    return f"- {said} ({in_window(one_line(why)).rstrip('.')})" if why else f"- {said}"


def in_window(text: str) -> str:
    """A text of ours with its commands as the person types them here: `/memory …`."""
    return _COMMAND.sub(_typed_here, switched_here(text))


def switched_here(text: str) -> str:
    """A text that may be for the model, with the command that ends this session's silence."""
    return _SWITCH.sub(lambda found: f"`{' '.join(filter(None, ('/memory on', found[1])))}`", text)


def _typed_here(found: re.Match[str]) -> str:
    before, rest = found.groups()
    if _ELSEWHERE.fullmatch(rest):
        return found[0]
    return f"{before}/memory{' help' if rest == ' --help' else rest}"


def problem(message: str) -> tuple[str, ...]:
    """A sentence of an error as a notice."""
    return (f"vaultmem: {in_window(one_line(message))}",)


def one_line(text: str) -> str:
    """Any text as one line that shows nothing else."""
    return clean(text).text


def row_label(text: str) -> str:
    """Any text as the label of a row."""
    return shorten(one_line(text), ROW_WIDTH)


def unknown(what: str, name: str) -> Said:
    """The answer to a panel or an action that is none of ours."""
    return Said(f"There is no {what} {one_line(name)[:40]!r} here.", Level.ERROR)


def _applied(changes: Sequence[AppliedAlone]) -> str:
    """What policy did in one patch, and how to take that back: all of it at once."""
    patch, number = changes[0].patch, len(changes)
    if number == 1:
        change = _change(changes[0])
        end = "" if change.endswith((".", "!", "?", "…")) else "."
        return f"Applied by itself ({change}{end} Take it back with `/memory patch revert {patch}`."
    told = [f"- ({_change(one)}" for one in changes[:MOST_TOLD]]
    if more := number - len(told):
        told.append(f"- and {more} more: `/memory patch show {patch}`")
    head = f"Applied by itself, {number} changes; take all of them back with"
    return "\n".join((f"{head} `/memory patch revert {patch}`:", *told))


def _change(one: AppliedAlone) -> str:
    said = shorten(one_line(one.statement), WIDTH) or one.memory
    return f"{one.op.replace('_', ' ')}): {said}"
