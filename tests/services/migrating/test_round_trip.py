"""The way back: what was imported is exported, and imported again it is the same."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from tests.store.importers import governed
from tests.store.importers.governed import lived_in
from tests.store.importers.test_memories_db import database, row
from tests.store.importers.topic_files import of, promotion, score, snapshot, topic, write
from tests.world import World
from vaultmem.core.evidence import Redaction, SourceKind, new_evidence
from vaultmem.core.importing.item import NO_ID, ImportKind
from vaultmem.core.importing.plan import Fate
from vaultmem.core.inquiry import Priority
from vaultmem.core.model import Status
from vaultmem.core.trust import TrustClass
from vaultmem.errors import (
    AgentRefusedError,
    ImportSourceError,
    NotConfirmedError,
    UnsafePathError,
    VaultmemError,
)
from vaultmem.notes.candidate import Decision
from vaultmem.notes.codec import decode_memory
from vaultmem.services import evidence
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.exporting.way_back import export_records, export_topics
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide
from vaultmem.services.inquiries import ask, inquiries
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.gather import gather, remove_source
from vaultmem.services.purge import purge
from vaultmem.services.purging.left import Where
from vaultmem.services.scratchpad import scratchpad_items
from vaultmem.services.write import Write, write_notes
from vaultmem.store import exported
from vaultmem.store.etag import etag_of
from vaultmem.store.export_folders import export_folders, remember_export
from vaultmem.store.exported import MANIFEST
from vaultmem.store.temporaries import temporary_beside

RULE = "Never use `git add .`"


@pytest.fixture
def worlds(tmp_path):
    made = [World(tmp_path / name) for name in ("one", "two")]
    for world in made:
        world.here.sync()
    yield made
    for world in made:
        world.close()


def bring(world, kind, root, **options):
    call = world.here.call()
    return carry_out(call, gather(call, kind, root, **options))


def files_in(folder):
    """The text of each file but the list, by its path."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


def memories(world, **changes):
    """Every memory without what no import can keep: its id, its links, and today's moment."""
    call = world.here.call()
    found = {}
    for stood in call.vault.baseline.memories():
        path = world.path(stood.path)
        if path.exists():
            memory = decode_memory(path.read_bytes(), path=stood.path).memory
            live = call.vault.baseline.standing(stood.id)
            plain = {
                "id": NO_ID,
                "evidence": (),
                "supersedes": tuple(map(bool, memory.supersedes)),
                "superseded_by": tuple(map(bool, memory.superseded_by)),
                "derived_from": tuple(map(bool, memory.derived_from)),
                "informs": tuple(map(bool, memory.informs)),
                "evidence_count": round(live.evidence_count),
                "updated": None,
            }
            found[memory.statement] = replace(memory, **(plain | changes))
    return found


def topic_root(folder):
    """A topic-file memory with one of each that its format knows."""
    root = folder / "tide/.pi/memory"
    topic(
        root,
        "lessons",
        f"- [lesson] {RULE} *(enforced)*",
        "- [lesson] B. *(pinned)*",
        "- [lesson] New one.",
    )
    topic(root, "preferences", "- [preference] Always use uv run", "- [done] Merged it.")
    told = {
        of("lesson", RULE): score("lesson", trigger="bash_contains git add .", action="block"),
        of("lesson", "B."): score(
            "lesson", userState="pinned", informs=[of("lesson", RULE)], sourceSession="s1"
        ),
        of("preference", "Always use uv run"): score(
            "preference",
            trigger="file_modified *.py",
            action="run_after",
            actionCommand="ruff check",
            verifier="tool_called ask_user before git push",
        ),
    }
    write(root, "memory-scores.jsonl", snapshot(**told))
    return root


def test_topics_imported_exported_and_imported_again_are_the_same(worlds, tmp_path):
    one, two = worlds
    bring(one, ImportKind.PI_CONFIG, topic_root(tmp_path), project="acme/tide")
    made = export_topics(one.here.call(), tmp_path / "out", project="acme/tide")
    assert made.taken == {"memories": 5}
    bring(two, ImportKind.PI_CONFIG, tmp_path / "out", project="acme/tide")
    assert len(memories(one)) == 5
    assert memories(one) == memories(two)


