"""Stops a tool call of an agent that reaches for what only vaultmem or a person may touch.

It deters and informs: it reads what a call says, not what a program that it starts will do. What
changes all the same is found afterwards (`services.syncing`).
"""

from __future__ import annotations

import posixpath
import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, assert_never

from vaultmem.core.agent_paths import (
    commands_in,
    folders_of,
    input_places,
    may_be,
    named_places,
)
from vaultmem.core.agent_verbs import Why, refused
from vaultmem.core.path_key import path_key
from vaultmem.core.shell import commands
from vaultmem.core.visible import visible_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vaultmem.core.agent_paths import Named
    from vaultmem.core.agent_verbs import Refused
    from vaultmem.core.shell_reader import Command

BASH = "bash"
READERS = frozenset(("read", "grep", "find", "ls"))
"""The agent's own tools that change nothing."""
_TOOL_NAMES = (
    "memory_search memory_read memory_list memory_write memory_add memory_add_note "
    "memory_reinforce memory_edit memory_remove memory_reflect memory_topics memory_consolidate "
    "session_search session_list session_read session_decisions scratchpad"
)
OUR_TOOLS = frozenset(_TOOL_NAMES.split())
"""Tools of ours: what they may touch is decided where they run."""


class Zone(StrEnum):
    """What a protected place is."""

    MEMORY = "memory"
    """A memory root: an agent may read a note there, and changes nothing."""
    PRIVATE = "private"
    """Config, state and cache of this machine."""
    EXTENSION = "extension"
    """The extension through which the agent is served."""
    HOST = "host"
    """The agent's own settings, in which the extension is listed; they may be read."""


_READABLE = (Zone.MEMORY, Zone.HOST)
"""Places whose files an agent may read with its own tool for that."""


class Protected(NamedTuple):
    """The places that an agent's tools stay out of: absolute, with all links resolved.

    Attributes:
        memory: the memory roots of the vault in use and of every trusted one.
        private: the config, state and cache folders.
        extension: the folders of the agent's extension.
        host: the agent's settings, in which the extension is listed.
        spelled: other ways to write the same places: through links, from the home folder.
    """

    memory: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    extension: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    spelled: tuple[tuple[str, str], ...] = ()
    """Each with the place that it is another name of."""

    def zones(self) -> Iterator[tuple[Zone, str]]:
        """Every place; the extension before the folder of ours that it may lie in."""
        yield from ((Zone.MEMORY, one) for one in self.memory)
        yield from ((Zone.EXTENSION, one) for one in self.extension)
        yield from ((Zone.PRIVATE, one) for one in self.private)
        yield from ((Zone.HOST, one) for one in self.host)

    def spellings(self, place: str) -> Iterator[str]:
        """A place, and the other ways to write it."""
        yield place
        yield from (spelling for spelling, of in self.spelled if of == place)


class Met(NamedTuple):
    """A protected place that a call names."""

    zone: Zone
    place: str


def can_write(tool: str) -> bool:
    """Whether a tool may change a file, for all that is known; ours write through vaultmem."""
    return tool not in READERS and tool not in OUR_TOOLS


def reason_to_block(
    protected: Protected,
    tool: str,
    arguments: Mapping[str, object],
    *,
    cwd: str,
    variables: Mapping[str, str],
    real: Callable[[str], str],
) -> str | None:
    """Why a tool call may not run, as a sentence for the model; None where it may.

    Args:
        protected: what is protected.
        tool: the tool's name.
        arguments: its input.
        cwd: the agent's working folder, absolute.
        variables: what the shell's variables stand for that may be part of a path; `HOME` at least.
        real: resolves the links of an absolute path; the file need not be there.
    """
    if tool in OUR_TOOLS:
        return None
    check = _Check(protected, variables=variables, real=real)
    if tool == BASH or (tool not in READERS and any(commands_in(arguments))):
        for script in commands_in(arguments):
            found = commands(script, variables)
            if (verb := refused(found)) is not None:
                return reason_for_verb(verb)
            if (met := check.script(script, found, cwd)) is not None:
                return reason_for_place(met, tool)
        if tool == BASH:
            return None
    met = check.places(input_places(arguments), cwd)
    if met is None or (tool == "read" and met.zone in _READABLE):
        return None
    return reason_for_place(met, tool)


