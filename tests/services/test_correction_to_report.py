"""With the default settings a user's sentence becomes a memory that the next session is told."""

from __future__ import annotations

import pytest

from vaultmem.services.curate import session_end
from vaultmem.services.inbox import waiting
from vaultmem.services.message import capture_message
from vaultmem.services.report import report
from vaultmem.services.revert import revert
from vaultmem.services.session_start import session_start

PROJECT = "github.com/acme/billing-web"


def hear(world, text, *, session="s1"):
    app = world.here.app(agent="pi")
    return capture_message(
        app.call(), app.engine, text, session=session, message_id="m1", project=PROJECT
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Never use npm for installs, use pnpm instead.",
        "Always run the type checker before pushing to main.",
        "This project uses Bun, not npm, for local tests.",
        "Going forward, prefer ripgrep over grep.",
        "No, never use npm here, always use pnpm.",
    ],
)
def test_a_correction_is_applied_at_the_sessions_end_and_told_in_the_next(world, sentence):
    world.here.sync()
    hear(world, sentence)
    (one,) = waiting(world.here.call())
    assert not report(world.here.call(), project=PROJECT).text
    session_end(world.here.call(agent="pi"))
    (told,) = session_start(world.here.call(agent="pi")).applied
    assert told.statement == one.candidate.memory.statement
    assert told.statement in report(world.here.call(agent="pi"), project=PROJECT).text
    assert told.statement not in report(world.here.call(), project="elsewhere").text
    revert(world.here.call(), told.patch)
    assert not report(world.here.call(), project=PROJECT).text


@pytest.mark.parametrize(
    "sentence",
    ["We don't use npm here.", "I prefer dark themes.", "For now use npm.", "Could we use bun?"],
)
def test_what_was_not_clearly_meant_to_last_is_not_applied(world, sentence):
    world.here.sync()
    hear(world, sentence)
    session_end(world.here.call(agent="pi"))
    assert world.here.call().vault.baseline.standings() == []


def test_the_same_correction_of_a_later_session_strengthens_the_memory(world):
    world.here.sync()
    for session in ("s1", "s2", "s2", "s3"):
        hear(world, "Never use npm for installs, use pnpm instead.", session=session)
        session_end(world.here.call(agent="pi"))
    (memory,) = world.here.call().vault.baseline.standings()
    assert memory.evidence_count == 3
    assert waiting(world.here.call()) == []
