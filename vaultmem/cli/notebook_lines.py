"""How the notebook is printed: where it is on, what holds, and what would be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import (
    count,
    finding_json,
    project_name,
    say,
    say_field,
    say_findings,
    say_table,
    say_wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from vaultmem.cli.output import Json
    from vaultmem.core.finding import Finding
    from vaultmem.services.notebook.bringing_back import LeftOut
    from vaultmem.services.notebook.dry import Planned
    from vaultmem.services.notebook.enable import Enabled
    from vaultmem.services.notebook.failures import JobLine
    from vaultmem.services.notebook.looking import Look
    from vaultmem.services.notebook.reset import Reach
    from vaultmem.services.notebook.restore import Published
    from vaultmem.services.notebook.status import ModelLine, NotebookStatus
    from vaultmem.store.notebook.usage import Spent
    from vaultmem.store.notebook_history import Commit

VERSION_SHOWN = 12
"""Hex digits of a version that lists show; seven are enough to name one."""


def enabled_json(done: Enabled) -> dict[str, Json]:
    """`notebook on` and `notebook off`."""
    return {
        "project": done.project,
        "on": done.on,
        "changed": done.changed,
        "projects": list(done.projects),
        "device": done.device,
        "is_here": done.is_here,
        "forgotten": list(done.forgotten),
    }


def say_enabled(done: Enabled) -> None:
    """Tell where the notebook is on, and what comes next."""
    already = "" if done.changed else " already"
    say(f"The notebook is {'on' if done.on else 'off'} for {project_name(done.project)}{already}.")
    if not done.on:
        say("Nothing of it is read or sent. `vaultmem notebook reset` deletes what is there.")
        for one in done.forgotten:
            say_wrapped(f"Your yes to {one} is taken back; a run asks again.")
        return
    if done.is_here:
        say("This device rewrites it.")
    else:
        say_wrapped(
            f"{done.device} rewrites it. To have that here, write this device's id, which "
            "`vaultmem status` shows, as `notebook_device` into Settings.md."
        )
    say("Nothing was sent. Look at what would be: `vaultmem notebook run --dry-run`.")


def version_json(one: Commit) -> dict[str, Json]:
    """A version of the notebook."""
    return {
        "id": one.id,
        "when": one.when.isoformat(),
        "by": one.by,
        "message": one.message,
    }


def status_json(found: NotebookStatus) -> dict[str, Json]:
    """`notebook status`."""
    return {
        "project": found.project,
        "on": found.on,
        "projects": list(found.projects),
        "off": [finding_json(one) for one in found.off],
        "device": found.device,
        "is_here": found.is_here,
        "models": [
            {
                "purpose": one.purpose.value,
                "name": one.name or None,
                "destination": one.destination or None,
                "agreed": one.agreed,
                "prompt": one.prompt,
                "trouble": one.trouble or None,
            }
            for one in found.models
        ],
        "agreed": list(found.agreed),
        "settings": found.settings._asdict(),
        "cards": found.cards,
        "ready": found.ready,
        "ignored": list(found.ignored),
        "jobs": [
            {
                **one._asdict(),
                "failed": one.failed.isoformat() if one.failed else None,
                "again": one.again.isoformat() if one.again else None,
            }
            for one in found.jobs
        ],
        "consolidated": found.consolidated.isoformat() if found.consolidated else None,
        "dirty": found.dirty,
        "blocked": found.blocked or None,
        "generation": found.generation,
        "next": found.next.isoformat() if found.next else None,
        "version": None if found.version is None else version_json(found.version),
        "usage": [_spent_json(one) for one in found.usage],
        "today": _spent_json(found.today),
        "findings": [finding_json(one) for one in found.findings],
    }


def say_status(found: NotebookStatus) -> None:
    """Tell what holds, in the order in which it matters."""
    word = "on" if found.on else "off; switch it on with `vaultmem notebook on`"
    say_field("Project", f"{project_name(found.project)}: {word}")
    others = [
        project_name(one) for one in found.projects if one.casefold() != found.project.casefold()
    ]
    if others:
        say_field("Also on", ", ".join(others))
    for finding in found.off:
        say_field("Off", finding.sentence)
    if found.device is not None:
        say_field(
            "Device",
            f"{found.device}{', this one, rewrites it' if found.is_here else ' rewrites it'}",
        )
    _say_models(found.models)
    if found.agreed:
        back = "`vaultmem notebook off --forget-destinations` takes it back"
        say_field("Agreed", f"{', '.join(found.agreed)}; {back}")
    version = found.version
    if version is None:
        say_field("Version", "none is published yet")
    else:
        say_field(
            "Version",
            f"{version.id[:VERSION_SHOWN]} of {_minute(found.published or version.when)} "
            f"by {version.by}",
        )
    say_field("Cards", f"{count(found.cards, 'session')} read; {found.ready} can be read now")
    if found.ignored:
        say_field("Ignored", ", ".join(found.ignored))
    new = "something is new" if found.dirty else "nothing is new"
    done = found.consolidated
    last = f"; the last one was done {_minute(done)}" if done else ""
    say_field("Rewrite", f"{new}{last}")
    if found.blocked and not found.findings:  # they say it, where it is about the files
        say_field("Blocked", found.blocked)
    for job in found.jobs:
        _say_job(job)
    say_field("Next", _next(found))
    _say_usage(found)
    say_findings(found.findings)


def _next(found: NotebookStatus) -> str:
    if not any(one.destination for one in found.models):
        return "nothing before a language model is set up"
    return _minute(found.next) if found.next else "nothing is in sight"


def about(tokens: int) -> str:
    """How many tokens, as far as an estimate can tell."""
    return f"about {count(tokens if tokens < 1000 else round(tokens, -2), 'token')}"


def planned_json(plan: Planned) -> dict[str, Json]:
    """What `--dry-run` prints of one step."""
    return {
        "destination": plan.destination or None,
        "model": plan.model or None,
        "agreed": plan.agreed,
        "tokens": plan.tokens,
        "parts": [one._asdict() for one in plan.parts],
        "note": plan.note or None,
    }


_NOT_DUE = "nothing is due, so nothing would be sent."


def say_planned(plan: Planned, what: str) -> None:
    """Print exactly what would be sent, where, and about how much it is."""
    if not plan.parts:
        why = f"nothing would be sent. {plan.note}" if plan.note else _NOT_DUE
        say_wrapped(f"{what}: {why}")
        return
    nowhere = "nowhere yet: no language model is set up; `vaultmem notebook status` says why"
    asks = "; you did not agree to that yet, so a run asks first" if plan.is_unagreed else ""
    say_wrapped(f"{what}: {about(plan.tokens)} to {plan.destination or nowhere}{asks}.")
    for part in plan.parts:
        say()
        say(f"===== {part.what} ({about(part.tokens)})")
        say(part.text)
    if plan.note:
        say()
        say_wrapped(plan.note)
    say()


def say_history(versions: tuple[Commit, ...]) -> None:
    """List versions, the newest first."""
    if not versions:
        say("No version is published yet.")
        return
    rows = ((one.id[:VERSION_SHOWN], _minute(one.when), one.by, one.message) for one in versions)
    say_table(("version", "made (UTC)", "by", "what"), rows)


def shown_json(found: Look, findings: Sequence[Finding]) -> dict[str, Json]:
    """`notebook show`; `findings` are what is wrong with the files in the vault."""
    return {
        "version": version_json(found.version),
        "files": [one._asdict() for one in found.files],
        "changed": list(found.changed),
        "diff": found.diff,
        "findings": [finding_json(one) for one in findings],
    }


def say_version(found: Look) -> None:
    """Print a version's files, or what it changed."""
    one = found.version
    say(f"Version {one.id[:VERSION_SHOWN]}, {_minute(one.when)} UTC, by {one.by}: {one.message}")
    if found.diff is not None:
        say(found.diff)
        return
    for file in found.files:
        say()
        say(f"===== {file.path}")
        say(file.text)


