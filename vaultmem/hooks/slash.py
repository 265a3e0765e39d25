"""`/memory …`: the words of the command line, typed by the person in the agent's window.

Each runs the command itself, in a process of its own without the agent's variables, so that it is
the same command with the same checks; only a plain search is answered here. Nobody can answer its
questions there: what asks says which option answers. What is a dialogue in a terminal is a panel.
"""

from __future__ import annotations

import shlex
import subprocess
from itertools import takewhile
from typing import TYPE_CHECKING

from vaultmem.hooks.answers import Level, Said
from vaultmem.hooks.telling import NOT_HERE, in_window, one_line
from vaultmem.hooks.tools import SUBCOMMANDS
from vaultmem.services.switch import READ, WRITE, switched_off

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
OF_SWITCH = {"add": WRITE, "reinforce": WRITE, "report": READ, "search": READ, "session": READ}
"""Words that do nothing while remembering or recalling is off."""
SWITCHES = ("write", "read")
"""What `off` and `on` may name; without one, both."""


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
        case ["inbox"] | ["inbox", "review"]:
            return _inbox(here, or_patches=len(words) > 1)
        case ["review"]:
            return _review(here)
        case ["ratify", "--review"]:
            return _ratify(here)
    said = _refusal(words) or _off(here, event, words[0]) or _answered_here(here, event, words)
    return said or _run(here, event, _arguments(words, event.session))


def _refusal(words: Sequence[str]) -> Said | None:
    """What is said of words that are none for this place; None where there are none."""
    name, *rest = words
    if name in ("off", "on"):
        plain = takewhile(lambda one: not one.startswith("-"), rest)
        if wrong := next((one for one in plain if one not in SWITCHES), ""):
            text = f"`/memory {name}` takes `write`, `read`, or no word for both; not {wrong!r}."
            return Said(one_line(text), Level.ERROR)
    for named in (name, " ".join(words[:2])):
        if named in NOT_HERE:
            return Said(f"Run `vaultmem {named}` in a terminal.", Level.WARNING)
    return None


def _off(here: Here, event: CommandTyped, name: str) -> Said | None:
    """What is said where a word is switched off in this session, of which its process knows not."""
    what = OF_SWITCH.get(name)
    if what is None:
        return None
    project = here.project(event)
    off = switched_off(here.person(), what, project=project, session=event.session)
    return None if off is None else Said(in_window(one_line(off.sentence)), Level.ERROR)


def _answered_here(here: Here, event: CommandTyped, words: Sequence[str]) -> Said | None:
    """The answer to a plain search, for which a process of its own would load all anew.

    And to `notebook run`, which takes longer than a command in the window may.
    """
    name, *rest = words
    if name == "notebook" and rest in (["run"], ["run", "--yes"]):
        return _run_notebook(here, event, agrees="--yes" in rest)
    if name != "search" or not rest or any(one.startswith("--") for one in rest):
        return None
    from vaultmem.hooks.typed_search import search_typed  # as the panels

    return search_typed(here, event, " ".join(rest))


def _help() -> str:
    width = max(len(f"{one.name} {one.arguments}") for one in SUBCOMMANDS)
    lines = [f"{f'{one.name} {one.arguments}':<{width}}  {one.doc}" for one in SUBCOMMANDS]
    return "\n".join([*lines, "Any other word of the command line works as well."])


def _inbox(here: Here, *, or_patches: bool = False) -> Said:
    from vaultmem.hooks.panels import inbox_panel, nothing_waits

    panel = inbox_panel(here)
    if panel is not None:
        return Said(panel.title, panel=panel)
    review = _review(here) if or_patches else None
    return review if review and review.panel else Said(nothing_waits(here))


def _review(here: Here) -> Said:
    from vaultmem.hooks.patch_panels import review_panel

    panel = review_panel(here)
    return Said("No patch is open." if panel is None else panel.title, panel=panel)


def _ratify(here: Here) -> Said:
    from vaultmem.hooks.ratify_panel import ratify_panel

    panel = ratify_panel(here)
    return Said("Nothing waits to be ratified." if panel is None else panel.title, panel=panel)


def _run_notebook(here: Here, event: CommandTyped, *, agrees: bool) -> Said:
    """Let the notebook be worked on soon, where the person agreed to send sessions there."""
    from vaultmem.llm.model import Purpose  # seldom, as all of it
    from vaultmem.services.notebook.dry import agree
    from vaultmem.services.notebook.enable import refuse_disabled
    from vaultmem.services.notebook.sending import why_nothing
    from vaultmem.store.notebook_agreed import is_agreed

    refuse_disabled(here.app.config.config, here.project(event))
    if off := why_nothing(here.person(), here.app.config.config.notebook):
        return Said(off.sentence, Level.WARNING)
    for model in map(here.app.language_model, Purpose):
        if agrees:
            agree(here.person(), model)
        elif not is_agreed(here.app.vault.state.folder, model.destination):
            text = (
                f"Nobody agreed yet to send sessions to {one_line(model.destination)}. Look at "
                "what would be sent with `/memory notebook run --dry-run`, and agree with "
                "`/memory notebook run --yes`."
            )
            return Said(text, Level.WARNING)
    here.shared.notebook_wanted.set()
    return Said("It runs when the agent rests. `/memory notebook status` tells what became of it.")


def _arguments(words: Sequence[str], session: str) -> list[str]:
    """The words as the command line wants them."""
    name, *rest = words
    if name in ("off", "on"):
        switches = [f"--{one}" if one in SWITCHES else one for one in rest]
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
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and program, and no shell
            here.command(*arguments),
            cwd=here.cwd(event),
            env=here.persons_environment(),
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
    told = in_window(text[:MAX_TEXT]) or "Done."
    return Said(told, Level.INFO if done.returncode == 0 else Level.ERROR)
