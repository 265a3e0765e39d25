"""`vaultmem patch` and `vaultmem undo`: their answers, their questions, and whom they refuse."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.call import Actor
from vaultmem.services.lookup import find_memory

NOTE = "Memory/Lessons/Add files by name.md"
MEMORY = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"


@pytest.fixture
def ready(terminal):
    """A vault with one memory."""
    write(
        terminal.cwd / NOTE,
        f"---\nid: {MEMORY}\ntype: memory\ncategory: lesson\n---\nAdd files by name.\n",
    )
    terminal.ok("sync")
    return terminal


def _save(terminal, *operations: Operation) -> str:
    """Propose a patch on the memory; returns the patch's id."""
    app = terminal.app()
    with app:
        call = app.call()
        memory = find_memory(call, MEMORY).decoded.memory
        patch = patches.new(call, [(one, memory) for one in operations])
        patches.save(call, patch)
    return patch.id


def _save_new(terminal, *operations: Operation) -> str:
    """Propose a patch that is about no memory; returns the patch's id."""
    with terminal.app() as app:
        patch = patches.new(app.call(), [(one, None) for one in operations])
        patches.save(app.call(), patch)
    return patch.id


def _candidate(terminal, text: str) -> dict[str, str]:
    """What an agent proposed."""
    done = terminal.run(
        "add", text, "--category", "preference", "--json", env={"AI_AGENT": "coder"}
    )
    return done.json


def _contest(**more) -> Operation:
    return Operation(op=Op.CONTEST, target=MemoryId(MEMORY), **more)


def _purge() -> Operation:
    return Operation(op=Op.DELETE, target=MemoryId(MEMORY), deletion=Deletion.PURGE)


def test_the_documented_keys_are_printed(ready):
    patch = _save(ready, _contest(reason="Seen to fail."))
    found = ready.ok("patch", "list", "--json").json
    assert set(found) == COMMANDS["patch list"]
    (line,) = found["patches"]
    assert set(line) == LISTS["patches` of `patch list"]
    shown = ready.ok("patch", "show", patch, "--json").json
    assert set(shown) == COMMANDS["patch show"]
    (operation,) = shown["operations"]
    assert set(operation) == LISTS["operations` of `patch show"]
    assert (operation["op"], operation["selected"], operation["risk"]) == (
        "contest",
        False,
        "medium",
    )
    done = ready.ok("patch", "apply", patch, "--op", "op_001", "--json").json
    assert set(done) == COMMANDS["patch apply"]
    assert done["applied"] == [{"id": "op_001", "op": "contest", "memory": MEMORY, "path": NOTE}]
    assert set(done["applied"][0]) == LISTS["applied` of `patch apply`, `reverted"]
    back = ready.ok("patch", "revert", patch, "--json").json
    assert set(back) == COMMANDS["patch revert"]
    assert [one["id"] for one in back["reverted"]] == ["op_001"]
    shown = ready.ok("patch", "show", patch, "--json").json
    assert (shown["status"], shown["operations"][0]["result"]) == ("reverted", "reverted")
    ready.ok("contest", MEMORY)
    assert set(ready.ok("undo", "--json").json) == COMMANDS["undo"]
    patch = _save(ready, _contest())
    assert set(ready.ok("patch", "reject", patch, "--json").json) == COMMANDS["patch reject"]


def test_a_stale_operation_is_refused_with_a_difference(ready):
    patch = _save(ready, _contest())
    write(ready.cwd / NOTE, (ready.cwd / NOTE).read_text().replace("by name", "one by one"))
    done = ready.run("patch", "apply", patch, "--all", "--json")
    assert done.code == 45
    (skipped,) = done.json["skipped"]
    assert set(skipped) == LISTS["skipped` of `patch apply`, `patch revert`, `undo"]
    assert skipped["reason"] == "stale"
    assert "-statement: Add files by name." in skipped["difference"]
    said = ready.run("patch", "apply", patch, "--all")
    assert said.code == 45
    assert "+statement: Add files one by one." in said.out
    assert "stays open" in said.out
    shown = ready.ok("patch", "show", patch).out
    assert "Cannot be applied now" in shown
    assert "+statement: Add files one by one." in shown