def test_exported_topics_are_what_the_old_tool_writes(worlds, tmp_path):
    one, _ = worlds
    bring(one, ImportKind.PI_CONFIG, topic_root(tmp_path), project="acme/tide")
    export_topics(one.here.call(), tmp_path / "out")
    lessons = (tmp_path / "out/topics/lessons.md").read_text()
    assert lessons.splitlines()[0] == "# Lessons"
    assert f"- [lesson] {RULE} *(enforced)*" in lessons.splitlines()
    assert "- [lesson] B. *(pinned)*" in lessons.splitlines()
    told = json.loads((tmp_path / "out/memory-scores.jsonl").read_text())
    record = told["entries"]["b22fcb46"]
    assert record["evidenceCount"] == 3
    assert record["lifecycle"] == "active"
    assert (record["trigger"], record["action"]) == ("bash_contains git add .", "block")
    assert told["entries"][of("lesson", "B.")]["score"] == 9999.0
    assert told["entries"][of("lesson", "B.")]["informs"] == ["b22fcb46"]


def test_topic_row_96_a_pinned_preference_is_a_line_with_the_mark(worlds, tmp_path):
    one, _ = worlds
    one.memory(
        "Memory/Preferences/A.md", "Keep answers short.", category="preference", pinned="true"
    )
    one.here.sync()
    export_topics(one.here.call(), tmp_path)
    assert (
        tmp_path / "topics/preferences.md"
    ).read_text() == "# Preferences\n- [preference] Keep answers short. *(pinned)*\n"


def test_records_imported_exported_and_imported_again_are_the_same(worlds, tmp_path):
    one, two = worlds
    bring(one, ImportKind.PI_MEMORY, lived_in(tmp_path / "pi-memory"))
    made = export_records(one.here.call(), tmp_path / "out")
    bring(two, ImportKind.PI_MEMORY, tmp_path / "out")
    here = {
        text: memory
        for text, memory in memories(one).items()
        if memory.status is not Status.DELETED
    }
    assert made.taken["memories"] == len(here)
    assert here == memories(two)
    candidates = [
        {
            found.candidate.memory.statement: found.candidate.memory.category
            for found in waiting(world.here.call())
        }
        for world in worlds
    ]
    assert candidates[0] == candidates[1]
    assert len(candidates[0]) == 3
    tasks = [[found.text for found in scratchpad_items(world.here.call())] for world in worlds]
    assert tasks[0] == tasks[1] == ["Ask about the port"]


@pytest.mark.parametrize(
    ("export", "kind"),
    [(export_records, ImportKind.PI_MEMORY), (export_topics, ImportKind.PI_CONFIG)],
)
def test_an_export_that_is_imported_where_it_came_from_changes_nothing(
    worlds, tmp_path, export, kind
):
    one, two = worlds
    ids = [one.memory(f"Memory/Lessons/{name}.md", f"Say {name}.") for name in "ABC"]
    bring(one, ImportKind.PI_MEMORY, lived_in(tmp_path / "pi-memory"))
    bring(one, ImportKind.PI_CONFIG, topic_root(tmp_path), project="acme/tide")
    export(one.here.call(), tmp_path / "out")
    before, facts = one.notes(), memories(one)
    counts = bring(one, kind, tmp_path / "out", project="acme/other").plan.counts()
    assert counts[Fate.KNOWN] > 6
    assert counts[Fate.MEMORY] == counts[Fate.CANDIDATE] == counts[Fate.STRENGTHENED] == 0
    assert one.notes() == before
    assert memories(one) == facts
    forget(one.here.call(), ids[0])
    again = bring(one, kind, tmp_path / "out", project="acme/other").plan.counts()
    assert (again[Fate.MEMORY], again[Fate.STRENGTHENED]) == (0, 0)
    bring(two, kind, tmp_path / "out")
    assert set(ids) <= {stood.id for stood in two.here.call().vault.baseline.standings()}


