"""The knowledge notes of candidates at the terminal: looked for once, as lines and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import counter, plain, say, say_wrapped
from vaultmem.core.ids import is_id
from vaultmem.services.curating.hinting import find_hints
from vaultmem.services.named_note import link_of
from vaultmem.services.vault_ref import suggest_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.notes.hints import Hint
    from vaultmem.services.vault_ref import Suggestion


def hints_for(app: App) -> dict[str, tuple[Hint, ...]]:
    """What is suggested for each candidate that waits; the first look may take a second."""
    with counter("Looking for knowledge notes"):
        return find_hints(
            app.call(),
            lambda: app.engine,
            others=app.knowledge_vaults,
            model=app.config.config.model,
            opened=app.config.config.knowledge,
        )


def chosen_note(app: App, named: str, suggested: Sequence[Hint]) -> str:
    """The link that a person means by a number, a title, a path or a link; "" for none.

    Args:
        app: this process.
        named: what was typed.
        suggested: what was shown.

    Raises:
        As `link_of`.
    """
    if not named.strip():
        return ""
    return link_of(app.call(), named, suggested=[hint.link for hint in suggested])


def suggestions_for(app: App, name: str) -> tuple[Suggestion, ...]:
    """What is suggested for one memory or candidate.

    Raises:
        As `services.vault_ref.suggest_for`.
    """
    with counter("Looking for knowledge notes"):
        return suggest_for(app.call(), app.engine, name, others=app.knowledge_vaults)


def say_suggestions(identifier: str, found: Sequence[Suggestion]) -> None:
    """The notes that were found for one memory or candidate, and how to link it to one."""
    say_hints(found)
    if found:
        edit = "inbox edit" if is_id(identifier, "cand") else "edit"
        say_wrapped(
            f'Link it with `vaultmem {edit} {identifier} --set vault_ref "LINK"`.', indent=2
        )
    else:
        say("  No knowledge note says more.")


def suggestions_json(found: Sequence[Suggestion]) -> list[Json]:
    """The same in its stable shape."""
    return [dict(one._asdict()) for one in found]


def say_hints(hints: Sequence[Hint | Suggestion]) -> None:
    """The notes, each with the number that `--vault-ref` takes."""
    if hints:
        say("  Knowledge notes that may say more:")
    for number, hint in enumerate(hints, 1):
        say_wrapped(f"{number}. {plain(hint.link)} ({hint.score:.2f}; {hint.reason})", indent=4)


def hints_json(hints: Sequence[Hint]) -> dict[str, Json]:
    """The suggestions of one candidate: the links, and each with its score and reason."""
    return {
        "vault_ref_suggestions": [hint.link for hint in hints],
        "knowledge": [
            {"link": hint.link, "score": hint.score, "reason": hint.reason} for hint in hints
        ],
    }
