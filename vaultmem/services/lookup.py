"""Find one memory, or one note that waits, by what it is called: id, short id, path, or title."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from vaultmem.core.finding import CODES
from vaultmem.core.ids import SHORTEST, is_end_of, is_id, with_prefix
from vaultmem.core.naming import (
    SUFFIX_LENGTH,
    as_text,
    base_name,
    link_targets,
    name_key,
    title_of,
    with_suffix,
    without_ending,
)
from vaultmem.core.normal import statement_key
from vaultmem.core.place import Kind
from vaultmem.core.state import MemoryState
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError, NoteUnreadableError
from vaultmem.services.syncing.classify import decode_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.standing import Standing
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import MemoryRow


_NO_END = "0" * SUFFIX_LENGTH


class _HasPlace(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def path(self) -> str: ...


_Note = TypeVar("_Note", bound=_HasPlace)


class FoundMemory(NamedTuple):
    """A memory with the version that is in force."""

    row: MemoryRow
    standing: Standing
    data: bytes
    decoded: Decoded


def find_memory(call: Call, name: str) -> FoundMemory:
    """The memory that `name` means.

    Args:
        call: the circumstances.
        name: `mem_…`, the `cand_…` that it came from, the end of an id (6 characters or more), a
            path in the vault, a link to the note, its title with or without the end of the id that
            a clash put there, or what the memory says; in any case, with full stop or without.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it; each is named with its status.
    """
    rows = _rows(call, name)
    if not rows:
        raise _unknown(call, name)
    if len(rows) > 1:
        raise AmbiguousIdError(
            f"{_shown(name)} could be {', '.join(_choice(call, row) for row in rows[:5])}.",
            "Write the whole id, or the path.",
        )
    return load(call, rows[0])


def _choice(call: Call, row: MemoryRow) -> str:
    """One of several memories, so that a person can tell them apart."""
    standing = call.vault.baseline.standing(row.id)
    state = row.state if standing is None or row.state != MemoryState.LIVE else standing.status
    return f"{row.id} ({state}, {row.path})"


def _unknown(call: Call, name: str) -> NoteNotFoundError:
    """The error for a name that no memory has; a candidate of that name is told apart."""
    for row in those_called(name, call.vault.baseline.notes(kind=Kind.CANDIDATE.value)):
        return NoteNotFoundError(
            f"{_shown(name)} is no memory yet: {row.path} waits in the inbox.",
            "See it with `vaultmem inbox`.",
        )
    if not name.strip():
        return NoteNotFoundError("The name of the memory is empty.", "Give its id or its title.")
    return NoteNotFoundError(
        f"No memory is called {_shown(name)}.",
        f"Look for it with `vaultmem search`.{_if_too_short(name)}",
    )


def _shown(name: str) -> str:
    """What was asked for, as part of a sentence: at most 80 characters."""
    return repr(name if len(name) <= 80 else f"{name[:79]}…")


def _if_too_short(name: str) -> str:
    """How an id is shortened, where what was asked for is too short to be one's end."""
    short = len(name) < SHORTEST and name.isalnum()
    return f" Of an id, the last {SHORTEST} characters or more are needed." if short else ""


def those_called(name: str, notes: Iterable[_Note]) -> list[_Note]:
    """The notes that `name` can mean, as `find_memory` takes names; what they say is not asked."""
    every, wanted = list(notes), _asked(name)
    linked = _linked(name, every)
    if linked and _is_link(name):
        return linked
    titles = _titles(name)
    return [
        one
        for one in every
        if one in linked or _has_title(one, titles) or is_end_of(wanted, one.id)
    ]


def _asked(name: str) -> str:
    """A name as it was typed, or the target of a link; without `.md` and blanks around it."""
    typed = as_text(name).strip()
    linked = next(link_targets([typed]), "") if _is_link(typed) else ""
    return without_ending(linked or typed.removeprefix("[[").removesuffix("]]").strip())


def _is_link(name: str) -> bool:
    return name.strip().startswith("[[") and name.strip().endswith("]]")


def _linked(name: str, notes: Iterable[_Note]) -> list[_Note]:
    """What a link or a path, or the end of one, leads to; nothing for other names."""
    wanted = _asked(name)
    if "/" not in wanted and not _is_link(name):
        return []
    end = f"/{name_key(wanted)}"
    return [one for one in notes if f"/{name_key(without_ending(one.path))}".endswith(end)]


def _titles(name: str) -> frozenset[str]:
    """The base names that a note called so, or one that says these words, would have.

    A slash is a folder in a link only: "use and/or" is not the note "or".
    """
    wanted = _asked(name)
    title = title_of(wanted) if _is_link(name) else wanted
    return frozenset((title, base_name(wanted) if any(map(str.isalnum, wanted)) else title))


def _is_cut(words: str) -> bool:
    """Whether no file name holds all the words, so that other words would have the same one."""
    return base_name(f"{words} x") == base_name(words)


def _has_title(note: _HasPlace, titles: Iterable[str]) -> bool:
    """Whether a note is called so, also where a clash put the end of its id behind its name."""
    title = name_key(title_of(note.path))
    return any(title in (name_key(one), name_key(with_suffix(one, note.id))) for one in titles)


