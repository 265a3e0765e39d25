"""What another agent's hook command prints: one JSON object in that agent's words, or nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.injection import tagged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.hooks.hosts.host import HostEvent

MOST_CONTEXT = 9_500
"""Characters of one addition to the talk: what is longer than 10,000 an agent puts into a file."""
_TYPED = re.compile(r"`/memory(?: ([^`]*))?`")


class Told(NamedTuple):
    """What is answered to an event; what is empty is left out.

    Attributes:
        context: a text for the model, which stays in the talk.
        notice: lines for the person.
        deny: why a tool may not run, for the model.
        go_on: why the agent is not done yet, for the model.
    """

    context: str = ""
    notice: str = ""
    deny: str = ""
    go_on: str = ""

    def line(self, event: HostEvent) -> str:
        """As the agent reads it; "" for nothing to say."""
        told: dict[str, object] = {}
        if self.notice:
            told["systemMessage"] = self.notice
        if self.go_on:
            told |= {"decision": "block", "reason": self.go_on}
        more: dict[str, str] = {}
        if self.context:
            more["additionalContext"] = self.context
        if self.deny:
            more |= {"permissionDecision": "deny", "permissionDecisionReason": self.deny}
        if more:
            told["hookSpecificOutput"] = {"hookEventName": event.value, **more}
        return json.dumps(told) + "\n" if told else ""


def sections_text(sections: Iterable[tuple[str, str]]) -> str:
    """Sections between their tags, as many of the first ones as there is room for."""
    told = ""
    for name, text in sections:
        longer = "\n\n".join(filter(None, (told, tagged(name, text))))
        if len(longer) > MOST_CONTEXT:
            break
        told = longer
    return told


def in_terminal(text: str, *, session: str) -> str:
    """A text with its commands as a terminal takes them: these agents know no `/memory`.

    Args:
        text: ours, with what a person types in the window of our own extension.
        session: the session that such a command is for, where it names none.
    """

    def typed(found: re.Match[str]) -> str:
        word = found[1] or "inbox"
        if word == "on" or word.startswith("on "):
            words = [word.replace(" ", " --"), *(("--session", session) if _ID(session) else ())]
            return f"`vaultmem {' '.join(words)}`"
        return f"`vaultmem {_WORDS.get(word, word)}`"

    return _TYPED.sub(typed, text)


_WORDS = {"review": "patch list"}
"""What is called otherwise on the command line."""
_ID = re.compile(r"[\w.-]+").fullmatch