def test_a_candidate_that_was_rejected_since_does_not_come_back_with_the_export(worlds, tmp_path):
    one, _ = worlds
    bring(one, ImportKind.PI_MEMORY, lived_in(tmp_path / "pi-memory"))
    export_records(one.here.call(), tmp_path / "out")
    (found, *_) = waiting(one.here.call())
    decide(one.here.call(), found.id, Decision.REJECT)
    counts = bring(one, ImportKind.PI_MEMORY, tmp_path / "out").plan.counts()
    assert counts[Fate.CANDIDATE] == 0
    assert found.id not in {still.id for still in waiting(one.here.call())}


def test_all_that_a_note_holds_survives_the_way_through_records(worlds, tmp_path):
    one, two = worlds
    one.memory("Memory/Preferences/Ask.md", "Ask first.", layer="L1", category="preference")
    one.memory(
        "Memory/Mistakes/Ports.md",
        "Ports were mixed up.",
        category="mistake",
        rule="workflow",
        cue="recurrence",
        scope="domain",
        domains="[web, db]",
        confidence=0.5,
        stability="stable",
        evidence_count=7,
        tags="[memory/ops]",
        created="2026-01-05T09:00:00",
        reinforced="2026-01-06T09:00:00",
        review="2026-12-24",
        review_days=10,
        change_condition="When the ports move.",
        vault_ref='"[[Ops/Ports|Ports]]"',
        applies_when="[deploying]",
        not_when="[testing]",
        exceptions="[on Fridays]",
        valid_from="2026-01-01T00:00:00",
        expires="2027-01-01T00:00:00",
        source_session="s9",
    )
    one.here.sync()
    export_records(one.here.call(), tmp_path / "out")
    done = bring(two, ImportKind.PI_MEMORY, tmp_path / "out")
    said = "Ports were mixed up."
    assert memories(one)[said] == memories(two)[said]
    assert "who you are" in done.plan.of(Fate.CANDIDATE)[0].reason


def test_what_was_deleted_comes_out_as_a_tombstone_without_its_words(worlds, tmp_path):
    one, _ = worlds
    forgotten = one.memory("Memory/Lessons/A.md", "Forget the blue key.")
    purged = one.memory("Memory/Lessons/B.md", "Burn the red key.")
    one.here.sync()
    forget(one.here.call(), forgotten)
    purge(one.here.call(), purged)
    made = export_records(one.here.call(), tmp_path / "out")
    assert made.taken["tombstones"] == 2
    text = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert "blue key" not in text
    assert "red key" not in text
    modes = {
        json.loads(line)["deletion_mode"]
        for line in (tmp_path / "out/memory/tombstones.jsonl").read_text().splitlines()
    }
    assert modes == {"audit_preserving", "privacy_purge"}


def test_a_purge_names_what_an_export_wrote(worlds, tmp_path):
    one, _ = worlds
    purged = one.memory("Memory/Lessons/B.md", "Burn the red key.")
    one.here.sync()
    for folder in (tmp_path / "out", one.path(".pi/memory"), tmp_path / "out"):
        export_topics(one.here.call(), folder)
    left = {
        place.path: place.where for place in purge(one.here.call(), purged).left if place.certain
    }
    assert left == {
        ".pi/memory/topics/lessons.md": Where.OTHER_PROGRAM,
        f"{tmp_path}/out/topics/lessons.md": Where.EXPORT,
    }
    export_topics(one.here.call(), tmp_path / "out")
    assert not (tmp_path / "out/topics/lessons.md").exists()


@pytest.mark.parametrize("text", ["{", "3"])
def test_a_damaged_list_of_exports_names_nothing(worlds, tmp_path, text):
    one, _ = worlds
    state = one.here.call().vault.state.folder
    (state / "exports.json").write_text(text)
    assert export_folders(state) == ()
    for number in range(102):
        remember_export(state, tmp_path / str(number))
    assert [path.name for path in export_folders(state)][::99] == ["2", "101"]


