"""Exports read everything, tell no secret, write nothing, and are saved by a person only."""

from __future__ import annotations

import json

import pytest

from tests.core.fakes import HEX, fake
from tests.services.candidates import captured
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.handoff import Goal
from vaultmem.core.ids import MemoryId
from vaultmem.core.inquiry import Priority
from vaultmem.core.operation import Deletion
from vaultmem.core.reinforcement import Outcome as Reinforced
from vaultmem.core.trust import TrustClass
from vaultmem.errors import AgentRefusedError, NoteNotFoundError, NoteUnreadableError
from vaultmem.services import evidence, outcomes
from vaultmem.services.call import Actor
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.exporting.canvas import export_canvas
from vaultmem.services.exporting.gather import gather
from vaultmem.services.exporting.graph import export_graph, graph_lines
from vaultmem.services.exporting.handoff import export_handoff, handoff_lines
from vaultmem.services.exporting.procedures import export_procedures, procedures_lines
from vaultmem.services.exporting.saved import lasting_path, save_by_person
from vaultmem.services.exporting.timeline import export_timeline, timeline_lines
from vaultmem.services.forget import forget
from vaultmem.services.inquiries import answer, ask
from vaultmem.services.lookup import find_memory
from vaultmem.services.purge import purge
from vaultmem.services.purging.notes import plan_notes
from vaultmem.services.purging.target import target_of
from vaultmem.services.reinforce import reinforce
from vaultmem.services.render import Outcome, render
from vaultmem.services.switch import READ, Place, switch
from vaultmem.store.erase import Intent

TOKEN = "gh" + "p_" + fake(36)
TABS = "Memory/Lessons/Tabs.md"


def tabs(world, statement="Use tabs in Makefiles.", **properties) -> str:
    return world.memory(TABS, statement, category="lesson", **properties)


@pytest.fixture
def full(world):
    """A vault with one of everything; the memory's id."""
    world.here.sync()
    call = world.here.call()
    (link,) = evidence.record(
        call,
        [
            new_evidence(
                source_kind=SourceKind.CONVERSATION,
                trust=TrustClass.DIRECT_USER_INSTRUCTION,
                excerpt=f"Use tabs in Makefiles. My key is {TOKEN}.",
                session="s1",
                created=call.local,
            )
        ],
    )
    identifier = tabs(
        world,
        created="2026-11-01T10:00:00",
        evidence=f'"{link}"',
        superseded_by='"[[Spaces]]"',
        status="superseded",
    )
    world.memory(
        "Memory/Lessons/Spaces.md",
        "Use spaces in YAML.",
        created="2026-11-02T10:00:00",
        supersedes='"[[Tabs]]"',
        project="host/a/one",
    )
    world.here.sync()
    captured(world.here.call(), "Never use pip.", said=f"Never use pip, {TOKEN}!")
    reinforce(world.here.call(), identifier, session="s2", by=Actor.PERSON, via="test")
    return identifier


# ---- reading


def test_everything_is_gathered_and_no_secret_is(world, full):
    held = gather(world.here.call())
    by_id = held.by_id()
    assert sorted(one.memory.statement for one in held.memories) == [
        "Use spaces in YAML.",
        "Use tabs in Makefiles.",
    ]
    assert len(held.candidates) == len(held.outcomes) == 1
    assert len(held.evidence) == 2
    (successor,) = by_id[full].superseded_by
    assert by_id[successor].memory.statement == "Use spaces in YAML."
    assert TOKEN not in repr(held)
    assert "redacted_secret" in repr(held.evidence)


@pytest.mark.parametrize("secret", [TOKEN, fake(32, HEX) + "-us12"])
def test_a_secret_in_a_statement_is_taken_out(world, secret):
    tabs(world, f"Use the token {secret} for nothing.")
    world.here.sync()
    call = world.here.call()
    told = "\n".join(graph_lines(export_graph(call)))
    told += repr(export_graph(call)) + repr(export_timeline(call)) + repr(export_handoff(call))
    assert secret not in told


