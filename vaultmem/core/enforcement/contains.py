"""Whether a shell text does what a `bash_contains` trigger names.

A needle that begins with a command (`git add .`) is looked for in the words of each simple command:
the command and its subcommands as they stand there, with options between them; then its other words
in their order, whatever stands between, and its options anywhere. So `git add .` is met by
`git -C app add -v .` and not by `git add ./src`, nor by a commit message that quotes it. Any other
needle (`--no-verify`, `DROP TABLE`) is looked for in the text as it is, quotes included, and only
as whole words. Both mind the case.

While `serve` does not answer, the extension does the same with a simpler reader of shell; both
sides' tests read `tests/hooks/examples/block_rules.json`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.core.enforcement.trigger_advice import COMMANDS
from vaultmem.core.shell import commands

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_COMMAND = 100_000
"""Characters of a command that are looked at."""
_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
"""A word that can name a subcommand."""
_CLUSTER = re.compile(r"-[A-Za-z]{1,4}", re.ASCII)
"""Short options in one word: `-rf` is met by `-fr` and by `-r -f`."""
_IN_WORD = re.compile(r"[\w-]", re.ASCII)


@lru_cache(maxsize=256)
def is_command(needle: str) -> bool:
    """Whether a needle is looked for as a command, and not as a piece of text."""
    words = tuple(needle.split())
    return bool(words) and words[0] in COMMANDS and _simple_commands(needle)[:1] == (words,)


def contains(needle: str, text: str) -> bool:
    """Whether a shell text holds what the needle names; every needle meets itself."""
    if not is_command(needle):
        return mentions(needle, text)
    wanted = [_plain(word) for word in needle.split()]
    return any(_in_command(wanted, words) for words in _simple_commands(text))


def mentions(needle: str, text: str) -> bool:
    """Whether a text has the needle somewhere as whole words; white space counts as one blank."""
    wanted, within = " ".join(needle.split()), " ".join(text[:MAX_COMMAND].split())
    at = within.find(wanted) if wanted else -1
    while at >= 0:
        if _is_whole(within, at, at + len(wanted)):
            return True
        at = within.find(wanted, at + 1)
    return False


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over one of the borders."""
    return not any(
        0 < border < len(text) and _IN_WORD.match(text[border - 1]) and _IN_WORD.match(text[border])
        for border in (start, end)
    )


def base_name(word: str) -> str:
    """A command without the folder that it is called from."""
    return word.rpartition("/")[2]


@lru_cache(maxsize=8)
def _simple_commands(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each simple command, and of those that it hands to a shell.

    Every rule asks for those of the same text.
    """
    found = commands(text[:MAX_COMMAND])
    return tuple(tuple(word.text for word in one.words) for one in found if one.words)


def _in_command(wanted: Sequence[str], words: Sequence[str]) -> bool:
    plain = [_plain(word) for word in words]
    return any(
        base_name(word) == wanted[0] and _follows(wanted[1:], plain[at + 1 :])
        for at, word in enumerate(plain)
    )


def _follows(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words behind a command are those that are wanted."""
    at = taken = 0
    while taken < len(wanted) and _NAME.fullmatch(wanted[taken]):
        found = _past_options(wanted[taken], words, at)
        if found is None:
            return False
        at, taken = found, taken + 1
    rest = iter(words[at:])
    return all(
        _has_option(word, words) if word.startswith("-") else word in rest
        for word in wanted[taken:]
    )


def _past_options(wanted: str, words: Sequence[str], at: int) -> int | None:
    """The place behind a subcommand; before it stand only options, each with at most one value."""
    while at < len(words) and words[at] != wanted:
        is_value = at > 0 and words[at - 1].startswith("-") and not words[at].startswith("-")
        if not (words[at].startswith("-") or is_value):
            return None
        at += 1
    return at + 1 if at < len(words) else None


def _has_option(option: str, words: Sequence[str]) -> bool:
    if _CLUSTER.fullmatch(option):
        given = {letter for word in words if _CLUSTER.fullmatch(word) for letter in word[1:]}
        return given.issuperset(option[1:])
    return any(word == option or word.startswith(f"{option}=") for word in words)


def _plain(word: str) -> str:
    """A word as a path is written at its shortest: `./src/` is `src`, `./` is `.`."""
    if word.startswith("./") and word.strip("./"):
        word = word[2:]
    return word.rstrip("/") or word
