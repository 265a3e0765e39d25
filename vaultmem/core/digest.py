"""The daily digest: the lines of a day's log that are worth telling, the weightiest first."""

from __future__ import annotations

import re

from vaultmem.core.comments import without_comments

MOST_LINES = 40
"""Lines of a digest at most; the report has room for fewer."""
_READ_AT_MOST = 200_000
"""Characters of a log that are looked at, the last ones."""

_ENDED = re.compile(r"#+\s*session ended\b", re.IGNORECASE)
_BOILERPLATE = re.compile(
    r"[-*_#\s]*(?:\d\d:\d\d(?::\d\d)?\s+)?"
    r"(?:session (?:ended|started|shut ?down|id)\b|no (?:changes|memories|decisions)\b)",
    re.IGNORECASE,
)
"""What a session leaves by itself when it starts or ends."""
_DECISION = re.compile(r"#(?:decision|key)\b", re.IGNORECASE)
_TOLD = re.compile(r"## |[-*+] ")
_MARK = re.compile(r"(?:#{1,6}|[-*+])\s+")
_TIME = re.compile(r"[-*+] (\d\d:\d\d(?::\d\d)?)\s")


def daily_digest(log_text: str) -> tuple[str, ...]:
    """What a day's log says in a few lines: how many sessions, what was decided, what was last.

    Rules of the governed memory (section 10, "Daily digest"): headings and list items count, and
    any line with `#decision` or `#key`; comments and what a session leaves by itself do not. A log
    without such lines is told as it is. Our own is the order: a cut must not take the decisions.

    Args:
        log_text: one log note without its properties, or those of several devices behind each
            other; where each line begins with its time, they are told in the order of time.

    Returns:
        `Sessions today: n` where any ended, the decisions in their order, then the other lines,
        the latest first; without list marks. Nothing for a blank log.
    """
    text = without_comments(log_text.replace("\r\n", "\n")[-_READ_AT_MOST:])
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    ended = sum(_ENDED.match(line) is not None for line in lines)
    plain = [line for line in lines if not _BOILERPLATE.match(line)]
    kept = [line for line in plain if _TOLD.match(line) or _DECISION.search(line)] or plain
    if all(_TIME.match(line) for line in kept):
        kept.sort(key=_time)
    decided = [line for line in kept if _DECISION.search(line)]
    others = [line for line in reversed(kept) if not _DECISION.search(line)]
    told = [_MARK.sub("", line, count=1) for line in (*decided, *others)]
    count = [f"Sessions today: {ended}"] if ended else []
    return tuple([*count, *filter(None, told)][:MOST_LINES])


def _time(line: str) -> str:
    found = _TIME.match(line)
    return found[1] if found else ""