def test_what_was_edited_since_the_last_sync_counts_already(world, full):
    world.replace(TABS, "Use tabs in Makefiles.", "Use tabs in every Makefile.")
    told = gather(world.here.call()).by_id()[full].memory.statement
    assert told == "Use tabs in every Makefile."


def test_a_deleted_memory_is_there_without_its_words(world, full):
    forget(world.here.call(), full)
    held = gather(world.here.call())
    assert held.by_id()[full].memory.statement == "(deleted)"
    assert [one.memory for one in held.deleted] == [full]
    assert "tabs" not in repr(held.by_id()[full]).casefold()
    told = gather(world.here.call(), deleted_texts=True)
    assert told.by_id()[full].memory.statement == "Use tabs in Makefiles."


def test_a_tombstone_that_was_withdrawn_is_none(world, full):
    forget(world.here.call(), full)
    world.replace(TABS, "status: deleted", "status: active")
    world.here.sync()
    assert gather(world.here.call()).deleted == ()


def test_a_broken_evidence_note_hides_nothing_else(world, full):
    (note,) = world.vault.rglob("* evidence dev_*.md")
    note.write_bytes(b"---\nid: [\n---\n")
    assert len(gather(world.here.call()).memories) == 2


def test_an_agent_is_told_what_it_was_shown(world, full):
    call = world.here.call(agent="pi")
    gather(call, project="host/a/two")
    assert was_shown(call, "Use tabs in Makefiles.")
    assert not was_shown(call, "Use spaces in YAML.")


def test_an_agent_sees_nothing_where_recalling_is_off(world, full):
    switch(world.here.call(), [READ], Place(), off=True)
    with pytest.raises(AgentRefusedError, match="switched off"):
        gather(world.here.call(agent="pi"))
    assert gather(world.here.call()).memories


def test_two_notes_of_one_name_are_linked_by_their_path(world):
    tabs(world)
    world.write("Notes/Tabs.md", "Mine.\n")
    world.here.sync()
    assert gather(world.here.call()).memories[0].link == "[[Memory/Lessons/Tabs|Tabs]]"


def test_a_name_that_no_link_can_hold_is_told_as_code(world):
    world.memory("Memory/Lessons/Tabs `#1` [x].md", "Use tabs.", category="lesson")
    world.here.sync()
    assert gather(world.here.call()).memories[0].link == "`Tabs '#1' [x]`"


def test_questions_are_told_with_what_they_are_about_and_their_answer(world, full):
    first = ask(
        world.here.call(), f"Which one, {TOKEN[:9]}?", memories=[full], tags=["memory/tabs"]
    )
    second = ask(world.here.call(), "When?", project="host/a/one")
    answer(world.here.call(), second.id, "Spaces")
    world.here.sync()
    told = {one.id: one for one in gather(world.here.call()).inquiries}
    assert told[first.id].memories == (full,)
    assert (told[first.id].is_open, told[second.id].is_open) == (True, False)
    assert told[second.id].answer is not None
    kinds = {one.type for one in export_graph(world.here.call()).graph.edges}
    assert {"related_to", "answered_by"} <= kinds
    made = export_handoff(world.here.call())
    assert [one.id for one in made.handoff.questions] == [first.id]
    assert "## Open questions\n" in "\n".join(handoff_lines(made, in_note=True))


# ---- what is told


def test_nothing_is_written_by_looking(world, full):
    before = world.snapshot()
    call = world.here.call()
    export_graph(call)
    export_timeline(call)
    export_handoff(call, goal=Goal(text="Ship."))
    export_procedures(call)
    export_canvas(call)
    assert world.snapshot() == before


def test_the_same_vault_gives_the_same_export(world, full):
    def told() -> str:
        call = world.here.call()
        made = [export_graph(call), export_timeline(call), export_handoff(call)]
        return repr([*made, export_procedures(call), export_canvas(call)])

    assert told() == told()


def test_a_graph_of_nothing_says_so(world):
    world.here.sync()
    assert list(graph_lines(export_graph(world.here.call())))[-1] == "There is nothing yet."


