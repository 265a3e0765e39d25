"""What the rules say to a call of a tool: before it runs, and after it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Context
from vaultmem.core.enforcement.command import argv_of, why_not_run
from vaultmem.core.enforcement.happening import RuleAct
from vaultmem.core.enforcement.matching import matching
from vaultmem.core.enforcement.rule import Action, TriggerKind
from vaultmem.core.enforcement.tool_call import read_call
from vaultmem.core.enforcement.wording import block_reason, warning
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.enforcing.audit import happened
from vaultmem.services.enforcing.places import places
from vaultmem.services.enforcing.rules import rules_here
from vaultmem.store.linear_pattern import search

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from vaultmem.core.enforcement.matching import Match
    from vaultmem.core.enforcement.rule import Rule
    from vaultmem.core.enforcement.tool_call import ToolCall
    from vaultmem.core.ids import MemoryId
    from vaultmem.services.call import Call


class Verdict(NamedTuple):
    """Whether a tool may run; `reason` is told to the agent, `ids` are the memories that say no."""

    block: bool
    reason: str = ""
    ids: tuple[MemoryId, ...] = ()


class Due(NamedTuple):
    """A command that a rule wants to run after a tool, and that this machine's user allowed."""

    id: MemoryId
    argv: tuple[str, ...]


class Followed(NamedTuple):
    """What follows after a tool ran.

    Attributes:
        append: what is added to its result, "" for nothing.
        due: the commands to run, each once.
        ids: the memories whose rules were met.
    """

    append: str = ""
    due: tuple[Due, ...] = ()
    ids: tuple[MemoryId, ...] = ()


def check_call(
    call: Call,
    tool: str,
    given: Mapping[str, object],
    *,
    cwd: Path,
    session: str = "",
    project: str = "",
    prompt: str = "",
) -> Verdict:
    """Whether a rule blocks a tool that is about to run.

    Args:
        call: the circumstances; the baseline is up to date.
        tool: its name.
        given: its input, as the agent's host has it.
        cwd: the agent's working folder.
        session: the agent's session.
        project: the project's identity.
        prompt: what the user asked last, for the conditions of memories.
    """
    what = read_call(tool, given)
    context = context_of(call, what, session=session, project=project, prompt=prompt)
    found = met_of(rules_here(call, context), what, cwd)
    blocking = [one.rule for one in found if one.rule.does(Action.BLOCK)]
    if not blocking:
        return Verdict(block=False)
    reason = "\n".join(map(block_reason, blocking))
    ids = tuple(rule.memory_id for rule in blocking)
    remember_shown(call, [rule.statement for rule in blocking])
    happened(call, RuleAct.BLOCKED, ids, session=session, tool=tool)
    return Verdict(block=True, reason=reason, ids=ids)


def check_result(
    call: Call,
    tool: str,
    given: Mapping[str, object],
    *,
    cwd: Path,
    session: str = "",
    project: str = "",
    prompt: str = "",
    is_error: bool = False,
    changed: Sequence[str] = (),
) -> Followed:
    """What the rules add to the result of a tool that ran.

    Args:
        call: the circumstances; the baseline is up to date.
        tool: its name.
        given: its input, as the agent's host has it.
        cwd: the agent's working folder.
        session: the agent's session.
        project: the project's identity.
        prompt: what the user asked last.
        is_error: it failed, so what it names was not written, and nothing is run after it.
        changed: paths that are known to have changed meanwhile, beside those that it names.
    """
    what = read_call(tool, given)
    what = what._replace(files=(*(() if is_error else what.files), *changed))
    context = context_of(call, what, session=session, project=project, prompt=prompt)
    found = met_of(rules_here(call, context), what, cwd)
    warned = [one.rule for one in found if one.rule.does(Action.WARN)]
    runs = [one.rule for one in found if one.rule.does(Action.RUN_AFTER) and not is_error]
    if warned:
        remember_shown(call, [rule.statement for rule in warned])
        happened(call, RuleAct.WARNED, _ids(warned), session=session, tool=tool)
    refused = [rule for rule in runs if why_not_run(rule.command, call.vault.run_after)]
    if refused:
        happened(call, RuleAct.REFUSED, _ids(refused), session=session, tool=tool)
    due: dict[tuple[str, ...], Due] = {}
    for rule in runs:
        argv = argv_of(rule.command)
        if rule not in refused and argv is not None:
            due.setdefault(argv, Due(rule.memory_id, argv))
    return Followed(warning(warned), tuple(due.values()), _ids((*warned, *runs)))


def context_of(
    call: Call, what: ToolCall, *, project: str, prompt: str, session: str = ""
) -> Context:
    """What the conditions of memories are judged by where a tool is called.

    Args:
        call: the circumstances.
        what: the call of the tool; its command counts as asked for.
        project: the project's identity.
        prompt: what the user asked last.
        session: the agent's session.
    """
    words = "\n".join(filter(None, (prompt, what.command)))
    return Context(call.seconds, project, words, what.files, session)


def met_of(rules: Iterable[Rule], what: ToolCall, cwd: Path) -> tuple[Match, ...]:
    """Those of the rules that a call meets."""
    listed = tuple(rules)
    kinds = {rule.trigger.kind for rule in listed if rule.trigger is not None}
    files = places(what.files, cwd) if TriggerKind.FILE_MODIFIED in kinds else ()
    return matching(listed, what, files=files, search=search)


def _ids(rules: Iterable[Rule]) -> tuple[MemoryId, ...]:
    return tuple(dict.fromkeys(rule.memory_id for rule in rules))
