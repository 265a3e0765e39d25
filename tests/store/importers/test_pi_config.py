"""A topic-file memory is read whole: entries with their scores, promotions, candidates."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime

import pytest

from tests.store.importers.topic_files import of, promotion, score, snapshot, topic, write
from vaultmem.core.ids import ulid
from vaultmem.core.model import Category, Cue, Scope, Status
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.pi_config import NO_TEXT, TWICE, WAITING, WITH_ENTRY, read

RULE = "Never use `git add .`"
UV = "Always use uv run"


@pytest.fixture
def root(tmp_path):
    made = tmp_path / "tide" / ".pi" / "memory"
    made.mkdir(parents=True)
    return made


def by_text(gathered):
    return {one.memory.statement: one for one in gathered.items}


def one(gathered):
    (item,) = gathered.items
    return item


def files_of(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_entries_come_with_category_pin_and_project(root):
    topic(root, "lessons", f"- [lesson] {RULE} *(pinned)* *(enforced)*", "- [done] Merged it.")
    found = by_text(read(root, project="acme/tide"))
    assert found[RULE].memory.pinned
    assert found[RULE].memory.cue is Cue.EXPLICIT
    assert found[RULE].memory.scope is Scope.PROJECT
    assert found[RULE].memory.project == "acme/tide"
    assert found[RULE].where == "topics/lessons.md:2"
    assert found["Merged it."].memory.category is Category.DONE
    assert found["Merged it."].memory.cue is Cue.BEHAVIORAL


def test_a_score_is_found_by_the_odd_hash(root):
    topic(root, "lessons", f"- [lesson] {RULE}")
    write(root, "memory-scores.jsonl", snapshot(b22fcb46=score("lesson")) + "\n")
    memory = one(read(root)).memory
    assert memory.evidence_count == 3
    assert memory.cue is Cue.STRUCTURAL
    assert memory.created == datetime(2026, 1, 5, 9)
    assert memory.reinforced == datetime(2026, 2, 6, 10)


def test_true_fnv_is_not_its_hash(root):
    topic(root, "lessons", f"- [lesson] {RULE}")
    write(root, "memory-scores.jsonl", snapshot(**{"835a1162": score("lesson")}))
    found = read(root)
    assert one(found).memory.evidence_count == 1
    assert found.left_out == {NO_TEXT: 1}


def test_topic_row_87_the_last_snapshot_that_can_be_read_counts(root):
    topic(root, "preferences", f"- [preference] {UV}")
    lines = [snapshot(**{"1b82e218": score("preference", evidenceCount=n)}) for n in (2, 7)]
    write(root, "memory-scores.jsonl", "\n".join([*lines, lines[1][:40]]))
    found = read(root)
    assert one(found).memory.evidence_count == 7
    assert [place.where for place in found.quarantined] == ["memory-scores.jsonl:3"]


@pytest.mark.parametrize("name", ["memory-scores.jsonl", "memory-scores.json"])
def test_topic_row_89_a_pretty_printed_object_is_read(root, name):
    topic(root, "preferences", f"- [preference] {UV}")
    told = json.loads(snapshot(**{"1b82e218": score("preference", evidenceCount=5)}))
    write(root, name, json.dumps(told, indent=2))
    assert one(read(root)).memory.evidence_count == 5


def test_the_lines_win_over_the_older_object(root):
    topic(root, "preferences", f"- [preference] {UV}")
    write(
        root, "memory-scores.json", snapshot(**{"1b82e218": score("preference", evidenceCount=5)})
    )
    write(
        root, "memory-scores.jsonl", snapshot(**{"1b82e218": score("preference", evidenceCount=6)})
    )
    assert one(read(root)).memory.evidence_count == 6


def test_a_line_of_two_megabytes_is_a_snapshot(root):
    topic(root, "preferences", f"- [preference] {UV}")
    many = {f"{n:08x}": score("lesson", note="x" * 200) for n in range(5000)}
    line = snapshot(**many, **{"1b82e218": score("preference", evidenceCount=9)})
    assert len(line) > 2_000_000
    write(root, "memory-scores.jsonl", line)
    assert by_text(read(root))[UV].memory.evidence_count == 9


@pytest.mark.parametrize("text", ["{", "garbage\nmore", "[1, 2]", "\ufffd", b"\xff\xfe{}"])
def test_topic_row_88_a_file_of_garbage_is_quarantined_and_the_entries_are_taken(root, text):
    topic(root, "preferences", f"- [preference] {UV}")
    write(root, "memory-scores.jsonl", text)
    found = read(root)
    assert one(found).memory.evidence_count == 1
    assert [place.where for place in found.quarantined] == ["memory-scores.jsonl"]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_topic_row_88_an_empty_score_file_says_nothing(root, text):
    topic(root, "preferences", f"- [preference] {UV}")
    write(root, "memory-scores.jsonl", text)
    assert read(root).quarantined == ()


@pytest.mark.parametrize(
    "field", [{"evidenceCount": "many"}, {"firstSeen": "soon"}, {"evidenceCount": float("nan")}]
)
def test_a_broken_record_leaves_its_entry_in_peace(root, field):
    topic(root, "preferences", f"- [preference] {UV}")
    write(root, "memory-scores.jsonl", snapshot(**{"1b82e218": score("preference", **field)}))
    found = read(root)
    assert one(found).memory.evidence_count == 1
    assert [place.where for place in found.quarantined] == ["memory-scores.jsonl:1#1b82e218"]


def test_a_record_that_is_no_object_is_quarantined(root):
    topic(root, "preferences", f"- [preference] {UV}")
    write(root, "memory-scores.jsonl", snapshot(**{"1b82e218": 3}))
    assert read(root).quarantined[0].reason == "It is no JSON object."


def test_what_was_forgotten_or_replaced_there_is_so_here(root):
    topic(root, "lessons", "- [lesson] Old.", "- [lesson] New.", "- [lesson] Gone. *(pinned)*")
    told = {
        of("lesson", "Old."): score("lesson", supersededBy=of("lesson", "New.")),
        of("lesson", "Gone."): score("lesson", userState="forgotten"),
        of("lesson", "New."): score("lesson", userState="pinned"),
    }
    write(root, "memory-scores.jsonl", snapshot(**told))
    found = by_text(read(root))
    assert found["Old."].memory.status is Status.SUPERSEDED
    assert found["Old."].superseded_by == (found["New."].key,)
    assert found["Gone."].memory.status is Status.DELETED
    assert not found["Gone."].memory.pinned
    assert found["New."].memory.pinned


def test_guardrails_come_along_with_their_command(root):
    topic(
        root,
        "lessons",
        f"- [lesson] {RULE} *(enforced)*",
        "- [lesson] Lint after edits.",
        "- [lesson] Ask first.",
    )
    told = {
        of("lesson", RULE): score("lesson", trigger="bash_contains git add .", action="block"),
        of("lesson", "Lint after edits."): score(
            "lesson", trigger="file_modified *.py", action="run_after", actionCommand="ruff check"
        ),
        of("lesson", "Ask first."): score(
            "lesson", verifier="tool_called ask_user before git push"
        ),
    }
    write(root, "memory-scores.jsonl", snapshot(**told))
    found = read(root)
    memories = {text: item.memory for text, item in by_text(found).items()}
    assert (memories[RULE].trigger, memories[RULE].action) == ("bash_contains git add .", "block")
    assert memories["Lint after edits."].action == "run_after ruff check"
    assert memories["Ask first."].verifier == "tool_called ask_user before git push"
    assert found.left_out[WITH_ENTRY] == 3


@pytest.mark.parametrize(
    "field",
    [
        {"trigger": "sometimes git", "action": "block"},
        {"trigger": "tool_name bash"},
        {"verifier": "look"},
    ],
)
def test_a_guardrail_that_cannot_fire_stays_behind_and_is_told(root, field):
    topic(root, "lessons", f"- [lesson] {RULE}")
    write(root, "memory-scores.jsonl", snapshot(b22fcb46=score("lesson", **field)))
    found = read(root, project="acme/tide")
    assert not one(found).memory.enforced
    assert "topics/lessons.md:2" in found.notices[0]


def test_a_mark_without_a_record_takes_the_guardrail_of_its_promotion(root):
    topic(
        root,
        "lessons",
        f"- [lesson] {RULE} *(enforced)*",
        "- [lesson] Reworded. *(enforced)*",
        "- [lesson] Too. *(enforced)*",
    )
    block = promotion("a" * 12, status="applied", trigger="bash_contains git add .", action="block")
    write(root, "promotions.md", f"# Memory Promotion Queue\n\nText.\n\n{block}")
    found = read(root, project="acme/tide")
    assert by_text(found)[RULE].memory.trigger == "bash_contains git add ."
    assert "topics/lessons.md:3 and 1 more" in found.notices[0]


def test_a_guardrail_without_its_entry_waits_or_is_quarantined(root):
    topic(root, "lessons", "- [lesson] Reworded.")
    force = {"trigger": "bash_contains git add .", "action": "block"}
    told = {of("lesson", RULE): score("lesson", **force), "00000001": score("lesson", **force)}
    write(root, "memory-scores.jsonl", snapshot(**told))
    write(root, "promotions.md", promotion("a" * 12, status="applied"))
    found = read(root)
    orphan = by_text(found)[RULE]
    assert orphan.waits
    assert orphan.memory.action == "block"
    assert [place.where for place in found.quarantined] == ["memory-scores.jsonl:1#00000001"]


def test_a_broken_orphan_is_quarantined(root):
    topic(root, "lessons", "- [lesson] Reworded.")
    write(root, "memory-scores.jsonl", snapshot(**{"00000001": score("lesson", trigger=3)}))
    assert read(root).quarantined[0].reason == "`trigger` is no text."


def test_of_promotions_those_wait_whose_entries_are_gone(root):
    topic(root, "lessons", f"- [lesson] {RULE}")
    blocks = (
        promotion("a" * 12),
        promotion(
            "b" * 12, text="Run the tests, then push.", destination="skill", evidence_count="4"
        ),
        promotion("c" * 12, text="No.", status="rejected"),
    )
    write(
        root,
        "promotions.md",
        "# Memory Promotion Queue\n" + "".join(blocks) + "## Notes\n- text: none\n",
    )
    found = read(root)
    waiting = by_text(found)["Run the tests, then push."]
    assert waiting.waits == "It waited there to become: skill."
    assert waiting.memory.evidence_count == 4
    assert waiting.evidence[0].summary == "seen often"
    assert found.left_out[WAITING] == 1
    assert found.left_out["promotions that were decided"] == 1


@pytest.mark.parametrize("field", ["destination", "status", "category", "text"])
def test_a_promotion_that_lacks_a_field_is_quarantined_by_line(root, field):
    topic(root, "lessons", f"- [lesson] {RULE}")
    write(
        root,
        "promotions.md",
        "# Queue\n\n" + promotion("a" * 12, **{field: ""}) + promotion("b" * 12),
    )
    found = read(root)
    assert [place.where for place in found.quarantined] == ["promotions.md:3"]
    assert field in found.quarantined[0].reason
    assert found.left_out[WAITING] == 1


def test_a_promotion_without_reason_and_date_is_taken(root):
    topic(root, "lessons")
    write(root, "promotions.md", promotion("a" * 12, reason="", created="", evidence_count="a lot"))
    assert one(read(root)).memory.evidence_count == 1


def test_preference_candidates_wait_with_their_session(root):
    topic(root, "preferences", f"- [preference] {UV}")
    lines = (
        json.dumps(
            {
                "sentence": "I prefer short answers.",
                "sourceSession": "s1",
                "timestamp": "2026-02-01T10:00:00",
            }
        ),
        json.dumps({"text": UV}),
        json.dumps({"words": "?"}),
        "not json",
    )
    write(root, "preference-candidates.jsonl", "\n".join(lines))
    found = read(root)
    item = by_text(found)["I prefer short answers."]
    assert item.waits
    assert item.memory.category is Category.PREFERENCE
    assert item.memory.source_session == "s1"
    assert item.memory.created == datetime(2026, 2, 1, 10)
    assert found.left_out == {TWICE: 1}
    wheres = [place.where for place in found.quarantined]
    assert wheres == ["preference-candidates.jsonl:4", "preference-candidates.jsonl:3"]


def test_topic_row_86_provenance_that_waits_is_merged(root):
    topic(root, "lessons", "- [lesson] A.", "- [lesson] B.", "- [lesson] C.")
    told = [
        {
            "category": "lesson",
            "text": "A.",
            "sourceSession": "s1",
            "derivedFrom": "- [lesson] B.",
            "informs": [of("lesson", "C."), "elsewhere"],
        },
        {"category": "lesson", "text": "Gone."},
        {"category": "lesson"},
    ]
    write(
        root,
        "memory-scores.jsonl",
        snapshot(**{of("lesson", "B."): score("lesson", sourceSession="s0")}),
    )
    write(
        root,
        "provenance-pending.jsonl",
        json.dumps({"entries": told[:1]}) + "\n" + json.dumps({"entries": told}),
    )
    found = read(root)
    items = by_text(found)
    assert items["A."].memory.source_session == "s1"
    assert items["A."].derived_from == (items["B."].key,)
    assert items["A."].informs == (items["C."].key,)
    assert items["A."].evidence[0].summary == "Goes with elsewhere."
    assert items["B."].evidence[0].session == "s0"
    assert items["C."].evidence == ()
    assert [place.where for place in found.quarantined] == ["provenance-pending.jsonl:2#3"]


def test_provenance_may_stand_a_line_each_or_in_the_older_object(root):
    topic(root, "lessons", "- [lesson] A.", "- [lesson] B.")
    write(
        root,
        "provenance-pending.jsonl",
        json.dumps({"category": "lesson", "text": "A.", "sourceSession": "s1"}),
    )
    assert by_text(read(root))["A."].memory.source_session == "s1"
    (root / "provenance-pending.jsonl").unlink()
    write(
        root,
        "provenance-pending.json",
        json.dumps(
            {"entries": [{"category": "lesson", "text": "B.", "sourceSession": "s2"}]}, indent=1
        ),
    )
    assert by_text(read(root))["B."].memory.source_session == "s2"


def test_an_object_that_is_one_record_over_several_lines_is_taken(root):
    topic(root, "preferences")
    write(root, "preference-candidates.jsonl", json.dumps({"text": UV}, indent=2))
    assert one(read(root)).memory.statement == UV


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(root):
    write(
        root, "topics/lessons.md", b"\xef\xbb\xbf- [lesson] A.\r\n- [lesson] B. *(pinned)*\r\n\r\n"
    )
    found = by_text(read(root))
    assert set(found) == {"A.", "B."}
    assert found["B."].memory.pinned


def test_lines_that_are_no_entries_are_counted_or_quarantined(root):
    lines = (
        "- [lesson] A.",
        "- [hint] B.",
        "- [ ] C.",
        " - [lesson] D.",
        "Words.",
        "- [lesson]  ",
        "* E.",
    )
    topic(root, "lessons", *lines)
    found = read(root)
    assert set(by_text(found)) == {"A."}
    assert [place.where[-1] for place in found.quarantined] == ["3", "4", "7", "8"]
    assert found.left_out == {"lines of topic files that are no entries": 2}


def test_bytes_that_are_no_text_and_lines_without_end_stop_nothing(root):
    write(
        root,
        "topics/lessons.md",
        b"- [lesson] A.\n- [lesson] \xff\n- [lesson] " + b"x" * 1_000_001 + b"\n- [lesson] B.\n",
    )
    found = read(root)
    assert set(by_text(found)) == {"A.", "B."}
    assert [place.where for place in found.quarantined] == [
        "topics/lessons.md:2",
        "topics/lessons.md:3",
    ]


def test_an_entry_that_stands_twice_is_one_and_pinned_if_either_is(root):
    topic(root, "a", "- [lesson] A.", "- [lesson] A. *(pinned)*")
    topic(root, "b", "- [lesson] a.")
    write(
        root,
        "memory-scores.jsonl",
        snapshot(**{of("lesson", "A."): score("lesson"), of("lesson", "a."): score("lesson")}),
    )
    found = read(root)
    assert one(found).memory.pinned
    assert found.left_out == {TWICE: 2, WITH_ENTRY: 2}


def test_what_lies_beside_is_counted_or_told(root):
    topic(root, "lessons", "- [lesson] A.")
    for name in ("embeddings.jsonl", ".dream-watermark", "memories.db"):
        write(root, name, "x")
    found = read(root, project="acme/tide")
    assert found.left_out == {"embeddings": 1, "files of the last run": 1}
    assert "migrate memories-db" in found.notices[0]


def test_the_older_single_file_has_a_pinned_section(root):
    text = "# Memories\n\n## Pinned (user requested)\n- [preference] A.\n\n## Learned (auto)\n- [lesson] B.\n"
    write(root, "memory.md", text)
    found = by_text(read(root))
    assert found["A."].memory.pinned
    assert not found["B."].memory.pinned


@pytest.mark.parametrize("above", [0, 1, 2])
def test_the_project_or_its_pi_folder_may_be_named(root, above):
    topic(root, "lessons", "- [lesson] A.")
    found = read([root, *root.parents][above])
    assert one(found).memory.project == "tide"
    assert found.notices[0].startswith("Its memories are taken for the project tide;")


def test_a_path_that_goes_up_again_is_in_the_same_project(root):
    topic(root, "lessons", "- [lesson] A.")
    assert one(read(root / "topics" / "..")).memory.project == "tide"


def test_a_project_may_have_folders_of_such_names_of_its_own(root):
    topic(root, "lessons", "- [lesson] A.")
    for other in ("", "memory"):
        topic(root.parent.parent / other, "lessons", "- [lesson] Of the project's own.")
    assert one(read(root.parent.parent)).memory.statement == "A."


def test_a_copy_outside_of_a_project_names_none(tmp_path):
    topic(tmp_path / "copy", "lessons", "- [lesson] A.")
    assert one(read(tmp_path / "copy")).memory.project is None


def test_two_projects_with_the_same_words_are_told_apart(root):
    topic(root, "lessons", "- [lesson] A.")
    assert one(read(root, project="a")).key == one(read(root, project="a")).key
    assert one(read(root, project="a")).key != one(read(root, project="b")).key


def test_links_out_of_the_memory_are_not_followed(root, tmp_path):
    outside = tmp_path / "outside"
    topic(outside, "secrets", "- [lesson] Secret.")
    topic(root, "lessons", "- [lesson] A.")
    (root / "topics/linked.md").symlink_to(outside / "topics/secrets.md")
    (root / "promotions.md").symlink_to(outside / "topics/secrets.md")
    found = read(root)
    assert set(by_text(found)) == {"A."}
    (root / "topics/linked.md").unlink()
    (root / "topics/lessons.md").rename(root / "lessons.md")
    (root / "topics").rmdir()
    (root / "topics").symlink_to(outside / "topics")
    write(root, "memory.md", "- [lesson] B.\n")
    found = read(root)
    assert set(by_text(found)) == {"B."}
    assert found.quarantined[0].where == "topics"


def test_nothing_of_the_source_is_touched(root):
    topic(root, "lessons", "- [lesson] A.", "- [hint] B.")
    write(root, "memory-scores.json", snapshot(**{of("lesson", "A."): score("lesson")}))
    before = files_of(root)
    read(root)
    assert files_of(root) == before


def test_every_record_is_counted_once(root):
    topic(root, "lessons", f"- [lesson] {RULE}", "- [hint] B.", f"- [lesson] {RULE}", "Words.")
    write(root, "memory-scores.jsonl", snapshot(b22fcb46=score("lesson"), x=score("lesson")))
    write(
        root,
        "promotions.md",
        promotion("a" * 12) + promotion("b" * 12, text="") + promotion("c" * 12, text="New."),
    )
    write(root, "preference-candidates.jsonl", '{"text": "Be brief."}\n{}\n')
    assert read(root).records == 4 + 2 + 3 + 2


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_folder_that_is_no_such_memory_is_named_with_the_next_step(tmp_path, name):
    with pytest.raises(ImportSourceError):
        read(tmp_path / name)


def test_a_database_of_the_older_tool_is_named(tmp_path):
    write(tmp_path, "memories.db", "x")
    with pytest.raises(ImportSourceError, match="migrate memories-db"):
        read(tmp_path)


def test_a_memory_of_the_real_tool_is_read(root):
    """`myk-pi-tools` 2.3.0 keeps one `memory.md`; what its command adds is what we read."""
    file = ["--file-path", str(root / "memory.md")]
    for words in (
        ["-c", "lesson", "-s", "Add files by name."],
        ["-c", "preference", "-s", UV, "--pinned"],
    ):
        command = [sys.executable, "-m", "myk_pi_tools.cli", "memory", *file, "add", *words]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    found = by_text(read(root))
    assert {text: item.memory.pinned for text, item in found.items()} == {
        "Add files by name.": False,
        UV: True,
    }
    assert found[UV].memory.category is Category.PREFERENCE


def test_an_id_that_an_export_gave_is_the_key_of_one_entry_only(root):
    given = f"mem_{ulid(1_764_000_000_000, bytes(10))}"
    topic(root, "lessons", "- [lesson] A.", "- [lesson] B.", "- [lesson] C.")
    told = {
        of("lesson", "A."): score("lesson", vaultmem=given),
        of("lesson", "B."): score("lesson", informs=[of("lesson", "A.")], vaultmem="mem_x"),
    }
    write(root, "memory-scores.jsonl", snapshot(**told))
    found = by_text(read(root))
    assert found["A."].key == given
    assert found["B."].informs == (given,)
    told[of("lesson", "C.")] = score("lesson", vaultmem=given)
    write(root, "memory-scores.jsonl", snapshot(**told))
    assert len({item.key for item in read(root).items}) == 3
