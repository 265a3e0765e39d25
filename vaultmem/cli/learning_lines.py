"""One learning for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import project_name, say, say_wrapped
from vaultmem.core.ids import short_id
from vaultmem.core.topics import category_name

if TYPE_CHECKING:
    from vaultmem.cli.output import Json
    from vaultmem.services.learnings import Learning


def say_learning(one: Learning, number: int) -> None:
    """The statement under its number, and on the next line what there is to know of it."""
    say_wrapped(one.statement, first=f"{number:>3}  ", indent=5)
    say(f"     {', '.join(_facts(one))}")


def to_json(one: Learning) -> dict[str, Json]:
    """The stable shape."""
    return dict(one._asdict())


def _facts(one: Learning) -> list[str]:
    acts = "acts" if one.force and not one.out else ""
    facts = [
        short_id(one.id),
        category_name(one.layer, one.category),
        one.status if one.status != "active" else "",
        one.out if not one.out.startswith("status:") else "",
        "pinned" if one.pinned else "",
        "unreviewed" if one.unreviewed else acts,
        project_name(one.project),
        "" if one.age_days is None else _age(one.age_days),
    ]
    return [fact for fact in facts if fact]


def _age(days: int) -> str:
    return {0: "today", 1: "1 day old"}.get(days, f"{days} days old")
