"""The person's side over Pi's RPC protocol: `/memory`, and the inbox through its dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.installed import BOTH
from tests.pi.model_server import says
from tests.services.candidates import captured
from tests.world import SAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.pi.driver import Pi, Record
    from tests.pi.model_server import ModelServer
    from tests.world import World

WISHES = [
    f"Team {name} reviews on {day}." for name, day in zip("ABCDEFGHIJKL", range(12), strict=True)
]


def choosing(*wanted: str) -> Callable[[Record], Record]:
    """Answers dialogs one by one: the option that holds a text; `yes` confirms; then cancels."""
    steps = iter(wanted)

    def answer(request: Record) -> Record:
        step = next(steps, None)
        if step is None:
            return {"cancelled": True}
        if request["method"] == "confirm":
            return {"confirmed": step == "yes"}
        options = request["options"]
        assert isinstance(options, list)
        return {"value": next(str(one) for one in options if step in str(one))}

    return answer


@BOTH
def test_memory_is_a_command_that_no_model_sees(pi: Pi, model: ModelServer, known: str):
    with pi.rpc() as talk:
        assert "memory" in str(talk.ask("get_commands")["data"])
        talk.prompt("/memory search add files")
        assert any(SAYS in notice for notice in talk.notices())
        talk.prompt("/memory dance")
        assert "dance" in talk.notices()[-1]
        talk.prompt("/memory inbox")
        assert "Nothing waits" in talk.notices()[-1]
    assert model.requests == []


def test_the_inbox_opens_by_itself_and_the_person_decides(
    pi: Pi, model: ModelServer, world: World, known: str
):
    for wish in WISHES:
        captured(world.here.call(), wish)
    with pi.rpc() as talk:
        talk.answers = choosing(WISHES[0], "Approve", "Close")
        talk.until(lambda one: f"Remembered: {WISHES[0]}" in str(one.get("message")))
        talk.answers = choosing(WISHES[1], "Reject", "no")
        talk.prompt("/memory inbox")
    statements = [row.statement for row in world.here.call().vault.baseline.standings()]
    assert sorted(statements) == sorted([SAYS, WISHES[0]])
    waiting = [path for path in world.notes() if "/Inbox/" in path]
    assert len(waiting) == len(WISHES) - 1
    assert model.requests == []


def test_print_mode_shows_nothing_of_it(pi: Pi, model: ModelServer, world: World, known: str):
    for wish in WISHES:
        captured(world.here.call(), wish)
    model.script(says("Done."))
    ran = pi.run("/memory inbox", "hello to you all")
    assert (ran.stdout, ran.stderr, ran.code) == ("Done.\n", "", 0)
