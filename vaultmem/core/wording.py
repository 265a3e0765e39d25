"""How numbers and long texts are worded for people."""

from __future__ import annotations

SHORT = 80
"""Characters of a text that a summary shows; from the governed memory."""


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `1 finding`, `2 findings`; `plural` where that takes no `s`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def short(text: str, length: int = SHORT) -> str:
    """The beginning of a text in at most `length` characters, with `…` for what is left out.

    It is cut at a blank where there is one in the second half.
    """
    if len(text) <= length:
        return text
    blank = text.rfind(" ", 0, length)
    cut = blank if blank > length // 2 else length - 1
    return f"{text[:cut].rstrip(' ,;:')}…"


def argument(text: object) -> str:
    """A path or a name as somebody types it behind a command, in quotes where a shell needs it."""
    from shlex import quote  # seldom; every command imports this module

    return quote(str(text))
