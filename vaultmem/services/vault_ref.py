"""Suggest the knowledge notes that say more about a memory; a person decides about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import shorten
from vaultmem.core.inert import clean
from vaultmem.core.knowledge_link import link_to, names_note
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.vault_ref import (
    MOST,
    Likeness,
    belongs,
    is_latin,
    shares_enough,
    without_projects,
)
from vaultmem.core.words import STOP_STEMS, stem
from vaultmem.errors import NoteNotFoundError
from vaultmem.index.documents import Source
from vaultmem.index.terms import terms
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.indexing import refresh
from vaultmem.services.knowledge import read_knowledge, shelf_of
from vaultmem.services.lookup import find_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultmem.core.model import Memory
    from vaultmem.index.engine import SearchEngine
    from vaultmem.index.hybrid import SearchHit
    from vaultmem.services.call import Call
    from vaultmem.services.knowledge import Shelf
    from vaultmem.services.knowledge_vault import KnowledgeVault

_LOOKED_AT = 100
"""Notes of a vault that are considered for one statement, the nearest first."""
_WORDS_SHOWN = 6
_WORD_LENGTH = 24


class _Piece(NamedTuple):
    hit: SearchHit
    text: str
    """What is embedded of it."""
    shared: frozenset[str]
    """The words of the statement that it holds: of the text that was found, with title, aliases,
    tags and heading of its note."""


class Suggestion(NamedTuple):
    """A knowledge note that may say more about a memory.

    Attributes:
        link: the value that `vault_ref` takes.
        path: relative to its vault.
        title: the note's.
        score: nearness of meaning and coverage by words, 0 to 1.7; for comparing.
        reason: one short line: the words that both hold, how near the meaning is.
        vault: the other vault's name; "" for the memory's own.
    """

    link: str
    path: str
    title: str
    score: float
    reason: str
    vault: str = ""


def suggest(
    call: Call, engine: SearchEngine, memory: Memory, *, others: Sequence[KnowledgeVault] = ()
) -> tuple[Suggestion, ...]:
    """The knowledge notes for one memory, as `suggest_all`."""
    return suggest_all(call, engine, [memory], others=others)[0]


def suggest_for(
    call: Call, engine: SearchEngine, name: str, *, others: Sequence[KnowledgeVault] = ()
) -> tuple[Suggestion, ...]:
    """The knowledge notes for the memory, or the candidate, that a person names.

    The one that it links to already is left out.

    Raises:
        AgentRefusedError: if an agent calls; which notes the person has is not its business.
        NoteNotFoundError, AmbiguousIdError: as `find_memory` and `find_waiting`.
    """
    call.person_only("show --knowledge")
    try:
        memory = find_memory(call, name).decoded.memory
    except NoteNotFoundError:
        memory = find_waiting(call, name).candidate.memory
    linked = memory.vault_ref or ""
    found = suggest(call, engine, memory, others=others)
    return tuple(one for one in found if one.vault or not names_note(linked, one.path))


def suggest_all(
    call: Call,
    engine: SearchEngine,
    memories: Sequence[Memory],
    *,
    others: Sequence[KnowledgeVault] = (),
) -> list[tuple[Suggestion, ...]]:
    """The knowledge notes for each memory, best first, at most three.

    A note is suggested if it shares whole words with the statement and is near it in meaning
    (`core.vault_ref`), is not excluded in Obsidian or by `vaultmem: false`, and is neither a
    template, a daily note, a proposal for a note nor a conflict copy. Where no model is at hand, or
    it cannot read the statement, words alone decide, by a stricter rule. Tags are not looked at: a
    tag alone says too little. Never raises for what a note or another vault holds.

    Args:
        call: the circumstances; the baseline is up to date.
        engine: the search engine of the vault.
        memories: or what candidates would become.
        others: further vaults, which are only read.
    """
    if not memories:
        return []
    refresh(call, engine)
    for one in others:
        one.refresh()
    shelves = [
        shelf_of(call.vault.path, engine, root=call.vault.root),
        *(one.shelf for one in others),
    ]
    projects = {one.project for one in call.vault.baseline.standings()}
    return [
        _best(shelves, without_projects(one.statement, {*projects, one.project or ""}))
        for one in memories
    ]


def _best(shelves: Iterable[Shelf], statement: str) -> tuple[Suggestion, ...]:
    found = [one for shelf in shelves for one in _on(shelf, statement)]
    found.sort(key=lambda one: (-one.score, one.vault, one.path))
    by_title: dict[str, Suggestion] = {}
    for one in found:
        by_title.setdefault(name_key(one.title), one)
    return tuple(by_title.values())[:MOST]


def _on(shelf: Shelf, statement: str) -> Iterator[Suggestion]:
    """The notes of one vault that belong to the statement."""
    words = _words(statement)
    found = shelf.engine.search(statement, sources=(Source.VAULT,), limit=_LOOKED_AT)
    pieces = [piece for hit in found.hits if (piece := _piece(shelf, hit, words)) is not None]
    limits = shelf.engine.thresholds
    floor = limits.stranger if limits.measured else limits.vault_ref
    for piece, cosine in zip(pieces, _cosines(shelf.engine, statement, pieces), strict=True):
        like = Likeness(
            len(piece.shared), len(piece.shared) / len(words), piece.hit.coverage, cosine
        )
        link = link_to(piece.hit.path, vault=shelf.name)
        if link is not None and belongs(like, threshold=limits.vault_ref, floor=floor):
            yield Suggestion(
                link,
                piece.hit.path,
                title_of(piece.hit.path),
                round(like.score, 4),
                _reason(statement, piece.shared, like),
                shelf.name,
            )


def _piece(shelf: Shelf, hit: SearchHit, words: frozenset[str]) -> _Piece | None:
    """What was found of a note, if it may be suggested and shares enough words."""
    if hit.coverage == 0.0:
        return None
    note = read_knowledge(shelf.path, hit.path)
    if note is None or not shelf.allows(hit.path, note.properties):
        return None
    for document in note.documents:  # without it the note is no longer what the index holds
        if document.key == hit.key and shares_enough(
            shared := words & _words(document.text), words
        ):
            return _Piece(hit, document.meaning, shared)
    return None


def _cosines(
    engine: SearchEngine, statement: str, pieces: Sequence[_Piece]
) -> Sequence[float | None]:
    """How near each piece is, None where nobody can tell.

    What the index has not embedded yet is embedded here, so that a new vault needs no patience:
    few pieces share the words of a statement.
    """
    if not is_latin(statement):
        return [None] * len(pieces)
    unknown = [piece.text for piece in pieces if piece.hit.cosine is None]
    made: Iterator[float | None] = iter(engine.nearness(statement, unknown) or ())
    return [next(made, None) if piece.hit.cosine is None else piece.hit.cosine for piece in pieces]


def _words(text: str) -> frozenset[str]:
    """The words that say something, without case, accents and endings.

    Of a script without blanks, pairs of characters: a single one is in every text.
    """
    found = (term for term in terms(text, stem) if term.isascii() or len(term) > 1)
    return frozenset(found) - STOP_STEMS


def _reason(statement: str, shared: frozenset[str], like: Likeness) -> str:
    """For example `words: retry, backoff; meaning 0.61`."""
    said = dict.fromkeys(
        shorten(_bare(word), _WORD_LENGTH) for word in statement.split() if _words(word) & shared
    )
    more = f" and {len(said) - _WORDS_SHOWN} more" if len(said) > _WORDS_SHOWN else ""
    words = f"words: {', '.join(list(said)[:_WORDS_SHOWN])}{more}"
    return words if like.cosine is None else f"{words}; meaning {like.cosine:.2f}"


def _bare(word: str) -> str:
    """A word without what surrounds it, such as the comma behind it."""
    return clean(word).text.strip(" .,;:!?()[]{}<>\"'`*_…“”‘’、。")
