"""A governed memory's root is read whole: every record once, damaged lines by their place."""

from __future__ import annotations

import json
import os
from datetime import datetime

import pytest

from tests.store.importers import governed
from tests.store.importers.governed import (
    candidate,
    lived_in,
    memory,
    piece,
    write_json,
    write_lines,
)
from vaultmem.core.evidence import SourceKind
from vaultmem.core.model import Category, Cue, Layer, RuleType, Scope, Status
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers import pi_memory
from vaultmem.store.importers.pi_memory import read


@pytest.fixture
def root(tmp_path):
    return governed.empty(tmp_path / "pi-memory")


def by_key(gathered):
    return {one.key: one for one in gathered.items}


def lines_of(root):
    """Every record that the stores hold, counted apart from the reader."""
    stores = [*(root / "memory").rglob("*.jsonl"), root / "inbox/captured.jsonl"]
    count = sum(bool(line.strip()) for file in stores for line in file.read_text().split("\n"))
    for file in (root / "patches").glob("*.json"):
        found = json.loads(file.read_text())
        count += len(found["ops"]) if found["status"] == "proposed" else 1
    count += (root / "scratchpad.md").read_text().count("- [")
    return count + len(list((root / "daily").iterdir()))


def test_every_record_is_counted_once(root):
    lived_in(root)
    found = read(root)
    assert found.records == lines_of(root)
    assert len({one.key for one in found.items}) == len(found.items)


def test_a_folder_that_is_no_such_root_is_named_with_the_next_step(tmp_path):
    with pytest.raises(ImportSourceError, match="Name its root"):
        read(tmp_path)
    with pytest.raises(ImportSourceError, match="is no folder"):
        read(tmp_path / "nowhere")


def test_an_empty_root_holds_nothing(root):
    assert read(root).records == 0


def test_a_record_keeps_its_numbers_moments_and_review(root):
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        memory(
            "mem_a",
            "Use uv.",
            confidence=0.62,
            stability="stable",
            ruleType="avoid_pattern",
            tags=["python", "tooling"],
            does_not_apply_when=["on the old host"],
            known_exceptions=["the legacy job"],
            valid_from="2026-01-01",
            vault_ref="Ops/Tools/uv.md",
        ),
    )
    (one,) = read(root).items
    was = one.memory
    assert (one.key, one.where) == ("mem_a", "memory/L2.playbooks.jsonl:1")
    assert (was.layer, was.category, was.rule) == (
        Layer.PLAYBOOK,
        Category.LESSON,
        RuleType.AVOID_PATTERN,
    )
    assert (was.confidence, was.stability, was.evidence_count) == (0.62, "stable", 1)
    assert (was.created, was.updated) == (datetime(2026, 1, 5), datetime(2026, 2, 6))
    assert was.reinforced is None
    assert (was.review_days, str(was.review)) == (30, "2026-02-04")
    assert was.change_condition == governed.CHANGE
    assert (was.not_when, was.exceptions) == (("on the old host",), ("the legacy job",))
    assert was.vault_ref == "[[Ops/Tools/uv|uv]]"
    assert one.waits == ""


def test_row_statuses_and_links_are_kept(root):
    found = by_key(read(lived_in(root)))
    assert found["mem_old"].memory.status is Status.SUPERSEDED
    assert found["mem_old"].superseded_by == ("mem_new",)
    assert found["mem_new"].supersedes == ("mem_old",)
    assert found["mem_gone"].memory.status is Status.DELETED
    assert found["mem_doubt"].memory.status is Status.CONTESTED
    assert found["mem_ada"].memory.layer is Layer.IDENTITY
    assert "legacy_20260105_001" in found


def test_a_tombstone_makes_a_record_deleted_and_a_purge_leaves_it_out(root):
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        memory("mem_a", "Use uv."),
        memory("mem_b", "Something private."),
        memory("mem_c", "[deleted]", status="deleted"),
        memory("mem_d", "Poisoned words."),
    )
    write_lines(
        root,
        "memory/tombstones.jsonl",
        {"deleted_record_id": "mem_a", "deletion_mode": "audit_preserving"},
        {"deleted_record_id": "mem_b", "deletion_mode": "privacy_purge"},
        {"deleted_record_id": "mem_d", "deletion_reason": "poisoned"},
        {"id": "tomb without a record"},
    )
    found = read(root)
    assert [(one.key, one.memory.status) for one in found.items] == [("mem_a", Status.DELETED)]
    assert found.left_out["records that were purged"] == 3
    assert [one.where for one in found.quarantined] == ["memory/tombstones.jsonl:4"]


