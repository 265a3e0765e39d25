"""A governed memory's root for tests, spelled as the facts say (sections 1 and 2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CHANGE = "if later sessions contradict it or it fails in 2+ projects, revise or deprecate"


def memory(identifier: str, statement: str, **fields: object) -> dict[str, object]:
    """A memory record as the curator makes one (section 2.1)."""
    record: dict[str, object] = {
        "id": identifier,
        "layer": "L2",
        "resource_id": "user:ada",
        "scope": {"type": "global"},
        "tags": [],
        "statement": statement,
        "evidence": [{"type": "artifact", "ref": "daily/2026-01-05.md", "note": "Seen there."}],
        "confidence": 0.8,
        "stability": "semi-stable",
        "status": "active",
        "created_at": "2026-01-05",
        "updated_at": "2026-02-06",
        "review": {"cadence_days": 30, "next_review": "2026-02-04", "change_condition": CHANGE},
        "supersedes": [],
        "superseded_by": [],
        "vault_ref": None,
    }
    return record | fields


def candidate(identifier: str, text: str, **fields: object) -> dict[str, object]:
    """A candidate of the inbox (section 2.3)."""
    record: dict[str, object] = {
        "id": identifier,
        "created_at": "2026-03-01T10:00:00.000Z",
        "source": {"type": "memory_write", "ref": "session-1", "cwd": "/home/ada/src/tide"},
        "text": text,
        "tags": [],
        "evidence_refs": ["daily/2026-03-01.md"],
        "confidence": 0.7,
        "status": "new",
    }
    return record | fields


def piece(identifier: str, excerpt: str, **fields: object) -> dict[str, object]:
    """A record of the evidence store (section 2.2)."""
    record: dict[str, object] = {
        "id": identifier,
        "created_at": "2026-01-05T09:30:00Z",
        "source_kind": "conversation",
        "source_session_id": "session-9",
        "source_ref": "message 4",
        "source_summary": "The user says so.",
        "source_excerpt": excerpt,
        "redaction_status": "none",
        "trust_class": "user_correction",
        "polarity": "supports",
        "durability_signal": "project",
        "related_memory_ids": [],
    }
    return record | fields


def write_lines(root: Path, relative: str, *records: object) -> None:
    """A JSONL store; a text is written as it is."""
    place = root / relative
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = (one if isinstance(one, str) else json.dumps(one) for one in records)
    place.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def write_json(root: Path, relative: str, value: object) -> None:
    """A JSON file."""
    place = root / relative
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(value, indent=2), "utf-8")


def empty(root: Path) -> Path:
    """The files that its first use makes (section 1.2)."""
    for folder in ("memory/projects", "rendered/projects", "daily", "inbox", "patches", "runtime"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    stores = ("profiles", "evidence", "tombstones", "reinforcement", "inquiries")
    for name in (*stores, "L1.identity", "L2.playbooks"):
        write_lines(root, f"memory/{name}.jsonl")
    write_lines(root, "inbox/captured.jsonl")
    (root / "scratchpad.md").write_text("# Scratchpad\n", "utf-8")
    return root


UV = "Use uv for Python environments; never pip."
TESTS = "Run the tests before a push to the main branch."
OLD_PORT = "The staging database listens on port 5432."
NEW_PORT = "The staging database listens on port 6432."
FORGOTTEN = "Keep the changelog in the wiki."
DOUBTED = "The nightly build takes an hour."
ADA = "Ada prefers short answers."
WAITING = "Name branches after the ticket."


def lived_in(root: Path) -> Path:
    """One of each: layers, statuses, links, evidence, candidates, questions, scratchpad."""
    empty(root)
    write_lines(root, "memory/L1.identity.jsonl", memory("mem_ada", ADA, layer="L1"))
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        memory("legacy_20260105_001", UV, ruleType="prefer_pattern", tags=["python"]),
        memory("mem_old", OLD_PORT, status="superseded", superseded_by=["mem_new"]),
        memory("mem_new", NEW_PORT, supersedes=["mem_old"], vault_ref="Ops/Staging.md"),
        memory("mem_gone", FORGOTTEN, status="deleted"),
        memory("mem_doubt", DOUBTED, status="contested"),
        "{not json",
        memory("mem_l3", "A log line.", layer="L3"),
        {"id": "mem_silent", "layer": "L2"},
    )
    write_lines(
        root,
        "memory/projects/tide.jsonl",
        memory(
            "mem_tests",
            TESTS,
            scope={"type": "project", "project": "tide"},
            evidence=[{"type": "user_correction", "ref": "ev1", "note": "told"}],
            ruleType="testing",
            applies_when=["pushing"],
        ),
    )
    write_lines(
        root,
        "memory/evidence.jsonl",
        piece("ev1", "Always run the tests before you push to the main branch."),
        piece("ev2", "", redaction_status="deleted"),
    )
    write_lines(
        root,
        "memory/tombstones.jsonl",
        {"id": "tomb_1", "deleted_record_id": "mem_gone", "deletion_mode": "audit_preserving"},
    )
    write_lines(
        root,
        "memory/reinforcement.jsonl",
        {
            "id": "r1",
            "memory_id": "mem_tests",
            "outcome": "explicit_reinforcement",
            "timestamp": "2026-02-07T08:00:00",
        },
        {"id": "r2", "memory_id": "mem_tests", "outcome": "implicit_success"},
    )
    write_lines(
        root,
        "memory/inquiries.jsonl",
        {"id": "inq_1", "question": "Which port is right?", "status": "open", "priority": "high"},
        {"id": "inq_2", "question": "Is it done?", "status": "answered"},
    )
    write_lines(root, "memory/profiles.jsonl", {"profile_id": "project:tide"})
    write_lines(
        root,
        "inbox/captured.jsonl",
        candidate("cap_20260301100000_ab12", WAITING),
        candidate("cap_20260301100001_ab12", "It was taken.", status="patched"),
    )
    write_json(
        root,
        "patches/patch_202603010000_001.json",
        {
            "patch_id": "patch_202603010000_001",
            "status": "proposed",
            "ops": [
                {
                    "op_id": "op_001",
                    "op": "add",
                    "record": memory("mem_patch", "Pin the base image."),
                },
                {"op_id": "op_002", "op": "decay", "target_id": "mem_new", "updates": {}},
            ],
        },
    )
    write_json(root, "patches/patch_202602010000_001.json", {"status": "applied", "ops": []})
    write_json(root, "config.json", {"curator": {"minConfidence": 0.9, "mode": "propose"}})
    pad = "# Scratchpad\n\n- [ ] Ask about the port\n- [x] Write it down\n"
    (root / "scratchpad.md").write_text(pad, "utf-8")
    (root / "daily" / "2026-01-05.md").write_text("A day.\n", "utf-8")
    return root