def the_only(found: Sequence[_Note], name: str, *, kind: str, listing: str) -> _Note:
    """The one note that `those_called` found.

    Args:
        found: what it found.
        name: what was typed.
        kind: what it is, for the sentence.
        listing: the command that lists all of them.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if there are several, or copies of one.
    """
    if not found:
        sentence = f"No {kind} is called {_shown(name)}."
        if not name.strip():
            sentence = f"The name of the {kind} is empty."
        raise NoteNotFoundError(sentence, f"List them with {listing}.{_if_too_short(name)}")
    if len({one.id for one in found}) < len(found):
        raise copied(kind, found[0].id, [one.path for one in found])
    if len(found) > 1:
        paths = ", ".join(one.path for one in found[:5])
        raise AmbiguousIdError(f"{_shown(name)} could be {paths}.", "Write the whole path.")
    return found[0]


def refuse_copies(call: Call, identifier: str, path: str, kind: Kind) -> None:
    """Refuse to decide about a note whose id another note of its kind has as well.

    Raises:
        AmbiguousIdError: if there is one; a decision goes by the id, and nobody knows which counts.
    """
    rows = call.vault.baseline.notes_with_id(identifier)
    others = [row.path for row in rows if row.kind == kind and row.path != path]
    if others:
        raise copied(kind.value, identifier, [path, *others])


def copied(kind: str, identifier: str, paths: Sequence[str]) -> AmbiguousIdError:
    """The error that names the notes of a kind which have one id."""
    return AmbiguousIdError(
        f"The {kind} {identifier} stands in several notes: {', '.join(paths[:5])}.",
        "Delete those that you do not want, then decide.",
    )


def load(call: Call, row: MemoryRow) -> FoundMemory:
    """A memory of the baseline with the version that is in force.

    Raises:
        NoteNotFoundError: if nothing is left of it but its tombstone.
        NoteUnreadableError: if the version that this machine keeps is lost or cannot be read.
    """
    standing = call.vault.baseline.standing(row.id)
    data = call.vault.baseline.content(row.id)
    if standing is None or (data is None and row.state == MemoryState.GONE):
        raise NoteNotFoundError(
            f"{row.id} was deleted and has no text any more.",
            "Add it again with `vaultmem add` if it should be remembered.",
        )
    if data is None:
        raise _damaged(row)
    try:
        decoded = decode_in(call.vault.root, row.path, data)
    except NoteUnreadableError as error:
        raise _damaged(row) from error
    return FoundMemory(row, standing, data, decoded)


def _damaged(row: MemoryRow) -> NoteUnreadableError:
    code = CODES["VM742"]
    return NoteUnreadableError(code.meaning, code.remedy, path=row.path, code="VM742")


def _rows(call: Call, name: str) -> list[MemoryRow]:
    baseline, wanted = call.vault.baseline, _asked(name)
    prefix, _, end = wanted.rpartition("_")
    identifier = f"{prefix.lower()}_{end.upper()}"
    if is_id(identifier, "cand"):
        identifier = with_prefix(identifier, "mem")
    if is_id(identifier):
        row = baseline.memory(identifier)
        return [] if row is None else [row]
    paths = {as_text(name).strip(), f"{wanted}.md"}
    by_path = [row for path in sorted(paths) for row in baseline.memories_at(path)]
    return _there(by_path) or _named(call, name)


def _named(call: Call, name: str) -> list[MemoryRow]:
    """The memories of this title, those that say just these words, those whose id ends so.

    A note may be called as the id of another one ends: neither hides the other.
    """
    baseline, titles = call.vault.baseline, _titles(name)
    paths = {path for stem in _stems(name, titles) for path in baseline.stems(stem, clashed=True)}
    rows = [row for path in sorted(paths) for row in baseline.memories_at(path)]
    linked = _linked(name, rows)
    if linked and _is_link(name):
        return _there(linked)
    wanted = _asked(name)
    whole = titles & {wanted} if _is_cut(wanted) else titles
    called = [row for row in rows if row in linked or _has_title(row, whole)]
    said = baseline.memories_that_say(statement_key(wanted))
    found = [*_there([*called, *said]), *_ending(call, wanted)]
    return list({row.id: row for row in found}.values())


def _ending(call: Call, end: str) -> list[MemoryRow]:
    """The memories whose id ends so, if that is long enough an end of one."""
    if SHORTEST <= len(end) <= 26 and end.isascii() and end.isalnum():
        return call.vault.baseline.memories_with_end(end.upper())
    return []


def _stems(name: str, titles: Iterable[str]) -> frozenset[str]:
    """The keys with which the base names of what is asked for begin, up to the end of an id."""
    cut = (with_suffix(one, _NO_END).removesuffix(f" ({_NO_END})") for one in titles)
    return frozenset(map(name_key, (title_of(_asked(name)), *titles, *cut)))


def _there(rows: Iterable[MemoryRow]) -> list[MemoryRow]:
    """Those whose note is there; all of them where no note is."""
    found = list(rows)
    return [row for row in found if row.state == MemoryState.LIVE] or found