def test_nothing_ticked_is_refused_and_the_patch_stays_open(ready):
    patch = _save(ready, _contest())
    assert "Nothing is ticked yet" in ready.ok("patch", "show", patch).out
    done = ready.run("patch", "apply", patch)
    assert done.code == 45
    assert "Tick the operations that you want" in done.err
    assert "`--op`" in done.err
    assert patch in ready.ok("patch", "list").out
    assert "Applied op_001" in ready.ok("patch", "apply", patch, "--op", "op_001").out


def test_nothing_ticked_of_a_candidate_closes_the_patch_and_says_so(ready):
    write(ready.cwd / "Memory/Inbox/Tea.md", "Brew tea at 80 degrees.\n")
    ready.ok("curate")
    (patch,) = (one["id"] for one in ready.ok("patch", "list", "--json").json["patches"])
    (path,) = (ready.cwd / "Memory/Inbox").glob("Patch*")
    path.write_text(path.read_text().replace("- [x]", "- [ ]"))
    assert "Nothing was selected" in ready.ok("patch", "apply", patch).out
    assert "No patch waits" in ready.ok("patch", "list").out
    listed = ready.ok("patch", "list", "--all").out
    assert "partially applied" in listed
    assert "[ ] op_001 add" in ready.ok("patch", "show", patch).out
    assert "Brew tea" in ready.ok("inbox").out


def test_a_patch_is_named_after_whole_words(ready):
    text = "The readings table has monthly partitions in production and also in staging."
    path = "Memory/Lessons/Readings.md"
    write(ready.cwd / path, f"---\ncategory: lesson\n---\n{text}\n")
    ready.ok("sync")
    with ready.app() as app:
        call = app.call()
        memory = find_memory(call, path).decoded.memory
        one = Operation(op=Op.DEPRECATE, target=memory.id)
        patches.save(call, patches.new(call, [(one, memory), (_contest(), None)]))
    (note,) = (ready.cwd / "Memory/Inbox").glob("Patch*")
    assert note.stem == (
        "Patch - deprecate - The readings table has monthly partitions in and 1 more"
    )


def test_no_patch_at_all_is_said(ready):
    assert ready.ok("patch", "list", "--all").out == "There is no patch yet.\n"


def test_what_is_half_ticked_is_no_decision(ready):
    patch = _save(ready, _contest())
    (path,) = (ready.cwd / "Memory/Inbox").glob("*.md")
    path.write_text(path.read_text().replace("- [ ] op_001", "- [/] op_001"))
    assert ready.run("patch", "apply", patch).code == 45
    assert path.exists()


def test_an_altered_operation_is_named(ready):
    patch = _save(ready, _contest())
    (note,) = (ready.cwd / "Memory/Inbox").glob("Patch*")
    note.write_text(note.read_text().replace("op: contest", "op: delete"))
    shown = ready.ok("patch", "show", patch)
    assert "op_001 was changed after it was proposed" in shown.out
    done = ready.run("patch", "apply", patch, "--all")
    assert done.code == 45
    assert "Left out op_001" in done.out


def test_only_a_decided_patch_that_is_known_here_is_shown(ready):
    assert ready.run("patch", "show", "nothing").code == 23
    assert "wrong" not in ready.run("patch", "show", "nothing").err


def test_op_and_all_exclude_each_other(ready):
    assert ready.run("patch", "apply", "x", "--op", "op_001", "--all").code == 2


def test_a_purge_is_asked_for(ready):
    patch = _save(ready, _purge())
    nobody = ready.run("patch", "apply", patch, "--all")
    assert nobody.code == 42
    assert "--yes" in nobody.err
    assert ready.run("patch", "apply", patch, "--all", typed="n\n").code == 42
    assert (ready.cwd / NOTE).exists()
    done = ready.ok("patch", "apply", patch, "--all", typed="y\n")
    assert "Applied op_001 (delete)" in done.out
    assert not (ready.cwd / NOTE).exists()


def test_yes_answers_the_question(ready):
    patch = _save(ready, _purge(), _contest())
    assert ready.ok("patch", "apply", patch, "--op", "op_002").code == 0, "it is not asked for"
    patch = _save(ready, _purge())
    ready.ok("patch", "apply", patch, "--all", "--yes")
    assert not (ready.cwd / NOTE).exists()