def test_secrets_do_not_leave(worlds, tmp_path):
    one, _ = worlds
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6g7H8"
    one.memory("Memory/Lessons/A.md", f"Use the token {token} for pushes.", source_session=token)
    one.here.sync()
    for number, export in enumerate((export_records, export_topics)):
        export(one.here.call(), tmp_path / f"out{number}")
        for path in (tmp_path / f"out{number}").rglob("*"):
            assert path.is_dir() or token not in path.read_text()


TOKEN = "ghp_" + "Q1w2E3r4T5y6U7i8O9p0" + "a1S2d3F4g5H6j7K8"
EVERYWHERE = {
    "statement": {},
    "tags": {"tags": f"[memory/{TOKEN}]"},
    "project": {"project": f"acme/{TOKEN}", "scope": "project"},
    "domains": {"domains": f"[{TOKEN}]", "scope": "domain"},
    "applies_when": {"applies_when": f'["with {TOKEN}"]'},
    "not_when": {"not_when": f'["with {TOKEN}"]'},
    "exceptions": {"exceptions": f'["with {TOKEN}"]'},
    "change_condition": {"change_condition": f'"when {TOKEN} ends"'},
    "source_session": {"source_session": TOKEN},
    "vault_ref": {"vault_ref": f'"[[{TOKEN}]]"'},
    "trigger": {"trigger": f"bash_contains {TOKEN}", "action": "block"},
    "action": {"trigger": "bash_contains git", "action": f"run_after echo {TOKEN}"},
    "verifier": {"verifier": f"tool_called {TOKEN} before git push"},
}


def nothing_leaves(world, folder):
    """Export in both forms; no name and no byte of what was written holds the token."""
    for number, export in enumerate((export_records, export_topics)):
        out = folder / f"out{number}"
        assert export(world.here.call(), out).done.written
        for path in out.rglob("*"):
            assert TOKEN not in str(path.relative_to(out))
            assert path.is_dir() or TOKEN.encode() not in path.read_bytes()


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("where", EVERYWHERE)
def test_a_secret_leaves_from_no_place_of_a_memory(worlds, tmp_path, where, pinned):
    """Whoever wrote it there: the write path lets none in, and an export asks nobody."""
    one, _ = worlds
    call = one.here.call()
    says = f"Push with {TOKEN}." if where == "statement" else "Push twice."
    path = f"Memory/Lessons/{TOKEN if where == 'statement' else 'A'}.md"
    own = one.new_id()
    keys = {"id": own, "type": "memory", "category": "lesson", **EVERYWHERE[where]}
    keys |= {"pinned": "true"} if pinned else {}
    lines = "\n".join(f"{key}: {value}" for key, value in keys.items())
    data = f"---\n{lines}\n---\n{says}\n".encode()
    write_notes(call, [Write(path, data, None, own, "created", "person", "add")])
    assert len(call.vault.baseline.standings()) == 1
    assert TOKEN in one.read(path)
    nothing_leaves(one, tmp_path)
    assert own in (tmp_path / "out1/memory-scores.jsonl").read_text()


@pytest.mark.parametrize("where", ["excerpt", "summary", "source_ref", "session", "project"])
def test_a_secret_leaves_from_no_place_of_evidence(worlds, tmp_path, where):
    one, _ = worlds
    call = one.here.call()
    made = {"excerpt": "Push twice."} | {where: f"x {TOKEN}" if where != "session" else TOKEN}
    piece = new_evidence(
        source_kind=SourceKind.FILE, trust=TrustClass.USER_CORRECTION, created=call.local, **made
    )
    (link,) = evidence.record(call, [piece])
    one.memory("Memory/Lessons/A.md", "Push twice.", category="lesson", evidence=f'["{link}"]')
    one.here.sync()
    assert TOKEN in "".join(path.read_text() for path in one.vault.rglob("*.md"))
    nothing_leaves(one, tmp_path)
    assert piece.id in (tmp_path / "out0/memory/evidence.jsonl").read_text()


