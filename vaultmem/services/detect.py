"""What capture would do with messages of a person, without a vault and without doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.detection import detect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.detection import Signal


def detect_lines(lines: Iterable[str]) -> Iterator[tuple[Signal, ...]]:
    """The signals of each line, which is one message; a blank line is one too.

    Every line is answered before the next one is read, so that a pipe can be used as a dialogue.
    """
    for line in lines:
        yield detect(line.rstrip("\r\n"))
