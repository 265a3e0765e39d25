"""Memories, operations and strategies that the tests of patches share."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Cue, Layer, Memory, RuleType, Scope, Stability, Status
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.core.patch import Patch, new_patch
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import RULES, Applier, Facts

ULID = "01JDR3Z8Q4M5N6P7R8S9T0V1W"
OLD, NEW, OTHER = (MemoryId(f"mem_{ULID}{end}") for end in "123")
CANDIDATE, PATCH, DEVICE = f"cand_{ULID}2", f"patch_{ULID}4", f"dev_{ULID}5"
NOW = datetime(2026, 11, 29, 21, 5)
PERSON, POLICY = Facts(applier=Applier.PERSON), Facts(applier=Applier.POLICY)

TARGET = Memory(
    id=OLD,
    statement="Use npm for installs.",
    confidence=0.9,
    tags=("memory/npm",),
    exceptions=("in CI",),
    created=datetime(2026, 9, 3, 10, 12),
)
FRESH = Memory(id=NEW, statement="Use bun for installs.", confidence=0.95)

CHANGES = {
    Op.UPDATE: {"statement": "Use npm 11 for installs.", "tags": ("memory/npm", "memory/tool")},
    Op.UPDATE_STABILITY: {"stability": Stability.STABLE},
    Op.FLAG_FOR_REVIEW: {"review": date(2026, 12, 1)},
    Op.DECAY: {"confidence": 0.75, "review": date(2026, 12, 29)},
    Op.ADD_EXCEPTION: {"exceptions": ("in CI", "on Windows"), "not_when": ("offline",)},
}
"""The usual changes of the kinds that need some."""


def link(identifier: str) -> str:
    """The link of a note that is named after its id."""
    return f"[[Note {identifier[-1]}]]"


def operation(op: Op, **parts: object) -> Operation:
    """A well-formed operation of a kind on `TARGET`, without `before`."""
    rule = RULES[op]
    usual = Operation(
        op=op,
        target=OLD if rule.statuses else None,
        memory=FRESH if rule.creates else None,
        candidate=CANDIDATE if rule.creates or op is Op.REJECT_CANDIDATE else None,
        changes=CHANGES.get(op, {}),
    )
    return replace(usual, **parts)  # type: ignore[arg-type]


def target_of(op: Op, *, status: Status | None = None) -> Memory | None:
    """`TARGET` in a status that the kind takes; None for a kind without a target."""
    allowed = sorted(RULES[op].statuses)
    return replace(TARGET, status=status or allowed[0]) if allowed else None


def proposed(
    op: Op, on: Memory | None = None, /, **parts: object
) -> tuple[Operation, Memory | None]:
    """An operation as it stands in a patch, with its target."""
    target = on or target_of(op)
    return propose(operation(op, **parts), target), target


def patch_of(*operations: Operation, memory: Memory | None = TARGET) -> Patch:
    """A patch of these operations on one memory."""
    pairs = [(one, memory if one.target else None) for one in operations]
    return new_patch(PATCH, pairs, created=NOW, device=DEVICE)


words = (
    st.text(
        st.sampled_from("abc XYZ 019 é😀漢—.,;!?#[]()<>%^$=|`*_-+:/\\\"'{}&@~📅🔁\u200d\u2028\x7f"),
        min_size=1,
        max_size=40,
    )
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
phrases = st.lists(words, max_size=3).map(tuple)
tags = st.lists(st.sampled_from(["memory/git", "memory/a", "x"]), max_size=2).map(tuple)
moments = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0)
)
days = st.dates(date(1970, 1, 1), date(2199, 1, 1))
shares = st.integers(0, 100).map(lambda number: number / 100)

VALUES = {
    "statement": words,
    "category": st.sampled_from(Category),
    "rule": st.none() | st.sampled_from(RuleType),
    "scope": st.sampled_from(Scope),
    "project": st.none() | words,
    "domains": phrases,
    "cue": st.sampled_from(Cue),
    "confidence": shares,
    "evidence_count": st.integers(0, 99),
    "pinned": st.booleans(),
    "tags": tags,
    "reinforced": st.none() | moments,
    "review": st.none() | days,
    "review_days": st.integers(1, 3650),
    "evidence": phrases,
    "vault_ref": st.none() | words,
    "exceptions": phrases,
    "valid_to": st.none() | moments,
    "trigger": st.none() | words,
}
"""Values of fields that an update may change."""

statuses = st.sampled_from(Status)
memories = st.builds(
    Memory,
    id=st.just(OLD),
    status=statuses,
    layer=st.sampled_from([Layer.IDENTITY, Layer.PLAYBOOK]),
    stability=st.sampled_from(Stability),
    superseded_by=phrases,
    **VALUES,
)
newcomers = st.builds(Memory, id=st.just(NEW), layer=st.sampled_from(Layer), **VALUES)


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """A well-formed operation of any kind on `OLD`, not yet proposed."""
    op = draw(st.sampled_from(Op))
    changes = CHANGES.get(op, {})
    if op is Op.UPDATE:
        names = draw(st.sets(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
        changes = {name: draw(VALUES[name]) for name in sorted(names)}
    return operation(
        op,
        changes=changes,
        memory=draw(newcomers) if RULES[op].creates else None,
        reason=draw(st.just("") | words),
        deletion=draw(st.sampled_from(Deletion)) if op is Op.DELETE else Deletion.AUDIT,
        selected=draw(st.booleans()),
    )
