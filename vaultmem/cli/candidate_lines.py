"""One candidate for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.hinting import hints_json, say_hints
from vaultmem.cli.memory_lines import as_text
from vaultmem.cli.output import plain, project_name, say, say_wrapped
from vaultmem.core.budget import shorten
from vaultmem.core.evidence import is_intact
from vaultmem.core.force import acts_sentence, ways_to_act
from vaultmem.notes.candidate import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.cli.output import Json
    from vaultmem.core.evidence import Evidence
    from vaultmem.notes.hints import Hint
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.curating.foresee import Foreseen

ROW_WIDTH = 68
"""Room of a statement in an overview of one line each; a wide character takes four of it."""


def say_candidate(one: Waiting, foreseen: Foreseen, hints: Sequence[Hint]) -> None:
    """The statement, why it waits, what it would replace, and the notes that may say more."""
    say_wrapped(one.candidate.memory.statement)
    say_below(one, foreseen, hints)


def say_below(one: Waiting, foreseen: Foreseen, hints: Sequence[Hint]) -> None:
    """What stands below the statement of a candidate."""
    memory = one.candidate.memory
    put_off = "put off" if one.candidate.state is State.DEFERRED else ""
    facts = (
        put_off,
        one.id,
        memory.category.value,
        project_name(memory.project or ""),
        foreseen.trust,
    )
    say(f"  {', '.join(filter(None, facts))}")
    for sentence in filter(None, (foreseen.why, acts_sentence(memory), foreseen.sentence)):
        say_wrapped(sentence, indent=2)
    if linked := memory.vault_ref:
        say(f"  It links to {linked}.")
    say_hints(hints)


def overview_row(one: Waiting, foreseen: Foreseen) -> str:
    """One line: a tick where the checks verified it, how sure it is, the statement."""
    memory = one.candidate.memory
    statement = shorten(plain(memory.statement), ROW_WIDTH)
    return f"  {'✓' if foreseen.verified else '~'} {memory.confidence:.2f}  {statement}"


def to_json(one: Waiting, foreseen: Foreseen, hints: Sequence[Hint]) -> dict[str, Json]:
    """The stable shape."""
    candidate = one.candidate
    return {
        "id": one.id,
        "path": one.path,
        "statement": candidate.memory.statement,
        "category": candidate.memory.category.value,
        "state": candidate.state.value,
        "decision": candidate.decision,
        "trust": foreseen.trust,
        "durability": foreseen.durability,
        "verification": foreseen.verification,
        "reasons": list(foreseen.reasons),
        "matched": list(candidate.matched),
        "evidence": list(candidate.memory.evidence),
        **hints_json(hints),
        "vault_ref": candidate.memory.vault_ref,
        "acts": list(ways_to_act(candidate.memory)),
        "approval": foreseen.op,
        "target": foreseen.target,
    }


def say_details(one: Waiting, pieces: Sequence[Evidence]) -> None:
    """Everything that the note says, and the evidence that it embeds."""
    for key, value in one.decoded.properties.items():
        if value not in (None, "", [], ()):
            say_wrapped(f"{key}: {as_text(value)}", indent=2)
    say(f"  path: {one.path}", note=one.path)
    for line in one.decoded.body.strip().splitlines():
        say(f"  | {line}")

    for piece in pieces:
        where = ", ".join(filter(None, (piece.worth.value, piece.source_ref, piece.session)))
        altered = "" if is_intact(piece) else ", no longer what was recorded"
        say(f"  evidence: {where}{altered}")
        for line in piece.text.splitlines():
            say(f"  > {line}")
