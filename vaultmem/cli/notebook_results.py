"""How the work on the notebook is printed: extraction, rewrite, dream, and all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.notebook_lines import VERSION_SHOWN
from vaultmem.cli.output import count, finding_json, say, say_findings, say_wrapped
from vaultmem.core.visible import visible_line
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.dreaming.result import DreamOutcome

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.llm.model import Usage
    from vaultmem.services.notebook.consolidated import Consolidated
    from vaultmem.services.notebook.dream import Dreamed
    from vaultmem.services.notebook.extracted import ExtractRun
    from vaultmem.services.notebook.run import Ran

_LISTED, _SHOWN = 5, 120
"""Lines that were left out which are told, and the characters of each."""
FAILED, STOPPED = 1, 130
"""Exit codes: a model gave no answer that could be used; the work was interrupted."""


def exit_code(
    extracted: ExtractRun | None, consolidated: Consolidated | None, *, stopped: bool
) -> int:
    """The exit code of work that was done as far as it could be."""
    if stopped:
        return STOPPED
    sessions = extracted is not None and extracted.failed > 0
    rewrite = consolidated is not None and consolidated.outcome is Outcome.FAILED
    return FAILED if sessions or rewrite else 0


def is_silent(ran: Ran, dreamed: Dreamed | None) -> bool:
    """Whether a run did nothing that is worth a word."""
    rests = (DreamOutcome.NOTHING, DreamOutcome.COOLDOWN, DreamOutcome.RUNNING, DreamOutcome.RETRY)
    return (
        (ran.extracted is None or not (ran.extracted.claimed or ran.extracted.failed))
        and (ran.consolidated is None or ran.consolidated.outcome in _IDLE)
        and (dreamed is None or dreamed.outcome in (*rests, DreamOutcome.OFF))
    )


def run_json(ran: Ran, dreamed: Dreamed | None) -> dict[str, Json]:
    """`notebook run`; a step that was not reached is null."""
    return {
        "pruned": ran.pruned,
        "extracted": None if ran.extracted is None else extracted_json(ran.extracted),
        "consolidated": None if ran.consolidated is None else consolidated_json(ran.consolidated),
        "dreamed": None if dreamed is None else dreamed_json(dreamed),
        "rate": ran.rate,
        "skipped": ran.skipped or None,
        "findings": [finding_json(one) for one in ran.findings],
    }


def say_run(ran: Ran, dreamed: Dreamed | None) -> None:
    """Tell what each step did."""
    if ran.pruned:
        say(f"{count(ran.pruned, 'card')} that nobody used went.")
    if ran.extracted is not None:
        say_extracted(ran.extracted)
    failed = ran.extracted is not None and ran.extracted.failed > 0
    idle = ran.consolidated is not None and _is_bare(ran.consolidated)
    if ran.consolidated is not None and not (failed and idle):
        say_consolidated(ran.consolidated)
    if dreamed is not None:
        say_dreamed(dreamed)
    if ran.skipped:
        say_wrapped(ran.skipped)
    say_findings(ran.findings)


def extracted_json(done: ExtractRun) -> dict[str, Json]:
    """`notebook extract`."""
    return {
        "claimed": done.claimed,
        "written": done.written,
        "no_output": done.no_output,
        "failed": done.failed,
        "given_back": done.given_back,
        "running": done.running,
        "proposed": done.proposed,
        "usage": usage_json(done.usage),
        "findings": [finding_json(one) for one in done.findings],
    }


def say_extracted(done: ExtractRun) -> None:
    """Tell what became of the sessions."""
    if done.running:
        say_wrapped(f"Another run reads {count(done.running, 'session')} now.")
    if done.given_back:
        sent = count(done.given_back, "session was", "sessions were")
        say_wrapped(f"{sent} sent; the run ended before an answer came.{_usage(done.usage)}")
    elif not done.claimed and not done.failed and not done.running:
        say("No session is due.")
    if done.claimed or done.failed:
        parts = [
            f"{done.written} became a card",
            f"{done.no_output} taught nothing",
            f"{done.failed} failed" if done.failed else "",
        ]
        sessions = count(max(done.claimed, done.failed), "session")
        say_wrapped(f"{sessions}: {', '.join(filter(None, parts))}.{_usage(done.usage)}")
    if done.proposed:
        what = count(done.proposed, "candidate waits", "candidates wait")
        say(f"{what} in the inbox: `vaultmem inbox review`.")
    say_findings(done.findings)


def consolidated_json(done: Consolidated) -> dict[str, Json]:
    """`notebook consolidate`."""
    return {
        "outcome": done.outcome.value,
        "commit": done.commit,
        "dropped_lines": list(done.dropped_lines),
        "skills": list(done.skills),
        "message": done.message or None,
        "usage": usage_json(done.usage),
        "findings": [finding_json(one) for one in done.findings],
    }


def say_consolidated(done: Consolidated) -> None:
    """Tell what became of the rewrite."""
    if done.outcome is Outcome.DONE and done.commit is not None:
        say_wrapped(
            f"The notebook is rewritten: version {done.commit[:VERSION_SHOWN]}.{_usage(done.usage)}"
        )
        say("Look at it with `vaultmem notebook show`; `vaultmem notebook restore` goes back.")
        if done.skills:
            say_wrapped(f"Skills that the model wrote: {', '.join(done.skills)}.")
    elif done.outcome is Outcome.NOTHING and not _is_bare(done):
        say_wrapped(f"The rewrite left the notebook as it was.{_usage(done.usage)}")
    else:
        word = _OUTCOMES.get(done.outcome, "")
        say_wrapped(f"{word}{_usage(done.usage)} {done.message}".strip())
    if done.dropped_lines:
        lines = count(len(done.dropped_lines), "line was", "lines were")
        say_wrapped(f"{lines} left out for want of a source:")
        for line in done.dropped_lines[:_LISTED]:
            say_wrapped(visible_line(line, _SHOWN), indent=2)
        if len(done.dropped_lines) > _LISTED:
            say(f"  and {len(done.dropped_lines) - _LISTED} more")
    say_findings(done.findings)


def _is_bare(done: Consolidated) -> bool:
    """Whether nothing was to be changed, so that no model was asked."""
    return done.outcome is Outcome.NOTHING and not (done.usage.input or done.usage.output)


def dreamed_json(done: Dreamed) -> dict[str, Json]:
    """`notebook dream`."""
    return {
        "outcome": done.outcome.value,
        "reviewed": done.reviewed,
        "durable": list(done.durable),
        "patch": done.patch,
        "path": done.path,
        "waiting": done.waiting,
        "merged": done.merged,
        "promoted": done.promoted,
        "usage": usage_json(done.usage),
        "findings": [finding_json(one) for one in done.findings],
    }


def say_dreamed(done: Dreamed) -> None:
    """Tell what a dream did and proposes."""
    say_wrapped(f"{DREAMS[done.outcome]}{_usage(done.usage)}")
    if done.reviewed:
        say_wrapped(
            f"{count(done.reviewed, 'candidate')} looked at; {len(done.durable)} of them may last."
        )
    if done.merged:
        say(f"{count(done.merged, 'memory', 'memories')}: where it came from is filled in.")
    if done.promoted:
        say(f"{count(done.promoted, 'promotion')}; `vaultmem promote list` names what waits.")
    if done.patch is not None:
        say_wrapped(f"One patch waits: `vaultmem patch show {done.patch}`.")
        say(f"  {done.path}", note=done.path)
    if done.waiting is not None:
        say_wrapped(
            f"The patch of an earlier dream waits: `vaultmem patch show {done.waiting}`. Nothing "
            "more is proposed before it is decided."
        )
    say_findings(done.findings)


def usage_json(usage: Usage) -> dict[str, Json]:
    """Tokens and cost; `cost` is null where nobody tells it."""
    return {"input": usage.input, "output": usage.output, "cost": usage.cost}


_IDLE = (
    *(Outcome.NOTHING, Outcome.COOLDOWN, Outcome.RUNNING, Outcome.WAITING),
    *(Outcome.NOT_THIS_DEVICE, Outcome.OFF),
)
_OUTCOMES = {
    Outcome.DONE: "Done.",
    Outcome.NOTHING: "Nothing is to be changed.",
    Outcome.PLANNED: "Nothing was sent.",
    Outcome.WAITING: "The last rewrite failed.",
    Outcome.OUTDATED: "Nothing was published; the next run begins anew.",
    Outcome.LOST: "Nothing was published.",
    Outcome.BLOCKED: "The notebook is not rewritten yet.",
    Outcome.STOPPED: "Nothing was published.",
    Outcome.OFF: "Nothing is sent or rewritten.",
    Outcome.FAILED: "The rewrite failed; the notebook is as it was.",
}
"""What a message needs before it; the others say it all."""
DREAMS = {
    DreamOutcome.DONE: "Done.",
    DreamOutcome.NOTHING: "There is nothing to tidy up.",
    DreamOutcome.WAITING: "Where memories came from and what earned a stronger form is done.",
    DreamOutcome.WITHOUT_MODEL: "Where memories came from and what earned a stronger form is "
    "done; no model was asked.",
    DreamOutcome.COOLDOWN: "The last dream was less than three hours ago; `vaultmem notebook dream "
    "--now` dreams anyway.",
    DreamOutcome.RUNNING: "Another process is at it.",
    DreamOutcome.RETRY: "The last dream failed; it is tried again in an hour, or at once by "
    "`vaultmem notebook dream --now`.",
    DreamOutcome.OFF: "Nothing is dreamed here.",
    DreamOutcome.STOPPED: "Stopped; the next dream goes on.",
    DreamOutcome.PLANNED: "Nothing was sent.",
}


def _usage(usage: Usage) -> str:
    if not usage.input and not usage.output:
        return ""
    cost = "" if usage.cost is None else f", ${usage.cost:.4f}"
    return f" {usage.input} tokens in, {usage.output} out{cost}."
