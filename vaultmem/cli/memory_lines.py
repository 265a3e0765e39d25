"""One memory on a terminal or as JSON: what it says, what is set, and what a word on it changed."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from vaultmem.cli.output import finding_json, print_json, say, say_findings, say_wrapped
from vaultmem.cli.used import record_json, record_lines

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.services.show import Shown
    from vaultmem.services.standing_change import Changed


def say_shown(shown: Shown) -> None:
    """A memory for a person: its statement, what is set, and what follows from it."""
    say(shown.statement)
    say()
    for key, value in shown.properties.items():
        if value not in (None, (), "", False):
            say(f"  {key}: {as_text(value)}")
    if shown.foreseen is not None:
        say_wrapped(f"{shown.foreseen.sentence} Decide with `vaultmem inbox`.", indent=2)
    else:
        say(f"  lifecycle: {_life(shown)}")
    if shown.record is not None:
        for line in record_lines(shown.record):
            say(f"  {line}")
    if shown.validity.end is not None:
        by = f" by {shown.validity.ended_by}" if shown.validity.ended_by else ""
        say(f"  held until: {shown.validity.end} ({shown.validity.reason}{by})")
    if shown.state != "live" and shown.foreseen is None:
        say(f"  state: {shown.state}")
    say(f"  path: {shown.path}", note=shown.path)
    say_findings(shown.findings)


def _life(shown: Shown) -> str:
    return f"{shown.lifecycle} (score {shown.score:.2f}, evidence {shown.evidence:g})"


def shown_json(shown: Shown) -> dict[str, Json]:
    """The stable shape: every property at the top, then what is derived."""
    properties: dict[str, Json] = {key: as_value(value) for key, value in shown.properties.items()}
    return properties | {
        "id": shown.id,
        "path": shown.path,
        "statement": shown.statement,
        "body": shown.body,
        "lifecycle": shown.lifecycle or None,
        "score": round(shown.score, 4) if shown.lifecycle else None,
        "state": shown.state,
        "force": shown.force,
        "evidence_live": shown.evidence,
        "validity": {
            "from": as_value(shown.validity.start),
            "to": as_value(shown.validity.end),
            "ended_by": shown.validity.ended_by or None,
            "reason": shown.validity.reason or None,
        },
        "record": None if shown.record is None else record_json(shown.record),
        "approval": None if shown.foreseen is None else shown.foreseen.op,
        "target": None if shown.foreseen is None else shown.foreseen.target,
        "findings": [finding_json(one) for one in shown.findings],
    }


def as_value(value: object) -> Json:
    """A property's value as JSON: dates in Obsidian's form, tuples as lists."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [as_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): as_value(item) for key, item in value.items()}
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def as_text(value: object) -> str:
    """A property's value for a person: `true`, not `True`; lists by commas; nothing as nothing."""
    found = as_value(value)
    if isinstance(found, list):
        return ", ".join(map(as_text, found))
    if isinstance(found, bool):
        return "true" if found else "false"
    return "" if found is None else str(found)


def print_changed(done: Changed, word: str, *, as_json: bool) -> None:
    """Print what a person's word made of a memory."""
    if as_json:
        print_json(dict(done._asdict()))
    else:
        say_changed(done, word)


def say_changed(done: Changed, word: str) -> None:
    """What a person's word made of a memory, and how it is taken back."""
    already = f"{word.removesuffix(' again')} already"
    say_wrapped(f"{word if done.changed else already}: {done.statement}")
    say(f"  {done.path}", note=done.path)
    if done.pinned and not done.force:
        say_wrapped(f"It may not act yet: run `vaultmem ratify {done.id}`.", indent=2)
    if done.patch is not None:
        say_wrapped(f"Take it back with `vaultmem patch revert {done.patch}`.", indent=2)
