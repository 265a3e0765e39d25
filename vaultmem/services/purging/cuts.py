"""What a purge does to each note of the memory root: remove it, cut it, or leave it be."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.conflict import conflict_original, is_conflict_copy
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.occurrence import lines_with, without_lines, words_of
from vaultmem.core.place import SCRATCHPAD, SYSTEM, Kind, is_review_note, kind_of
from vaultmem.errors import NoteError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.evidence import callout_spans
from vaultmem.notes.frontmatter import get_properties, set_properties, unset_property
from vaultmem.notes.patch_cut import without_operations
from vaultmem.services.evidence import link_id
from vaultmem.services.purging.reports import is_report, without_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.services.purging.target import Target

LINKS = ("supersedes", "superseded_by", "derived_from", "informs", "matched")
"""Properties in which the machine names other memories by their notes."""
PROPOSALS = ("Promotions", "Inquiries")

_CUT = 30
"""Characters that the name of a temporary keeps in any script."""
_CITED = re.compile(rb"#\^ev-[0-9a-zA-Z]{26}")


class Found(NamedTuple):
    """A note of the memory root as it is on disk."""

    path: str
    kind: Kind
    data: bytes


class Cut(NamedTuple):
    """What becomes of a note: `data` is what stays of it, None where all of it goes."""

    path: str
    old: bytes
    data: bytes | None


def kind_on_disk(path: str, data: bytes, root: str) -> Kind:
    """What a note is by its place and its own words, also where no sync has seen it."""
    if is_conflict_copy(path.rpartition("/")[2]):
        return Kind.CONFLICT
    kind = kind_of(path, root)
    if kind is Kind.CANDIDATE and _properties(data).get("type") == Kind.PATCH:
        return Kind.PATCH
    return kind


def cut_of(found: Found, target: Target, own: frozenset[EvidenceId], root: str) -> Cut | None:
    """What a purge does to one note; None where it has nothing to do with it.

    Args:
        found: the note.
        target: what is purged.
        own: the evidence on which nothing else rests.
        root: the memory root.
    """
    rest = found.path[len(root) + 1 :]
    after: bytes | None = found.data
    if _goes(found, target, rest):
        after = None
    elif found.kind is Kind.EVIDENCE:
        after = _without_pieces(found.data, own)
    elif found.kind is Kind.PATCH:
        after = _without_operations(found.data, target)
    elif found.kind in (Kind.MEMORY, Kind.CANDIDATE):
        after = _without_links(found.data, target)
    if after is not None and _is_machines(found, rest):
        after = without_texts(after, target)
    elif after is not None and (rest == SCRATCHPAD or is_review_note(found.path, root)):
        # a person writes there, too
        lines = (line.number for line in lines_with(target.words, after) if line.only)
        after = without_lines(after, lines)
    if after is not None and is_report(rest):
        after = without_names(after, target)
    return None if after == found.data else Cut(found.path, found.data, after)


def shared(notes: Iterable[Found], target: Target) -> frozenset[EvidenceId]:
    """The pieces of the target that a memory or candidate other than it cites as well."""
    others: set[EvidenceId] = set()
    for note in notes:
        if note.kind in (Kind.MEMORY, Kind.CANDIDATE) and not _is_its(note, target):
            found = (link_id(match.decode()) for match in _CITED.findall(note.data))
            others.update(one for one in found if one is not None)
    return frozenset(target.evidence & others)


def falling(notes: Iterable[Found], target: Target, root: str) -> frozenset[str]:
    """The ids of the questions and promotions that are about the memory and go with it."""
    gone = (
        _properties(note.data).get("id")
        for note in notes
        if note.kind not in (Kind.MEMORY, Kind.CANDIDATE, Kind.CONFLICT)
        and _goes(note, target, note.path[len(root) + 1 :])
    )
    return frozenset(one for one in gone if isinstance(one, str) and one)


def holds_ids(data: bytes, target: Target) -> bool:
    """Whether a text names the memory or its candidate."""
    return any(identifier.encode() in data for identifier in target.ids)


def _goes(found: Found, target: Target, rest: str) -> bool:
    """Whether all of a note goes."""
    if found.kind in (Kind.MEMORY, Kind.CANDIDATE):
        return _is_its(found, target)
    if found.kind is Kind.CONFLICT:
        return not rest.startswith(f"{SYSTEM}/") and _is_copy(found, target)
    if rest.split("/", 1)[0] in PROPOSALS:
        return holds_ids(found.data, target) or bool(_links(found.data) & target.titles)
    return False


def is_titled(name: str, target: Target) -> bool:
    """Whether a base name is that of one of the memory's notes, or of a second copy of it."""
    return name_key(title_of(conflict_original(name) or name)) in target.titles


