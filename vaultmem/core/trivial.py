"""Whether a prompt says so little that there is nothing to search for.

A trivial prompt still gets the standing report; only the searches for it are skipped.
"""

from __future__ import annotations

import re

_ANSWERS = frozenset(
    (
        "agreed", "continue", "cool", "correct", "do it", "done", "exactly", "false", "go ahead",
        "go on", "good", "got it", "great", "hello", "hey", "hi", "k", "looks good", "make sense",
        "makes sense", "next", "nice", "no", "nope", "ok", "okay", "perfect", "please", "proceed",
        "right", "sounds good", "sure", "thank you", "thanks", "true", "understood", "yeah", "yep",
        "yes", "yes please",
    )
)  # fmt: skip
"""Whole prompts that only answer; from the two systems that vaultmem follows, with greetings."""

# A command of the agent, such as /reload or /skill:name; a path has a second slash.
_COMMAND = re.compile(r"/[a-z][\w:.-]*(?:\s|$)", re.IGNORECASE)


def is_trivial(prompt: str) -> bool:
    """Whether it is blank, a slash command, without any letter or digit, or only an answer.

    What follows or surrounds an answer ("ok!", "Thanks 🙏", "got it.") does not make it say more.
    A short word that asks for something ("fix") or that we do not know ("да") is not trivial.
    """
    text = prompt.strip()
    if _COMMAND.match(text):
        return True
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    said = " ".join(re.sub(r"[,;]", " ", text[start:end]).casefold().split())
    return not said or said in _ANSWERS
