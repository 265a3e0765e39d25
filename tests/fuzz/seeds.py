"""Real examples to begin with: the shipped vaults, the cases of frontmatter, every fixture."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from tests.core.patches import CANDIDATE, CHANGES, DEVICE, NOW, OLD, PATCH, operation
from tests.notes import broken_notes, frontmatter_blocks
from tests.store.notebook.cards import card
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.ids import MemoryId
from vaultmem.core.inference import Guardrail
from vaultmem.core.inquiry import Inquiry
from vaultmem.core.ledger import LedgerKind, new_entry
from vaultmem.core.model import Category, Memory, RuleType, Scope
from vaultmem.core.operation import Op
from vaultmem.core.patch import Patch
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.promotion_words import Destination
from vaultmem.core.trust import TrustClass
from vaultmem.notes.candidate import Candidate, Touched, candidate_body, encode_candidate
from vaultmem.notes.codec import encode_memory
from vaultmem.notes.evidence import append_evidence, new_evidence_day
from vaultmem.notes.inquiry import encode_inquiry
from vaultmem.notes.knowledge_draft import PLAIN
from vaultmem.notes.patch import encode_patch
from vaultmem.notes.patch_day import (
    Decided,
    DecidedOperation,
    Result,
    append_decided,
    new_patch_day,
)
from vaultmem.notes.promotion import Promotion, encode_promotion
from vaultmem.notes.session import encode_session

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests/fixtures"
HOOKS = ROOT / "tests/hooks"
MOST = 12_000
"""Bytes of an example; longer ones cost more than they find."""


def files(folder: Path, pattern: str) -> list[bytes]:
    """The files below a folder, each once, those that are not too long."""
    found = {path.read_bytes(): None for path in sorted(folder.rglob(pattern)) if path.is_file()}
    return [data for data in found if len(data) <= MOST]


def all_json(folder: Path, pattern: str) -> list[object]:
    """What the JSON files below a folder hold."""
    return [json.loads(data) for data in files(folder, pattern)]


BLOCKS = [
    *(case.data for case in frontmatter_blocks.cases() if len(case.data) <= MOST),
    *(one.data for one in broken_notes.KINDS.values() if len(one.data) <= MOST),
    *files(FIXTURES / "vaults", "*.md"),
]
"""Notes of people, well and badly written."""

MEMORY = Memory(
    id=OLD,
    statement="Never stage everything at once; add files by name.",
    category=Category.LESSON,
    rule=RuleType.AVOID_PATTERN,
    scope=Scope.PROJECT,
    project="github.com/harborline/quay-web",
    confidence=0.9,
    evidence_count=3,
    tags=("memory/git",),
    exceptions=("in a fresh repository",),
    trigger="bash_contains git add .",
    action="block",
    created=datetime(2026, 9, 3, 10, 12),
    review=date(2026, 12, 1),
    evidence=("[[2026-11-29 evidence dev_x#^ev-1]]",),
)
MEMORIES = [encode_memory(MEMORY, body="## Why\n\n- it lost `work`\n"), *files(ROOT / "example-vault/Memory", "*.md")]  # fmt: skip

PIECES = tuple(
    new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=TrustClass.USER_CORRECTION,
        excerpt=words,
        summary="The user says so.",
        session="s1",
        source_ref="message 4",
        created=NOW,
    )
    for words in ("No, use bun.", "```\n> [!quote] ev_x\n```\nand [[a]] #b", "潮位 👩‍👩‍👧")
)
EVIDENCE_DAY = append_evidence(new_evidence_day("log_" + OLD[4:], device=DEVICE, day=NOW.date()), *PIECES)  # fmt: skip

CANDIDATES = [
    encode_candidate(
        Candidate(
            memory=replace(MEMORY, id=MemoryId(CANDIDATE)),
            device=DEVICE,
            trust="user_correction",
            reasons=("It contradicts a pinned memory.",),
            vault_ref_suggestions=("[[Git worktrees]]",),
        ),
        body=candidate_body(["[[day#^ev-1]]"], [Touched("[[Add files by name]]", "Add files.")]),
    )
]
INQUIRIES = [
    encode_inquiry(
        Inquiry(id="inq_" + OLD[4:], question="Which database?", context="Two were named."),
        [Touched("[[A]]", "Use it.")],
    )
]
PROMOTIONS = [
    encode_promotion(
        Promotion(
            id="prom_" + OLD[4:],
            destination=destination,
            memory="[[Add files by name]]",
            statement="Add files by name.",
            reason="You said it in 3 sessions.",
            created=NOW,
            device=DEVICE,
            guardrail=Guardrail("bash_contains git add .", "block"),
            skill="add-files",
            draft="---\nname: x\n---\n1. Build\n",
        )
    )
    for destination in Destination
]
OPERATIONS = tuple(
    operation(op, id=f"op_{number:03}", before={"statement": "Use npm."} if op in CHANGES else {})
    for number, op in enumerate(Op, start=1)
)
PROPOSED = Patch(id=PATCH, operations=OPERATIONS, created=NOW, device=DEVICE)
PATCHES = [
    encode_patch(PROPOSED),
    encode_patch(replace(PROPOSED, operations=OPERATIONS[:3])),
    encode_patch(
        replace(PROPOSED, operations=tuple(replace(one, selected=True) for one in OPERATIONS[2:5]))
    ),
]
_DECIDED = Decided(
    id=PATCH,
    status=PatchStatus.APPLIED,
    at=NOW,
    by="person",
    operations=tuple(DecidedOperation.of(one, Result.APPLIED) for one in OPERATIONS),
)
PATCH_DAY = append_decided(
    append_decided(new_patch_day(PATCH, device=DEVICE, day=NOW.date()), _DECIDED),
    Decided(id=CANDIDATE, status=PatchStatus.REJECTED, at=NOW, by="policy"),
)
SESSION_NOTES = [encode_session(card(), "sess_" + OLD[4:], UTC)]
REVIEWS = [
    b"---\ntype: review\nproject: github.com/a/b\n---\n# Review guidelines\n\n"
    b"- Say why.\n- [ ] Name tests as sentences.\n  with more\n- [x] No `git add .`\n",
]
SKILLS = [b"---\nname: add-files\ndescription: Add files.\n---\n# Add files\n\n1. Look.\n2. Add.\n"]
TEMPLATES = [PLAIN, *files(ROOT / "example-vault/Templates", "*.md")]
CANVASES = [
    b'{"nodes":[{"id":"a","type":"file","file":"x.md","x":0,"y":-1.5,"width":400,"height":200},'
    b'{"id":"b","type":"text","text":"hi","x":1,"y":2,"width":3,"height":4,"mine":{"k":[1]}}],'
    b'"edges":[{"id":"e","fromNode":"a","toNode":"b","label":"informs"}],"mine":1}'
]
LEDGER = tuple(
    new_entry(
        datetime(2026, 11, 29, 21, number, tzinfo=UTC),
        act,
        OLD,
        {"keys": "tags", "n": number, "x": 0.5, "y": True},
        randomness=bytes([number]) * 10,
    )
    for number, act in enumerate(("edited", "cited", "force", "forgot"), start=1)
)
KINDS = tuple(LedgerKind)

OURS = [
    *MEMORIES[:40],
    *CANDIDATES,
    *INQUIRIES,
    *PROMOTIONS,
    *PATCHES,
    *SESSION_NOTES,
    *REVIEWS,
    *SKILLS,
    EVIDENCE_DAY,
    PATCH_DAY,
]
"""A note of every type that we write."""


@cache
def session_lines() -> list[bytes]:
    """Session files of the agents."""
    places = [FIXTURES / "sessions", HOOKS / "payloads"]
    return [data for place in places for data in files(place, "*.jsonl")]


@cache
def wire() -> list[dict]:
    """Every request of the protocol's examples."""
    pages = [json.loads(path.read_text()) for path in sorted((HOOKS / "examples").glob("*.json"))]
    cases = [case for page in pages if isinstance(page, dict) for case in page["cases"]]
    return [case["request"] for case in cases if "request" in case]