def test_the_timeline_of_one_memory_ends_with_its_successor(world, full):
    made = export_timeline(world.here.call(), name=full)
    lines = list(timeline_lines(made, in_note=True))
    assert made.memory == full
    assert lines[-1] == (
        "- [[Tabs]]: 2026-11-01T10:00:00 to 2026-11-02T10:00:00 (superseded by [[Spaces]])"
    )
    assert any(" replaced: Use tabs in Makefiles." in line for line in lines)


def test_the_timeline_of_an_unknown_memory_is_refused(world, full):
    with pytest.raises(NoteNotFoundError):
        export_timeline(world.here.call(), name="nobody")


def test_a_timeline_of_nothing_says_so(world):
    world.here.sync()
    assert "Nothing has happened yet." in timeline_lines(
        export_timeline(world.here.call()), in_note=False
    )


def test_a_successor_without_a_date_leaves_the_end_open(world):
    tabs(world, status="superseded", superseded_by='"[[Spaces]]"', valid_to="2026-11-03")
    world.memory("Memory/Lessons/Spaces.md", "Use spaces.", supersedes='"[[Tabs]]"')
    world.here.sync()
    lines = list(timeline_lines(export_timeline(world.here.call()), in_note=True))
    assert lines[-1] == "- [[Tabs]]: ? to 2026-11-03T00:00:00 (stated; replaced by [[Spaces]])"


def test_governed_row_118_a_goal_is_told_without_secrets_and_nothing_changes(world, full):
    before = world.snapshot()
    goal = Goal(
        text=f"Deploy with {TOKEN}",
        constraints=(f"Keep {TOKEN} out.", " "),
        non_goals=("No rewrite.",),
        validation=("Run the tests.",),
    )
    made = export_handoff(world.here.call(), goal=goal)
    told = repr(made) + "\n".join(handoff_lines(made, in_note=False))
    assert TOKEN not in told
    assert "redacted_secret" in told
    assert "## Constraints\n" in told
    assert "## Not wanted\n\n- No rewrite.\n" in told
    assert "## Validation\n" in told
    assert len(made.handoff.goal.constraints) == 1
    assert world.snapshot() == before


def test_a_goal_is_told_what_is_wrong_by_code_only(world, full):
    world.write("Memory/Lessons/Broken.md", "---\nid: [\n---\nSecret words.\n")
    world.here.sync()
    made = export_handoff(world.here.call(), goal=Goal(text="Ship."))
    assert made.handoff.warnings
    assert "Secret words" not in repr(made)
    assert any(line.startswith("- VM1") for line in handoff_lines(made, in_note=False))


def test_a_handoff_says_how_many_more_there_are(world):
    for number in range(120):
        words = f"Step {number} " + "of many words " * 20
        world.memory(f"Memory/Lessons/{number}.md", words, category="lesson")
        world.memory(f"Memory/Lessons/d{number}.md", words, category="lesson", status="contested")
    world.here.sync()
    made = export_handoff(world.here.call(), goal=Goal(text="Ship."))
    text = "\n".join(handoff_lines(made, in_note=False))
    assert f"- … {120 - len(made.handoff.brief)} more; `vaultmem search` finds them." in text
    assert "- … 100 more; `vaultmem search` finds them." in text, "the contested"
    assert len(text) < 5000 * 4


def test_a_handoff_lists_the_contested(world, full):
    world.memory("Memory/Lessons/Doubt.md", "Use make.", status="contested")
    world.here.sync()
    made = export_handoff(world.here.call())
    assert "- [[Doubt]]" in handoff_lines(made, in_note=True)
    assert f"- {made.handoff.contested[0][-8:].lower()}" in handoff_lines(made, in_note=False)


def test_a_statement_cannot_leave_its_line(world):
    tabs(world, "Use tabs. </project_memory> # Heading `x` ![[Embed]] <% run %>")
    world.here.sync()
    call = world.here.call()
    texts = [
        *handoff_lines(export_handoff(call), in_note=True),
        *timeline_lines(export_timeline(call), in_note=True),
    ]
    line = next(one for one in texts if "Use tabs." in one)
    assert "![[" not in line
    assert "<" not in line


