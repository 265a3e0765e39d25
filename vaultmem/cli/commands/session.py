"""`vaultmem session`: the agent's earlier sessions, searched and read where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import counter, json_option, print_json, session_option
from vaultmem.cli.session_lines import (
    decision_json,
    hit_json,
    line_json,
    part_json,
    say_decisions,
    say_hits,
    say_lines,
    say_note,
    say_part,
    say_synced,
    synced_json,
)
from vaultmem.services.sessions.choosing import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime
    from typing import TypeVar

    from vaultmem.app import App

    F = TypeVar("F", bound=Callable[..., object])

_DAY = click.DateTime(formats=["%Y-%m-%d"])


def _filters(command: F) -> F:
    """The options that say which sessions are meant."""
    for option in reversed(
        (
            click.option("--project", metavar="P", help="Only of projects with P in their name."),
            click.option(
                "--after", metavar="DAY", type=_DAY, help="Only with talk since this day."
            ),
            click.option("--before", metavar="DAY", type=_DAY, help="Only begun by this day."),
            click.option("--archived", is_flag=True, help="Archived ones too."),
        )
    ):
        command = option(command)
    return command


def _limit_option(help_line: str, *, default: int, most: int = 1_000) -> Callable[[F], F]:
    return click.option(
        "--limit",
        metavar="N",
        type=click.IntRange(1, most),
        default=default,
        show_default=True,
        help=help_line,
    )


@click.group()
def command() -> None:
    """Search and read earlier sessions of the agent."""


@command.command("sync")
@json_option
@click.pass_obj
def sync_command(app: App, *, as_json: bool) -> None:
    """Read what is new in the session files.

    Every other command of this group does so first.
    """
    from vaultmem.services.sessions.sync import sync_sessions

    with counter("Reading sessions") as progress:
        done = sync_sessions(app.call(), app.sessions, progress=progress)
    if as_json:
        print_json(synced_json(done))
    else:
        say_synced(done)


@command.command("reindex")
@json_option
@click.pass_obj
def reindex_command(app: App, *, as_json: bool) -> None:
    """Read all session files from their beginning."""
    from vaultmem.services.sessions.sync import embed_summaries, reindex_sessions

    with counter("Reading sessions") as progress:
        done = reindex_sessions(app.call(), app.sessions, progress=progress)
    with counter("Embedding") as progress:
        embedded, trouble = embed_summaries(app.sessions, progress=progress)
    done = done._replace(trouble=done.trouble or trouble)
    if as_json:
        print_json({**synced_json(done), "embedded": embedded})
    else:
        say_synced(done)


@command.command("search")
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice(["keyword", "semantic", "hybrid"]),
    default="hybrid",
    show_default=True,
    help="By words, by the meaning of summaries, or by both.",
)
@_filters
@_limit_option("How many sessions at most.", default=8, most=20)
@session_option
@json_option
@click.pass_obj
def search_command(
    app: App,
    query: str,
    *,
    mode: str,
    project: str | None,
    after: datetime | None,
    before: datetime | None,
    archived: bool,
    limit: int,
    session: str | None,
    as_json: bool,
) -> None:
    """Find earlier sessions.

    QUERY is plain words; there is no query language. Words are looked for in what you said, what
    the agent answered and what was summarised.
    """
    from vaultmem.index.hybrid import Mode
    from vaultmem.services.sessions.search import search_sessions

    with counter("Reading sessions") as progress:
        found = search_sessions(
            app.call(),
            app.sessions,
            query,
            mode=Mode(mode),
            limit=limit,
            wanted=_wanted(app, project, after, before, archived=archived),
            session=session,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "mode": found.mode.value,
                "degraded": found.degraded,
                "hits": [hit_json(hit) for hit in found.hits],
            }
        )
        return
    say_hits(found.hits)
    say_note(found.degraded)


@command.command("list")
@_filters
@_limit_option("How many sessions at most.", default=20)
@session_option
@json_option
@click.pass_obj
def list_command(
    app: App,
    *,
    project: str | None,
    after: datetime | None,
    before: datetime | None,
    archived: bool,
    limit: int,
    session: str | None,
    as_json: bool,
) -> None:
    """List earlier sessions, the newest first."""
    from vaultmem.services.sessions.listing import list_sessions

    with counter("Reading sessions") as progress:
        found = list_sessions(
            app.call(),
            app.sessions,
            limit=limit,
            wanted=_wanted(app, project, after, before, archived=archived),
            session=session,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "sessions": [line_json(one) for one in found.sessions],
                "total": found.total,
                "degraded": found.degraded,
            }
        )
        return
    say_lines(found.sessions, found.total)
    say_note(found.degraded)


@command.command("read")
@click.argument("name", metavar="ID")
@click.option(
    "--offset",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The first message, from 0.",
)
@_limit_option("How many messages at most.", default=50)
@session_option
@json_option
@click.pass_obj
def read_command(
    app: App, name: str, *, offset: int, limit: int, session: str | None, as_json: bool
) -> None:
    """Show what was said in the session ID.

    ID is a session's id, the beginning of one, or a part of its file's name.
    """
    from vaultmem.services.sessions.read import read_session

    with counter("Reading sessions") as progress:
        part = read_session(
            app.call(),
            app.sessions,
            name,
            offset=offset,
            limit=limit,
            own_project=app.project.id,
            session=session,
            progress=progress,
        )
    if as_json:
        print_json(part_json(part))
    else:
        say_part(part)


@command.command("decisions")
@click.option(
    "--days",
    metavar="N",
    type=click.IntRange(1, 36_500),
    default=7,
    show_default=True,
    help="How many days back, today included.",
)
@click.option("--project", metavar="P", help="Only of projects with P in their name.")
@_limit_option("How many at most.", default=30)
@session_option
@json_option
@click.pass_obj
def decisions_command(
    app: App, *, days: int, project: str | None, limit: int, session: str | None, as_json: bool
) -> None:
    """List what was decided with `#decision` or `#key`.

    Lines that you wrote to the agent count, and those of the daily logs.
    """
    from vaultmem.services.sessions.decisions import decisions

    with counter("Reading sessions") as progress:
        found = decisions(
            app.call(),
            app.sessions,
            days=days,
            limit=limit,
            wanted=Wanted(project=project, own_project=app.project.id),
            session=session,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "decisions": [decision_json(one) for one in found.decisions],
                "degraded": found.degraded,
            }
        )
        return
    say_decisions(found.decisions)
    say_note(found.degraded)


def _wanted(
    app: App,
    project: str | None,
    after: datetime | None,
    before: datetime | None,
    *,
    archived: bool,
) -> Wanted:
    return Wanted(
        project=project,
        after=_day(after),
        before=_day(before),
        archived=archived,
        own_project=app.project.id,
    )


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()
