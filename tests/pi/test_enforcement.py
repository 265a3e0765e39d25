"""Guardrails in the real Pi: what is blocked does not run, what is warned of is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from vaultmem.services.ratify import ratify

if TYPE_CHECKING:
    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer
    from tests.world import World

MARKER = "Never touch the marker."
LOCK = "Rebuild after a change of the lock."
NOTES = "Read the notes before a release."


def enforce(world: World, statement: str, **properties: str) -> None:
    """A memory that acts, ratified by the person."""
    identifier = world.memory(f"Memory/Lessons/{statement[:-1]}.md", statement, **properties)
    world.here.sync()
    ratify(world.here.call(), identifier)


def block_marker(world: World) -> None:
    """The rule of several tests."""
    enforce(world, MARKER, trigger="bash_contains touch marker", action="block")


@BOTH
def test_a_command_is_blocked_a_change_is_warned_of_and_a_turn_is_asked_for_once_more(
    pi: Pi, model: ModelServer, world: World
):
    block_marker(world)
    enforce(world, LOCK, trigger='"file_modified *.lock"', action="warn")
    enforce(world, NOTES, verifier="tool_called ask_user before make release")
    model.script(
        calls("bash", command="touch marker"),
        calls("bash", command="touch other"),
        calls("write", path="app.lock", content="x"),
        calls("write", path="app.txt", content="x"),
        calls("bash", command="echo make release"),
        says("Released."),
        replace(calls("bash", command="echo make release"), when=(NOTES,)),
        says("Released anyway."),
    )
    ran = pi.run("make both files, then release")
    assert (ran.stdout, ran.stderr, ran.code) == ("Released anyway.\n", "", 0)
    assert model.unused == []
    assert model.unexpected == []
    assert not (pi.project / "marker").exists()
    assert (pi.project / "other").exists()
    blocked, ran_, warned, written, *_ = model.last.results()
    assert MARKER in blocked
    assert MARKER not in ran_
    assert LOCK in warned
    assert LOCK not in written
    told = [one for one in pi.session() if one.get("type") == "custom_message"]
    assert [one["customType"] for one in told] == ["vaultmem"]
    assert "There is no such tool here" in told[0]["content"]


def test_a_verifier_that_is_met_asks_for_nothing(pi: Pi, model: ModelServer, world: World):
    enforce(world, NOTES, verifier="tool_called read before make release")
    (pi.project / "notes.md").write_text("notes")
    model.script(
        calls("read", path="notes.md"),
        calls("bash", command="echo make release"),
        says("Released."),
    )
    assert pi.run("release it").stdout == "Released.\n"
    assert len(model.requests) == 3


def test_a_rule_sees_the_end_of_a_long_command(pi: Pi, model: ModelServer, world: World):
    block_marker(world)
    data = "data\n" * 9_000
    long, longer = (f"cat > text <<'E'\n{text}E\ntouch marker" for text in (data, data * 3))
    model.script(calls("bash", command=long), calls("bash", command=longer), says("Done."))
    pi.run("touch the marker, please")
    blocked, refused = model.last.results()
    assert MARKER in blocked
    assert "cannot be judged" in refused
    assert not (pi.project / "text").exists()


def test_open_tasks_are_told_once_and_stand_before_the_next_prompt(
    pi: Pi, model: ModelServer, world: World
):
    world.write("Memory/Scratchpad.md", "---\ntype: scratchpad\n---\n- [ ] Measure the pooler\n")
    world.here.sync()
    model.script(says("I will."), says("Fine."), says("Ten minutes."))
    with pi.rpc() as talk:
        talk.prompt("Measure the pooler, please")
        talk.prompt("how are you?")
        talk.prompt("what is the CI time?")
    assert len(model.requests) == 3, "no turn is spent on it"
    said = [str(one["content"]) for one in model.last.messages if one["role"] == "user"]
    assert ["- Measure the pooler" in one for one in said] == [False, True, False, False]
    assert "how are you?" in said[2]
