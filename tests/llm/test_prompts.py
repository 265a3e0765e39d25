"""The instructions are files with a version."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.llm import prompts
from vaultmem.llm.prompts import Prompt, load

FOLDER = Path(prompts.__file__).parent / "prompts"


def test_a_prompt_is_its_text_and_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompts, "_FOLDER", tmp_path)
    (tmp_path / "one.md").write_text("version: 12\n\nYou read.\n\nversion: 3\n\n")
    assert load("one") == Prompt("You read.\n\nversion: 3\n", 12)
    (tmp_path / "two.md").write_text("You read.\n")
    with pytest.raises(ValueError, match="two does not begin"):
        load("two")
    with pytest.raises(FileNotFoundError):
        load("three")


@pytest.mark.parametrize("name", sorted(one.stem for one in FOLDER.glob("*.md")))
def test_every_prompt_that_ships_can_be_loaded(name: str) -> None:
    assert load(name).version >= 1
    assert load(name).text.strip()