def test_evidence_goes_with_the_record_that_names_it(root):
    found = by_key(read(lived_in(root)))
    (said,) = found["mem_tests"].evidence
    assert said.excerpt.startswith("Always run the tests")
    assert (said.kind, said.trust) == (SourceKind.CONVERSATION, TrustClass.USER_CORRECTION)
    assert (said.session, said.durability) == ("session-9", Durability.PROJECT)
    (told,) = found["mem_new"].evidence
    assert (told.summary, told.ref) == ("Seen there.", "artifact daily/2026-01-05.md")
    assert found["mem_tests"].memory.cue is Cue.EXPLICIT
    assert found["mem_new"].memory.cue is Cue.BEHAVIORAL


def test_the_opening_balance_counts_evidence_and_praise(root):
    found = by_key(read(lived_in(root)))
    assert found["mem_tests"].memory.evidence_count == 2
    assert found["mem_tests"].memory.reinforced == datetime(2026, 2, 7, 8)
    assert found["mem_new"].memory.evidence_count == 1


def test_related_evidence_is_found_from_its_own_side(root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv.", evidence=[]))
    write_lines(root, "memory/evidence.jsonl", piece("e", "uv it is", related_memory_ids=["mem_a"]))
    (one,) = read(root).items
    assert [said.excerpt for said in one.evidence] == ["uv it is"]


def test_a_project_that_ends_with_the_name_is_meant(root):
    lived_in(root)
    found = by_key(read(root, project="github.com/acme/Tide"))
    assert found["mem_tests"].memory.project == "github.com/acme/Tide"
    assert found["mem_tests"].memory.scope is Scope.PROJECT
    other = by_key(read(root, project="github.com/acme/moon"))
    assert other["mem_tests"].memory.project == "tide"
    assert other["cap_20260301100000_ab12"].memory.project == "tide"


def test_candidates_and_open_patches_wait_and_decided_ones_are_left(root):
    found = read(lived_in(root))
    items = by_key(found)
    waiting = items["cap_20260301100000_ab12"]
    assert waiting.waits
    assert (waiting.unchecked, waiting.evidence) == (True, ())
    assert items["mem_patch"].waits
    assert "cap_20260301100001_ab12" not in items
    assert found.left_out["candidates that were decided"] == 1
    assert found.left_out["patches that were decided"] == 1


def test_a_candidate_with_trust_brings_its_own_words_as_evidence(root):
    trust = {"primary_trust_class": "repository_text", "durability_signal": "task"}
    write_lines(
        root,
        "inbox/captured.jsonl",
        candidate("cap_1", "Name branches.", trust=trust, ruleType="convention"),
    )
    (one,) = read(root).items
    assert (one.unchecked, one.durability) == (False, Durability.TASK)
    assert [(said.excerpt, said.trust) for said in one.evidence] == [
        ("Name branches.", TrustClass.REPOSITORY_TEXT)
    ]
    assert one.memory.category is Category.PATTERN


def test_a_candidate_whose_memory_is_there_is_decided(root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_1", "Use uv."))
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Use uv."))
    assert [one.key for one in read(root).items] == ["mem_1"]


def test_an_open_patch_takes_the_place_of_its_candidate(root):
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Use uv."))
    operation = {"op": "add", "candidate_id": "cap_1", "record": memory("mem_1", "Use uv.")}
    write_json(root, "patches/p.json", {"status": "proposed", "ops": [operation]})
    found = read(root)
    assert [one.key for one in found.items] == ["mem_1"]
    assert found.records == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "It is not JSON."),
        ("[]", "It is no JSON object."),
        ('"text"', "It is no JSON object."),
        ("[" * 100_000, "It is not JSON."),
        (memory("", "No id."), "`id` is missing."),
        (memory("m", " "), "`statement` is missing."),
        (memory("m", 7), "`statement` is no text."),
        (memory("m", "A.", layer="L3"), "It is of the layer L3, which belongs in the log."),
        (memory("m", "A.", layer="L9"), "`layer` is none of L1, L2, L3."),
        (memory("m", "A.", status="odd"), "`status` is none of"),
        (memory("m", "A.", confidence="high"), "`confidence` is no number."),
        (memory("m", "A.", confidence=7), "`confidence` is not between 0 and 1."),
        (memory("m", "A.", tags={"a": 1}), "`tags` is no list of texts."),
        (memory("m", "A.", evidence="x"), "`evidence` is no list of objects."),
        (memory("m", "A.", scope="global"), "`scope` is no object."),
        (memory("m", "A.", scope={"type": "team"}), "`scope` is none of global, project, domain."),
        (memory("m", "A.", created_at="soon"), "`created_at` is no date."),
        (memory("m", "A.", created_at=1e30), "`created_at` is no date."),
        (memory("m", "A.", created_at="0999-12-31"), "`created_at` is no date."),
        (memory("m", "A.", created_at="9999-01-01"), "`created_at` is no date."),
        (memory("m", "A.", confidence=10**400), "`confidence` is no number."),
        (memory("m", "A.", review={"cadence_days": 1e999}), "`cadence_days` is no number."),
        (memory("m", "A.", review={"cadence_days": float("nan")}), "`cadence_days` is no number."),
    ],
)
def test_a_record_that_cannot_be_read_is_quarantined_by_its_line(root, line, reason):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv."), line)
    found = read(root)
    assert [one.key for one in found.items] == ["mem_a"]
    ((where, why),) = found.quarantined
    assert where == "memory/L2.playbooks.jsonl:2"
    assert why.startswith(reason)


