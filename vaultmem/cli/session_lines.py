"""How earlier sessions are printed: their JSON shapes and their lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count, finding_json, project_name, say, say_findings, say_wrapped
from vaultmem.core.session_past import ID_SHOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.cli.output import Json
    from vaultmem.services.sessions.decisions import DecisionLine
    from vaultmem.services.sessions.listing import SessionLine
    from vaultmem.services.sessions.read import SessionPart
    from vaultmem.services.sessions.search import SessionHit
    from vaultmem.services.sessions.sync import SessionsSynced


def synced_json(done: SessionsSynced) -> dict[str, Json]:
    """`session sync` and `session reindex`."""
    return {
        "sessions": done.sessions,
        "new": done.new,
        "changed": done.changed,
        "gone": done.gone,
        "entries": done.entries,
        "passed_over": done.passed_over,
        "findings": [finding_json(one) for one in done.findings],
        "degraded": done.trouble,
    }


def hit_json(hit: SessionHit) -> dict[str, Json]:
    """A hit of `session search`."""
    return {
        "session": hit.session,
        "project": hit.project,
        "day": hit.day.isoformat(),
        "title": hit.title,
        "kind": hit.kind.value,
        "entry": hit.entry or None,
        "extract": hit.extract,
        "score": round(hit.score, 4),
        "why": hit.why,
        "archived": hit.archived,
        "file": hit.file,
    }


def line_json(one: SessionLine) -> dict[str, Json]:
    """A session of `session list`."""
    return {
        "id": one.id,
        "project": one.project,
        "cwd": one.cwd,
        "started": one.started.isoformat(),
        "ended": one.ended.isoformat(),
        "title": one.title,
        "first": one.first,
        "messages": one.messages,
        "models": list(one.models),
        "tools": list(one.tools),
        "files": list(one.files),
        "decisions": one.decisions,
        "cost": one.cost,
        "tokens": one.tokens,
        "archived": one.archived,
        "file": one.file,
    }


def part_json(part: SessionPart) -> dict[str, Json]:
    """`session read`."""
    return {
        "session": part.session,
        "project": part.project,
        "title": part.title,
        "file": part.file,
        "total": part.total,
        "messages": [
            {
                "number": one.number,
                "entry": one.entry,
                "speaker": one.speaker.value,
                "at": one.at.isoformat(),
                "text": one.text,
                "tools": list(one.tools),
            }
            for one in part.messages
        ],
    }


def decision_json(one: DecisionLine) -> dict[str, Json]:
    """A line of `session decisions`."""
    return {
        "day": one.day.isoformat(),
        "text": one.text,
        "session": one.session or None,
        "entry": one.entry or None,
        "path": one.path or None,
        "project": one.project or None,
    }


def say_synced(done: SessionsSynced) -> None:
    """How much was read, and what could not be."""
    say(
        f"{count(done.sessions, 'session')}: {done.new} new, {done.changed} grown, "
        f"{done.gone} gone; {count(done.entries, 'entry', 'entries')} read."
    )
    if done.passed_over:
        say_wrapped(
            f"{count(done.passed_over, 'line')} passed over: broken, or longer than 16 MiB."
        )
    say_findings(done.findings)
    say_note(done.trouble)


def say_hits(hits: Sequence[SessionHit]) -> None:
    """The sessions that were found, the best first."""
    for hit in hits:
        say(f"{hit.score:5.2f}  {hit.title or hit.extract}")
        kept = ", archived" if hit.archived else ""
        place = f"{hit.day.isoformat()}  {project_name(hit.project)}{kept}"
        say(f"       {place}  ({hit.session[:ID_SHOWN]})")
        if hit.title and hit.beyond_title:
            say_wrapped(hit.beyond_title, indent=7)
        say(f"       {hit.why}")
    if not hits:
        say("No session was found.")


def say_lines(lines: Sequence[SessionLine], total: int) -> None:
    """Sessions, the newest first."""
    for one in lines:
        kept = ", archived" if one.archived else ""
        say(
            f"{one.started:%Y-%m-%d %H:%M}  {one.id[:ID_SHOWN]}  {project_name(one.project)}, "
            f"{count(one.messages, 'message')}{kept}"
        )
        say_wrapped(one.title or "Nothing was said yet.", indent=18)
    if not lines:
        say("There is no session.")
    elif total > len(lines):
        say(f"{total - len(lines)} more; see them with `--limit {total}`.")


def say_part(part: SessionPart) -> None:
    """Messages of a session."""
    say(f"{part.title} ({project_name(part.project)}, {count(part.total, 'message')})")
    for one in part.messages:
        say()
        say(f"[{one.at:%Y-%m-%d %H:%M}] {one.speaker.value.upper()}  {one.number}")
        if one.text:
            say(one.text)
        if one.tools:
            say(f"called {', '.join(one.tools)}")
    last = part.messages[-1].number + 1 if part.messages else 0
    if part.messages and last < part.total:
        say()
        say(f"More with `--offset {last}`.")
    if not part.messages:
        say("No message there.")


def say_decisions(found: Sequence[DecisionLine]) -> None:
    """Decisions, the newest first."""
    for one in found:
        place = one.path or f"session {one.session[:ID_SHOWN]}, {project_name(one.project)}"
        say_wrapped(one.text, first=f"{one.day.isoformat()}  ", indent=12)
        say(f"            {place}")
    if not found:
        say("Nothing was decided with `#decision` or `#key` in these days.")


def say_note(sentence: str | None) -> None:
    """What was missing."""
    if sentence:
        say_wrapped(f"Note: {sentence}")
