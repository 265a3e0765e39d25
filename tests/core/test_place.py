"""What the place of a note says about it."""

from __future__ import annotations

import pytest

from vaultmem.core.model import Category
from vaultmem.core.place import (
    Kind,
    archived,
    folder_category,
    folder_of,
    home_folder,
    kind_of,
    stray,
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("Memory/Lessons/a.md", Kind.MEMORY),
        ("Memory/Lessons/git/a.md", Kind.MEMORY),
        ("Memory/Identity/a.md", Kind.MEMORY),
        ("Memory/System/Archive/a.md", Kind.MEMORY),
        ("Memory/Inbox/a.md", Kind.CANDIDATE),
        ("Memory/Settings.md", Kind.SETTINGS),
        ("Memory/Lessons/Settings.md", Kind.MEMORY),
        ("Memory/System/Ledger/2026-11 activity dev_X.md", Kind.LEDGER),
        ("Memory/System/Log/2026-11-29.md", Kind.LOG),
        ("Memory/System/Evidence/2026/11/2026-11-29 evidence dev_X.md", Kind.EVIDENCE),
        ("Memory/System/Patches/2026/11/2026-11-29 patches dev_X.md", Kind.DECIDED),
        ("Memory/Scratchpad.md", Kind.ROOT),
        ("Memory/System/Reports/x.md", Kind.ROOT),
        ("Memory.md", Kind.KNOWLEDGE),
        ("MemoryOther/Lessons/a.md", Kind.KNOWLEDGE),
        ("Notes/Memory/Lessons/a.md", Kind.KNOWLEDGE),
    ],
)
def test_kind_of_a_place(path, kind):
    assert kind_of(path, "Memory") is kind


def test_a_root_in_a_folder():
    assert kind_of("Brain/Memory/Lessons/a.md", "Brain/Memory") is Kind.MEMORY
    assert folder_category("Brain/Memory/Lessons/a.md", "Brain/Memory") is Category.LESSON


def test_folder_and_category():
    assert folder_of("Memory/Lessons/git/a.md", "Memory") == "Lessons/git"
    assert folder_of("Elsewhere/a.md", "Memory") == "Elsewhere"
    assert folder_category("Memory/Completions/a.md", "Memory") is Category.DONE
    assert folder_category("Memory/Identity/a.md", "Memory") is None
    assert folder_category("Lessons/a.md", "Memory") is None
    assert archived("Memory/System/Archive/a.md", "Memory")
    assert not archived("Memory/Lessons/a.md", "Memory")
    assert home_folder(Category.MISTAKE, identity=False) == "Mistakes"
    assert home_folder(Category.MISTAKE, identity=True) == "Identity"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Memory/loose.md", True),
        ("Memory/Ideas/idea.md", True),
        ("Memory/Scratchpad.md", False),
        ("Memory/Settings.md", False),
        ("Memory/Lessons/a.md", False),
        ("Memory/System/Reports/x.md", False),
        ("Notes/loose.md", False),
    ],
)
def test_a_note_in_no_folder_of_ours_is_stray(path, expected):
    assert stray(path, "Memory") is expected