class _Check:
    """Compares the places that a call names with those that are protected."""

    def __init__(
        self,
        protected: Protected,
        *,
        variables: Mapping[str, str],
        real: Callable[[str], str],
    ) -> None:
        self._protected = protected
        self._home = variables.get("HOME", "~")
        self._real = real
        self._keys = [(zone, place, _parts(path_key(place))) for zone, place in protected.zones()]

    def script(self, text: str, found: Sequence[Command], cwd: str) -> Met | None:
        """The first protected place that a script names."""
        for named in named_places(found, cwd):
            if (met := self._named(named)) is not None:
                return met
        folders = folders_of(found, cwd)
        return self._mentioned([text, *_texts(found)], folders)

    def places(self, paths: Iterable[str], cwd: str) -> Met | None:
        """The first protected place among the paths of an input."""
        for path in paths:
            full = path if path[:1] != "~" else f"{self._home}{path[1:]}"
            if (met := self._named_path(posixpath.join(cwd, full.replace("\\", "/")))) is not None:
                return met
        return None

    def _named_path(self, path: str, *, tree: bool = False) -> Met | None:
        return self._match(_parts(path_key(self._real(path))), tree=tree)

    def _named(self, named: Named) -> Met | None:
        if named.glob:
            return self._match(self._glob_parts(named.path), tree=named.tree)
        met = self._named_path(named.path, tree=named.tree)
        if met is not None and named.plain and self._named_path(posixpath.dirname(named.path)):
            return None  # the agent works there: `ls` is no file of it
        return met

    def _glob_parts(self, path: str) -> list[str]:
        parts = _parts(re.sub(r"\{[^{}]*\}", "*", path))
        fixed = next((at for at, part in enumerate(parts) if set(part) & set("*?[")), len(parts))
        before = self._real("/" + "/".join(parts[:fixed]))
        return [*_parts(path_key(before)), *map(path_key, parts[fixed:])]

    def _match(self, parts: list[str], *, tree: bool) -> Met | None:
        for zone, place, protected in self._keys:
            if _reaches(parts, protected, tree=tree):
                return Met(zone, place)
        return None

    def _mentioned(self, texts: Iterable[str], folders: Sequence[str]) -> Met | None:
        """A protected place whose path stands somewhere in a text, as in a program's code."""
        whole = path_key("\n".join(texts))
        for zone, place in self._protected.zones():
            within = _relative(place, map(self._real, folders))
            for spelling in (*self._protected.spellings(place), *within):
                key = path_key(spelling)
                if key in whole and _mention(key).search(whole):
                    return Met(zone, place)
        return None


def _texts(found: Sequence[Command]) -> Iterator[str]:
    for command in found:
        yield command.fed
        yield from (word.text for word in command.words if re.search(r"[\s('\"]", word.text))


def _relative(place: str, folders: Iterable[str]) -> Iterator[str]:
    """How code that runs in one of the folders may write the place; with at least two parts."""
    for folder in folders:
        path = posixpath.relpath(place, folder)
        if path.count("../") <= _MAX_UP and path.strip("./"):
            yield path if path.startswith("../") else f"{path}/"


_MAX_UP = 6
"""Steps up from a working folder that somebody would write."""


@lru_cache(maxsize=64)
def _mention(key: str) -> re.Pattern[str]:
    start = r"(?<![\w.~-])" if key.startswith("/") else r"(?<![\w.~/-])(?:\./)?"
    end = "" if key.endswith("/") else r"(?![\w-]|\.\w)"
    return re.compile(f"{start}{re.escape(key)}{end}")


def _parts(path: str) -> list[str]:
    return [part for part in posixpath.normpath(path).split("/") if part not in ("", ".")]


def _reaches(parts: Sequence[str], protected: Sequence[str], *, tree: bool) -> bool:
    """Whether a path, perhaps with `*`, is the protected one, lies in it, or takes it along."""
    for part, wanted in zip(parts, protected, strict=False):
        if part == "**":
            return True
        if part != wanted and not may_be(wanted, part):
            return False
    return len(parts) >= len(protected) or tree


_SHOWN = 200
"""Characters of a place that a reason shows."""


def reason_for_place(met: Met, tool: str) -> str:
    """What the model is told where a tool would touch a protected place."""
    shown = visible_line(met.place, _SHOWN)
    match met.zone:
        case Zone.MEMORY:
            return (
                f"{shown} holds the memory, which `{tool}` does not touch. Use memory_search and "
                "memory_read to look at it, and memory_add, memory_edit or memory_remove to "
                "propose a change."
            )
        case Zone.PRIVATE:
            return (
                f"{shown} is what vaultmem keeps for itself on this machine, and `{tool}` does not "
                "touch it. Ask the person if something should be changed there."
            )
        case Zone.EXTENSION:
            return (
                f"{shown} is the extension that serves this agent, and `{tool}` does not touch it. "
                "Ask the person if it should be changed."
            )
        case Zone.HOST:
            return (
                f"{shown} lists the extension that serves this agent, and `{tool}` does not touch "
                "it. Ask the person if it should be changed."
            )
        case _:  # pragma: no cover - the type checker proves it
            assert_never(met.zone)


def reason_for_verb(one: Refused) -> str:
    """What the model is told where it would run a command that it may not."""
    match one.why:
        case Why.PERSON:
            word = one.verb.split()[0]
            return f"`vaultmem {one.verb}` is for the person. {_ADVICE.get(word, _ASK)}"
        case Why.HELPER:
            return (
                f"`vaultmem {one.verb}` is run by the extension of this agent, and never by the "
                "agent itself. Use the memory tools."
            )
        case Why.HIDDEN:
            return (
                "vaultmem has to know that an agent calls. Run it as yourself, without changing "
                "AI_AGENT or PI_CODING_AGENT, or use the memory tools."
            )
        case Why.CODE:
            return (
                "vaultmem is not used from Python by an agent. Use the memory tools, or "
                "`vaultmem search`."
            )
        case Why.HOST:
            return f"`pi {one.verb}` changes what this agent loads. {_ASK}"
        case _:  # pragma: no cover - the type checker proves it
            assert_never(one.why)


_ASK = "Ask the person to run it in a terminal of their own."
_PROPOSE = "Use memory_edit, which proposes the change to them."
_WAITS = "Tell the person what waits for them; `/memory` shows it, and they decide."
_ADVICE = {
    **dict.fromkeys(
        ("edit", "pin", "unpin", "contest", "uncontest", "deprecate", "exception"), _PROPOSE
    ),
    "forget": "Use memory_remove, which proposes it to them.",
    **dict.fromkeys(("inbox", "patch", "promote", "curate", "maintain"), _WAITS),
}
