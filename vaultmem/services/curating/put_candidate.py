"""Write a candidate into the inbox: what the memory would have, and why it waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId, is_id
from vaultmem.core.naming import title_of
from vaultmem.core.place import INBOX
from vaultmem.notes.candidate import Candidate, Touched, candidate_body, encode_candidate
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call


def put_candidate(
    call: Call,
    memory: Memory,
    *,
    trust: str,
    reasons: Sequence[str],
    matched: Sequence[str],
    durability: str = "unknown",
    verification: str = "review_required",
    body: str = "",
) -> tuple[str, str]:
    """Write a candidate into the inbox; what the memory would have, and why it waits.

    Args:
        call: the circumstances.
        memory: what it would become; an id of a candidate is kept, any other one is replaced.
        trust: a class of `core.trust`, by its word.
        durability: likewise.
        verification: the outcome of the checks, by its word.
        reasons: one sentence each.
        matched: ids of the memories that it touches.
        body: what stands below them, such as a difference.

    Returns:
        Its id and its path.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    own = memory.id if is_id(memory.id, "cand") else call.new_id("cand")
    proposed = replace(memory, id=MemoryId(own), created=call.local)
    write = candidate_write(
        call,
        proposed,
        trust=trust,
        durability=durability,
        verification=verification,
        reasons=reasons,
        matched=matched,
        body=body,
    )
    write_notes(call, [write])
    return own, write.path


def candidate_write(
    call: Call,
    memory: Memory,
    *,
    trust: str | None,
    reasons: Sequence[str],
    matched: Sequence[str],
    durability: str = "unknown",
    verification: str = "review_required",
    body: str = "",
    via: str = "inbox",
) -> Write:
    """The note of a new candidate, not yet written; `memory.id` is its own, `cand_…`.

    Other arguments as for `put_candidate`; `trust` is None where nothing is said of it.
    """
    compared = touched(call, matched)
    candidate = Candidate(
        memory=replace(memory, pinned=False),
        device=call.vault.device,
        trust=trust,
        durability=durability,
        reasons=tuple(reasons),
        matched=tuple(one.link for one in compared),
        verification=verification,
    )
    path = call.vault.free_path(INBOX, memory.statement, memory.id)
    shown = [candidate_body(memory.evidence, compared), body]
    data = encode_candidate(candidate, body="\n".join(filter(None, shown)))
    by = call.actor.value
    return Write(path, data, None, memory.id, "created", by=by, via=via)


def touched(call: Call, identifiers: Iterable[str]) -> list[Touched]:
    """These memories, as a candidate's note shows what it touches."""
    found: list[Touched] = []
    for identifier in identifiers:
        row = call.vault.baseline.memory(identifier)
        known = call.vault.baseline.standing(identifier)
        if row is not None and known is not None:
            found.append(Touched(f"[[{title_of(row.path)}]]", known.statement))
    return found
