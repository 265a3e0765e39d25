"""A command in Obsidian, the note that it leaves, and what the next sync makes of it."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import pytest

from tests.services.patching import NOTE as NPM
from tests.services.patching import add_draft, memory_of, npm, operation, save, standing_of
from tests.services.patching import proposed as propose
from tests.world import NOTE, SAYS
from vaultmem.core.model import Category
from vaultmem.core.operation import Op
from vaultmem.core.promotion_words import Destination
from vaultmem.notes.markdown import structure
from vaultmem.services.capture import Wish, add
from vaultmem.services.inbox import waiting
from vaultmem.services.promote import propose_one
from vaultmem.services.render import render

ALWAYS = {"report"}
OFFERED = {
    "candidate": {"approve-candidate", "reject-candidate", "defer-candidate"},
    "patch": {"apply-patch", "reject-patch", "defer-patch", "tick-patch"},
    "promotion": {"accept-promotion", "reject-promotion"},
    "memory": {"pin", "contest", "link-knowledge", "promote"},
}


@pytest.fixture
def proposed(world):
    """A candidate that an agent proposed."""
    world.here.sync()
    app = world.here.app(agent="pi")
    wish = Wish(text="Use UTC in every table.", category=Category.PATTERN)
    made = add(app.call(), app.engine, wish)
    world.here.sync()
    return made


@pytest.fixture
def known(world):
    """A memory in force."""
    identifier = world.memory(NOTE, SAYS, category="lesson")
    world.here.sync()
    return identifier


@pytest.fixture
def patch(world):
    """An open patch of two operations, of which one is ticked."""
    candidate = propose(world)
    target = npm(world)
    ticked = operation(world, Op.UPDATE_STABILITY, target, changes={"stability": "stable"})
    unticked, memory = add_draft(world, candidate)
    path = save(world, ticked, (replace(unticked, selected=False), memory))
    world.here.sync()
    return path


def promotion(world, known: str) -> str:
    """The path of a proposal to take the memory out of use."""
    path = propose_one(world.here.call(), known, Destination.DISCARD).path
    world.here.sync()
    return path


def changed_lines(before: str, after: str) -> list[str]:
    """The lines of the new text that differ, where no line came or went."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    assert len(old) == len(new)
    return [now for was, now in zip(old, new, strict=True) if was != now]


def test_without_a_note_of_ours_only_the_report_is_offered(obsidian, world):
    world.here.sync()
    world.write("Own.md", "---\ntype: person\n---\nMine.\n")
    world.write("Bare.md", "Mine.\n")
    world.write("Templates/Memory - lesson.md", "---\ntype: memory\n---\n{{title}}\n")
    world.write("Memory-old/Settings.md", "---\ntype: candidate\ndecision:\n---\nMine.\n")
    for active in (
        *(None, "Own.md", "Bare.md"),
        *("Templates/Memory - lesson.md", "Memory-old/Settings.md"),
    ):
        assert set(obsidian.run(world.vault, active).offered) == ALWAYS


def test_what_is_offered_follows_the_type_of_the_note(obsidian, world, patch, known):
    (candidate,) = waiting(world.here.call())
    for kind, path in [
        ("candidate", candidate.path),
        ("patch", patch),
        ("memory", NOTE),
        ("promotion", promotion(world, known)),
    ]:
        assert set(obsidian.run(world.vault, path).offered) == OFFERED[kind] | ALWAYS


@pytest.mark.parametrize(("word", "left"), [("approve", True), ("reject", False), ("defer", False)])
def test_a_decision_changes_one_line_and_the_next_sync_follows_it(
    obsidian, world, proposed, word, left
):
    before = world.read(proposed.path)
    done = obsidian.run(world.vault, proposed.path, f"{word}-candidate")
    assert changed_lines(before, world.read(proposed.path)) == [f"decision: {word}\n"]
    assert done.written == [proposed.path]
    assert done.said == [f"Wrote `decision: {word}`. `vaultmem sync` (or `watch`) applies it."]
    world.here.sync()
    assert world.path(proposed.path.replace("Inbox", "Patterns")).exists() == left
    found = [one.candidate.state.value for one in waiting(world.here.call())]
    assert found == (["deferred"] if word == "defer" else [])


