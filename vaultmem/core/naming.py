"""Chooses the file name of a note from its statement, once; nothing renames a note later."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from vaultmem.core.path_key import path_key
from vaultmem.core.visible import visible_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CHARACTERS = 80
MAX_BYTES = 120
"""UTF-8 bytes of a base name; with `.md` and a temporary's extra letters it fits eCryptfs's 143."""
_READ = 400
"""More of a statement than this never reaches its name."""
SUFFIX_LENGTH = 4
FALLBACK = "Untitled"

# Windows forbids \ / : * ? " < > |, Obsidian links forbid # ^ [ ] | and %%; a backtick and a dollar
# make a name awkward to quote in a shell.
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]`$]+|%%+')
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3}|~~|==|`+)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_NO_TAG = re.compile(r"[^\w/-]+|(?<=/)/+")
_LINK = re.compile(r"\[\[([^\]|#]+)")
_DEVICES = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?= *(?:\.|$))", re.I
)

# Names by which sync services mark a conflict copy; a note of ours must not look like one.
_CONFLICT = re.compile(r"(?<=onflicted) (?=copy)|\.(?=sync-conflict)", re.I)


def base_name(statement: str) -> str:
    """The statement as a file name, without `.md`.

    NFC; what Obsidian or an operating system forbids becomes `-`; no dot or blank at either end; no
    name of a Windows device and no look of a conflict copy; at most `MAX_CHARACTERS` characters,
    cut at a word where there is one, and `MAX_BYTES` bytes of UTF-8. Emphasis and code marks around
    words are left out. Never empty.
    """
    name = unicodedata.normalize("NFC", visible_characters(statement[:_READ]))
    name = _EMPHASIS.sub(r"\2", name)
    name = _CONFLICT.sub("-", _FORBIDDEN.sub("-", name))
    name = _guard(_trim(unicodedata.normalize("NFC", name)))
    return _shorten(name, MAX_CHARACTERS, MAX_BYTES)


def tag_name(text: str) -> str:
    """The text as a tag of a memory: `memory/git` for `#git`; "" where no letter or digit is in it.

    Obsidian's tags hold letters, digits, `_`, `-` and `/`; a colon becomes `/`, every other run of
    characters `-`.
    """
    visible = unicodedata.normalize("NFC", visible_characters(text)).replace(":", "/")
    name = _NO_TAG.sub("-", visible).removeprefix("memory/").strip("-/")
    return f"memory/{name}" if any(map(str.isalnum, name)) else ""


def with_suffix(name: str, identifier: str) -> str:
    """The name for a note whose `name` is taken: ` (xxxx)`, the end of its id, shortened to fit."""
    suffix = f" ({identifier[-SUFFIX_LENGTH:].lower()})"
    return _shorten(name, MAX_CHARACTERS, MAX_BYTES - len(suffix.encode())) + suffix


def part_of_name(text: str, beside: str) -> str:
    """The beginning of a text, cut at a word, that has room in a name together with `beside`."""
    return _shorten(_trim(text), MAX_CHARACTERS - len(beside), MAX_BYTES - len(beside.encode()))


def title_of(path: str) -> str:
    """What links call the note at `path`: its base name without `.md`, in any case."""
    return without_ending(path.rpartition("/")[2])


def without_ending(path: str) -> str:
    """The path of a note without `.md`, in any case."""
    return path[:-3] if path[-3:].lower() == ".md" else path


def link_targets(texts: Iterable[str]) -> Iterator[str]:
    """What wikilinks name: a base name or a path, without heading, block and shown text."""
    for text in texts:
        for target in _LINK.findall(text):
            yield target.strip()


def as_text(typed: str) -> str:
    """A name as it was typed, for a look-up; for bytes that are no UTF-8 a `?` stands."""
    return typed.encode("utf-8", "replace").decode()


def name_key(name: str) -> str:
    """What two base names must differ in to be two files everywhere: NFC and case-folded."""
    return path_key(name)


def _trim(name: str) -> str:
    return name.strip(" .-")


def _shorten(name: str, characters: int, size: int) -> str:
    if len(name) <= characters and len(name.encode()) <= size:
        return name
    end = min(characters, len(name.encode()[:size].decode(errors="ignore")))
    return _trim(name[: _boundary(name, end)])


def _boundary(name: str, end: int) -> int:
    """The last place at or before `end` where a word ends, else where a character ends."""
    if (blank := name.rfind(" ", 0, end + 1)) > end // 2:
        return blank
    while end > 1 and (unicodedata.category(name[end])[0] in "MC" or name[end - 1] == "\u200d"):
        end -= 1
    return end


def _guard(name: str) -> str:
    return _DEVICES.sub(r"\1-", name, count=1) if _DEVICES.match(name) else name or FALLBACK
