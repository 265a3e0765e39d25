"""Whether a prompt says so little that there is nothing to search for.

A trivial prompt still gets the standing report; only the searches for it are skipped.
"""

from __future__ import annotations

import re

_ANSWERS = frozenset(
    (
        "absolutely", "agreed", "all good", "all right", "alright", "awesome", "carry on", "cheers",
        "continue", "cool", "correct", "definitely", "do it", "do so", "do that", "done", "exactly",
        "excellent", "false", "fine", "fine by me", "go ahead", "go for it", "go on", "good",
        "good job", "good work", "got it", "great", "great job", "great work", "hello",
        "hello there", "hey", "hey there", "hi", "hi there", "k", "keep going", "lgtm",
        "looks good", "looks good to me", "looks great", "make sense", "makes sense",
        "many thanks", "n", "never mind", "nevermind", "next", "nice", "nice work", "no",
        "no problem", "no thanks", "nope", "of course", "ok", "okay", "perfect", "please",
        "please do", "proceed", "right", "sounds good", "sounds good to me", "sounds great", "sure",
        "sure thing", "thank you", "thank you so much", "thank you very much", "thanks",
        "thanks a lot", "thanks so much", "that works", "thats right", "thx", "true", "ty",
        "understood", "very good", "well done", "will do", "works for me", "y", "yeah", "yep",
        "yes", "yup",
    )
)  # fmt: skip
"""What only answers or greets; the lists of the two systems that vaultmem follows are part of it
(topic-memory.md, section 5; governed-memory.md, section 10)."""

_LONGEST = max(answer.count(" ") + 1 for answer in _ANSWERS)
"""Words of the longest answer."""

# A command of the agent, such as /reload or /skill:name; a path has a second slash.
_COMMAND = re.compile(r"/[a-z][\w:.-]*(?:\s|$)", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;.!?…–—]+")
_MOST_CHARACTERS = 200
"""Longer prompts are not looked at: nobody answers at such length."""


def is_trivial(prompt: str) -> bool:
    """Whether it is blank, a slash command, without any letter or digit, or only answers.

    What stands around an answer ("ok!", "Thanks 🙏", "got it.") and a second one ("yes, do it")
    do not make it say more. A short word that asks for something ("fix") or that we do not know
    ("да") is not trivial.
    """
    text = prompt.strip()
    if _COMMAND.match(text):
        return True
    if len(text) > _MOST_CHARACTERS:
        return not any(map(str.isalnum, text))
    spoken = text.casefold().replace("'", "").replace("’", "")
    return _only_answers(list(filter(None, map(_bare, _BETWEEN.split(spoken)))))


def _only_answers(words: list[str]) -> bool:
    """Whether the words are answers one after the other, the longest first; none are, too."""
    place = 0
    while place < len(words):
        for length in range(_LONGEST, 0, -1):
            if " ".join(words[place : place + length]) in _ANSWERS:
                place += length
                break
        else:
            return False
    return True


def _bare(word: str) -> str:
    """A word without the signs around it."""
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]