def test_a_secret_leaves_from_no_candidate_question_or_item(worlds, tmp_path):
    one, _ = worlds
    one.write(
        f"Memory/Inbox/{TOKEN}.md",
        f"---\ntype: memory\ncategory: lesson\ntags: [memory/{TOKEN}]\n---\nPush with {TOKEN}.\n",
    )
    one.write("Memory/Scratchpad.md", f"- [ ] Push with {TOKEN}\n")
    one.here.sync()
    ask(one.here.call(), "Is it pushed?", project="acme/tide")
    (question,) = one.path("Memory/Inquiries").iterdir()
    question.write_text(question.read_text().replace("acme/tide", f"acme/{TOKEN}"))
    one.here.sync()
    nothing_leaves(one, tmp_path)


def test_a_question_comes_back_with_all_that_is_known_of_it(worlds, tmp_path):
    one, two = worlds
    ask(
        one.here.call(),
        "Which region is primary?",
        tags=["memory/ops"],
        project="acme/tide",
        session="s1",
        priority=Priority.HIGH,
    )
    export_records(one.here.call(), tmp_path / "out")
    bring(two, ImportKind.PI_MEMORY, tmp_path / "out")
    (had,), (got,) = (inquiries(each.here.call()) for each in (one, two))
    same = ("question", "tags", "project", "sessions", "priority", "status")
    values = ([getattr(of.inquiry, key) for key in same] for of in (had, got))
    assert next(values) == next(values)
    assert (got.inquiry.sessions, got.inquiry.priority) == (("s1",), Priority.HIGH)


def test_what_nobody_sees_does_not_leave(worlds, tmp_path):
    one, _ = worlds
    hidden = "deploying\u202e \u200bhere"
    fields = ("change_condition", "source_session")
    lists = ("applies_when", "not_when", "exceptions", "domains")
    texts = dict.fromkeys(fields, f'"{hidden}"') | dict.fromkeys(lists, f'["{hidden}"]')
    one.memory("Memory/Lessons/A.md", "Say it.", tags="[memory/ops]", **texts)
    one.here.sync()
    export_records(one.here.call(), tmp_path / "out")
    (record,) = [
        json.loads(line)
        for line in (tmp_path / "out/memory/L2.playbooks.jsonl").read_text().splitlines()
    ]
    assert record["applies_when"] == ["deploying here"]
    assert record["tags"] == ["ops"]
    assert "\\u20" not in json.dumps(record)


def test_a_topic_goes_on_in_a_second_file_before_the_old_limit(worlds, tmp_path):
    one, two = worlds
    for number in range(60):
        one.memory(
            f"Memory/Lessons/N{number}.md", f"Lesson number {number} {'is long ' * 40}indeed."
        )
    one.memory("Memory/Lessons/Same.md", "Lesson number 1.", status="deprecated")
    one.here.sync()
    made = export_topics(one.here.call(), tmp_path / "out")
    files = sorted((tmp_path / "out/topics").iterdir())
    assert [file.name for file in files] == ["lessons-2.md", "lessons.md"]
    assert all(len(file.read_text()) <= 12_000 for file in files)
    assert sum(made.left_out.values()) == 1
    bring(two, ImportKind.PI_CONFIG, tmp_path / "out")
    assert len(memories(two)) == 60


def test_the_same_words_in_two_projects_are_one_entry(worlds, tmp_path):
    one, _ = worlds
    for name in ("a", "b"):
        one.memory(f"Memory/Lessons/{name}.md", "Say it.", scope="project", project=f"acme/{name}")
    one.here.sync()
    made = export_topics(one.here.call(), tmp_path / "out")
    assert made.taken == {"memories": 1}
    assert sum(made.left_out.values()) == 1
    assert export_topics(one.here.call(), tmp_path / "a", project="acme/a").left_out == {}


def test_words_that_look_like_a_marker_pin_nothing(worlds, tmp_path):
    one, two = worlds
    one.memory("Memory/Lessons/A.md", "The mark is \\*(pinned)\\* there.")
    one.here.sync()
    export_topics(one.here.call(), tmp_path / "out")
    bring(two, ImportKind.PI_CONFIG, tmp_path / "out", project="acme/tide")
    (memory,) = memories(two).values()
    assert not memory.pinned