def is_temporary_of(name: str, target: Target) -> bool:
    """Whether a temporary was made for one of the memory's notes; long names are cut in it."""
    key = name_key(title_of(name))
    cut = len(key) >= _CUT and any(title.startswith(key) for title in target.titles)
    return cut or key in target.titles


def _is_copy(found: Found, target: Target) -> bool:
    """Whether a sync program's second copy is one of the memory's note."""
    says = bool(lines_with(target.texts, found.data))
    return says or holds_ids(found.data, target) or is_titled(found.path.rpartition("/")[2], target)


def _is_its(found: Found, target: Target) -> bool:
    """Whether a note is the memory's own, its candidate, or a candidate that says or shows it."""
    elsewhere = found.kind is Kind.MEMORY and found.path not in target.notes
    if elsewhere and target.id.encode() not in found.data:
        return False  # nearly every note of a large vault; parsing them takes its time
    properties = _properties(found.data)
    if found.kind is Kind.MEMORY:
        identifier = properties.get("id")
        mine = identifier == target.id and bool(lines_with(target.texts, found.data))
        return mine or (found.path in target.notes and identifier in (target.id, None, ""))
    if properties.get("id") == target.candidate:
        return True
    with suppress(NoteError):
        candidate, _ = decode_candidate(found.data, path=found.path)
        says = words_of(candidate.memory.statement) in target.texts.phrases
        return says or (
            candidate.is_external and bool(_links_in(candidate.matched) & target.titles)
        )
    return False


def _is_machines(found: Found, rest: str) -> bool:
    """Whether people need not read the note, so that a line of it may go."""
    if found.kind in (Kind.PATCH, Kind.CANDIDATE):
        return True
    archived = found.kind is Kind.MEMORY
    return not archived and (rest.startswith(f"{SYSTEM}/") or rest.split("/", 1)[0] in PROPOSALS)


def _without_pieces(data: bytes, own: frozenset[EvidenceId]) -> bytes:
    with suppress(NoteError):
        for identifier, start, end in reversed(callout_spans(data)):
            if identifier in own:
                data = data[:start] + data[end:]
    return data


def _without_operations(data: bytes, target: Target) -> bytes | None:
    """A patch's note without what is about the memory; None where nothing is left."""

    def doomed(block: str) -> bool:
        raw = block.encode()
        return holds_ids(raw, target) or bool(lines_with(target.words, raw))

    cut = without_operations(data, doomed)  # its type was read, so it can be
    return cut.data if cut.left or not cut.gone else None


def _without_links(data: bytes, target: Target) -> bytes:
    """A memory's or candidate's note whose properties name the purged note no more."""
    if not (_links(data) & target.titles):
        return data
    for key, value in _properties(data).items():
        if key not in LINKS:
            continue
        items = value if isinstance(value, list) else [value]
        kept = [one for one in items if not (_links_in([str(one)]) & target.titles)]
        if len(kept) < len(items):
            with suppress(NoteError):
                data = set_properties(data, {key: kept}) if kept else unset_property(data, key)
    return data


def without_texts(data: bytes, target: Target) -> bytes:
    """The note without the lines that hold a text; as it was where its properties would break."""
    after = without_lines(data, (line.number for line in lines_with(target.words, data)))
    return after if after != data and _readable(after) >= _readable(data) else data


def _properties(data: bytes) -> Mapping[str, object]:
    try:
        return get_properties(data)
    except NoteError:
        return {}


def _readable(data: bytes) -> bool:
    try:
        get_properties(data)
    except NoteError:
        return False
    return True


def _links(data: bytes) -> frozenset[str]:
    return _links_in([data.decode("utf-8", "replace")])


def _links_in(texts: Iterable[str]) -> frozenset[str]:
    """The keys of the names that wikilinks in these texts have."""
    return frozenset(name_key(title_of(target)) for target in link_targets(texts))
