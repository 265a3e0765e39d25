"""`vaultmem add`: remember a statement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import (
    finding_json,
    json_option,
    print_json,
    say,
    say_findings,
    say_wrapped,
)
from vaultmem.cli.projects import written_of
from vaultmem.core.model import IN_A_PROJECT, Category, Cue, Scope
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.capture import Captured, Wish, add

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.core.finding import Finding

_WORDS = {
    "added": "Remembered",
    "reinforced": "Known already; counted as one more piece of evidence for",
    "candidate": "Waiting in the inbox",
    "refused": "Not remembered",
}


@click.command
@click.argument("text")
@click.option(
    "--category",
    type=click.Choice([one.value for one in Category]),
    required=True,
    help="What kind of memory it is; decides its folder and its place in the report.",
)
@click.option(
    "--scope",
    type=click.Choice([one.value for one in Scope]),
    help="Where it holds. Without it: `project` if --project is given, else `global`.",
)
@click.option(
    "--project",
    metavar="P",
    help="The project that it is about. With --scope alone: that of the working folder.",
)
@click.option(
    "--cue",
    type=click.Choice([one.value for one in Cue]),
    default="explicit",
    show_default=True,
    help="How it was learned; what was said counts more than what was observed.",
)
@click.option(
    "--tag",
    "tags",
    metavar="T",
    multiple=True,
    help="A tag, kept under `memory/`; give it once for each.",
)
@click.option("--pin", is_flag=True, help="Keep it in every report, whatever its score.")
@click.option(
    "--trigger",
    metavar="WHEN",
    help="Guardrail: what it looks for, as in `bash_contains git add .`.",
)
@click.option(
    "--action", metavar="WHAT", help="Guardrail: block, warn, or `run_after` and a command."
)
@click.option(
    "--verifier",
    metavar="CHECK",
    help="A check at the end of a turn: `tool_called TOOL before COMMAND`.",
)
@click.option(
    "--override-conflicts",
    is_flag=True,
    help="Replace an unpinned memory that TEXT contradicts; the user must have said so.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    text: str,
    *,
    category: str,
    scope: str | None,
    project: str | None,
    cue: str,
    tags: tuple[str, ...],
    pin: bool,
    trigger: str | None,
    action: str | None,
    verifier: str | None,
    override_conflicts: bool,
    as_json: bool,
) -> int:
    """Remember a statement.

    TEXT is one sentence or two. A person's text becomes a memory; an agent's waits in the inbox;
    what is known already is counted as one more piece of evidence.
    """
    open_or_adopt(app)
    wanted = Scope(scope) if scope else (Scope.PROJECT if project else Scope.GLOBAL)
    if wanted in IN_A_PROJECT and project is None:
        project = app.project.id
    else:
        project = written_of(app, project)
    wish = Wish(
        text=text,
        category=Category(category),
        scope=wanted,
        project=project,
        cue=Cue(cue),
        tags=tags,
        pin=pin,
        trigger=trigger,
        action=action,
        verifier=verifier,
    )
    done = add(app.call(), app.engine, wish, override_conflicts=override_conflicts)
    if app.env.agent is None and not as_json:
        done = replace(done, findings=tuple(map(_to_the_user, done.findings)))
    _print(done, str(app.vault.path), as_json=as_json)
    return CaptureRefusedError.exit_code if done.outcome == "refused" else 0


def _to_the_user(one: Finding) -> Finding:
    """A finding that tells an agent to ask the user, as the user is told."""
    return one._replace(remedy=_YOURS.get(one.code, one.remedy))


_YOURS = {
    "VM604": "Say which of the two holds: to replace the old one, add `--override-conflicts`.",
    "VM605": "If it does not hold any more, edit or unpin it first, with `vaultmem edit` or "
    "`vaultmem unpin`.",
}


def _print(done: Captured, vault: str, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "outcome": done.outcome,
                "id": done.id,
                "path": done.path,
                "findings": [finding_json(one) for one in done.findings],
                "before": done.before or None,
                "patch": done.patch,
            }
        )
        return
    where = f": {done.path}" if done.path else "."
    say(f"{_WORDS[done.outcome]}{where}", note=done.path)
    if done.id:
        say(f"  {done.id} in {vault}")
    if done.before:
        say_wrapped(f"It stands instead of: {done.before}", indent=2)
    if done.patch is not None:
        say_wrapped(f"Take it back with `vaultmem patch revert {done.patch}`.", indent=2)
    say_findings(done.findings)
