"""The instructions for the models: files beside this module, each with its version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "prompts"
_FRONT = re.compile(r"version: ([1-9][0-9]*)\n\n?")


class Prompt(NamedTuple):
    """Instructions, and the number that is raised whenever they change."""

    text: str
    version: int


def load(name: str) -> Prompt:
    """The prompt in `prompts/<name>.md`, whose first line is `version: N`.

    Raises:
        FileNotFoundError: if there is none of that name.
        ValueError: if its first line names no version.
    """
    text = (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
    if (front := _FRONT.match(text)) is None:
        raise ValueError(f"the prompt {name} does not begin with `version: N`")
    return Prompt(text[front.end() :].strip() + "\n", int(front[1]))
