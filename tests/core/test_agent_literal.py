"""What of the guard the extension holds while nobody answers it."""

from __future__ import annotations

import pytest

from vaultmem.core.agent_guard import Protected
from vaultmem.core.agent_literal import GUARD_ID, literal_guard_rules
from vaultmem.core.agent_verbs import PERSON_VERBS
from vaultmem.core.enforcement.contains import mentions

PLACES = Protected(
    memory=("/home/ann/vault/Memory",),
    private=("/home/ann/.config/vaultmem",),
    spelled=(("~/vault/Memory", "/home/ann/vault/Memory"), ("/other", "/nowhere")),
)


def test_every_persons_verb_and_every_place_is_a_rule_with_a_reason():
    rules = literal_guard_rules(PLACES)
    assert {(one.id, one.kind) for one in rules} == {(GUARD_ID, "bash_contains")}
    needles = {one.needle: one for one in rules}
    assert len(needles) == len(rules)
    for verb in PERSON_VERBS:
        assert needles[f"vaultmem {verb}"].command
        assert "is for the person" in needles[f"vaultmem {verb}"].reason
    assert needles["vaultmem doctor --fix"].command
    assert "never by the agent" in needles["vaultmem serve"].reason
    for place in ("/home/ann/vault/Memory", "~/vault/Memory"):
        assert not needles[place].command
        assert "memory_search" in needles[place].reason
    assert "keeps for itself" in needles["/home/ann/.config/vaultmem"].reason
    assert "/other" not in needles


def test_the_rules_are_the_same_every_time():
    assert literal_guard_rules(PLACES) == literal_guard_rules(PLACES)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("sed -i s/a/b/ /home/ann/vault/Memory/Lessons/x.md", True),
        ("cat '~/vault/Memory/x'", True),
        ("cat /home/ann/vault/Memory2/x", False),
    ],
)
def test_a_place_is_found_as_it_is_written(command, found):
    places = [one.needle for one in literal_guard_rules(PLACES) if not one.command]
    assert any(mentions(needle, command) for needle in places) is found