def test_a_patch_that_changes_identity_wants_ratify(ready):
    write(
        ready.cwd / "Memory/Identity/Ada.md",
        f"---\nid: {MEMORY[:-1]}3\ntype: memory\nlayer: L1\nstatus: contested\n---\nI am Ada.\n",
    )
    ready.ok("sync")
    operation = Operation(op=Op.UNCONTEST, target=MemoryId(f"{MEMORY[:-1]}3"))
    app = ready.app()
    with app:
        call = app.call()
        memory = find_memory(call, operation.target).decoded.memory
        patch = patches.new(call, [(operation, memory)])
        patches.save(call, patch)
    done = ready.run("patch", "apply", patch.id, "--all", "--json")
    assert [one["reason"] for one in done.json["skipped"]] == ["identity"]
    ready.ok("patch", "apply", patch.id, "--all", "--ratify")


@pytest.mark.parametrize(
    "words",
    [["patch", "apply", "x"], ["patch", "reject", "x"], ["patch", "revert", "x"], ["undo"]],
)
def test_an_agent_is_refused(ready, words):
    done = ready.run(*words, env={"AI_AGENT": "coder"})
    assert done.code == 40
    assert words[-2 if len(words) == 3 else -1] in done.err


def test_an_agent_may_look(ready):
    patch = _save(ready, _contest())
    env = {"AI_AGENT": "coder"}
    assert patch in ready.ok("patch", "list", env=env).out
    assert "op_001 contest" in ready.ok("patch", "show", patch, env=env).out


def test_a_person_reads_what_was_taken_back_and_by_whom_it_was_done(ready):
    patch = _save(ready, _contest())
    ready.ok("patch", "apply", patch, "--all")
    said = ready.ok("patch", "revert", patch).out
    assert "applied as you decided about it on 2026-11-29" in " ".join(said.split())
    assert f"Reverted op_001 (contest): {NOTE}" in said
    app = ready.app()
    with app:
        call = app.call()._replace(actor=Actor.POLICY)
        operation = Operation(
            op=Op.UPDATE_STABILITY, target=MemoryId(MEMORY), changes={"stability": "stable"}
        )
        memory = find_memory(call, MEMORY).decoded.memory
        drafted = patches.new(call, [(operation, memory)])
        chosen = frozenset(["op_001"])
        done = apply(
            call._replace(now=call.now + timedelta(hours=1)),
            drafted,
            applier=Applier.POLICY,
            selected=chosen,
            via="curate",
        )
    assert len(done.applied) == 1
    ready.now += timedelta(hours=2)
    assert "applied by itself" in ready.ok("undo").out


def test_a_rejected_patch_without_candidates_says_only_that(ready):
    patch = _save(ready, _contest())
    assert ready.ok("patch", "reject", patch).out == f"Rejected {patch} with 1 operation.\n"


def test_a_decided_patch_is_told_from_an_unknown_one(ready):
    patch = _save(ready, _contest())
    ready.ok("patch", "apply", patch, "--all")
    done = ready.run("patch", "apply", patch)
    assert (done.code, f"{patch} is applied already" in done.err) == (23, True)
    ready.ok("patch", "revert", patch)
    done = ready.run("patch", "revert", patch)
    assert (done.code, f"{patch} is reverted already." in done.err) == (45, True)
    assert "No open patch is called" in ready.run("patch", "apply", "patch_x").err


def test_a_rewording_is_shown_beside_what_it_replaces(ready):
    patch = _save(
        ready, Operation(op=Op.UPDATE, target=MemoryId(MEMORY), changes={"statement": "Add all."})
    )
    said = ready.ok("patch", "show", patch).out
    assert "    Add all.\n    instead of: Add files by name.\n" in said
    ready.ok("patch", "apply", patch, "--all")
    assert "instead of: Add files by name." in ready.ok("patch", "show", patch).out