def test_the_same_again_writes_nothing(obsidian, world, proposed):
    done = obsidian.run(world.vault, proposed.path, "approve-candidate", "approve-candidate")
    assert done.written == [proposed.path]
    assert done.said[1] == "`decision` is `approve` already."


def test_a_pin_and_its_end(obsidian, world, known):
    obsidian.run(world.vault, NOTE, "pin")
    assert "\npinned: true\n---\n" in world.read(NOTE)
    world.here.sync()
    assert standing_of(world, known).pinned
    assert standing_of(world, known).force
    offered = obsidian.run(world.vault, NOTE).offered
    assert "unpin" in offered
    assert "pin" not in offered
    obsidian.run(world.vault, NOTE, "unpin")
    world.here.sync()
    assert not standing_of(world, known).pinned
    assert "pin" in obsidian.run(world.vault, NOTE).offered


@pytest.mark.parametrize(
    ("command", "kind"), [("approve-candidate", "candidate"), ("tick-patch", "patch")]
)
def test_a_note_that_is_another_one_by_now_is_left_alone(obsidian, world, known, command, kind):
    world.write(NOTE, world.read(NOTE) + "\n- [ ] op_001 mine\n")
    before = world.read(NOTE)
    done = obsidian.run(world.vault, NOTE, command, believed=kind)
    assert done.said == [f"{NOTE}, line 1: The note is no {kind} any more. Look at it first."]
    assert world.read(NOTE) == before


def test_a_contest_and_its_end(obsidian, world, known):
    obsidian.run(world.vault, NOTE, "contest")
    world.here.sync()
    assert standing_of(world, known).status == "contested"
    assert "contest" not in obsidian.run(world.vault, NOTE).offered
    obsidian.run(world.vault, NOTE, "uncontest")
    world.here.sync()
    assert standing_of(world, known).status == "active"


def test_a_patch_is_applied_as_it_is_ticked(obsidian, world, patch):
    before = world.read(patch)
    obsidian.run(world.vault, patch, "apply-patch")
    assert changed_lines(before, world.read(patch)) == ["decision: apply\n"]
    world.here.sync()
    assert not world.path(patch).exists()
    assert memory_of(world, NPM).stability == "stable"
    assert len(waiting(world.here.call())) == 1, "what was not ticked waits"


def test_all_boxes_are_ticked_and_nothing_else(obsidian, world, patch):
    world.write(patch, world.read(patch) + "\n```\n- [ ] op_009 in code\n```\n- [ ] mine\n")
    before = world.read(patch)
    done = obsidian.run(world.vault, patch, "tick-patch")
    (line,) = changed_lines(before, world.read(patch))
    assert line.startswith("- [x] op_002 ")
    assert done.said == ['Ticked 1. They wait for the command "Apply this patch".']
    again = obsidian.run(world.vault, patch, "tick-patch")
    assert (again.said, again.written) == (["There is no empty box."], [])
    obsidian.run(world.vault, patch, "apply-patch")
    world.here.sync()
    assert waiting(world.here.call()) == []


def test_a_box_is_ticked_where_vaultmem_sees_one(obsidian, world, patch):
    block = "".join(
        f"{line}\n"
        for line in (
            *("", "-   [ ] op_003", "12)\t[ ]\top_004 *", "> - [ ] **op_005**", ""),
            *("%%", "- [ ] op_006", "%% <!--", "- [ ] op_007", "%% -->", ""),
            *("- [ ] éop_008", "%%", "```", "%%", "- [ ] op_009", "- [ ] *op_010*"),
        )
    )
    world.write(patch, world.read(patch) + block)
    before = world.path(patch).read_bytes()
    done = obsidian.run(world.vault, patch, "tick-patch")
    after = world.path(patch).read_bytes()
    lines = changed_lines(before.decode(), after.decode())
    changed = {re.search(r"op_\d+", line)[0] for line in lines}
    assert changed == {"op_002", "op_003", "op_004", "op_005", "op_009", "op_010"}
    assert done.said[0].startswith("Ticked 6.")
    open_boxes = [task for task in structure(after.decode()).tasks if task.mark == " "]
    assert [task.text for task in open_boxes] == ["éop_008"]


