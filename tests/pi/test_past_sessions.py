"""Earlier sessions of the real agent: its files are found, searched and told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from tests.pi.test_sections import section

if TYPE_CHECKING:
    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer


SAID = "The zeppelin retry loop charges twice."


@BOTH
def test_what_was_said_in_one_session_is_found_and_told_in_the_next(
    pi: Pi, model: ModelServer, known: str
):
    model.script(
        says("The key is missing."),
        calls("session_search", query="zeppelin"),
        says("Found."),
        says("Mended."),
    )
    pi.run(SAID)
    before = pi.session_text()
    pi.run("What did we say of it?", "Mend the zeppelin retry loop")

    first, asked, found, last = model.requests
    assert SAID not in asked.newest_text
    assert SAID in found.newest_text  # what the tool answered
    for request in (first, asked, found):
        assert "<past_sessions>" not in request.system_prompt
    assert section(last.system_prompt, "past_sessions").endswith(f"): {SAID}")
    assert any(file.read_text() == before for file in pi.agent.rglob("*.jsonl"))
