"""Memories in the formats of other tools: every memory once, every number where it belongs."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.category import Category
from vaultmem.core.evidence import Evidence, EvidenceId, Redaction, SourceKind
from vaultmem.core.exporting.records import CHANGE, STORES, record_files
from vaultmem.core.exporting.topic_files import NOT_ACTIVE, TOO_LONG, TWICE, topic_files
from vaultmem.core.holdings import Asked, Deleted, Happened, Held, Holdings, Waits
from vaultmem.core.ids import MemoryId
from vaultmem.core.importing.entry import entry_key, read_entry
from vaultmem.core.model import Cue, Layer, Memory, RuleType, Scope, Status
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.trust import TrustClass

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = "2026-11-30"


def held(statement="Say it.", **fields) -> Held:
    links = {
        name: fields.pop(name) for name in ("cites", "informs", "derived_from") if name in fields
    }
    identifier = MemoryId(fields.pop("id", f"mem_{statement}"))
    return Held(
        Memory(id=identifier, statement=statement, **fields),
        "Memory/Lessons/A.md",
        "[[A]]",
        **links,
    )


def records(made, name):
    return [json.loads(line) for line in made.files[name].split("\n") if line]


def scores(made):
    return json.loads(made.files["memory-scores.jsonl"])["entries"]


@pytest.mark.parametrize(
    ("fields", "lifecycle"),
    [
        ({"pinned": True}, "active"),
        ({"verifier": "tool_called a before b"}, "active"),
        ({"evidence_count": 4}, "active"),
        ({"evidence_count": 2}, "provisional"),
        ({}, "candidate"),
        ({"cue": Cue.RECURRENCE}, "candidate"),
        ({"reinforced": datetime(2026, 1, 1)}, "dropped"),
    ],
)
def test_the_lifecycle_is_by_the_thresholds_of_the_other_tool(fields, lifecycle):
    made = topic_files([held(**({"reinforced": NOW.replace(tzinfo=None)} | fields))], at=NOW)
    (record,) = scores(made).values()
    assert record["lifecycle"] == lifecycle


def test_a_memory_without_dates_is_of_today():
    (record,) = scores(topic_files([held()], at=NOW)).values()
    assert record["firstSeen"] == record["lastReinforced"] == "2026-11-30T12:00:00"


def test_a_command_stands_apart_from_its_action():
    made = topic_files([held(trigger="file_modified *.py", action="run_after ruff check")], at=NOW)
    (record,) = scores(made).values()
    assert (record["action"], record["actionCommand"]) == ("run_after", "ruff check")


def test_scope_expiry_and_links_stand_in_the_record():
    made = topic_files(
        [
            held("A.", scope=Scope.SESSION, project="p", expires=datetime(2027, 1, 1)),
            held(
                "B.",
                scope=Scope.PROJECT,
                project="p",
                informs=(MemoryId("mem_A."), MemoryId("mem_gone")),
            ),
        ],
        at=NOW,
    )
    first, second = scores(made)[entry_key("lesson", "A.")], scores(made)[entry_key("lesson", "B.")]
    assert (first["scope"], first["expiresAt"]) == ("session", "2027-01-01T00:00:00")
    assert "scope" not in second
    assert second["informs"] == [entry_key("lesson", "A.")]


def test_what_has_no_place_is_counted():
    made = topic_files(
        [
            held(),
            held(id="mem_2"),
            held("x" * 12_000),
            *(held(str(one), status=one) for one in Status if one is not Status.ACTIVE),
        ],
        at=NOW,
    )
    assert made.taken == {"memories": 1}
    assert made.left_out == {TWICE: 1, TOO_LONG: 1, NOT_ACTIVE: 5}


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=300)


@given(st.lists(st.tuples(TEXT, st.sampled_from(Category), st.booleans()), max_size=60))
def test_every_line_is_read_again_and_has_its_score(told):
    memories = [
        held(text, id=f"mem_{number}", category=category, pinned=pinned)
        for number, (text, category, pinned) in enumerate(told)
        if text.strip()
    ]
    made = topic_files(memories, at=NOW)
    entries = [
        read_entry(line)
        for name, text in made.files.items()
        if name.endswith(".md")
        for line in text.split("\n")[1:]
        if line
    ]
    assert all(len(text) <= 12_000 for name, text in made.files.items() if name.endswith(".md"))
    assert None not in entries
    assert {entry_key(one.category, one.text) for one in entries} == set(scores(made))
    assert len(entries) == made.taken["memories"]


def test_a_root_has_all_the_files_of_its_first_use():
    made = record_files(Holdings(), [], day=DAY)
    assert set(made.files) == {*STORES, "scratchpad.md"}
    assert all(made.files[name] == "" for name in STORES)
    assert made.files["scratchpad.md"] == "# Scratchpad\n\n"
    assert (made.taken, made.left_out) == ({}, {})


def test_a_record_has_every_field_that_its_validation_asks_for():
    made = record_files(Holdings(memories=(held(),)), [], day=DAY)
    (record,) = records(made, "memory/L2.playbooks.jsonl")
    assert record["evidence"] == [
        {"type": "manual", "ref": "Memory/Lessons/A.md", "note": "Kept in a vault."}
    ]
    assert record["review"] == {"cadence_days": 30, "next_review": DAY, "change_condition": CHANGE}
    assert (record["created_at"], record["updated_at"], record["vault_ref"]) == (DAY, DAY, None)
    assert record["supersedes"] == record["superseded_by"] == record["tags"] == []
    assert record["vaultmem"] == {
        "category": "lesson",
        "cue": "explicit",
        "evidence_count": 1,
        "scope": "global",
    }


def test_a_memory_of_a_project_stands_in_its_own_file_whatever_its_layer():
    memories = (
        held("A.", layer=Layer.IDENTITY),
        held("B.", layer=Layer.IDENTITY, scope=Scope.PROJECT, project="github.com/acme/tide"),
        held("C.", scope=Scope.TASK, project="…"),
    )
    made = record_files(Holdings(memories=memories), [], day=DAY)
    assert [one["statement"] for one in records(made, "memory/L1.identity.jsonl")] == ["A."]
    (project,) = records(made, "memory/projects/github-com-acme-tide.jsonl")
    assert project["scope"] == {"type": "project", "project": "github.com/acme/tide"}
    (task,) = records(made, "memory/projects/unknown.jsonl")
    assert (task["scope"]["type"], task["vaultmem"]["scope"]) == ("project", "task")


def test_evidence_is_named_by_the_records_that_rest_on_it():
    words = {"excerpt": "Said so.", "created": datetime(2026, 1, 5)}
    pieces = (
        Evidence(
            id=EvidenceId("ev_1"),
            source_kind=SourceKind.CONVERSATION,
            trust=TrustClass.USER_CORRECTION,
            **words,
        ),
        Evidence(
            id=EvidenceId("ev_2"),
            source_kind=SourceKind.PATCH,
            trust=TrustClass.AGENT_INFERENCE,
            summary="Merged.",
        ),
        Evidence(
            id=EvidenceId("ev_3"),
            source_kind=SourceKind.FILE,
            trust=TrustClass.AGENT_INFERENCE,
            redaction=Redaction.DELETED,
        ),
    )
    cites = tuple(one.id for one in pieces[:2])
    made = record_files(
        Holdings(memories=(held(cites=(*cites, EvidenceId("ev_gone"))),), evidence=pieces),
        [],
        day=DAY,
    )
    (record,) = records(made, "memory/L2.playbooks.jsonl")
    assert [(one["type"], one["ref"]) for one in record["evidence"]] == [
        ("user_correction", "ev_1"),
        ("commit", "ev_2"),
    ]
    kept = records(made, "memory/evidence.jsonl")
    assert [one["related_memory_ids"] for one in kept] == [["mem_Say it."]] * 2
    assert made.left_out == {"pieces of evidence that were taken out": 1}


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        ("[[Ops/Port|Port]]", "Ops/Port.md"),
        ("[[Port.md]]", "Port.md"),
        ("no link", None),
        (None, None),
    ],
)
def test_a_link_to_knowledge_is_a_path(reference, path):
    made = record_files(Holdings(memories=(held(vault_ref=reference),)), [], day=DAY)
    assert records(made, "memory/L2.playbooks.jsonl")[0]["vault_ref"] == path


def test_conditions_and_dates_are_told():
    memory = held(
        rule=RuleType.TESTING,
        applies_when=("pushing",),
        not_when=("drafting",),
        exceptions=("docs",),
        valid_from=datetime(2026, 1, 1),
        review=date(2027, 1, 1),
        domains=("web",),
    )
    (record,) = records(
        record_files(Holdings(memories=(memory,)), [], day=DAY), "memory/L2.playbooks.jsonl"
    )
    assert record["ruleType"] == "testing"
    assert (record["applies_when"], record["does_not_apply_when"], record["known_exceptions"]) == (
        ["pushing"],
        ["drafting"],
        ["docs"],
    )
    assert record["valid_from"] == "2026-01-01T00:00:00"
    assert "valid_to" not in record
    assert record["scope"] == {"type": "global", "domains": ["web"]}
    assert record["review"]["next_review"] == "2027-01-01"


def test_candidates_questions_and_tombstones_have_their_stores():
    waits = Waits(Memory(id=MemoryId("cand_1"), statement="Perhaps."), "Memory/Inbox/P.md", "[[P]]")
    asked = (
        Asked(
            "inq_1",
            "Which port?",
            is_open=True,
            project="acme/tide",
            first_seen=datetime(2026, 1, 1),
        ),
        Asked("inq_2", "Is it done?", is_open=False),
    )
    gone = Deleted("line", MemoryId("mem_1"), datetime(2026, 1, 2), "privacy_purge")
    happened = Happened("01K", MemoryId("mem_1"), datetime(2026, 1, 3), Outcome.SUCCESS)
    everything = Holdings(
        outcomes=(happened,),
        memories=(held("(deleted)", status=Status.DELETED),),
        candidates=(waits,),
        inquiries=asked,
        deleted=(gone,),
    )
    made = record_files(everything, [("Ask.", False), ("Done.", True)], day=DAY)
    (candidate,) = records(made, "inbox/captured.jsonl")
    assert (candidate["id"], candidate["status"], candidate["created_at"]) == ("cap_1", "new", DAY)
    first, second = records(made, "memory/inquiries.jsonl")
    assert (first["status"], first["scope_ref"]) == ("open", "acme/tide")
    assert (second["status"], second["first_seen"]) == ("answered", None)
    (outcome,) = records(made, "memory/reinforcement.jsonl")
    assert (outcome["memory_id"], outcome["outcome"]) == ("mem_1", "implicit_success")
    (tombstone,) = records(made, "memory/tombstones.jsonl")
    assert tombstone["deletion_mode"] == "privacy_purge"
    assert "content_hash" not in tombstone
    assert made.files["scratchpad.md"].endswith("- [ ] Ask.\n- [x] Done.\n")
    assert made.left_out == {"memories that were deleted": 1}