def test_an_id_that_stands_twice_is_quarantined_where_it_stands_again(root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv."))
    write_lines(root, "memory/projects/tide.jsonl", memory("mem_a", "Use pip."))
    found = read(root)
    assert [one.memory.statement for one in found.items] == ["Use uv."]
    assert [one.where for one in found.quarantined] == ["memory/projects/tide.jsonl:1"]


def test_bytes_that_are_no_text_and_endless_lines_stop_nothing(root):
    good = json.dumps(memory("mem_a", "Use uv.")).encode()
    data = b"\xef\xbb\xbf" + good + b"\r\n\xff\xfe\n" + b"x" * 1_000_001 + b"\n"
    (root / "memory/L2.playbooks.jsonl").write_bytes(data)
    found = read(root)
    assert [one.key for one in found.items] == ["mem_a"]
    assert [one.where.rpartition(":")[2] for one in found.quarantined] == ["2", "3"]


def test_no_link_is_followed(root, tmp_path):
    outside = tmp_path / "outside.jsonl"
    outside.write_text(json.dumps(memory("mem_a", "From elsewhere.")) + "\n")
    (root / "memory/projects/x.jsonl").symlink_to(outside)
    (root / "memory/L2.playbooks.jsonl").unlink()
    (root / "memory/L2.playbooks.jsonl").symlink_to(outside)
    found = read(root)
    assert found.items == ()
    assert [one.where for one in found.quarantined] == ["memory/L2.playbooks.jsonl"]


def test_a_pipe_is_not_waited_for(root):
    os.mkfifo(root / "config.json")
    found = read(root)
    assert [one.where for one in found.quarantined] == ["config.json"]


def test_questions_and_open_items_are_taken(root):
    found = read(lived_in(root))
    assert [one.question for one in found.inquiries] == ["Which port is right?"]
    assert found.inquiries[0].priority == "high"
    assert [(one.where, one.text) for one in found.tasks] == [
        ("scratchpad.md:3", "Ask about the port")
    ]
    assert found.left_out["questions that were decided"] == 1
    assert found.left_out["items of the scratchpad that are done"] == 1


def test_an_inquiry_of_a_project_is_asked_there(root):
    record = {"question": "Why?", "scope_level": "project", "scope_ref": "tide"}
    write_lines(root, "memory/inquiries.jsonl", record, {"question": " "})
    found = read(root, project="github.com/acme/tide")
    assert [one.project for one in found.inquiries] == ["github.com/acme/tide"]
    assert [one.where for one in found.quarantined] == ["memory/inquiries.jsonl:2"]


def test_settings_that_differ_are_told_with_our_key(root):
    (notice,) = read(lived_in(root)).notices
    assert "`curator.minConfidence` is 0.9" in notice
    assert "`curator_min_confidence`" in notice
    (root / "config.json").write_text("{")
    assert [one.where for one in read(root).quarantined][-1] == "config.json"


def test_settings_of_unknown_sections_and_kinds_are_passed_over(root):
    write_json(
        root,
        "config.json",
        {
            "curator": {"minEvidenceCount": 2, "autoCurate": ["odd"]},
            "vault": {"path": "/elsewhere"},
            "qmd": {"enabled": False},
            "llm": None,
        },
    )
    assert read(root).notices == ()


def test_a_patch_whose_file_is_no_text_is_quarantined(root):
    (root / "patches/p.json").write_bytes(b"\xff")
    assert [one.where for one in read(root).quarantined] == ["patches/p.json"]


def test_a_project_record_without_a_name_is_of_the_project_that_is_given(root):
    write_lines(root, "memory/projects/x.jsonl", memory("m", "Use uv.", scope={"type": "project"}))
    assert read(root, project="github.com/acme/tide").items[0].memory.project == (
        "github.com/acme/tide"
    )
    assert read(root).items[0].memory.project is None


def test_a_link_that_is_a_wikilink_already_stays(root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv.", vault_ref="[[uv]]"))
    assert read(root).items[0].memory.vault_ref == "[[uv]]"


def test_a_candidate_of_a_windows_folder_has_its_project(root):
    source = {"type": "memory_write", "cwd": "C:\\src\\tide"}
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Use uv.", source=source))
    assert read(root).items[0].memory.project == "tide"


def test_a_damaged_patch_is_quarantined_and_its_good_operations_are_not(root):
    write_json(root, "patches/a.json", [])
    operations = [{"op": "add", "record": {"id": "m"}}, {"op": "add", "record": memory("n", "N.")}]
    write_json(root, "patches/b.json", {"status": "proposed", "ops": operations})
    found = read(root)
    assert [one.key for one in found.items] == ["n"]
    assert [one.where for one in found.quarantined] == ["patches/a.json", "patches/b.json:1"]


LEGACY = """# Memory

### Always lint before you commit anything to the main branch
**Confidence**: 0.9
**Change condition**: the linter goes
**Evidence**:
- a review
- a failed build

Not a bullet

### Short one
Said in a line.
**Evidence**: a line of it
**Confidence**: high
**Review**: monthly

## Another part
"""


def test_a_markdown_memory_of_the_oldest_form_becomes_candidates(root):
    (root / "MEMORY.md").write_text(LEGACY)
    first, second = read(root).items
    assert first.where == "MEMORY.md:3"
    assert first.memory.statement == "Always lint before you commit anything to the main branch"
    assert first.memory.change_condition == "the linter goes"
    assert (first.memory.confidence, first.memory.evidence_count) == (0.95, 2)
    assert (second.memory.statement, second.memory.confidence) == ("Said in a line.", 0.62)
    assert first.waits
    assert first.key.startswith("legacy_")
    (root / "MEMORY.md").write_text("### A\n\n### A\n")
    assert [one.where for one in read(root).quarantined] == ["MEMORY.md:3"]


def test_nothing_of_a_text_is_told_of_a_quarantined_record(root):
    write_lines(root, "memory/L2.playbooks.jsonl", '{"id": "ghp_' + "a" * 36 + '"')
    (one,) = read(root).quarantined
    assert "ghp_" not in one.reason


def test_every_line_of_the_oldest_form_comes_along_or_is_counted(root):
    text = (
        "# mark00\n\nmark01\n\n### mark02\n\nmark03\n\nmark04\n- mark05\n- **Source:** mark06\n"
        "**Evidence:**\n- mark07\nmark08\n**Review:** mark09\n\n#### mark10\nmark11\n\n"
        "### mark12\n## mark13\nmark14\n"
    )
    (root / "MEMORY.md").write_text(text)
    found = read(root)
    said = " ".join(
        f"{one.memory.statement} {' '.join(piece.excerpt for piece in one.evidence)}"
        for one in found.items
    )
    lost = {f"mark{number:02}" for number in range(15)} - set(said.replace("\n", " ").split())
    assert lost == {"mark00", "mark01", "mark10", "mark11", "mark13", "mark14"}
    assert found.left_out[pi_memory.NO_BLOCK] == 3  # a heading is no record