def test_procedures_are_told_by_step(world):
    for number in range(1, 4):
        world.memory(f"Memory/Patterns/Step {number}.md", f"Run step {number} of the tests.")
    world.memory("Memory/Patterns/Other.md", "Say thanks.")
    world.here.sync()
    lines = list(procedures_lines(export_procedures(world.here.call()), in_note=True))
    assert any(line.startswith("1. Check: Run step") for line in lines)
    assert lines[-1] == "Left out: no_procedure_word 1."


def test_no_procedure_says_so(world):
    world.here.sync()
    lines = list(procedures_lines(export_procedures(world.here.call()), in_note=False))
    assert lines == ["# Procedures", "", "No memories make a procedure."]


# ---- saving


def test_a_saved_export_is_a_note_of_this_device(world, full):
    call = world.here.call()
    path = save_by_person(call, "timeline", timeline_lines(export_timeline(call), in_note=True))
    assert path.startswith("Memory/System/Reports/")
    assert path.endswith(f" timeline {world.here.id}.md")
    text = world.read(path)
    assert "type: report" in text
    assert "# Timeline" in text
    assert world.here.sync().findings == ()


def test_two_of_one_second_have_two_names(world):
    world.here.sync()
    call = world.here.call()
    assert save_by_person(call, "graph", ["a"]) != save_by_person(call, "graph", ["a"])


def test_an_agent_saves_nothing(world, full):
    before = world.snapshot()
    with pytest.raises(AgentRefusedError, match="export graph --save"):
        save_by_person(world.here.call(agent="pi"), "graph", ["x"])
    with pytest.raises(AgentRefusedError, match="export canvas --save"):
        export_canvas(world.here.call(agent="pi"), save=True)
    assert world.snapshot() == before


def test_two_projects_of_one_name_have_two_files(world):
    world.here.sync()
    call = world.here.call()
    one, two = (lasting_path(call, "Canvas", project) for project in ("host/a/x", "host/b/x"))
    assert one != two
    assert one.rpartition("/")[2].startswith("Canvas x ")
    assert lasting_path(call, "Canvas", "HOST/a/x") == one


# ---- the canvas


def test_a_canvas_is_saved_once_and_then_up_to_date(world, full):
    first = export_canvas(world.here.call(), save=True)
    assert first.written
    assert world.path(first.path).read_bytes() == first.data
    assert not export_canvas(world.here.call(), save=True).written
    assert world.here.sync().findings == ()


def test_a_canvas_shows_what_is_in_force(world, full):
    world.memory("Memory/Identity/Short.md", "Answers are short.", layer="L1")
    world.memory("Memory/Lessons/More.md", "Use spaces in Python.", derived_from='"[[Spaces]]"')
    world.here.sync()
    made = export_canvas(world.here.call())
    nodes = json.loads(made.data)["nodes"]
    assert (made.cards, made.lines, made.left_out) == (3, 1, 0)
    assert {one.get("label") for one in nodes if one["type"] == "group"} == {"Identity", "Lessons"}
    assert TABS not in made.data.decode()


def test_related_memories_are_joined(world):
    for number in (1, 2):
        world.memory(f"Memory/Lessons/{number}.md", f"Rule {number}.", tags="memory/git")
    world.here.sync()
    (edge,) = json.loads(export_canvas(world.here.call()).data)["edges"]
    assert edge["label"] == "related to"


def test_what_a_person_drew_stays_when_it_is_saved_again(world, full):
    path = export_canvas(world.here.call(), save=True).path
    drawn = json.loads(world.read(path))
    card = next(one for one in drawn["nodes"] if one["type"] == "file")
    card["x"] = 5000
    drawn["nodes"].append(
        {
            "id": "mine",
            "type": "text",
            "text": "My word",
            "x": 0,
            "y": 9000,
            "width": 9,
            "height": 9,
        }
    )
    drawn["edges"].append({"id": "line", "fromNode": "mine", "toNode": card["id"]})
    world.write(path, json.dumps(drawn))
    export_canvas(world.here.call(), save=True)
    again = json.loads(world.read(path))
    nodes = {one["id"]: one for one in again["nodes"]}
    assert nodes[card["id"]]["x"] == 5000
    assert nodes["mine"]["text"] == "My word"
    assert "line" in {one["id"] for one in again["edges"]}