def test_the_note_of_decided_patches_asks_for_no_decision(obsidian, world, patch):
    obsidian.run(world.vault, patch, "apply-patch")
    world.here.sync()
    (day,) = world.path("Memory/System/Patches").rglob("*.md")
    path = day.relative_to(world.vault).as_posix()
    assert set(obsidian.run(world.vault, path).offered) == ALWAYS


@pytest.mark.parametrize("word", ["reject", "defer"])
def test_a_patch_is_put_off_or_away(obsidian, world, patch, word):
    obsidian.run(world.vault, patch, f"{word}-patch")
    world.here.sync()
    assert world.path(patch).exists() == (word == "defer")


@pytest.mark.parametrize(("word", "status"), [("accept", "deprecated"), ("reject", "active")])
def test_a_promotion_is_decided(obsidian, world, known, word, status):
    path = promotion(world, known)
    obsidian.run(world.vault, path, f"{word}-promotion")
    world.here.sync()
    assert standing_of(world, known).status == status
    assert not world.path(path).exists()


def test_promoting_a_memory_tells_the_command_and_writes_nothing(obsidian, world, known):
    done = obsidian.run(world.vault, NOTE, "promote")
    assert f"`vaultmem promote propose {known} --to FORM`" in done.said[0]
    assert done.written == []
    world.replace(NOTE, f"id: {known}\n", "")
    assert "`vaultmem sync` first" in obsidian.run(world.vault, NOTE, "promote").said[0]


def test_the_promotion_that_waits_is_opened_to_decide_on_it(obsidian, world, known):
    other = world.memory("Memory/Lessons/Another.md", "Another.", category="lesson")
    world.here.sync()
    of_other = promotion(world, other)
    assert "promote propose" in obsidian.run(world.vault, NOTE, "promote").said[0]
    path = promotion(world, known)
    done = obsidian.run(world.vault, NOTE, "promote")
    assert (done.shown, done.written) == ([f"{path} tab"], [])
    assert "waits for you" in done.said[0]
    assert "accept-promotion" in obsidian.run(world.vault, path).offered
    asked = obsidian.run(world.vault, "Memory/Lessons/Another.md", "promote")
    assert asked.shown == [f"{of_other} tab"]


@pytest.mark.parametrize("without", ["decision:", "type: promotion", "memory: "])
def test_what_is_no_open_promotion_is_not_opened(obsidian, world, known, without):
    path = promotion(world, known)
    lines = world.read(path).splitlines(keepends=True)
    world.write(path, "".join(line for line in lines if not line.startswith(without)))
    done = obsidian.run(world.vault, NOTE, "promote")
    assert done.shown == []
    assert "promote propose" in done.said[0]


@pytest.mark.parametrize(
    ("chosen", "link"), [("Notes/SQL.md", "[[SQL]]"), ("A/Same.md", "[[A/Same]]")]
)
def test_a_knowledge_note_is_linked(obsidian, world, known, chosen, link):
    for path in ("Notes/SQL.md", "A/Same.md", "B/Same.md"):
        world.write(path, "Mine.\n")
    done = obsidian.run(world.vault, NOTE, "link-knowledge", choose=chosen)
    assert sorted(done.shown) == ["A/Same.md", "B/Same.md", "Notes/SQL.md"], "none of ours"
    assert f'\nvault_ref: "{link}"\n' in world.read(NOTE)
    world.here.sync()
    assert memory_of(world, known).vault_ref == link


def test_a_name_that_no_link_can_hold_is_refused(obsidian, world, known):
    world.write("Notes/a#b.md", "Mine.\n")
    before = world.read(NOTE)
    done = obsidian.run(world.vault, NOTE, "link-knowledge", choose="Notes/a#b.md")
    assert 'No link can hold the name "Notes/a#b.md"' in done.said[0]
    assert world.read(NOTE) == before