def test_an_export_again_changes_only_what_is_new(worlds, tmp_path):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    path = one.memory("Memory/Mistakes/B.md", "Said it.")
    one.here.sync()
    out = tmp_path / "deep/er"
    first = export_records(one.here.call(), out)
    assert len(first.done.written) == 9
    assert export_records(one.here.call(), out).done.written == ()
    forget(one.here.call(), path)
    again = export_records(one.here.call(), out).done
    assert set(again.written) == {"memory/L2.playbooks.jsonl", "memory/tombstones.jsonl"}
    assert len(again.unchanged) == 7
    assert again.removed == ()


def test_a_file_that_an_export_has_no_more_goes_with_it_unless_somebody_changed_it(
    worlds, tmp_path
):
    one, _ = worlds
    ids = [
        one.memory(f"Memory/{folder}/A.md", f"Say {folder}.")
        for folder in ("Mistakes", "Decisions", "Lessons")
    ]
    one.here.sync()
    export_topics(one.here.call(), tmp_path)
    (tmp_path / "topics/decisions.md").write_text("# Mine\n")
    for identifier in ids[:2]:
        forget(one.here.call(), identifier)
    done = export_topics(one.here.call(), tmp_path).done
    assert done.removed == ("topics/mistakes.md",)
    assert (tmp_path / "topics/decisions.md").read_text() == "# Mine\n"


def test_a_file_of_somebody_else_is_not_replaced_without_a_word(worlds, tmp_path):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    write(tmp_path, "topics/lessons.md", "# Mine\n")
    with pytest.raises(NotConfirmedError, match=r"topics/lessons\.md in"):
        export_topics(one.here.call(), tmp_path)
    assert not (tmp_path / "memory-scores.jsonl").exists()
    assert export_topics(one.here.call(), tmp_path, over=True).done.written
    (tmp_path / "topics/lessons.md").write_text("# Mine again\n")
    (tmp_path / "memory-scores.jsonl").write_text("{}\n")
    with pytest.raises(NotConfirmedError, match="and 1 more"):
        export_topics(one.here.call(), tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"files": 3}', '{"files": {"topics/lessons.md": 3}}', "\xff"),
        '{"files": {"topics/lessons.md": {"by": "topics"}}}',
    ],
)
def test_a_damaged_list_makes_everything_somebody_elses(worlds, tmp_path, text):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    export_topics(one.here.call(), tmp_path)
    (tmp_path / MANIFEST).write_text(text)
    one.memory("Memory/Lessons/B.md", "Say more.")
    one.here.sync()
    with pytest.raises(NotConfirmedError):
        export_topics(one.here.call(), tmp_path)


def test_a_list_that_names_other_files_removes_none(worlds, tmp_path):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    write(tmp_path, "diary.md", "Mine.\n")
    write(tmp_path, "outside/topics/lessons.md", "Mine.\n")
    told = {
        "files": {
            name: {
                "by": f"topics {one.here.call().vault.state.vault_id}",
                "versions": [etag_of(b"Mine.\n")],
            }
            for name in ("diary.md", "../x.md", "/etc/x", "outside/topics/lessons.md")
        }
    }
    write(tmp_path, MANIFEST, json.dumps(told))
    assert export_topics(one.here.call(), tmp_path).done.removed == ()
    assert (tmp_path / "diary.md").exists()
    assert (tmp_path / "outside/topics/lessons.md").exists()


