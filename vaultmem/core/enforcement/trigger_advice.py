"""Advice on guardrails that can never fire, fire on far too much, or do nothing when they fire.

The forms of triggers, actions and verifiers are those of the topic-file memory. Advice refuses
nothing: the memory is stored, and the finding says what to write instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.enforcement.file_pattern import MAX_FORMS, MAX_GLOB, is_usable
from vaultmem.core.finding import Finding, finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Search = Callable[[str, str], bool | None]
    """Whether an expression is found in a text; None for one that is none."""

MAX_PATTERN = 200
"""Characters of a `bash_regex` pattern; a longer one is ignored at run time."""
MIN_NEEDLE = 3
"""Characters of a `bash_contains` needle; a shorter one is part of nearly every command."""

_TOOLS = frozenset(("bash", "read", "write", "edit", "grep", "find", "ls"))
"""The agent's own tools; `ls`, `grep` and `find` are tools as well as commands."""
_COMMAND_WORDS = (
    "apt apt-get aws awk az brew bun cargo cat cd chmod chown cmake cp curl docker docker-compose "
    "dotnet echo eval exec export gcloud gem gh git go gradle gzip helm java jq kill kubectl ln "
    "make mkdir mv mvn mypy mysql nano nc node npm npx openssl perl php pip pip3 pipx pkill pnpm "
    "podman poetry prettier psql pytest python python3 rake redis-cli rm rmdir rsync ruff ruby "
    "rustc scp sed sh ssh sudo systemctl tar tee terraform touch tox tsc twine unzip uv uvx vim "
    "wget xargs yarn zip zsh"
)
COMMANDS = frozenset(_COMMAND_WORDS.split())
"""Words that name a shell command and no tool of the agent."""
_BACKTRACKS = re.compile(r"\(\?(?:[=!>]|<[=!]|P=|\()|\\[1-9]|[*+?}]\+")
"""What the linear-time engine that runs patterns from notes does not have."""
_NAMES = ("trigger", "action", "verifier")
_UNUSABLE = frozenset(("VM611", "VM612", "VM617", "VM618"))
"""A trigger of no kind or without what it looks for, no action, no form of a verifier."""
_VERIFIER = re.compile(r"tool_called\s+\S+\s+before\s+\S.*")


def _search(pattern: str, text: str) -> bool | None:
    """As far as can be told without the engine that runs patterns."""
    if _BACKTRACKS.search(pattern):
        return None
    try:
        return re.search(pattern, text) is not None
    except (re.error, OverflowError):
        return None


def advise(
    trigger: str | None,
    action: str | None,
    verifier: str | None = None,
    *,
    search: Search = _search,
) -> tuple[Finding, ...]:
    """What is wrong with a guardrail; () where it will do what it says, or where there is none.

    Args:
        trigger: as the note has it; likewise the others.
        action: what to do.
        verifier: what to check at the end of a turn.
        search: the engine that runs patterns, where the caller has it.
    """
    looks, does, checks = ((value or "").strip() for value in (trigger, action, verifier))
    return tuple(_advice(looks, does, checks, search))


def unusable(key: str, text: str) -> Finding | None:
    """Why a trigger, action or verifier has no form that is ever looked at; None for all others.

    What is only doubtful of one, such as a pattern that meets too much, is for `advise`.

    Args:
        key: the property's name; any but those three is right.
        text: its value.
    """
    trigger, action, verifier = (text if key == name else None for name in _NAMES)
    return next((one for one in advise(trigger, action, verifier) if one.code in _UNUSABLE), None)


def _advice(trigger: str, action: str, verifier: str, search: Search) -> Iterator[Finding]:
    if bool(trigger) != bool(action):
        there, lacking = ("trigger", "action") if trigger else ("action", "trigger")
        yield finding("VM616", f"The memory has a {there} but no {lacking}, so nothing happens.")
    if trigger:
        yield from _of_trigger(trigger, action, search)
    if action:
        yield from _of_action(action)
    if verifier:
        yield from _of_verifier(verifier)


