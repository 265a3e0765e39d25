"""What a notebook must be so that it is published: its files, their form and their size.

From facts/notebook.md, section 5 (validation), with limits of our own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HANDBOOK = "MEMORY.md"
SUMMARY = "memory_summary.md"
SKILLS = "Skills"
"""The parts of the notebook; paths are relative to the memory root."""

VERSION = "v1"
"""The first line of the summary, exactly."""

MOST_BYTES = {HANDBOOK: 1_000_000, SUMMARY: 100_000}
MOST_SKILL_BYTES = 1_000_000
MOST_FILES = 500
"""Limits: a note of more than 1 MB is indexed by its head only (DESIGN §6), and the 800 tokens that
are told of the summary are some 3 kB."""

_MARKERS = ("<<<<<<< ", ">>>>>>> ")


class Problem(NamedTuple):
    """Why a notebook cannot be published.

    Attributes:
        path: the file, relative to the memory root.
        line: from 1, None where it is the whole file.
        message: one sentence.
        remedy: another one.
    """

    path: str
    line: int | None
    message: str
    remedy: str

    def __str__(self) -> str:
        """File, line and sentences, for a message."""
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.message} {self.remedy}"


def is_notebook_path(path: str) -> bool:
    """Whether a path, relative to the memory root, is a file of the notebook."""
    if path in (HANDBOOK, SUMMARY):
        return True
    top, *below = path.split("/")
    return top == SKILLS and bool(below) and not any(_is_odd(part) for part in below)


def problems(files: Mapping[str, bytes]) -> tuple[Problem, ...]:
    """Everything for which these files cannot be the published notebook; none for a good one.

    Args:
        files: every file by its path, relative to the memory root.
    """
    return tuple(_problems(files))


def _problems(files: Mapping[str, bytes]) -> Iterator[Problem]:
    for path in (HANDBOOK, SUMMARY):
        if path not in files:
            yield Problem(path, None, f"`{path}` is missing.", BACK)
    if len(files) > MOST_FILES:
        message = f"The notebook has more than {MOST_FILES} files."
        yield Problem(SKILLS, None, message, "Remove skills that nobody needs.")
    for path, data in files.items():
        if not is_notebook_path(path):
            yield Problem(path, None, "This is no file of the notebook.", "Move it elsewhere.")
        elif len(data) > MOST_BYTES.get(path, MOST_SKILL_BYTES):
            most = MOST_BYTES.get(path, MOST_SKILL_BYTES)
            yield Problem(path, None, f"It is larger than {most} bytes.", "Shorten it.")
        elif path in MOST_BYTES:
            yield from _of_text(path, data)


BACK = "Run `vaultmem notebook restore` to have the last version back."


def _of_text(path: str, data: bytes) -> Iterator[Problem]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = data.count(b"\n", 0, error.start) + 1
        yield Problem(path, at, "It is not UTF-8.", "Save it as UTF-8.")
        return
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.startswith(_MARKERS):
            yield Problem(path, number, "A merge is not finished here.", "Settle it by hand.")
            return
    first = lines[0].removesuffix("\r")
    if path == HANDBOOK and not text.strip().strip("\ufeff"):
        yield Problem(path, None, "It is empty.", BACK)
    elif path == SUMMARY and first != VERSION:
        yield Problem(path, 1, f"Its first line is not exactly `{VERSION}`.", _VERSION_REMEDY)
    elif path == HANDBOOK and first.removeprefix("\ufeff").rstrip() == "---":
        yield Problem(path, 1, "It begins with properties.", "Take the properties out.")


_VERSION_REMEDY = f"Write `{VERSION}` alone in the first line, without properties above it."


def _is_odd(part: str) -> bool:
    """Whether a part of a path is none that a skill has: empty, hidden or leading elsewhere."""
    return not part or part.startswith(".") or "\\" in part or "\0" in part
