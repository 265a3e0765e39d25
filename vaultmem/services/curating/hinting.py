"""Find the knowledge notes for candidates that wait, once, and name them in their notes."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.naming import link_targets
from vaultmem.core.place import Kind, inside, kind_of
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.index.documents import is_within
from vaultmem.notes.frontmatter import set_property
from vaultmem.notes.hints import PROPERTY, Hint, hints_in, with_hints
from vaultmem.services.call import Actor
from vaultmem.services.curating.candidates import is_external, waiting
from vaultmem.services.curating.explain_held import CHECKED
from vaultmem.services.curating.proposals import as_written
from vaultmem.services.vault_ref import suggest_all
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.knowledge_vault import KnowledgeVault

_LOOKED = "vault_ref"
"""The word of the baseline that says up to which change the candidates were looked at."""


def find_hints(
    call: Call,
    engine: Callable[[], SearchEngine],
    *,
    others: Sequence[KnowledgeVault] = (),
    model: str | None = None,
    opened: Sequence[str] = (),
) -> dict[str, tuple[Hint, ...]]:
    """The knowledge notes that are suggested for each candidate that waits, by its id.

    They are looked for where a candidate or a knowledge note has changed since the last look, and
    written into the candidate's note, so that the next look costs nothing. Unless
    `vault_report_only` holds, the best one becomes the candidate's `vault_ref` where it has none.
    The engine is only made where there is something to look for. A note that somebody changed is
    not written, because our signature would vouch for their words; nor is it believed, so it is
    looked at each time.

    For an agent nothing is looked for: which notes the person has outside the memory root is not
    its business. Of what stands in the candidates it gets what lies in the folders that it may
    read.

    Args:
        call: the circumstances; the baseline is up to date.
        engine: gives the search engine of the vault.
        others: further vaults whose notes count.
        model: the name of the embedding model, so that another one looks again.
        opened: the folders of the vault that the user config opens to an agent, "" for all of it.
    """
    shown = [one for one in waiting(call) if not is_external(one)]
    found = {one.id: hints_of(call, one) for one in shown}
    if call.actor is not Actor.PERSON:
        return {key: tuple(_opened(hints, opened)) for key, hints in found.items()}
    begun, state = call.vault.baseline.seq(), _state(call, others, model)
    mine = [one for one in shown if _is_ours(call, one) or not found[one.id]]
    due = _due(call, mine, state)
    written: list[str] = []
    lost = False
    if due:
        memories = [one.candidate.memory for one in due]
        suggestions = suggest_all(call, engine(), memories, others=others)
        for one, ones in zip(due, suggestions, strict=True):
            hints = tuple(Hint(each.link, round(each.score, 2), each.reason) for each in ones)
            changed = hints != found[one.id] or (hints and _links(call, one))
            if changed and as_written(call, one.id, one.data):
                written.append(one.path)
                lost = not _write(call, one, hints) or lost
            found[one.id] = hints
    if not lost:
        _remember(call, begun, written, state)
    return found


def _opened(hints: Iterable[Hint], folders: Sequence[str]) -> Iterator[Hint]:
    for hint in hints:
        target = next(link_targets([hint.link]), None)  # None leads into another vault
        if target is not None and is_within(target, folders):
            yield hint


def hints_of(call: Call, one: Waiting) -> tuple[Hint, ...]:
    """What a candidate's note suggests, where a device wrote it as it is; else nothing."""
    if not one.candidate.vault_ref_suggestions or not as_written(call, one.id, one.data):
        return ()
    return hints_in(one.decoded.body)


def _is_ours(call: Call, one: Waiting) -> bool:
    """Whether this device may change what a candidate suggests, so that not two of them take turns.

    The device that made it knows its vaults; another one only adds what is missing.
    """
    return one.candidate.device in (None, call.vault.device)


def _due(call: Call, candidates: Iterable[Waiting], state: str) -> list[Waiting]:
    """The candidates whose suggestions may be others now."""
    known, _, before = call.vault.baseline.meta(_LOOKED).partition(":")
    if not known.isdigit() or before != state or int(known) > call.vault.baseline.seq():
        return list(candidates)
    changed = set(call.vault.baseline.changes_since(int(known)))
    if any(not inside(path, call.vault.root) for path in changed):
        return list(candidates)
    return [
        one for one in candidates if one.path in changed or not as_written(call, one.id, one.data)
    ]


def _matters(call: Call, path: str) -> bool:
    """Whether a change there can change a suggestion: a note of the person's, or a candidate."""
    return kind_of(path, call.vault.root) in (Kind.KNOWLEDGE, Kind.CANDIDATE)


def _links(call: Call, one: Waiting) -> bool:
    """Whether a suggestion becomes the candidate's link."""
    return not call.governance.vault_report_only and one.candidate.memory.vault_ref is None


def _state(call: Call, others: Iterable[KnowledgeVault], model: str | None) -> str:
    """What the other vaults hold now, and the settings, so that a change there is seen."""
    parts = [f"{call.governance.vault_report_only} {model}", *(one.stamp for one in others)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _remember(call: Call, begun: int, written: Iterable[str], state: str) -> None:
    """Everything was looked at that had changed when this began, and our own writes since."""
    baseline = call.vault.baseline
    now = baseline.seq()
    others = set(baseline.changes_since(begun)) - set(written)
    word = f"{begun if any(_matters(call, path) for path in others) else now}:{state}"
    if word != baseline.meta(_LOOKED):
        with suppress(*CANNOT_WRITE):
            baseline.set_meta(_LOOKED, word)


def _write(call: Call, one: Waiting, hints: Sequence[Hint]) -> bool:
    """Name the notes in the candidate's own; False where it cannot be written now."""
    with suppress(NoteError, *CANNOT_WRITE):
        data = with_hints(one.data, hints)
        by, keys = call.actor.value, PROPERTY
        if hints and _links(call, one):
            data = set_property(data, "vault_ref", hints[0].link)
            keys += " vault_ref"
        write_notes(call, [Write(one.path, data, one.etag, one.id, CHECKED, by, "inbox", keys)])
        return True
    return False
