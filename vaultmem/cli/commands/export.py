"""`vaultmem export`: what the vault holds, in other forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.commands.export_back import jsonl_command, project_option, topics_command
from vaultmem.cli.exported import (
    canvas_json,
    graph_json,
    handoff_json,
    procedures_json,
    timeline_json,
)
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import OTHER_PROJECT, count, counter, json_option, print_json, say
from vaultmem.cli.projects import read_of
from vaultmem.core.handoff import Goal
from vaultmem.core.procedures import LEAST
from vaultmem.services.exporting import graph, handoff, procedures, timeline
from vaultmem.services.exporting.canvas import export_canvas
from vaultmem.services.exporting.saved import save_by_person

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.call import Call

save_option = click.option("--save", is_flag=True, help="Write a note into System/Reports.")


def _call(app: App, *, save: bool) -> Call:
    """The circumstances; to save is to write, for which a vault gets its id."""
    if save:
        open_or_adopt(app)
    return app.call()


def _finish(
    call: Call,
    kind: str,
    lines: Iterable[str],
    told: dict[str, Json],
    *,
    holds: bool,
    save: bool,
    as_json: bool,
) -> None:
    """Print the export, and save it first where the person wants that and it holds something."""
    shown = list(lines)
    if save:
        call.person_only(f"export {kind} --save")
    saved = save_by_person(call, kind, shown) if save and holds else None
    if as_json:
        print_json({**told, "saved": saved})
        return
    say(f"Saved as {saved}." if saved is not None else "\n".join(shown))
    if save and saved is None:
        say(_NOT_SAVED)


_NOT_SAVED = "Nothing was saved: there is nothing to tell yet."


@click.group
def command() -> None:
    """Show what the vault holds as a graph, a handoff and more.

    Secrets are taken out. Nothing is written without --save or --to.
    """


command.add_command(jsonl_command)
command.add_command(topics_command)


@command.command("graph")
@project_option
@save_option
@json_option
@click.pass_obj
def graph_command(app: App, *, project: str | None, save: bool, as_json: bool) -> None:
    """Show how memories, evidence and the rest hang together."""
    call = _call(app, save=save)
    with counter("Reading the memories"):
        made = graph.export_graph(call, project=read_of(app, project) or "")
    lines = graph.graph_lines(made)
    told, holds = graph_json(made), bool(made.graph.nodes)
    _finish(call, graph.KIND, lines, told, holds=holds, save=save, as_json=as_json)


@command.command("timeline")
@click.option("--memory", "name", default="", metavar="ID", help="Only what is about this memory.")
@project_option
@save_option
@json_option
@click.pass_obj
def timeline_command(
    app: App, *, name: str, project: str | None, save: bool, as_json: bool
) -> None:
    """Show what happened, oldest first, and what is over."""
    call = _call(app, save=save)
    with counter("Reading the memories"):
        made = timeline.export_timeline(call, project=read_of(app, project) or "", name=name)
    lines = timeline.timeline_lines(made, in_note=save)
    told, holds = timeline_json(made), bool(made.timeline.events)
    _finish(call, timeline.KIND, lines, told, holds=holds, save=save, as_json=as_json)


@command.command("handoff")
@click.option("--goal", "text", metavar="TEXT", help="What the next work is for.")
@click.option(
    "--constraint", multiple=True, metavar="TEXT", help="What must hold; give it once for each."
)
@click.option(
    "--non-goal", multiple=True, metavar="TEXT", help="What is not wanted; give it once for each."
)
@click.option(
    "--validate", multiple=True, metavar="TEXT", help="How it is checked; give it once for each."
)
@click.option(
    "--project",
    metavar="P",
    help=f"{OTHER_PROJECT[:-1]}; '' for all.",
)
@save_option
@json_option
@click.pass_obj
def handoff_command(
    app: App,
    *,
    text: str | None,
    constraint: tuple[str, ...],
    non_goal: tuple[str, ...],
    validate: tuple[str, ...],
    project: str | None,
    save: bool,
    as_json: bool,
) -> None:
    """Show what the next session needs to know."""
    goes_with("--goal", "--constraint", "--non-goal", "--validate")
    if text is not None and not text.strip():
        raise click.UsageError("The goal is empty. Say what the next work is for.")
    goal = None
    if text is not None:
        goal = Goal(text=text, constraints=constraint, non_goals=non_goal, validation=validate)
    call = _call(app, save=save)
    where = app.project.id if project is None else read_of(app, project) or ""
    with counter("Reading the memories"):
        made = handoff.export_handoff(call, project=where, goal=goal)
    lines = handoff.handoff_lines(made, in_note=save)
    told, holds = handoff_json(made), made.handoff.tells_something
    _finish(call, handoff.KIND, lines, told, holds=holds, save=save, as_json=as_json)


@command.command("procedures")
@click.option(
    "--least",
    default=LEAST,
    show_default=True,
    type=click.IntRange(min=2, max=100),
    metavar="N",
    help="How many memories a procedure needs.",
)
@project_option
@save_option
@json_option
@click.pass_obj
def procedures_command(
    app: App, *, least: int, project: str | None, save: bool, as_json: bool
) -> None:
    """Show memories that may be a procedure together.

    Nothing is made of them; a skill is drafted by a promotion only.
    """
    call = _call(app, save=save)
    with counter("Reading the memories"):
        made = procedures.export_procedures(call, project=read_of(app, project) or "", least=least)
    lines = procedures.procedures_lines(made, in_note=save)
    told, holds = procedures_json(made), bool(made.procedures.found)
    _finish(call, procedures.KIND, lines, told, holds=holds, save=save, as_json=as_json)


@command.command("canvas")
@project_option
@click.option("--save", is_flag=True, help="Write the canvas into System/Reports.")
@json_option
@click.pass_obj
def canvas_command(app: App, *, project: str | None, save: bool, as_json: bool) -> None:
    """Lay the memories out on a canvas for Obsidian.

    Without --save its file is printed. What you moved, made larger or added in the canvas that
    is there stays.
    """
    with counter("Reading the memories"):
        made = export_canvas(_call(app, save=save), project=read_of(app, project) or "", save=save)
    if as_json:
        print_json(canvas_json(made))
    elif not save:
        click.echo(made.data.decode(), nl=False)
    else:
        what = f"{count(made.cards, 'card')}, {count(made.lines, 'line')}"
        if made.written:
            say(f"Saved as {made.path}: {what}.", note=made.path)
        else:
            say(f"{made.path} is up to date." if made.there else _NOT_SAVED, note=made.path)
        if made.left_out:
            say(f"{count(made.left_out, 'more card')} would not fit; `--project` shows fewer.")