def published_json(done: Published) -> dict[str, Json]:
    """`notebook accept`."""
    return {"version": done.commit, "paths": list(done.paths)}


def restored_json(done: Published) -> dict[str, Json]:
    """`notebook restore`."""
    left = done.left_out
    return {
        **published_json(done),
        "left_out": {"lines": left.lines, "skills": list(left.skills)},
        "cleaned": list(done.cleaned),
    }


def say_left_out(left: LeftOut) -> None:
    """Tell what of a version does not come back, and why."""
    parts = [
        count(left.lines, "line") if left.lines else "",
        f"the skill {', '.join(left.skills)}" if left.skills else "",
    ]
    what = " and ".join(filter(None, parts))
    if what:
        say_wrapped(
            f"Not put back: {what} of sessions that you left out, or of projects in which the "
            "notebook is off."
        )


def say_published(done: Published) -> None:
    """Tell which version is in force, and what that changed."""
    if not done.paths:
        say(f"Nothing is to be changed; version {done.commit[:VERSION_SHOWN]} is in force.")
        say_left_out(done.left_out)
        return
    say(f"Version {done.commit[:VERSION_SHOWN]} is in force.")
    for path in done.paths:
        say(f"  {path}")
    say_left_out(done.left_out)
    if done.cleaned:
        say_wrapped(
            f"What stood in {', '.join(done.cleaned)} is kept in the history without its secrets.",
            whole=done.cleaned,
        )


