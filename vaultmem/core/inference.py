"""The guardrail that a statement spells out mechanically: a command, a tool or a file it names.

Only what the runtime can match, and only the whole of what the statement says: a rule with a
condition ("unless", "on main") or with two objects is for a person to put into a trigger. The
forms are those of the topic-file memory, without its traps: there "Never use mutable default
arguments" blocked a tool called `mutable`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.trigger_advice import COMMANDS, MAX_PATTERN, advise

if TYPE_CHECKING:
    from collections.abc import Callable


class Guardrail(NamedTuple):
    """What a memory would do by itself: a trigger with an action, or a verifier."""

    trigger: str | None = None
    action: str | None = None
    verifier: str | None = None


_BEGIN = r"(?:^|[.!?;:,—]\s+|\bplease\s+)"
_NEVER = rf"{_BEGIN}(?:never|don['’]?t|do not|must not)\s+(?:ever\s+)?"
_DO = r"(?:use|run|execute|call|invoke|type)\s+"
_ENDS = re.compile(
    r"\s*(?:$|[.!;—]|,?\s+(?:use|run|prefer)\b|\s(?:in|for) (?:this|the|our) "
    r"(?:repo|repository|project|codebase)\b|\s(?:here|again|anymore|ever|instead|directly|because)\b"
    r"|[,:]\s+(?:it|that|this|because|since)\b)",
    re.IGNORECASE,
)
"""What may follow the object of a rule that has no condition."""
_CONDITION = re.compile(
    r"\b(?:unless|without|except|until|if|when|while|before|after|or|nor|and)\b", re.IGNORECASE
)

_BAN_QUOTED = re.compile(
    rf"{_NEVER}(?:{_DO})(?:the command\s+)?([`'\"])([^`\n]+?)\1", re.IGNORECASE
)
_BAN_PLAIN = re.compile(rf"{_NEVER}(?:{_DO})?([a-z][\w.+-]*(?:\s+\S+){{0,6}})", re.IGNORECASE)
_BAN_TOOL = re.compile(
    rf"{_NEVER}{_DO}(?:the\s+)?(?:`([a-z][\w-]{{1,40}})`|([a-z][\w-]{{1,40}}))\s+tool\b",
    re.IGNORECASE,
)
_ASK_FIRST = re.compile(
    rf"{_BEGIN}always\s+(?:call|use|run)?\s*`?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`?\s+before\s+"
    r"(?:running\s+|calling\s+)?`?([^`\n,;]{3,79}?)`?[.!]*\s*$",
    re.IGNORECASE,
)
_WARN_FILE = re.compile(
    rf"{_BEGIN}warn(?:\s+me)?\s+(?:when|before|about)\s+(?:modifying|editing|changing)\s+"
    r"`?([^\s`,;]{2,100}?)`?[.!]*\s*$",
    re.IGNORECASE,
)
_PLAIN_FILE = re.compile(r"\*\.[\w.-]+|[^*?\[\]{}]+")
"""An ending, or no pattern at all; from the topic-file memory, §11."""

_WORD = re.compile(r"[a-z][a-z-]*")
_ARGUMENT = re.compile(r"-{1,2}[\w-]+(?:=\S+)?|\.|\*|[\w*@~-]*[./*][\w./*-]*")
"""A flag, a dot, a path or a glob; a plain word is English unless it is the subcommand."""


def infer(statement: str) -> Guardrail | None:
    """The guardrail that a statement spells out, or None where it does not do so mechanically."""
    for rule in _RULES:
        found = rule(statement)
        if found is not None and not advise(found.trigger, found.action, found.verifier):
            return found
    return None


def _banned_quoted(statement: str) -> Guardrail | None:
    found = _BAN_QUOTED.search(statement)
    if found is None or not _is_whole(statement, found.end()):
        return None
    return _blocked(" ".join(found[2].split()))


def _banned_plain(statement: str) -> Guardrail | None:
    """An unquoted command: its name, one subcommand, then flags and paths."""
    found = _BAN_PLAIN.search(statement)
    if found is None:
        return None
    words = list(re.finditer(r"\S+", found[1]))
    if words[0].group() not in COMMANDS:
        return None
    taken = 1
    if len(words) > 1 and _WORD.fullmatch(_bare(words[1].group())):
        taken = 2 if _bare(words[1].group()) not in _ENGLISH else 1
    while taken < len(words) and _ARGUMENT.fullmatch(_bare(words[taken].group())):
        taken += 1
    last = words[taken - 1]
    end = found.start(1) + last.start() + len(_bare(last.group()))
    command = " ".join(_bare(word.group()) for word in words[:taken])
    return _blocked(command) if _is_whole(statement, end) else None


def _banned_tool(statement: str) -> Guardrail | None:
    found = _BAN_TOOL.search(statement)
    if found is None or not _is_whole(statement, found.end()):
        return None
    return Guardrail(trigger=f"tool_name {found[1] or found[2]}", action="block")


def _asked_first(statement: str) -> Guardrail | None:
    """A tool that is to be called before a command; nothing is blocked or warned for it."""
    found = _ASK_FIRST.search(statement)
    if found is None or found[2].split()[0] not in COMMANDS or _CONDITION.search(found[2]):
        return None
    return Guardrail(verifier=f"tool_called {found[1]} before {found[2]}")


def _warned_of_file(statement: str) -> Guardrail | None:
    """A file by its ending or a part of its path; what else a pattern means, a person says."""
    found = _WARN_FILE.search(statement)
    if found is None or not _PLAIN_FILE.fullmatch(found[1]):
        return None
    return Guardrail(f"file_modified {found[1]}", "warn")


_RULES: tuple[Callable[[str], Guardrail | None], ...] = (
    _banned_tool,
    _banned_quoted,
    _banned_plain,
    _asked_first,
    _warned_of_file,
)
_STOPS = (
    "for to in on at as with from by the a an any of when if unless without before after until "
    "while or and here again instead directly because ever anymore"
)
_ENGLISH = frozenset(_STOPS.split())
"""Words that end an unquoted command."""


def _blocked(command: str) -> Guardrail | None:
    first, _, rest = command.partition(" ")
    if first not in COMMANDS or not rest or len(command) > MAX_PATTERN:
        return None
    return Guardrail(trigger=f"bash_contains {command}", action="block")


def _is_whole(statement: str, end: int) -> bool:
    """Whether the rule ends there, or goes on with nothing that would narrow it."""
    rest = statement[end:]
    ends = _ENDS.match(rest)
    if ends is None:
        return False
    sentence = re.split(r"[.!?;](?:\s|$)", rest, maxsplit=1)[0]
    return _CONDITION.search(sentence) is None


def _bare(word: str) -> str:
    """A word without the punctuation that ends its sentence; a lone dot is an argument."""
    return word if word in {".", ".."} else word.rstrip(".,;:!?") or word
