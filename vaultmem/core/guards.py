"""The guards that every text passes before it may become a memory, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.grant import grant_phrase
from vaultmem.core.model import Scope
from vaultmem.core.secrets import find_secrets
from vaultmem.core.task_scope import task_scope
from vaultmem.core.wording import short

if TYPE_CHECKING:
    from vaultmem.core.contradiction import Contradiction
    from vaultmem.core.secrets import Secret


class TextRefusal(NamedTuple):
    """Why a text is not remembered: a code of `core.finding`, one sentence, and the next step."""

    code: str
    sentence: str
    remedy: str

    @property
    def text(self) -> str:
        """The sentence and the next step."""
        return f"{self.sentence} {self.remedy}"


Guard = Callable[[str], TextRefusal | None]

BOUNDED = frozenset((Scope.TASK, Scope.SESSION))
"""Scopes that end by themselves: what holds for one task may be remembered in them."""


def refuse_secret(text: str) -> TextRefusal | None:
    """Refuse a text with a secret in it, whoever brings it."""
    return secret_refusal(find_secrets(text))


def secret_refusal(found: tuple[Secret, ...]) -> TextRefusal | None:
    """The refusal for secrets that were found; it shows their previews only."""
    if not found:
        return None
    names = ", ".join(dict.fromkeys(f"{one.kind} {one.preview}" for one in found[:3]))
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return TextRefusal(
        "VM601",
        f"The text holds a secret ({names}{more}), and secrets are never remembered.",
        "Say it without the secret: name where it is kept instead.",
    )


def refuse_grant(text: str) -> TextRefusal | None:
    """Refuse a permission that was given for once."""
    phrase = grant_phrase(text)
    if phrase is None:
        return None
    return TextRefusal(
        "VM602",
        f'"{short(phrase)}" gives permission for once, and a memory would give it for ever.',
        "Use the permission now; if it should always hold, ask the user to say so in those words.",
    )


def refuse_task(text: str) -> TextRefusal | None:
    """Refuse an instruction that holds for the task at hand only."""
    family = task_scope(text)
    if family is None:
        return None
    return TextRefusal(
        "VM603",
        f"That is {family}, and a memory would outlive it.",
        "Follow it now, remember it with the scope `task`, or say the rule behind it.",
    )


GUARDS: tuple[Guard, ...] = (refuse_secret, refuse_grant, refuse_task)
"""In order: a secret is refused before anything else is said about its text."""


def first_refusal(text: str, *, scope: Scope = Scope.PROJECT) -> TextRefusal | None:
    """The first guard's refusal, or None where all let the text pass.

    A memory whose scope is a task or a session may hold for one task only.
    """
    for guard in GUARDS:
        if guard is refuse_task and scope in BOUNDED:
            continue
        if refusal := guard(text):
            return refusal
    return None


def refuse_contradiction(
    found: Contradiction, *, identifier: str, pinned: bool, overridden: bool = False
) -> TextRefusal | None:
    """The refusal for a text that contradicts a memory; None where the user overrode it.

    Args:
        found: what contradicts what.
        identifier: the short id of the memory, for the sentence.
        pinned: a pinned memory refuses always, overridden or not.
        overridden: whether the user was asked and confirmed the new text.
    """
    against = f'"{short(found.new)}" contradicts "{short(found.existing)}" ({identifier})'
    if pinned:
        return TextRefusal(
            "VM605",
            f"{against}, which is pinned.",
            "Ask the user: only they can edit or unpin it, in its note or with `vaultmem edit`.",
        )
    if overridden:
        return None
    return TextRefusal(
        "VM604",
        f"{against}.",
        "Ask the user which of the two holds; to replace the old one, add it again with "
        "`override_conflicts` (`--override-conflicts`).",
    )