def reach_json(reach: Reach) -> dict[str, Json]:
    """What `notebook reset` removed."""
    return {
        "files": list(reach.files),
        "edited": list(reach.edited),
        "kept": list(reach.kept),
        "cards": reach.cards,
        "versions": reach.versions,
    }


def say_reach(reach: Reach) -> None:
    """Tell what a reset would remove, before the person says yes."""
    cards, versions = count(reach.cards, "card"), count(reach.versions, "version")
    say(f"This goes: {cards} with their notes, {versions}, what waits to be done, and")
    for path in reach.files:
        say(f"  {path}{' (you wrote in it)' if path in reach.edited else ''}")
    if not reach.files:
        say("  no file of the vault")
    if reach.kept:
        say_wrapped(f"These skills stay: {', '.join(reach.kept)}.")


def _say_models(models: tuple[ModelLine, ...]) -> None:
    """The models, those that go to the same place in one line."""
    grouped: dict[tuple[str, str, bool, str], list[str]] = {}
    for one in models:
        place = (one.name, one.destination, one.agreed, one.trouble)
        grouped.setdefault(place, []).append(one.purpose.value)
    for (name, destination, agreed, trouble), purposes in grouped.items():
        where = f"{name} at {destination}" if name and name not in destination else destination
        asked = "" if agreed else "; you did not agree to it yet, `vaultmem notebook run` asks"
        say_field("Model", trouble or f"{where}, to {', '.join(purposes)}{asked}")


def _say_job(job: JobLine) -> None:
    if job.status == "running":
        say_field("Running", job.name)
    else:
        say_field("Failed", f"{job.sentence} {job.next_step}")


def _say_usage(found: NotebookStatus) -> None:
    if not found.usage:
        say_field("Usage", "nothing was sent so far")
        return
    for one in found.usage:
        say_field("Usage", f"{one.purpose}, {one.model}: {_spent(one)}")
    say_field("Today", _spent(found.today))


def _spent(one: Spent) -> str:
    cost = f", ${one.cost:.4f}" if one.unpriced < one.calls else ""
    unknown = f", {one.unpriced} of unknown price" if one.unpriced else ""
    return f"{count(one.calls, 'call')}, {one.input} tokens in, {one.output} out{cost}{unknown}"


def _spent_json(one: Spent) -> dict[str, Json]:
    return {
        "purpose": one.purpose or None,
        "model": one.model or None,
        "calls": one.calls,
        "input": one.input,
        "output": one.output,
        "cost": one.cost,
        "unpriced": one.unpriced,
    }


def _minute(moment: datetime) -> str:
    return moment.isoformat(sep=" ")[:16]
