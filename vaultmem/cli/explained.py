"""An explained report for the terminal and as JSON."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from vaultmem.cli.output import count, say, say_wrapped
from vaultmem.core.ids import short_id

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.core.explain import Explanation, LeftOut, Told
    from vaultmem.core.report import Report
    from vaultmem.core.report_trace import Stage

STAGES = {
    "mode": "The mode of the report",
    "status": "Status",
    "project_scope": "Project",
    "time_scope": "Time",
    "negative_scope": "Where it does not hold",
    "condition": "Where it holds",
    "lifecycle": "Lifecycle",
    "category_budget": "Places of the categories",
    "contested": "Contested",
    "max_records": "Caps in the settings",
    "room": "Room",
}
"""The filters' names for a person."""


def explanation_json(found: Explanation) -> dict[str, Json]:
    """The keys that an explanation adds to a report's."""
    return {
        "stages": [
            {
                "stage": one.processor,
                "entered": one.input,
                "passed": one.output,
                "excluded": [memory.id for memory in one.excluded],
            }
            for one in found.stages
        ],
        "told": [{**one._asdict(), "score": round(one.score, 4)} for one in found.told],
        "left_out": [dict(one._asdict()) for one in found.left_out],
    }


def say_explanation(made: Report, found: Explanation) -> None:
    """Say how many are told, then each with its section, then each that is not, by filter."""
    number = len(found.told) + len(found.left_out)
    if not number:
        say("There is no memory yet. Add one with `vaultmem add`.")
        return
    known = f"{count(number, 'memory', 'memories')} {'is' if number == 1 else 'are'}"
    say(
        f"{len(found.told)} of {known} told, in {made.tokens} of {made.budget} tokens; "
        f"class {made.query_class.value}."
    )
    for section, told in groupby(found.told, key=lambda one: one.section):
        say(f"\nTold: {section.replace('_', ' ')}")
        for memory in told:
            _say(memory)
    for stage in found.stages:
        if left_out := [one for one in found.left_out if one.stage == stage.processor]:
            say(f"\nLeft out: {_heading(stage)}")
            for one in left_out:
                _say(one)


def _heading(stage: Stage) -> str:
    passed = f"{stage.output} of {count(stage.input, 'memory', 'memories')} passed"
    return f"{STAGES[stage.processor]} ({passed})"


def _say(one: Told | LeftOut) -> None:
    say_wrapped(f"{one.statement or '(deleted)'} [{short_id(one.id)}]", first="- ", indent=2)
    say_wrapped(one.because, indent=4)
