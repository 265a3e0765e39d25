"""An editor that saves while a verb writes, or writes old bytes later: the person's line stays."""

from __future__ import annotations

import pytest

from tests.faults.catalogue import fault
from tests.faults.editor import LINE, open_notes, saves_at, writes_old_bytes
from tests.faults.failing import moments, steps_of
from tests.faults.governed_scenes import EVERY_SCENE
from tests.faults.scenes import STATEMENT, statements
from tests.faults.trial import BESIDE, BESIDE_STATEMENT, Trial, every_note_parses, settles
from vaultmem.services.decided import VERSION, version_of

TAKES_NOTES_AWAY = {"purge", "purge everywhere"}
"""Verbs after which a note is gone with all that was saved in it before, as the person wished."""
DELETES = {"purge"}
"""Verbs after which no hand-written note brings back what was there; of a note that `forget` left
the person may make an active one."""


def _notes_with_line(world) -> list[str]:
    return [path for path, data in world.notes().items() if LINE.encode() in data]


def _was_decided(world, sign) -> bool:
    """Whether the very version that the editor saved was decided, and went as the person wished."""
    version = version_of(world.here.call(), sign.read_bytes() if sign.exists() else None)
    return bool(version) and version[VERSION] in world.ledger()


@fault("editor_saves")
@pytest.mark.parametrize("scene", EVERY_SCENE, ids=lambda scene: scene.name)
def test_what_an_editor_saves_while_a_verb_writes_stays(memory, scene, effort, trials):
    trial = Trial(memory, scene)
    trial.begin(1)
    steps = steps_of(trial.act)
    for at in moments(steps, effort.faults, begin=sum(scene.name.encode())):
        before = trial.begin(at)
        notes = open_notes(trial.vault)
        note = notes[at % len(notes)] if notes else trial.vault / BESIDE
        sign = trial.vault.parent / "saved"
        ended = saves_at(trial.act, at, note, sign)
        with trial.opened(500 + at) as world:
            every_note_parses(world, before)
            settles(world)
            stays = _notes_with_line(world)
            decided = scene.name in TAKES_NOTES_AWAY or _was_decided(world, sign)
            lost = sign.exists() and not stays and not decided
            assert not lost, (at, note.name, ended)
            assert len(stays) <= 1, stays
            assert BESIDE_STATEMENT in statements(world)
        trials.add()


@fault("editor_holds")
@pytest.mark.parametrize("scene", EVERY_SCENE, ids=lambda scene: scene.name)
def test_old_bytes_that_an_editor_writes_later_stay_and_bring_nothing_back(
    memory, scene, effort, trials
):
    trial = Trial(memory, scene)
    notes = [one.relative_to(trial.vault) for one in open_notes(trial.vault)]
    for number, name in enumerate(notes[: effort.faults]):
        before = trial.begin(number)
        ended = writes_old_bytes(trial.act, trial.vault / name)
        with trial.opened(500 + number) as world:
            every_note_parses(world, before)
            settles(world)
            stays = name.as_posix() in _notes_with_line(world)
            assert stays, (name, ended)
            live = statements(world)
            assert BESIDE_STATEMENT in live
            assert scene.name not in DELETES or STATEMENT not in live, (name, ended)
        trials.add()
