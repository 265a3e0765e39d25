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
    from vaultmem.cli.output import Json
    from vaultmem.index.hybrid import SearchResult

NOTEBOOK = "notebook"
_MARKS = {
    "contested": "contested, not to be relied on",
    "promoted": "promoted to another form",
    "no_project": "of a project that it does not name, so it holds nowhere",
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
    type=click.Choice(["memory", "vault", "log", "sessions", "all", NOTEBOOK]),
    default="memory",
    show_default=True,
    help="Where to look: memories, your own notes, agent logs, earlier sessions, all of these, or "
    "the notebook.",
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

    QUERY is plain words; there is no query language. Every hit says why it is there. In the
    notebook (its two notes, skills, sessions' cards) the hits are lines that hold all words, or
    any of them.
    """
    if not query.strip():
        raise click.BadParameter("It is empty. Say what to look for.", param_hint="'QUERY'")
    if place == NOTEBOOK:
        if mode == "semantic":
            raise click.UsageError("`--in notebook` goes by words, without `--mode semantic`.")
        _search_notebook(app, query, limit=limit, session=session, as_json=as_json)
        return
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
    if not (as_json or found.hits) and place in ("memory", "all"):
        _point_to_notebook(app, query)


def _point_to_notebook(app: App, query: str) -> None:
    """Tell a person who found nothing that the notebook has it, which a search leaves out."""
    call, config = app.call(), app.config.config
    if call.agent is not None or not config.notebook:
        return
    from vaultmem.services.notebook.searching import is_in_notebook

    if is_in_notebook(call, config, query, project=app.project.id):
        say("The notebook has lines with these words: add `--in notebook`.")


def _search_notebook(
    app: App, query: str, *, limit: int, session: str | None, as_json: bool
) -> None:
    from vaultmem.services.notebook.searching import search_notebook

    found = search_notebook(
        app.call(),
        app.config.config,
        query,
        project=app.project.id,
        session=session,
        limit=limit,
    )
    if as_json:
        hits: list[Json] = [
            {
                "id": None,
                "path": one.path,
                "title": one.text,
                "source": NOTEBOOK,
                "score": 1.0,
                "why": f"word: {', '.join(one.queries)}",
                "heading": None,
                "mark": None,
                "project": None,
                "line": one.line,
            }
            for one in found
        ]
        print_json({"mode": "keyword", "degraded": None, "hits": hits})
        return
    for one in found:
        say(f"{one.path}:{one.line}", note=one.path)
        say_wrapped(one.text, indent=7)
    if not found:
        say("Nothing was found.")


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
                        "project": hit.project or None,
                        "line": None,
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
            under = f" › {hit.heading}" if hit.heading else ""
            say(f"       {hit.path}{under}", note=hit.path)
        place = f"project: {hit.project}" if hit.project else ""
        say(f"       {'; '.join(filter(None, (hit.why, _MARKS.get(hit.mark, hit.mark), place)))}")
    if not found.hits:
        say("Nothing was found.")
    if found.degraded:
        say(f"Note: {found.degraded}")
