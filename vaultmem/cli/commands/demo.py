"""`vaultmem demo`: the whole loop on a copy of the example vault, printing what it does."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.app import App
from vaultmem.cli.commands.forget import place_name
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, json_option, print_json, say
from vaultmem.cli.typed_path import TypedPath
from vaultmem.config import Environment
from vaultmem.core.model import Category, Layer
from vaultmem.errors import ReadOnlyError
from vaultmem.notes.candidate import Decision
from vaultmem.notes.frontmatter import set_property
from vaultmem.resources import resource
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.doctor import doctor
from vaultmem.services.inbox import decide
from vaultmem.services.message import capture_message
from vaultmem.services.purge import purge
from vaultmem.services.ratify import ratify, unreviewed
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.session_start import session_start
from vaultmem.services.sync import sync
from vaultmem.services.undo import undo
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file

if TYPE_CHECKING:
    from vaultmem.cli.output import Json

PROJECT = "github.com/harborline/tidewatch"
PROMPT = "the webhook tests fail, help me debug"
EDITED = "Memory/Patterns/Each worktree has its own database, named after the branch.md"
STATEMENT = "Tidewatch retries a webhook at most five times, with jitter."
QUESTION = "the same alert arrives twice"
CORRECTION = "Never run the load tests against the staging gauges, use the simulator instead."
GUESS = "The berth calendar loads faster with a smaller page size."
PRIVATE = "The harbour master's direct line is on the wall of the control room."


@click.command
@click.option(
    "--keep",
    metavar="FOLDER",
    type=TypedPath(path_type=Path, file_okay=False),
    help="Keep the copy in this folder, which must not exist yet.",
)
@json_option
@click.pass_obj
def command(app: App, keep: Path | None, *, as_json: bool) -> None:
    """Walk the whole loop on a copy of the example vault.

    Nothing else is touched, and no network is used.
    """
    with tempfile.TemporaryDirectory(prefix="vaultmem-demo-") as folder:
        place = Path(folder).resolve()
        vault = place / "vault" if keep is None else keep.resolve()
        example = resource("example-vault")
        try:
            shutil.copytree(example, vault)
        except OSError as error:
            raise ReadOnlyError(
                f"The example vault cannot be copied to {vault} ({error.strerror}). "
                "Name a folder that does not exist yet with `--keep`."
            ) from error
        env = Environment(home=str(place / "home"), no_color=app.env.no_color)
        with App(env=env, cwd=vault, vault=str(vault)) as copy:
            told = _Walk(copy, quiet=as_json).whole()
        if as_json:
            print_json(told)
            return
        if keep is not None:
            say(f"\nThe copy is in {vault}; open it in Obsidian.")
        else:
            say("\nThe copy is removed now; `vaultmem demo --keep FOLDER` leaves it to look at.")
        say("For a vault of your own: `vaultmem init PATH`.")


class _Walk:
    """The steps, one method each; they print what they do and collect it for `--json`."""

    def __init__(self, app: App, *, quiet: bool) -> None:
        self._app = app
        self._quiet = quiet
        self._step = 0
        self._told: dict[str, Json] = {}

    def whole(self) -> dict[str, Json]:
        """Take every step."""
        self._adopts()
        self._ratifies()
        self._edits()
        self._adds()
        self._corrects()
        self._decides()
        self._takes_back()
        self._searches()
        self._reports()
        self._forgets()
        self._examines()
        return self._told

    def _says(self, text: str) -> None:
        if not self._quiet:
            say(text)

    def _begins(self, text: str) -> None:
        self._step += 1
        self._says(f"{'' if self._step == 1 else chr(10)}{self._step}. {text}")

    def _adopts(self) -> None:
        self._begins(f"A copy of the example vault: {self._app.found.path}")
        open_or_adopt(self._app)
        first = sync(self._app.call())
        self._says(f"   sync: {first.created} memories found; the vault has an id and a key now.")
        self._told["memories"] = first.created

    def _ratifies(self) -> None:
        self._begins(
            "Some memories want to act: pinned, identity, guardrails. Only a person can allow it."
        )
        waiting = unreviewed(self._app.call(), identity=True)
        identity = sum(one.decoded.memory.layer is Layer.IDENTITY for one in waiting)
        for one in waiting:
            ratify(self._app.call(), one.row.id)
        self._says(
            f"   ratify: {len(waiting) - identity} memories and {identity} of your identity."
        )
        self._told["ratified"] = len(waiting)

    def _edits(self) -> None:
        self._begins("You edit a note, as in Obsidian; one property changes and no other byte.")
        vault = self._app.vault.path
        before = read_note(vault, EDITED)
        after = set_property(before, "confidence", 0.9)
        replace_file(vault, EDITED, after, expected=etag_of(before))
        edited = sync(self._app.call())
        self._says(f"   sync: {edited.edited} edited, {edited.unchanged} unchanged.")
        self._says(f"   {EDITED}: {', '.join(key for one in edited.changes for key in one.keys)}")

    def _adds(self) -> None:
        self._begins("You add a memory.")
        wish = Wish(text=STATEMENT, category=Category.DECISION, project=PROJECT)
        added = add(self._app.call(), self._app.engine, wish)
        self._says(f"   {added.outcome}: {added.path}")
        self._told["added"] = added.path

    def _corrects(self) -> None:
        self._begins(f"You correct the agent: {CORRECTION!r}")
        heard = capture_message(
            self._app.call(), self._app.engine, CORRECTION, session="demo", project=PROJECT
        )
        for one in heard:
            if one.done is not None:
                self._says(f"   {one.done.outcome}: {one.done.path}, with your words as evidence")
        ended = session_end(self._app.call())
        self._says(f"   The session ends: {count(len(ended.applied), 'change')} applied by itself,")
        self._says(
            "   because you said it yourself and meant it to last. The next one begins with:"
        )
        for alone in session_start(self._app.call()).applied:
            self._says(f"   {alone.statement}")
            self._says(f"   Take it back with `vaultmem patch revert {alone.patch}`.")
        self._told["applied"] = [one.path for one in ended.applied]

    def _decides(self) -> None:
        self._begins(f"The agent proposes something of its own: {GUESS!r}")
        env = self._app.env._replace(agent="demo")
        with App(env=env, cwd=self._app.cwd, vault=str(self._app.vault.path)) as agent:
            wish = Wish(text=GUESS, category=Category.PATTERN, project=PROJECT)
            proposed = add(agent.call(), agent.engine, wish)
        self._says(f"   {proposed.outcome}: {proposed.path}")
        self._says("   It waits until you decide; an agent's word is never applied by itself.")
        decided = decide(self._app.call(), str(proposed.id), Decision.APPROVE)
        self._says(f"   inbox approve: {decided.path}")
        self._told["approved"] = decided.path

    def _takes_back(self) -> None:
        self._begins("You think better of it.")
        back = undo(self._app.call())
        places = [one.path for one in back.reverted]
        self._says(f"   undo: {', '.join(filter(None, places))}")
        self._told["undone"] = back.id

    def _searches(self) -> None:
        self._begins(f"You search: {QUESTION!r}")
        found = search(self._app.call(), self._app.engine, QUESTION, limit=3)
        for hit in found.hits:
            self._says(f"   {hit.score:.2f}  {hit.title}  [{hit.why}]")
        self._told |= {"hits": [hit.path for hit in found.hits], "mode": found.mode.value}

    def _reports(self) -> None:
        self._begins(f"The report for the agent, asked {PROMPT!r}:\n")
        made = report(self._app.call(), project=PROJECT, prompt=PROMPT)
        self._says(made.text)
        self._told |= {"report": made.text, "tokens": made.tokens}

    def _forgets(self) -> None:
        self._begins("You remember something that should not have been, and let it be forgotten.")
        wish = Wish(text=PRIVATE, category=Category.DECISION)
        added = add(self._app.call(), self._app.engine, wish)
        gone = purge(self._app.call(), str(added.id))
        self._says(f"   forget --purge: {added.path} and every trace of it on this machine.")
        for left in gone.left:
            self._says(f"   Out of reach: {place_name(left)}. {left.how}")
        self._told["left"] = len(gone.left)

    def _examines(self) -> None:
        checked = doctor(self._app.call(), set_up=(), crash_log=self._app.home.crash_log)
        verdict = "nothing is wrong" if checked.ok else count(len(checked.findings), "finding")
        self._begins(f"doctor: {verdict}.")
        self._told["ok"] = checked.ok
