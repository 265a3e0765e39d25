"""The line of the handbook that tells a person what its marks mean."""

from __future__ import annotations

LEGEND = (
    "Four characters in brackets name the session that a line comes from: its note in "
    "System/Sessions has them in its name. A task in brackets is the one of that number in the "
    "same group, an ad-hoc note one in Notes."
)


def without_legend(text: str) -> str:
    """The text without that line, which no source backs, and the blank ones behind it."""
    kept: list[str] = []
    behind = False
    for line in text.split("\n"):
        behind = line.strip() == LEGEND or (behind and not line.strip())
        if not behind:
            kept.append(line)
    return "\n".join(kept)


def with_legend(text: str) -> str:
    """The text with that line above all; nothing where there is nothing to explain."""
    below = text.lstrip("\n")
    return f"{LEGEND}\n\n{below}" if text.strip() else text