@pytest.mark.parametrize("first", [export_topics, export_records])
def test_exports_of_two_kinds_in_one_folder_leave_each_others_files(worlds, tmp_path, first):
    one, _ = worlds
    out = tmp_path / "out"
    second = export_records if first is export_topics else export_topics
    known = one.memory("Memory/Mistakes/A.md", "Say it.", scope="project", project="acme/tide")
    one.here.sync()
    first(one.here.call(), out)
    before = files_in(out)
    assert second(one.here.call(), out).done.removed == ()
    both = files_in(out)
    assert before.items() <= both.items()
    forget(one.here.call(), known)
    gone = {*first(one.here.call(), out).done.removed}
    assert gone <= before.keys()
    assert gone | files_in(out).keys() == both.keys()
    gone |= {*second(one.here.call(), out).done.removed}
    assert {"topics/mistakes.md", "memory/projects/acme-tide.jsonl"} <= gone


@pytest.mark.parametrize("export", [export_topics, export_records])
def test_an_export_of_another_vault_is_somebody_elses(worlds, tmp_path, export):
    """A folder may hold what another vault's export wrote: it is neither replaced nor removed."""
    one, two = worlds
    out = tmp_path / "out"
    for name in ("Mistakes", "Lessons"):
        one.memory(f"Memory/{name}/A.md", f"Say {name}.", scope="project", project=f"acme/{name}")
    two.memory("Memory/Lessons/A.md", "Say it otherwise.")
    for world in worlds:
        world.here.sync()
    export(one.here.call(), out)
    before = files_in(out)
    with pytest.raises(NotConfirmedError, match="of this vault"):
        export(two.here.call(), out)
    assert files_in(out) == before
    done = export(two.here.call(), out, over=True).done
    assert done.removed == ()
    assert before.keys() <= files_in(out).keys()
    assert export(two.here.call(), out).done.removed == ()


def test_a_folder_that_is_a_file_is_refused(worlds, tmp_path):
    one, _ = worlds
    write(tmp_path, "out", "Mine.")
    with pytest.raises(VaultmemError, match="out"):
        export_topics(one.here.call(), tmp_path / "out")
    with pytest.raises(VaultmemError, match="out"):
        export_topics(one.here.call(), tmp_path / "out/below")
    assert (tmp_path / "out").read_text() == "Mine."


def test_nothing_goes_through_a_link_or_into_the_memory_root(worlds, tmp_path):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/topics").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        export_topics(one.here.call(), tmp_path / "out", over=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    write(tmp_path, "odd/memory-scores.jsonl/x", "x")
    with pytest.raises(UnsafePathError, match="is no file"):
        export_topics(one.here.call(), tmp_path / "odd", over=True)
    for folder in (".", "Memory", "Memory/Lessons", "Notes/new"):
        with pytest.raises(UnsafePathError, match="lies in the vault"):
            export_records(one.here.call(), one.path(folder))


