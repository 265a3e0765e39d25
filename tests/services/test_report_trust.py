"""A line of the report says whose words a memory's are, also after a person approved it."""

from __future__ import annotations

import pytest

from tests.services.candidates import captured
from vaultmem.core.trust import TrustClass
from vaultmem.notes.candidate import Decision
from vaultmem.services.edit import edit
from vaultmem.services.inbox import decide
from vaultmem.services.inbox_edit import edit_candidate
from vaultmem.services.report import report

TEXT = "The CI takes ten minutes."


def line(world, device=None) -> str:
    text = report((device or world.here).call()).text
    return next(one for one in text.splitlines() if one.startswith("- "))


def approved(world, trust=TrustClass.AGENT_INFERENCE, *, before=None) -> str:
    path = captured(world.here.call(), TEXT, trust=trust)
    if before is not None:
        before(path)
    return decide(world.here.call(), path, Decision.APPROVE).id


@pytest.mark.parametrize(
    ("trust", "word"),
    [
        (TrustClass.AGENT_INFERENCE, "inferred"),
        (TrustClass.REPOSITORY_TEXT, "repository"),
        (TrustClass.USER_CORRECTION, "said"),
    ],
)
def test_an_approved_memory_is_marked_with_its_source(ready, trust, word):
    approved(ready, trust)

    assert f" {word} today]" in line(ready)
    assert line(ready).startswith("- ⚠") == (word != "said")


def test_words_that_the_person_wrote_into_a_candidate_are_said(ready):
    def reword(path):
        edit_candidate(ready.here.call(), path, statement="The CI takes an hour.", properties={})

    approved(ready, before=reword)

    assert " said today]" in line(ready)


def test_words_that_the_person_wrote_into_the_memory_are_said_and_other_edits_say_nothing(ready):
    made = approved(ready)

    edit(ready.here.call(), made, properties={"confidence": "0.9"})
    assert " inferred today]" in line(ready)
    edit(ready.here.call(), made, statement="The CI takes an hour.", properties={})
    assert " said today]" in line(ready)


def test_another_device_marks_it_likewise(ready):
    approved(ready)
    there = ready.device()
    there.sync()

    assert " inferred today]" in line(ready, there)


def test_a_memory_that_an_inference_reworded_is_marked(ready):
    ready.memory("Memory/Lessons/UTC.md", "Use UTC in every table.", category="lesson")
    ready.here.sync()
    assert " said" in line(ready)

    text = "From now on use UTC in every table and index."
    path = captured(ready.here.call(), text, trust=TrustClass.AGENT_INFERENCE)
    done = decide(ready.here.call(), path, Decision.APPROVE)

    assert done.before == "Use UTC in every table."
    assert " inferred]" in line(ready)


def test_words_that_another_device_could_explain_are_said_when_it_did_not(ready):
    made = approved(ready)
    there = ready.device()
    there.sync()
    edit(there.call(), made, properties={"domains": "ci"})
    ready.here.sync()
    ready.replace("Memory/Lessons/The CI takes ten minutes.md", TEXT, "The CI takes an hour.")

    ready.here.sync()
    assert " inferred today]" in line(ready)
    ready.here.pass_time(minutes=11)
    ready.here.sync()
    assert " said today]" in line(ready)
