"""What a purge looks for: the ids of a memory, every text that it had, its notes, its evidence."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import with_prefix
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.occurrence import wanted
from vaultmem.core.place import Kind
from vaultmem.core.state import NoteState
from vaultmem.errors import NoteError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.services.evidence import cited, find
from vaultmem.services.purging.later import said_later
from vaultmem.services.purging.wordings import kept_wordings, may_be_more, recognised
from vaultmem.services.syncing.classify import decode_in
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.core.model import Memory
    from vaultmem.core.occurrence import Wanted
    from vaultmem.services.call import Call


class Target(NamedTuple):
    """A memory that is to be purged.

    Attributes:
        id: `mem_…`; `candidate` is the `cand_…` that it came from or would come from.
        said: its statements, of every version whose note is known, and the names of its notes.
        earlier: statements that it had before, as far as this machine knows them.
        more: whether it may have had others, of which nothing is known here.
        texts: both, ready to be looked for.
        words: those and the words of the evidence that nothing else rests on, likewise.
        notes: where its notes lie or lay, relative to the vault.
        titles: the keys of their names, as links name them.
        evidence: the pieces that it cites, and those that only its ledger lines name.
        falling: the ids of the questions and promotions about it, which go with it.
    """

    id: str
    candidate: str
    said: tuple[str, ...]
    earlier: tuple[str, ...]
    more: bool
    texts: Wanted
    words: Wanted
    notes: tuple[str, ...]
    titles: frozenset[str]
    evidence: frozenset[EvidenceId]
    falling: frozenset[str] = frozenset()

    @property
    def ids(self) -> tuple[str, str]:
        """Both of its ids."""
        return self.id, self.candidate


def target_of(call: Call, identifier: str) -> Target:
    """All that this machine knows of a memory; empty of texts where it knows nothing any more."""
    candidate = with_prefix(identifier, "cand")
    versions = list(_versions(call, identifier, candidate))
    memories = [memory for _, memory in versions]
    row = call.vault.baseline.memory(identifier)
    paths = dict.fromkeys(path for path, _ in versions)
    if row is not None:
        paths[row.path] = None
    names = [title_of(path) for path in paths]
    said = (*(memory.statement for memory in memories), *names)
    links = cited(link for memory in memories for link in memory.evidence)
    evidence = frozenset((*links, *said_later(call, identifier)))
    earlier = kept_wordings(call, identifier, candidate)
    texts = wanted(said, earlier)
    return Target(
        id=identifier,
        candidate=candidate,
        said=said,
        earlier=earlier,
        more=may_be_more(call, identifier, candidate),
        texts=texts,
        words=texts,
        notes=tuple(paths),
        titles=frozenset(map(name_key, names)),
        evidence=evidence,
    )


def with_recognised(call: Call, target: Target, notes: Iterable[bytes]) -> Target:
    """The target with the wordings that these notes hold and of which only a hash is known."""
    known = (*target.said, *target.earlier)
    found = recognised(call, target.id, notes, known)
    earlier = (*target.earlier, *found)
    texts = wanted(target.said, earlier)
    return target._replace(earlier=earlier, texts=texts, words=texts)


def with_evidence(call: Call, target: Target, own: Iterable[EvidenceId]) -> Target:
    """The target that also looks for the words of the pieces `own`, on which nothing else rests."""
    pieces = find(call, own)
    quoted = [text for one in pieces for text in (one.excerpt, one.summary)]
    return target._replace(words=wanted((*target.said, *quoted), target.earlier))


def _versions(call: Call, identifier: str, candidate: str) -> Iterator[tuple[str, Memory]]:
    """Every version of the memory and its candidate that can be read, with the note's place."""
    baseline, root = call.vault.baseline, call.vault.root
    row = baseline.memory(identifier)
    if row is not None:
        for data in (baseline.content(identifier), baseline.content_before(identifier)):
            if data is not None:
                yield row.path, decode_in(root, row.path, data).memory
    for note in (*baseline.notes_with_id(identifier), *baseline.notes_with_id(candidate)):
        if note.state == NoteState.COPY:
            continue  # a person may have made another memory of it
        with suppress(NoteError):
            data = read_note(call.vault.path, note.path)
            if note.kind == Kind.MEMORY:
                yield note.path, decode_in(root, note.path, data).memory
            else:
                yield note.path, decode_candidate(data, path=note.path)[0].memory
