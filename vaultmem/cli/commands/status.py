"""`vaultmem status`: which vault, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.curated import applied_json, say_applied_alone
from vaultmem.cli.output import (
    count,
    finding_json,
    json_option,
    print_json,
    say,
    say_field,
    say_findings,
)
from vaultmem.cli.switching import how_on, switched
from vaultmem.index.models import EMBEDDED_MODEL
from vaultmem.services.status import Status, status

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.core.finding import Finding


@click.command
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Tell which vault is used, and what is in it.

    It also says which rule chose the vault, and what waits for you.
    """
    model = app.config.config.model or EMBEDDED_MODEL
    found = status(app.call(), why=app.found.why.value, model=model)
    project = app.project
    if as_json:
        print_json(
            {
                "vault": str(found.vault),
                "root": found.root,
                "id": found.id,
                "why": found.why,
                "device": found.device,
                "has_key": found.has_key,
                "memories": dict(found.memories),
                "lifecycle": dict(found.lifecycle),
                "out": dict(found.out),
                "held": found.held,
                "notes": dict(found.notes),
                "waiting": found.waiting,
                "patches": found.patches,
                "promotions": found.promotions,
                "questions": found.questions,
                "off": [one._asdict() for one in found.off],
                "missing": found.missing,
                "unreviewed": found.unreviewed,
                "opens_inbox": found.opens_inbox,
                "applied_alone": [applied_json(one) for one in found.applied_alone],
                "findings": [finding_json(one) for one in _findings(found, app)],
                "state": str(found.state),
                "cache": str(found.cache),
                "config": str(app.home.config_file),
                "trusted": app.trusted,
                "model": found.model,
                "indexed": found.indexed,
                "project": project.id,
                "projects": list(found.projects),
                "agent": app.env.agent,
            }
        )
        return
    _print(found, app)


def _print(found: Status, app: App) -> None:
    key = "has the key" if found.has_key else "has no key"
    say(f"Vault     {found.vault} (by {found.why})")
    say_field("Root", f"{found.root}/")
    say_field("Project", f"{app.project.id} (by {app.project.source.value})")
    say_field("Device", f"{found.device}, {key}")
    say(f"Config    {app.home.config_file}, which {_config(app)}")
    ours = " (comes with vaultmem)" if found.model == EMBEDDED_MODEL else ""
    say_field("Model", f"{found.model}{ours}")
    total = sum(found.memories.values())
    parts = ", ".join(f"{number} {word}" for word, number in found.memories.items() if number)
    say_field("Memories", f"{total}: {parts}" if total else "none yet; add one with `vaultmem add`")
    lives = ", ".join(f"{number} {word}" for word, number in sorted(found.lifecycle.items()))
    if lives:
        say_field("Today", lives)
    _print_out(found)
    if found.projects:
        say_field("Projects", ", ".join(found.projects))
    own, logs = found.notes.get("knowledge", 0), found.notes.get("log", 0)
    say_field("Notes", f"{own} of yours, {count(logs, 'agent log')}")
    if found.waiting:
        opens = "; it opens when a session starts" if found.opens_inbox else ""
        say_field("Inbox", f"{found.waiting} waiting in {found.root}/Inbox{opens}")
    if found.patches:
        say_field("Patches", f"{found.patches} waiting; `vaultmem patch list` names them")
    if found.promotions:
        say_field("Promote", f"{found.promotions} waiting; `vaultmem promote list` names them")
    if found.questions:
        say_field("Asked", f"{found.questions} waiting; `vaultmem maintain inquiries` names them")
    if found.off:
        say_field("Off", f"{'; '.join(map(switched, found.off))} (`{how_on(found.off)}`)")
    if found.applied_alone:
        say_field(
            "Applied", f"{count(len(found.applied_alone), 'change')} by policy since you looked"
        )
        say_applied_alone(found.applied_alone)
    if found.unreviewed:
        say_field(
            "Ratify",
            f"{found.unreviewed} {'wants' if found.unreviewed == 1 else 'want'} to act and only "
            "inform until you ratify: `vaultmem ratify --review`, and `vaultmem ratify ID` for a "
            "note of Identity",
        )
    if found.missing:
        say_field(
            "Missing", f"{count(found.missing, 'note')} vanished; `vaultmem doctor` names them"
        )
    if not found.indexed:
        say_field("Index", "not built yet; the first search does it")
    say_findings(_findings(found, app))


def _config(app: App) -> str:
    if app.config.unread is not None:
        return "cannot be read, so nothing in it counts"
    return "trusts this vault" if app.trusted else "does not trust this vault (`vaultmem trust`)"


def _findings(found: Status, app: App) -> tuple[Finding, ...]:
    """What is wrong with the settings, the user config that cannot be read first."""
    return (*filter(None, (app.config.unread,)), *found.settings)


def _print_out(found: Status) -> None:
    """Tell what is not in force; a deleted memory was forgotten."""
    words = {word: word.replace("_", " ") for word in found.out} | {"deleted": "forgotten"}
    told = sorted((words[word], number) for word, number in found.out.items())
    if told:
        out = ", ".join(f"{number} {word}" for word, number in told)
        say_field("Out", f"{out}; not in force, and not counted above")
    if found.held:
        say_field("Held", f"{count(found.held, 'note')} held back; `vaultmem doctor` says why")