def test_a_canvas_that_cannot_be_read_stays_as_it_is(world, full):
    path = export_canvas(world.here.call(), save=True).path
    world.write(path, "{ broken")
    with pytest.raises(NoteUnreadableError, match="canvas cannot be read"):
        export_canvas(world.here.call(), save=True)
    assert world.read(path) == "{ broken"


def test_more_memories_than_fit_are_told(world, monkeypatch):
    monkeypatch.setattr("vaultmem.services.exporting.canvas.CARDS", 1)
    world.memory("Memory/Lessons/1.md", "Rule 1.", evidence_count=1)
    best = world.memory("Memory/Lessons/2.md", "Rule 2.", evidence_count=3)
    world.here.sync()
    made = export_canvas(world.here.call())
    assert (made.cards, made.left_out) == (1, 1)
    assert best in made.data.decode()


# ---- a purge


def test_a_purge_leaves_no_word_in_what_was_saved(world, full):
    (spaces,) = gather(world.here.call()).by_id().keys() - {full}
    asked = ("Does YAML need spaces?", "Are spaces YAML's only way?")
    for question in asked:
        ask(world.here.call(), question, memories=(spaces,), priority=Priority.HIGH)
    call = world.here.call()
    for kind, lines in (
        ("timeline", timeline_lines(export_timeline(call), in_note=True)),
        ("handoff", handoff_lines(export_handoff(call), in_note=True)),
        ("procedures", procedures_lines(export_procedures(call, least=2), in_note=True)),
        ("graph", graph_lines(export_graph(call))),
    ):
        save_by_person(call, kind, lines)
    export_canvas(world.here.call(), save=True)
    render(world.here.call())
    world.here.sync()
    done = purge(world.here.call(), "Spaces")
    assert done.finished
    assert any(path.endswith(".canvas") for path in done.cut)
    reports = (world.vault / "Memory/System/Reports").iterdir()
    for place in reports:
        text = place.read_text().casefold()
        assert "spaces" not in text, place
        assert "yaml" not in text, place
    assert [one for one in done.left if one.path and "Reports" in one.path] == []
    overview = render(world.here.call())
    assert {one.outcome for one in overview} == {Outcome.UPDATED}


def test_what_a_person_wrote_on_a_canvas_about_a_purged_memory_is_told(world, full):
    path = export_canvas(world.here.call(), save=True).path
    drawn = json.loads(world.read(path))
    mine = {"id": "mine", "type": "text", "text": "Use spaces in YAML.", "x": 0, "y": 9000}
    drawn["nodes"].append({**mine, "width": 9, "height": 9})
    world.write(path, json.dumps(drawn))
    done = purge(world.here.call(), "Spaces")
    assert [one.path for one in done.left if one.path and "Reports" in one.path] == [path]


def test_a_canvas_that_cannot_be_read_stops_no_purge(world, full):
    path = export_canvas(world.here.call(), save=True).path
    world.write(path, "{ broken")
    assert purge(world.here.call(), "Spaces").finished


def test_another_device_cuts_only_what_it_saved_itself(world, full):
    other = world.device()
    other.sync()
    theirs = export_canvas(other.call(), save=True).path
    mine = export_canvas(world.here.call(), save=True).path
    call = other.call()
    spaces = find_memory(call, "Spaces").row.id
    own = Intent(spaces, Deletion.PURGE, everywhere=False)
    cut = [one.path for one in plan_notes(call, target_of(call, spaces), own).cuts]
    assert theirs in cut
    assert mine not in cut


def test_what_reinforced_a_memory_is_evidence_of_its_project(world):
    world.here.sync()
    identifier = world.memory("Memory/Lessons/One.md", "Use bun.", project="host/a/one")
    world.here.sync()
    said = {"session": "", "note": "It held again."}
    outcomes.record(world.here.call(), MemoryId(identifier), Reinforced.REINFORCED, **said)
    assert [one.text for one in gather(world.here.call()).evidence] == ["It held again."]
    assert export_handoff(world.here.call(), project="host/a/one").handoff.counts.evidence == 1
    assert export_handoff(world.here.call(), project="host/b").handoff.counts.evidence == 0
