"""`vaultmem search`: find memories and notes."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import counter, json_option, print_json, say, say_wrapped, session_option
from vaultmem.core.session_past import ID_SHOWN
from vaultmem.index.documents import Source

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.index.hybrid import SearchResult

_MARKS = {
    "contested": "contested, not to be relied on",
    "promoted": "promoted to another form",
    "expired": "expired",
    "no_longer_valid": "no longer valid",
    "not_yet_valid": "not yet valid",
    "session_over": "its session is over",
    "task_over": "its task is over",
    "unreviewed": "wants to act, but nobody has ratified it",
}


@click.command
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice(["keyword", "semantic", "hybrid"]),
    default="hybrid",
    show_default=True,
    help="By words, by meaning, or by both.",
)
@click.option(
    "--in",
    "place",
    type=click.Choice(["memory", "vault", "log", "sessions", "all"]),
    default="memory",
    show_default=True,
    help="Where to look: memories, your own notes, agent logs, earlier sessions, or all of them.",
)
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, 200),
    default=10,
    show_default=True,
    help="How many notes at most.",
)
@session_option
@json_option
@click.pass_obj
def command(
    app: App, query: str, *, mode: str, place: str, limit: int, session: str | None, as_json: bool
) -> None:
    """Find memories and notes.

    QUERY is plain words; there is no query language. Every hit says why it is there.
    """
    from vaultmem.index.hybrid import Mode
    from vaultmem.services.search import PLACES
    from vaultmem.services.sessions.place import search_with_sessions

    in_talk = place in ("sessions", "all")
    with counter("Reading sessions") if in_talk else nullcontext(int) as progress:
        found = search_with_sessions(
            app.call(),
            app.engine,
            lambda: app.sessions,
            query,
            mode=Mode(mode),
            sources=PLACES[place],
            limit=limit,
            knowledge=app.config.config.knowledge,
            project=app.project.id,
            session=session,
            progress=progress,
        )
    _print(found, as_json=as_json)


def _print(found: SearchResult, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "mode": found.mode.value,
                "degraded": found.degraded,
                "hits": [
                    {
                        "id": hit.id,
                        "path": hit.path,
                        "title": hit.title,
                        "source": hit.source.value,
                        "score": round(hit.score, 4),
                        "why": hit.why,
                        "heading": hit.heading,
                        "mark": hit.mark or None,
                    }
                    for hit in found.hits
                ],
            }
        )
        return
    for hit in found.hits:
        say(f"{hit.score:5.2f}  {hit.title}")
        if hit.source is Source.SESSION:
            say(f"       `vaultmem session read {(hit.id or '')[:ID_SHOWN]}`")
            if hit.heading and hit.heading != hit.title:
                say_wrapped(hit.heading, indent=7)
        else:
            say(f"       {hit.path} › {hit.heading}" if hit.heading else f"       {hit.path}")
        say(f"       {hit.why}" + (f"; {_MARKS.get(hit.mark, hit.mark)}" if hit.mark else ""))
    if not found.hits:
        say("Nothing was found.")
    if found.degraded:
        say(f"Note: {found.degraded}")
