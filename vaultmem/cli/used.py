"""How commands tell what came of memories: how often they were told, used and confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count, print_json, say, say_table
from vaultmem.core.ids import short_id
from vaultmem.core.reinforcement import Advice
from vaultmem.core.standing import local_moment
from vaultmem.services.telemetry import usage_with_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.cli.output import Json
    from vaultmem.services.call import Call
    from vaultmem.services.telemetry import Usage
    from vaultmem.services.track_record import TrackRecord

_ADVICE = {
    Advice.REVIEW_DUE: "its review is due",
    Advice.REVIEW: "look at it, it was corrected",
    Advice.LESS_STABLE: "call it less stable",
    Advice.MORE_STABLE: "call it stable",
    Advice.CONTEST: "contest it",
}


def print_usage(call: Call, *, as_json: bool) -> None:
    """What agents were told on this machine, and what their replies used of it."""
    rows = usage_with_statements(call)
    if as_json:
        told: list[Json] = [
            {"id": one.id, "statement": statement or None, **_usage_json(one)}
            for one, statement in rows
        ]
        print_json({"telemetry": told})
    else:
        _say_usage(rows)


def _usage_json(usage: Usage) -> dict[str, Json]:
    return {
        "injected": usage.injected,
        "used": usage.used,
        "cited": usage.cited,
        "rate": usage.rate,
        "last": _last(usage),
    }


def _say_usage(rows: Sequence[tuple[Usage, str]]) -> None:
    if not rows:
        say("No agent was told anything here yet.")
        return
    say_table(
        ("memory", "told", "used", "rate", "last"),
        (
            (
                f"{short_id(one.id)} {statement or '(not in force)'}",
                str(one.injected),
                str(one.used),
                f"{one.rate:.0%}",
                (_last(one) or "")[:10],
            )
            for one, statement in rows
        ),
    )


def record_json(record: TrackRecord) -> dict[str, Json]:
    """What came of a memory, in its stable shape."""
    return _usage_json(record.usage) | {
        "confirmed": record.confirmed,
        "succeeded": record.succeeded,
        "corrected": record.corrected,
        "score": record.score,
        "advice": [one.value for one in record.advice],
    }


def record_lines(record: TrackRecord) -> Iterator[str]:
    """What came of a memory, a line each; nothing of what never happened."""
    if told := record.usage.injected:
        used = f"used {record.usage.used} ({record.usage.rate:.0%})"
        yield f"told: {count(told, 'time')} here, {used}"
    happened = {
        "confirmed": record.confirmed,
        "silently right": record.succeeded,
        "corrected": record.corrected,
    }
    if any(happened.values()):
        each = ", ".join(
            f"{what} {count(times, 'time')}" for what, times in happened.items() if times
        )
        yield f"outcomes: {each}"
    if record.advice:
        yield f"advice: {'; '.join(_ADVICE[one] for one in record.advice)}"


def _last(usage: Usage) -> str | None:
    return local_moment(usage.last).isoformat() if usage.last else None
