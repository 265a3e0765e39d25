"""Force: what a signed force line covers, and when a person's edit renews it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.model import Layer
from vaultmem.core.selection import HARD_RULE_TYPES

if TYPE_CHECKING:
    from vaultmem.core.model import Memory


def needs_force(memory: Memory) -> bool:
    """Whether the memory wants to act rather than inform."""
    return memory.pinned or memory.enforced or memory.layer is Layer.IDENTITY


def can_act(memory: Memory) -> bool:
    """Whether force would mean anything: it wants to act, or it can be a hard rule."""
    return needs_force(memory) or (memory.rule is not None and memory.rule.value in HARD_RULE_TYPES)


def ways_to_act(memory: Memory) -> tuple[str, ...]:
    """How the memory would act once it had force, for a person who decides about that."""
    guardrail = f"guardrail: {memory.trigger} → {memory.action}"
    rule = memory.rule.value if memory.rule is not None else ""
    ways = {
        "identity": memory.layer is Layer.IDENTITY,
        "pinned": memory.pinned,
        guardrail: bool(memory.trigger and memory.action),
        f"verifier: {memory.verifier}": bool(memory.verifier),
        f"rule: {rule}": rule in HARD_RULE_TYPES,
    }
    return tuple(way for way, there in ways.items() if there)


def acts_sentence(memory: Memory) -> str:
    """How it would act, in one sentence for a person; "" for one that only informs."""
    ways = ", ".join(way.replace(": ", " ", 1) for way in ways_to_act(memory))
    return f"It would act as {ways}." if ways else ""


def force_message(memory: Memory) -> bytes:
    """What the key signs: the statement and every property that force rests on.

    Length-prefixed fields, so that no two memories spell the same message.
    """
    fields = (
        memory.statement,
        memory.layer.value,
        "pinned" if memory.pinned else "",
        memory.trigger or "",
        memory.action or "",
        memory.verifier or "",
        "" if memory.rule is None else memory.rule.value,
    )
    return b"".join(f"{len(data := field.encode())}:".encode() + data for field in fields)


def renews(old: Memory | None, new: Memory, *, had_force: bool) -> bool:
    """Whether a person's edit gives force by itself (DESIGN §3.2, §4).

    A pin is the person's word. Identity, a new hard rule, and what a guardrail matches and does
    wait for `ratify`.

    Args:
        old: the version that the person edited, None for a new note.
        new: the version that they wrote.
        had_force: whether a force line covered `old`.
    """
    if not can_act(new) or new.layer is Layer.IDENTITY:
        return False
    if new.pinned and not new.enforced:
        return True
    if old is None or not had_force:
        return False
    return _guardrail(old) == _guardrail(new)


def _guardrail(memory: Memory) -> tuple[str | None, ...]:
    return (memory.trigger, memory.action, memory.verifier)
