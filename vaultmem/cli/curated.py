"""What a curation did, and what was applied by itself, as lines and as JSON."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from vaultmem.cli.output import count, say, say_wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.cli.output import Json
    from vaultmem.services.curate import Curated
    from vaultmem.services.curating.applied_alone import AppliedAlone


def applied_json(one: AppliedAlone) -> dict[str, Json]:
    """What policy applied, with the command that takes it back."""
    return {
        "patch": one.patch,
        "op": one.op,
        "id": one.memory,
        "path": one.path,
        "statement": one.statement,
        "revert": one.revert,
    }


def say_applied_alone(applied: Iterable[AppliedAlone]) -> None:
    """Tell what was applied by itself, each patch with how to take it back."""
    for revert, changes in groupby(applied, key=lambda one: one.revert):
        lines = [f"{one.op}: {one.statement or one.memory}" for one in changes]
        for line in lines:
            say_wrapped(line, indent=2)
        it = "it" if len(lines) == 1 else "all of them"
        say_wrapped(f"Take {it} back with `{revert}`.", indent=4)


def curated_json(done: Curated, asked: str | None) -> dict[str, Json]:
    """A curation in its stable shape; `asked` is the mode that the option named."""
    return {
        "mode": done.mode,
        "asked": asked,
        "proposed": done.proposed,
        "proposed_id": done.proposed_id,
        "in_patches": done.in_patches,
        "patches": list(done.patches),
        "applied": [
            {"id": one.id, "op": one.op, "memory": one.memory, "path": one.path}
            for one in done.applied
        ],
        "skipped": [{"id": one.id, "code": one.code, "reason": one.reason} for one in done.skipped],
        "counted": [_of(done, one.candidate) | {"memory": one.memory} for one in done.counted],
        "repeats": [_of(done, one.candidate) | {"memory": one.memory} for one in done.repeats],
        "held": [
            _of(done, one.candidate) | {"hold": one.hold.value, "reason": one.sentence}
            for one in done.held
        ],
        "questions": [
            _of(done, one.candidate)
            | {
                "priority": one.priority.value,
                "text": one.text,
                "memories": list(one.memories),
            }
            for one in done.questions
        ],
        "kept_back": done.kept_back or None,
    }


def _of(done: Curated, candidate: str) -> dict[str, Json]:
    return {"candidate": candidate, "statement": done.statements[candidate]}


def _say_candidate(done: Curated, label: str, candidate: str) -> None:
    first = f"{label}: "
    say_wrapped(f"{done.statements[candidate]} ({candidate})", first=first, indent=len(first))


def say_curated(done: Curated, asked: str | None) -> None:
    """Tell what a curation did, what waits and why."""
    if asked not in (None, done.mode):
        say_wrapped(
            f"The mode is `{done.mode}`, as the settings say: an option can only ask for more "
            "care. Set `curator_mode` in the user config to allow less."
        )
    if done.kept_back:
        say_wrapped(f"Nothing was applied. {done.kept_back}")
        return
    for one in done.applied:
        say(f"Applied {one.op}: {one.path or one.memory}", note=one.path)
    for patch in done.patches:
        say_wrapped(f"Take it back with `vaultmem patch revert {patch}`.", indent=2)
    for left in done.skipped:
        say_wrapped(f"Left out {left.id}: {left.reason}")
    if done.counted:
        say(f"Counted {count(len(done.counted), 'candidate')} that said what is known.")
    if done.proposed:
        say(f"Proposed in {done.proposed}")
        say_wrapped(
            "Tick what you want and write `decision: apply` into the note, or run "
            f"`vaultmem patch apply {done.proposed_id}`."
        )
    for held in done.held:
        _say_candidate(done, "Waits", held.candidate)
        say_wrapped(held.sentence, indent=2)
    for repeat in done.repeats:
        _say_candidate(done, "Known already", repeat.candidate)
        say_wrapped(
            f"{repeat.memory} says it. Approve it with `vaultmem inbox approve`, and its evidence "
            "counts there.",
            indent=2,
        )
    for question in done.questions:
        _say_candidate(done, "Question", question.candidate)
        say_wrapped(f"{question.text} ({', '.join(question.memories)})", indent=2)
    _say_rest(done)


def _say_rest(done: Curated) -> None:
    """Tell what was not looked at, or that nothing was done."""
    nothing = not (done.applied or done.skipped or done.counted or done.proposed or done.held)
    if done.in_patches:
        say_wrapped(
            f"{count(done.in_patches, 'candidate')} in a patch that waits already; see `vaultmem "
            "patch list`."
        )
    if done.held and not (done.applied or done.proposed):
        say_wrapped("No patch was made. Decide about what waits with `vaultmem inbox review`.")
    elif nothing and not done.in_patches:
        say("Nothing to curate." if not done.repeats else "Nothing to propose.")
