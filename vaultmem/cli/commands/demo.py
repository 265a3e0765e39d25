"""`vaultmem demo`: the whole loop on a copy of the example vault, printing what it does."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from vaultmem.app import App
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, json_option, print_json, say
from vaultmem.config import Environment
from vaultmem.core.model import Category, Layer
from vaultmem.errors import ReadOnlyError
from vaultmem.notes.frontmatter import set_property
from vaultmem.resources import resource
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.ratify import ratify, unreviewed
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.sync import sync
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file

PROJECT = "github.com/harborline/tidewatch"
PROMPT = "the webhook tests fail, help me debug"
EDITED = "Memory/Patterns/Each worktree has its own database, named after the branch.md"
STATEMENT = "Tidewatch retries a webhook at most five times, with jitter."
QUESTION = "the same alert arrives twice"


@click.command
@click.option(
    "--keep",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
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
            _walk(copy, as_json=as_json)
        if as_json:
            return
        if keep is not None:
            say(f"\nThe copy is in {vault}; open it in Obsidian.")
        else:
            say("\nThe copy is removed now; `vaultmem demo --keep FOLDER` leaves it to look at.")
        say("For a vault of your own: `vaultmem init PATH`.")


def _edit_as_a_person(app: App, path: str) -> None:
    before = read_note(app.vault.path, path)
    after = set_property(before, "confidence", 0.9)
    replace_file(app.vault.path, path, after, expected=etag_of(before))


def _walk(app: App, *, as_json: bool) -> None:
    tell = (lambda _text="": None) if as_json else say
    tell(f"1. A copy of the example vault: {app.found.path}")
    open_or_adopt(app)
    first = sync(app.call())
    tell(f"   sync: {first.created} memories found; the vault has an id and a key now.")

    tell(
        "\n2. Some memories want to act: pinned, identity, guardrails. Only a person can allow it."
    )
    waiting = unreviewed(app.call(), identity=True)
    identity = sum(one.decoded.memory.layer is Layer.IDENTITY for one in waiting)
    for one in waiting:
        ratify(app.call(), one.row.id)
    tell(f"   ratify: {len(waiting) - identity} memories and {identity} of your identity.")

    tell("\n3. You edit a note, as in Obsidian; one property changes and no other byte.")
    _edit_as_a_person(app, EDITED)
    edited = sync(app.call())
    tell(f"   sync: {edited.edited} edited, {edited.unchanged} unchanged.")
    tell(f"   {EDITED}: {', '.join(key for one in edited.changes for key in one.keys)}")

    tell("\n4. You add a memory.")
    wish = Wish(text=STATEMENT, category=Category.DECISION, project=PROJECT)
    added = add(app.call(), app.engine, wish)
    tell(f"   {added.outcome}: {added.path}")

    tell(f"\n5. You search: {QUESTION!r}")
    found = search(app.call(), app.engine, QUESTION, limit=3)
    for hit in found.hits:
        tell(f"   {hit.score:.2f}  {hit.title}  [{hit.why}]")

    tell(f"\n6. The report for the agent, asked {PROMPT!r}:\n")
    made = report(app.call(), project=PROJECT, prompt=PROMPT)
    tell(made.text)

    checked = doctor(app.call(), set_up=(), crash_log=app.home.crash_log)
    verdict = "nothing is wrong" if checked.ok else count(len(checked.findings), "finding")
    tell(f"\n7. doctor: {verdict}.")
    if as_json:
        print_json(
            {
                "memories": first.created,
                "ratified": len(waiting),
                "added": added.path,
                "hits": [hit.path for hit in found.hits],
                "mode": found.mode.value,
                "report": made.text,
                "tokens": made.tokens,
                "ok": checked.ok,
            }
        )