@pytest.mark.parametrize("export", [export_topics, export_records])
def test_an_agent_exports_nothing(worlds, tmp_path, export):
    one, _ = worlds
    with pytest.raises(AgentRefusedError):
        export(one.here.call(agent="pi"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_topic_row_98_a_database_of_three_rows_is_imported_and_removed(worlds, tmp_path):
    one, _ = worlds
    root = tmp_path / "tide/.pi/memory"
    (root / "topics").mkdir(parents=True)
    database(
        root / "memories.db", row("A."), row("B.", category="pattern"), row("C.", details="Why.")
    )
    for name in ("dreams.md", "dreams.lock"):
        write(root, name, "x")
    done = bring(one, ImportKind.MEMORIES_DB, root)
    assert done.plan.counts()[Fate.MEMORY] == 3
    removed = remove_source(one.here.call(), root, done.plan)
    assert set(removed) == {"memories.db", "dreams.md", "dreams.lock"}
    assert [path.name for path in root.iterdir()] == ["topics"]
    assert bring(one, ImportKind.MEMORIES_DB, root).plan.gathered.records == 0


def test_topic_row_99_an_empty_database_is_removed(worlds, tmp_path):
    one, _ = worlds
    schema = "CREATE TABLE memories (date TEXT, category TEXT, summary TEXT)"
    made = database(tmp_path / "memories.db", schema=schema)
    done = bring(one, ImportKind.MEMORIES_DB, tmp_path)
    assert done.plan.gathered.records == 0
    assert remove_source(one.here.call(), tmp_path, done.plan) == ("memories.db",)
    assert not made.exists()
    with pytest.raises(ImportSourceError):
        bring(one, ImportKind.MEMORIES_DB, tmp_path)


def test_a_promotion_and_a_candidate_wait_in_the_inbox(worlds, tmp_path):
    one, _ = worlds
    root = topic_root(tmp_path)
    write(root, "promotions.md", promotion("a" * 12, text="Run it twice.", destination="skill"))
    write(root, "preference-candidates.jsonl", '{"text": "I prefer short answers."}\n')
    done = bring(one, ImportKind.PI_CONFIG, root)
    counts = done.plan.counts()
    assert (counts[Fate.MEMORY], counts[Fate.CANDIDATE]) == (5, 2)
    assert sum(counts.values()) == done.plan.gathered.records
    again = bring(one, ImportKind.PI_CONFIG, root).plan.counts()
    assert (again[Fate.KNOWN], again[Fate.MEMORY]) == (7, 0)


def test_no_evidence_that_was_taken_out_leaves(worlds, tmp_path):
    one, _ = worlds
    bring(one, ImportKind.PI_MEMORY, lived_in(tmp_path / "pi-memory"))
    export_records(one.here.call(), tmp_path / "out")
    pieces = [
        json.loads(line)
        for line in (tmp_path / "out/memory/evidence.jsonl").read_text().splitlines()
    ]
    assert {piece["redaction_status"] for piece in pieces} == {Redaction.NONE.value}
    assert governed.TESTS in {
        json.loads(line)["statement"]
        for line in (tmp_path / "out/memory/projects/tide.jsonl").read_text().splitlines()
    }


def test_evidence_that_was_counted_since_leaves_with_the_memory(worlds, tmp_path):
    one, _ = worlds
    place = {"scope": "project", "project": "acme/tide"}
    known = one.memory("Memory/Lessons/A.md", "Say it.", **place)
    one.here.sync()
    topic(tmp_path / "there", "lessons", "- [lesson] Say it.")
    bring(one, ImportKind.PI_CONFIG, tmp_path / "there", project="acme/tide")
    count = one.here.call().vault.baseline.standing(known).evidence_count
    assert count == 2
    export_topics(one.here.call(), tmp_path / "out")
    scores = json.loads((tmp_path / "out/memory-scores.jsonl").read_text())
    assert [record["evidenceCount"] for record in scores["entries"].values()] == [count]


@pytest.mark.parametrize(("zone", "minutes", "stays"), [(-8, 2, False), (8, 0, True)])
def test_what_a_killed_export_left_is_told_from_one_under_way_in_any_zone(
    worlds, tmp_path, zone, minutes, stays
):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    export_topics(one.here.call(), tmp_path / "out")
    left = temporary_beside(tmp_path / "out" / MANIFEST)
    left.write_bytes(b"{")
    one.here.pass_time(minutes=minutes)
    call = one.here.call()
    there = call.now.astimezone(timezone(timedelta(hours=zone)))
    export_topics(call._replace(now=there), tmp_path / "out")
    assert left.exists() == stays


def test_an_export_that_was_cut_short_is_gone_on_with(worlds, tmp_path, monkeypatch):
    one, _ = worlds
    one.memory("Memory/Lessons/A.md", "Say it.")
    one.here.sync()
    export_topics(one.here.call(), tmp_path)
    one.memory("Memory/Lessons/B.md", "Say more.")
    one.here.sync()
    replace_really = exported.replace_file

    def cut(folder, name, data, **more):
        if name != MANIFEST:
            raise InterruptedError
        return replace_really(folder, name, data, **more)

    with monkeypatch.context() as patched:
        patched.setattr(exported, "replace_file", cut)
        with pytest.raises(InterruptedError):
            export_topics(one.here.call(), tmp_path)
    assert "Say more." not in (tmp_path / "topics/lessons.md").read_text()
    export_topics(one.here.call(), tmp_path)
    assert "Say more." in (tmp_path / "topics/lessons.md").read_text()
