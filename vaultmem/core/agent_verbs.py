"""Which commands of vaultmem an agent may not run, found in what it asks a shell to do.

The program refuses them itself where an agent's environment is set; here they are stopped before
anything runs, also where the command would hide that environment.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.agent_paths import may_be

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.shell_reader import Command, Word

_PERSONS = """
    init edit pin unpin contest uncontest deprecate exception forget render ratify curate undo on
    off trust migrate
    maintain:identity,run,reviewed,ask,answer,withdraw
    inbox:approve,defer,edit,reject,review
    patch:apply,reject,revert
    promote:accept,reject,suggest
    note:set,unset
    model:use
    key:export,import
    export:jsonl,topics
    pi:install,uninstall
    obsidian:install,uninstall
    notebook:on,off,ignore,reset,restore,accept
    review:import
"""


def _verbs(table: str) -> Iterator[str]:
    for row in table.split():
        verb, _, inner = row.partition(":")
        yield from (f"{verb} {one}" for one in inner.split(",")) if inner else (verb,)


PERSON_VERBS = frozenset(_verbs(_PERSONS))
"""The commands that only a person may use; those of a group with its name."""
PERSON_OPTIONS = {
    "sync": ("--accept-deletions",),
    "doctor": ("--fix",),
    "export": ("--save",),
    "detect": ("--capture",),
    "notebook": ("--dry-run",),
}
"""Options that make of a command what only a person may do."""
HELPERS = frozenset(("serve", "hook", "mcp"))
"""Commands that the agent's extension runs, never the agent."""

PROGRAM = "vaultmem"
HOST = "pi"
"""The agent's program."""
HOST_VERBS = frozenset(("install", "remove", "uninstall", "config"))
"""Its commands that change what it loads, our extension too (facts/pi-client.md §5)."""
_HOST_NAMES = frozenset((HOST, "pi-coding-agent"))
_RUN = "env exec command nohup nice time timeout sudo doas npx bunx pnpx npm pnpm xargs node"
_RUNNERS = frozenset(_RUN.split())
"""Programs that run another one, which stands among their words."""
_MARKERS = ("AI_AGENT", "PI_CODING_AGENT")
"""The variables that say that an agent calls."""
_OTHERS = "sudo doas su runuser ssh systemd-run at batch crontab launchctl osascript"
_OTHER_USERS = frozenset(_OTHERS.split())
"""Programs that run others without our environment."""
_VERSION = re.compile(r"[@=<>~!\[].*")
_MODULE = re.compile(r"-[A-Za-z]*m")
_CODE = re.compile(r"\b(?:import|from)\s+vaultmem\b|run_module\(\s*['\"]vaultmem\b")
_MAIN_FILES = ("vaultmem/__main__.py", "vaultmem/cli/main.py")


class Why(StrEnum):
    """Why a command is refused."""

    PERSON = "person"
    """Only a person may use the verb."""
    HELPER = "helper"
    """It is run by the extension."""
    HIDDEN = "hidden"
    """It hides that an agent calls."""
    CODE = "code"
    """It uses vaultmem from Python."""
    HOST = "host"
    """It changes what the agent loads."""


class Refused(NamedTuple):
    """A command that an agent may not run; `verb` is empty where none is named."""

    why: Why
    verb: str = ""


def refused(found: Sequence[Command]) -> Refused | None:
    """The first command that an agent may not run, of ours or its own, among those of a script."""
    calls = [
        [word.text for word in command.words[at:]]
        for command in found
        for at in range(len(command.words))
        if _is_ours(command.words, at)
    ]
    for words in calls:
        if (one := _of_call(words)) is not None:
            return one
    if (calls and any(map(_hides, found))) or any(map(_is_other_user, found)):
        return Refused(Why.HIDDEN)
    if any(map(_imports, found)):
        return Refused(Why.CODE)
    verbs = filter(None, map(_host_verb, found))
    return next((Refused(Why.HOST, verb) for verb in verbs), None)


def _is_ours(words: Sequence[Word], at: int) -> bool:
    """Whether a word starts vaultmem: by its name, as a module, or by its file."""
    word = words[at]
    name = _VERSION.sub("", word.name)
    if name == PROGRAM or (word.glob and may_be(PROGRAM, word.name)):
        return True
    text = word.text.lower().replace("\\", "/")
    if text.endswith(_MAIN_FILES):
        return True
    if at and _MODULE.fullmatch(words[at - 1].text):
        return name.startswith(f"{PROGRAM}.")
    return bool(re.fullmatch(rf"-[a-z]*m{PROGRAM}(?:\..*)?", text))


def _of_call(words: list[str]) -> Refused | None:
    """Why a call is refused: the program or its module first, then its arguments."""
    program, arguments = words[0], words[1:]
    if f"{PROGRAM}.hooks" in program.lower():
        return Refused(Why.HELPER, "serve")
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    plain = list(_plain(arguments))
    if not plain or "--help" in options or "-h" in options:
        return None
    if plain[0] in HELPERS:
        return Refused(Why.HELPER, plain[0])
    given = {one.partition("=")[0] for one in options}
    wanted = [plain[0], *(f"{plain[0]} {inner}" for inner in plain[1:])]
    persons = [verb for verb in wanted if verb in PERSON_VERBS]
    persons += [f"{plain[0]} {one}" for one in PERSON_OPTIONS.get(plain[0], ()) if one in given]
    return Refused(Why.PERSON, persons[0]) if persons else None


def _plain(arguments: list[str]) -> Iterator[str]:
    """The arguments that are no options and no value of `--vault`."""
    skip = False
    for one in arguments:
        if not skip and not one.startswith("-"):
            yield one
        skip = one == "--vault"


def _hides(command: Command) -> bool:
    """Whether a command takes the variables away that say that an agent calls."""
    if any(name in _MARKERS for name, _ in command.assigned):
        return True
    names = [word.name for word in command.words]
    if "env" in names and any(
        word.text in ("-i", "-", "--ignore-environment") for word in command.words
    ):
        return True
    return any(
        word.text.removeprefix("-u").removeprefix("--unset=").partition("=")[0] in _MARKERS
        for word in command.words
    ) and bool({"env", "unset", "export", "declare"} & set(names))


def _is_other_user(command: Command) -> bool:
    """Whether vaultmem would run for another user, or without our environment."""
    return any(word.name in _OTHER_USERS for word in command.words[:4]) and any(
        re.search(rf"(?:^|[\s/'\"]){PROGRAM}(?:\s|$)", word.text.lower()) for word in command.words
    )


def _imports(command: Command) -> bool:
    """Whether code that Python is given uses the package."""
    if not any(word.name.startswith(("python", "ipython", "pypy")) for word in command.words):
        return False
    return any(_CODE.search(text) for text in (command.fed, *(word.text for word in command.words)))


def _host_verb(command: Command) -> str:
    """The verb with which a command changes what the agent loads, "" for none."""
    names = [word.name for word in command.words]
    if not names or names[0] not in _HOST_NAMES | _RUNNERS:
        return ""
    at = next((at for at, name in enumerate(names) if name in _HOST_NAMES), len(names))
    plain = (word.text for word in command.words[at + 1 :] if not word.text.startswith("-"))
    first = next(plain, "")
    return first if first in HOST_VERBS else ""