def test_undo_of_what_cannot_be_undone_says_how_to_reach_an_earlier_change(ready):
    ready.ok("pin", MEMORY)
    ready.now += timedelta(minutes=1)
    patch = _save(ready, Operation(op=Op.PROMOTE, target=MemoryId(MEMORY)))
    ready.ok("patch", "apply", patch, "--all")
    done = ready.run("undo")
    assert done.code == 45
    assert "changes no memory" in done.err
    assert "`vaultmem patch list --all`" in " ".join(done.err.split())
    listed = ready.ok("patch", "list", "--all").out
    assert "  Patch - promote to vault candidate" in listed
    assert listed.endswith("Take one back with `vaultmem patch revert ID`.\n")


def test_apply_tells_which_box_was_half_ticked(ready):
    patch = _save(ready, _contest(), _contest(reason="Again."))
    (path,) = (ready.cwd / "Memory/Inbox").glob("*.md")
    text = path.read_text().replace("- [ ] op_001", "- [x] op_001")
    path.write_text(text.replace("- [ ] op_002", "- [/] op_002"))
    assert "Left out: op_002 is marked `[/]`" in ready.ok("patch", "apply", patch).out


def test_every_value_that_an_operation_sets_is_shown_beside_what_it_was(ready):
    update = Operation(
        op=Op.UPDATE,
        target=MemoryId(MEMORY),
        changes={"category": Category.DECISION, "pinned": True, "tags": ("git", "ci")},
        reason="It was decided.",
    )
    flag = Operation(
        op=Op.FLAG_FOR_REVIEW, target=MemoryId(MEMORY), changes={"review": date(2027, 1, 31)}
    )
    patch = _save(ready, update, flag)
    said = ready.ok("patch", "show", patch).out.splitlines()
    assert "    category: lesson → decision" in said
    assert "    pinned: no → yes" in said
    assert "    tags: none → git, ci" in said
    assert "    review: 2027-01-31" in said
    first, second = ready.ok("patch", "show", patch, "--json").json["operations"]
    changes = {one["field"]: (one["before"], one["after"]) for one in first["changes"]}
    assert changes["category"] == ("lesson", "decision")
    assert second["changes"] == [{"field": "review", "before": None, "after": "2027-01-31"}]
    assert set(second["changes"][0]) == LISTS["changes` of `operations` of `patch show"]
    ready.ok("patch", "apply", patch, "--op", "op_002")
    later = ready.ok("patch", "show", patch, "--json").json["operations"]
    assert later[0]["changes"] == first["changes"], "of a patch that was decided, too"


def test_candidates_that_would_be_rejected_are_told_apart_by_what_they_say(ready):
    told = ["Prefer tables in reports.", "Never squash a branch."]
    found = [_candidate(ready, text)["id"] for text in told]
    patch = _save_new(ready, *(Operation(op=Op.REJECT_CANDIDATE, candidate=one) for one in found))
    shown = ready.ok("patch", "show", patch, "--json").json
    assert [one["statement"] for one in shown["operations"]] == told
    assert [one["before"] for one in shown["operations"]] == [None, None]
    note = (ready.cwd / shown["path"]).read_text()
    assert [line for line in note.splitlines() if line.startswith("- [")] == [
        f"- [ ] op_00{number} · reject_candidate · low: {text}"
        for number, text in enumerate(told, 1)
    ]


def test_a_candidate_with_a_secret_is_not_quoted_in_the_note_of_a_patch(ready):
    candidate = _candidate(ready, "Prefer tables.")
    path = ready.cwd / candidate["path"]
    token = "gh" + "p_" + "a1" * 18
    path.write_text(path.read_text().replace("Prefer tables.", f"Use {token} there."))
    patch = _save_new(ready, Operation(op=Op.REJECT_CANDIDATE, candidate=candidate["id"]))
    note = ready.cwd / ready.ok("patch", "show", patch, "--json").json["path"]
    assert token not in note.read_text()


def test_the_list_names_what_was_turned_down(ready):
    waiting = ready.ok(
        "add", "Deploy on Fridays.", "--category", "lesson", "--json", env={"AI_AGENT": "pi"}
    ).json["id"]
    ready.ok("inbox", "reject", waiting)
    listed = ready.ok("patch", "list", "--all").out
    assert f"Patch - reject candidate - {waiting[-8:].lower()}" in listed
    assert "Fridays" not in listed, "what was turned down is not told again"