def test_the_newest_report_is_shown_beside_the_note(obsidian, world, known):
    done = obsidian.run(world.vault, NOTE, "report")
    assert "`vaultmem render`" in done.said[0]
    (made,) = render(world.here.call())
    older = "Memory/System/Reports/older.md"
    world.write(older, "---\ntype: report\n---\nOld.\n")
    os.utime(world.path(older), (1, 1))
    shown = obsidian.run(world.vault, None, "report")
    assert (shown.shown, shown.said) == ([f"{made.path} preview"], [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("decision:\n", "decision:\ndecision: \n", "cannot be read"),
        ("decision:\n", "decision:\nDecision: x\n", "differ only in case"),
        ("decision:\n", "decision: &a x\nother: *a\n", "anchor"),
        ("decision:\n", "decision: # mine\n  - a\n", "comment"),
        ("\n---\n", "\n--\n", "No line `---` closes"),
        ("\ndecision:", "\nx: \x00\ndecision:", "control character"),
    ],
)
def test_what_cannot_be_changed_alone_is_told_with_its_line(
    obsidian, world, proposed, old, new, said
):
    world.write(proposed.path, world.read(proposed.path).replace(old, new, 1))
    before = world.path(proposed.path).read_bytes()
    done = obsidian.run(world.vault, proposed.path, "approve-candidate")
    assert re.match(rf"{re.escape(proposed.path)}, line \d+: .*{said}", done.said[0]), done.said
    assert done.said[0].endswith(".")
    assert world.path(proposed.path).read_bytes() == before
    assert done.written == []


@pytest.mark.parametrize(
    ("head", "tail", "said"),
    [(b"", b"\xe9\n", "not UTF-8"), (b"\xef\xbb\xbf", b"", "byte order mark")],
)
def test_bytes_that_obsidian_would_lose_keep_the_note_as_it_is(
    obsidian, world, proposed, head, tail, said
):
    before = head + world.path(proposed.path).read_bytes() + tail
    world.write(proposed.path, before)
    done = obsidian.run(world.vault, proposed.path, "approve-candidate")
    assert said in done.said[0]
    assert world.path(proposed.path).read_bytes() == before


def test_line_ends_and_comments_stay(obsidian, world, proposed):
    text = world.read(proposed.path).replace("decision:", "# mine\ndecision:   # approve?")
    world.write(proposed.path, text.replace("\n", "\r\n"))
    obsidian.run(world.vault, proposed.path, "approve-candidate")
    wanted = text.replace("decision:   #", "decision: approve   #").replace("\n", "\r\n")
    assert world.path(proposed.path).read_bytes() == wanted.encode()


def test_what_is_typed_and_not_saved_is_kept(obsidian, world, proposed):
    wanted = world.read(proposed.path).replace("decision:", "decision: reject") + "My words.\n"
    obsidian.run(world.vault, proposed.path, "reject-candidate", typed="My words.\n")
    assert world.read(proposed.path) == wanted


def test_a_save_by_somebody_else_in_between_is_not_overwritten(obsidian, world, proposed):
    before = world.read(proposed.path)
    done = obsidian.run(world.vault, proposed.path, "approve-candidate", meanwhile="Theirs.\n")
    assert "changed at the same moment" in done.said[0]
    assert world.read(proposed.path) == before + "Theirs.\n"
    assert done.written == []


def test_a_fence_begins_and_ends_where_markdown_says_so(obsidian, world, patch):
    more = (
        "\n``` is no `fence`\n\n- [ ] op_007 outside\n\n"
        "~~~\n- [ ] op_008 inside\n~~~ goes on\n- [ ] op_009 inside\n~~~\n"
    )
    world.write(patch, world.read(patch) + more)
    before = world.read(patch)
    obsidian.run(world.vault, patch, "tick-patch")
    ticked = changed_lines(before, world.read(patch))
    assert [line[:12] for line in ticked] == ["- [x] op_002", "- [x] op_007"]
