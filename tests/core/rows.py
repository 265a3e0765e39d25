"""Standing rows for tests: an ordinary, fresh, explicit lesson with some columns changed."""

from __future__ import annotations

from vaultmem.core.standing import DAY, Standing

NOW = 20_000 * DAY + 10 * 3600
"""2024-10-04T10:00 local."""


def days_ago(days: float) -> float:
    return NOW - days * DAY


ORDINARY = Standing(
    id="mem_01JDR3Z8Q4M5N6P7R800000000",
    path="Memory/Lessons/A lesson.md",
    statement="Close the file before it is renamed.",
    category="lesson",
    layer="L2",
    status="active",
    scope="global",
    project="",
    cue="explicit",
    confidence=0.95,
    evidence_count=2,
    pinned=0,
    enforced=0,
    reinforced=days_ago(3),
    created=days_ago(3),
    review=0.0,
    valid_from=0.0,
    valid_to=0.0,
    expires=0.0,
    applies_when="",
    not_when="",
    rule="",
    trust="",
    force=0,
    session="",
)


def ident(number: int) -> str:
    return f"mem_01JDR3Z8Q4M5N6P7R8{number:08d}"


def short(number: int) -> str:
    return f"{number:08d}"


def row(number: int = 0, **changes: object) -> Standing:
    """An ordinary row with its own id and statement."""
    own: dict[str, object] = {"id": ident(number)}
    if number:
        own["statement"] = f"Rule {number} about the parser."
    return ORDINARY._replace(**{**own, **changes})