def _of_trigger(trigger: str, action: str, search: Search) -> Iterator[Finding]:
    kind, _, what = trigger.partition(" ")
    check = _KINDS.get(kind)
    if check is None:
        yield finding("VM611", f"`{_short(kind)}` is no kind of trigger, so it never fires.")
    elif not what.strip():
        yield finding("VM612", f"The trigger `{kind}` names nothing to look for and never fires.")
    else:
        yield from check(what.strip(), action, search)


def _of_verifier(verifier: str) -> Iterator[Finding]:
    if not _VERIFIER.fullmatch(verifier):
        yield finding(
            "VM618", f"The verifier `{_short(verifier)}` has a form that is never checked."
        )
    elif (tool := verifier.split()[1]) in COMMANDS:
        yield finding(
            "VM613",
            f"`{tool}` is a shell command and no tool, so the verifier always fails.",
            remedy="Name a tool of the agent, as in `tool_called ask_user before git push`.",
        )


def _contains(needle: str, action: str, _search: Search) -> Iterator[Finding]:
    if len(needle) < MIN_NEEDLE or (action == "block" and needle in COMMANDS):
        yield finding(
            "VM614",
            f"`bash_contains {needle}` matches every command with `{needle}` in it.",
            remedy="Write more of the command, as in `bash_contains git add .`.",
        )


def _regex(pattern: str, _action: str, search: Search) -> Iterator[Finding]:
    if len(pattern) > MAX_PATTERN:
        yield finding(
            "VM615",
            f"A pattern of {len(pattern)} characters is ignored; {MAX_PATTERN} are the most.",
        )
        return
    empty = search(pattern, "")
    if empty:
        yield finding("VM614", f"`bash_regex {_short(pattern)}` matches every command.")
    elif empty is None and _BACKTRACKS.search(pattern):
        yield finding(
            "VM615", f"`{_short(pattern)}` uses look-around or back references, so it never fires."
        )
    elif empty is None:
        yield finding("VM615", f"`{_short(pattern)}` is no regular expression, so it never fires.")


def _tool(name: str, action: str, _search: Search) -> Iterator[Finding]:
    if name in COMMANDS:
        yield finding(
            "VM613",
            f"`{name}` is a shell command and no tool, so `tool_name {name}` never fires.",
            remedy=f"Write `bash_contains {name}` with more of the command.",
        )
    elif " " in name:
        yield finding(
            "VM613",
            f"`{_short(name)}` is no name of a tool, so the trigger never fires.",
            remedy=f"Write `bash_contains {_short(name)}`, or the name of one tool.",
        )
    elif name in _TOOLS and action == "block":
        yield finding("VM614", f"`tool_name {name}` with `block` stops every use of {name}.")


def _file(glob: str, _action: str, _search: Search) -> Iterator[Finding]:
    if not glob.strip("*./\\"):
        yield finding(
            "VM614",
            f"`file_modified {glob}` matches every file.",
            remedy="Write an ending such as `*.py`, or a part of the path.",
        )
    elif not is_usable(glob):
        yield finding(
            "VM615",
            f"`{_short(glob)}` is no part of a path and no pattern for one, so it never fires.",
            remedy="Write a part of the path, or a pattern such as `src/**/*.py`, without `..` and "
            f"`~`, of at most {MAX_GLOB} characters; braces may spell {MAX_FORMS} patterns.",
        )


def _of_action(action: str) -> Iterator[Finding]:
    name, _, command = action.partition(" ")
    if name == "run_after" and not command.strip():
        yield finding(
            "VM617",
            "`run_after` lacks its command, so nothing happens.",
            remedy="Write the command after it, as in `run_after npm test`.",
        )
    elif name not in _ACTIONS or (name != "run_after" and command):
        yield finding("VM617", f"`{_short(action)}` is no action, so nothing happens.")


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"


_ACTIONS = frozenset(("block", "warn", "run_after"))
_KINDS: dict[str, Callable[[str, str, Search], Iterator[Finding]]] = {
    "bash_contains": _contains,
    "bash_regex": _regex,
    "tool_name": _tool,
    "file_modified": _file,
}
