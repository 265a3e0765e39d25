"""The real Pi compacts: the summary is found, and the model is reminded of what it forgot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.installed import BOTH
from tests.pi.model_server import Reply, calls, says
from tests.pi.processes import eventually

if TYPE_CHECKING:
    from tests.pi.driver import Pi, Rpc
    from tests.pi.model_server import ModelServer
    from tests.world import World

CHANGELOG = "Edit docs/changelog.md only at a release."
SUMMARY = "The zeppelin retry loop charges twice."


@BOTH
def test_after_a_compaction_its_summary_is_found_and_reminders_come_again(
    pi: Pi, model: ModelServer, world: World
):
    world.memory("Memory/Lessons/Changelog.md", CHANGELOG, category="lesson")
    world.here.sync()
    with pi.rpc() as talk:
        assert eventually(lambda: is_reminded(pi, talk, model))  # as soon as there are vectors
        assert not is_reminded(pi, talk, model)
        assert SUMMARY not in searched(talk, model)

        model.script(Reply(text=SUMMARY, when_system=("summariz",), repeat=True))
        done = talk.ask("compact")
        assert done["success"], done

        assert eventually(lambda: SUMMARY in searched(talk, model))
        assert is_reminded(pi, talk, model)
        assert not is_reminded(pi, talk, model)
    assert [one["type"] for one in pi.session()].count("compaction") == 1
    assert model.unexpected == []


def is_reminded(pi: Pi, talk: Rpc, model: ModelServer) -> bool:
    """Let the model change the file; whether it is told of the memory before the next prompt."""
    before = reminders(pi)
    write = calls("write", path="docs/changelog.md", content="x")
    model.script(write, says("Written."), says("Fine."))
    talk.prompt("write down what changed")
    talk.prompt("and how are you?")
    assert model.unused == []
    return reminders(pi) > before


def reminders(pi: Pi) -> int:
    """How often the session was told of the memory."""
    entries = [one for session in pi.sessions() for one in session]
    told = [one for one in entries if one.get("type") == "custom_message"]
    return len([one for one in told if CHANGELOG in str(one["content"])])


def searched(talk: Rpc, model: ModelServer) -> str:
    """What the model finds in the sessions."""
    model.script(calls("session_search", query="zeppelin"), says("So."))
    talk.prompt("search the sessions")
    return model.last.results()[-1]
