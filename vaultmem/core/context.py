"""What a report is made for: when, in which project, for which words."""

from __future__ import annotations

from typing import NamedTuple

_PROJECT = "project:"
_READ_AT_MOST = 20_000
"""Characters of a prompt whose words are compared; the rest is most often a pasted log."""


def in_project(identity: str) -> str:
    """The phrase that fits in one project and nowhere else, whatever the prompt says."""
    return f"{_PROJECT}{identity}"


class Context(NamedTuple):
    """The situation of the agent.

    Attributes:
        now: the moment, in local seconds as `core.standing` counts them.
        project: the project's identity, "" outside of any project.
        prompt: what the user asked, "" where there is no prompt.
        paths: files that the work touches.
        session: the agent's session, "" outside of any session.
    """

    now: float
    project: str = ""
    prompt: str = ""
    paths: tuple[str, ...] = ()
    session: str = ""


class Surroundings:
    """The words of a context, found when the first memory asks for them.

    A memory's conditions are phrases in a person's words. `holds` and `excludes` differ on purpose:
    half of the telling words of "deploying to production" are enough to show the line, because one
    line too many is cheap; all of "GitHub Packages" are needed to leave one out, because a memory
    that is missing is not noticed.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._text = ""
        self._stems: frozenset[str] | None = None
        self._known: dict[str, tuple[int, int]] = {}

    def holds(self, phrases: str) -> bool:
        """Whether one of the phrases, joined by line feeds, fits the context."""
        return any(2 * known >= of for known, of in map(self._shared, phrases.split("\n")))

    def excludes(self, phrases: str) -> str:
        """The first of the phrases that the context has all the telling words of, or ""."""
        for phrase in phrases.split("\n"):
            known, of = self._shared(phrase)
            if known == of:
                return phrase
        return ""

    def _shared(self, phrase: str) -> tuple[int, int]:
        """How many of a phrase's telling words the context has, and how many there are."""
        if phrase not in self._known:
            self._known[phrase] = self._count(phrase)
        return self._known[phrase]

    def _count(self, phrase: str) -> tuple[int, int]:
        if phrase.startswith(_PROJECT):
            named = phrase.removeprefix(_PROJECT).strip().casefold()
            return int(named == self._context.project.casefold()), 1
        # Imported here: most vaults have no conditions, and then no words are needed.
        from vaultmem.core.words import content_stems, stems

        if self._stems is None:
            here = self._context
            # The host of a project says nothing: "github" would be at hand everywhere.
            project = here.project.partition("/")[2] or here.project
            parts = (here.prompt[:_READ_AT_MOST], project, *here.paths)
            self._text = "\n".join(parts).casefold()
            self._stems = stems(self._text)
        wanted = content_stems(phrase) or {phrase.casefold()}
        # Scripts without blanks between words: the word is looked for in the running text.
        found = sum(
            word in self._stems or (not word.isascii() and word in self._text) for word in wanted
        )
        return found, len(wanted)
