"""`/memory …`: the words of the command line, typed by the person in the agent's window.

Each runs the command itself, in a process of its own without the agent's variables, so that it is
the same command with the same checks. Nobody can answer its questions there: what asks says which
option answers. What is a dialogue in a terminal is a panel here.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

from vaultmem.config import persons_environment
from vaultmem.hooks.answers import Level, Said
from vaultmem.hooks.telling import one_line
from vaultmem.hooks.tools import SUBCOMMANDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import CommandTyped

SECONDS = 25.0
"""How long a command may run; the extension waits a little longer."""
MAX_TEXT = 20_000
"""Characters of an answer that are shown."""
FREE_TEXT = {"search": (), "add": (), "report": ("--prompt",)}
"""Words after which a sentence may stand without quotes, with the option that takes it."""
NOT_HERE = ("serve", "hook", "watch", "mcp", "demo", "completion", "init")
"""Words that make no sense in an agent's window: they go on for ever, or are for a terminal."""


def run_command(here: Here, event: CommandTyped) -> Said:
    """Run what the person typed.

    Raises:
        VaultmemError: if the vault cannot be used, or a panel cannot be made.
    """
    try:
        words = shlex.split(event.text)
    except ValueError:
        return Said("A quotation mark is missing.", Level.ERROR)
    match words:
        case []:
            words = ["status"]
        case ["help", *_]:
            return Said(_help())
        case ["inbox"]:
            return _inbox(here)
        case ["review"] | ["inbox", "review"]:
            return _review(here)
    if words[0] in NOT_HERE:
        return Said(f"Run `vaultmem {words[0]}` in a terminal.", Level.WARNING)
    return _run(here, event, _arguments(words, event.session))


def _help() -> str:
    width = max(len(f"{one.name} {one.arguments}") for one in SUBCOMMANDS)
    lines = [f"{f'{one.name} {one.arguments}':<{width}}  {one.doc}" for one in SUBCOMMANDS]
    return "\n".join([*lines, "Any other word of the command line works as well."])


def _inbox(here: Here) -> Said:
    from vaultmem.hooks.panels import inbox_panel

    panel = inbox_panel(here)
    return Said("Nothing waits for you." if panel is None else panel.title, panel=panel)


def _review(here: Here) -> Said:
    from vaultmem.hooks.patch_panels import review_panel

    panel = review_panel(here)
    return Said("No patch is open." if panel is None else panel.title, panel=panel)


def _arguments(words: Sequence[str], session: str) -> list[str]:
    """The words as the command line wants them."""
    name, *rest = words
    if name in ("off", "on"):
        switches = [f"--{one}" if one in ("read", "write") else one for one in rest]
        whole = any(one.startswith(("--session", "--project")) for one in rest)
        return [name, *switches, *(() if whole else ("--session", session))]
    if name not in FREE_TEXT:
        return [name, *rest]
    count = next((place for place, one in enumerate(rest) if one.startswith("--")), len(rest))
    text, options = " ".join(rest[:count]), rest[count:]
    if name == "add" and text and "--category" not in options:
        options = ["--category", _category_of(text), *options]
    # Options first: a sentence may begin with a dash.
    before = FREE_TEXT[name] or ("--",)
    return [name, *options, *((*before, text) if text else ())]


def _category_of(text: str) -> str:
    """The category that capture would choose for a sentence."""
    from vaultmem.core.detection import detect  # many patterns
    from vaultmem.services.message import wish_of

    return wish_of(detect(text)[0], None).category.value


def _run(here: Here, event: CommandTyped, arguments: list[str]) -> Said:
    vault = here.app.found.path
    command = [sys.executable, "-I", "-m", "vaultmem", "--vault", str(vault), *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and program, and no shell
            command,
            cwd=event.cwd or here.app.cwd,
            env=persons_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Said(f"It took longer than {SECONDS:g} seconds and was ended.", Level.ERROR)
    except OSError as error:
        return Said(f"It could not be started ({one_line(str(error))}).", Level.ERROR)
    here.forget()  # settings may have changed
    text = "\n".join(
        part.decode("utf-8", "replace").strip() for part in (done.stdout, done.stderr) if part
    )
    return Said(text[:MAX_TEXT] or "Done.", Level.INFO if done.returncode == 0 else Level.ERROR)
