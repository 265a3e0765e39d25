"""What the person is told in the agent's window reads as sentences."""

from __future__ import annotations

import pytest

from vaultmem.hooks.telling import notices_of
from vaultmem.services.curating.applied_alone import AppliedAlone
from vaultmem.services.session_start import SessionStart
from vaultmem.services.sync import SyncResult


def told(applied=(), waiting=0, why=()):
    done = SessionStart(
        sync=SyncResult(changes=(), unchanged=0, findings=()),
        applied=applied,
        waiting=waiting,
        why=why,
        opens_inbox=False,
        maintained=None,
    )
    return notices_of(done)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Use uv.", "(add): Use uv. Take it back with `/memory patch revert patch_1`."),
        ("Use uv", "(add): Use uv. Take it back with `/memory patch revert patch_1`."),
        ("Why not uv?", "(add): Why not uv? Take it back with"),
    ],
)
def test_what_was_applied_is_a_sentence_before_the_way_back(statement, sentence):
    one = AppliedAlone("patch_1", "add", "mem_1", statement, "Memory/Lessons/Use uv.md")
    (notice,) = told(applied=(one,))
    assert sentence in notice


def test_why_a_candidate_waits_stands_behind_what_it_says():
    (notice,) = told(waiting=1, why=(("Use uv.", "No user said this."),))
    assert notice.endswith("\n- Use uv. (No user said this)")
