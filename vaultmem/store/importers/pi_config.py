"""Read a topic-file memory: `.pi/memory` with its topics, scores, promotions and candidates.

Facts: topic-file memory, sections 1, 2, 9 to 12. The older form, one `memory.md` with a pinned and
a learned section, is read with it. Nothing is written there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.category import Category
from vaultmem.core.ids import is_id
from vaultmem.core.importing.entry import EXPORTED, Entry, entry_key, read_entry
from vaultmem.core.importing.item import Gathered, ImportedEvidence, ImportedItem, ImportKind
from vaultmem.store.importers.pi_config_promotions import (
    FILE,
    Decided,
    Destination,
    Promoted,
    promotions,
)
from vaultmem.store.importers.pi_config_scores import (
    Force,
    Scored,
    force_of,
    scored,
    unscored,
    with_force,
)
from vaultmem.store.importers.pi_config_waiting import candidate_of, proposal_of
from vaultmem.store.importers.placed import memory_folder, place_key, project_of
from vaultmem.store.importers.snapshot import last_snapshot, listed
from vaultmem.store.importers.source import Source, no_store
from vaultmem.store.json_record import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultmem.store.importers.snapshot import Kept

TOPICS, OLD_FILE, SCORES = "topics", "memory.md", "memory-scores"
PROVENANCE, CANDIDATES = "provenance-pending", "preference-candidates"
DATABASE = "memories.db"
_SIGNS = (TOPICS, OLD_FILE, f"{SCORES}.jsonl", f"{SCORES}.json", FILE, f"{CANDIDATES}.jsonl")
_IGNORED = {
    "embeddings.jsonl": "embeddings",
    "embeddings.json": "embeddings",
    ".dream-watermark": "files of the last run",
    "dreams.md": "files of the last run",
    "dreams.lock": "files of the last run",
}
TWICE = "entries that stand there twice"
NO_ENTRY = "lines of topic files that are no entries"
WITH_ENTRY = "scores, which go with their entries"
NO_TEXT = "scores of entries that are gone"
WAITING = "promotions that wait, whose entries are taken"
DECIDED = "promotions that were decided"


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Everything that a project's topic-file memory holds.

    Args:
        root: `.pi/memory`, the `.pi` above it, or the project.
        project: the project's identity; None for that of the folder that `.pi` lies in.

    Raises:
        ImportSourceError: if there is no such memory.
    """
    source = Source(root)
    folder = memory_folder(source, _SIGNS)
    if folder is None:
        old = source.has(DATABASE) or source.has(f".pi/memory/{DATABASE}")
        hint = f" Its `{DATABASE}` is read by `vaultmem migrate memories-db`." if old else ""
        remedy = f"Name the project's `.pi/memory`.{hint}"
        raise no_store(source, "topic-file memory", _SIGNS, remedy)
    place = project or project_of(source, folder)
    return _Reader(source, folder, place).gathered(told=project is None and place is not None)


class _Reader:
    """One memory on its way."""

    def __init__(self, source: Source, folder: str, project: str | None) -> None:
        self._source = source
        self._folder = folder
        self._project = project
        self._left: Counter[str] = Counter()
        self._entries: dict[str, tuple[str, Entry]] = {}
        self._named: dict[str, str] = {}
        """Our keys by the keys and the words that the source may name an entry by."""
        self._scores: dict[str, Kept] = {}
        self._pending: dict[str, Kept] = {}
        self._applied: dict[str, Force] = {}
        self._proposed: list[Promoted] = []
        self._promoted: dict[str, Promoted] = {}
        self._ids: dict[str, str] = {}
        """The ids that an export of ours gave, by our keys."""
        self._unfit: list[str] = []
        self._notices: list[str] = []

    def gathered(self, *, told: bool) -> Gathered:
        """Read all of it, entries first: everything else goes with them."""
        self._read_entries()
        self._read_promotions()
        self._read_scores()
        self._read_provenance()
        items = [self._item(key, *found) for key, found in self._entries.items()]
        items += self._orphans()
        known = {one.key for one in items}
        for waiting in (*self._proposals(), *self._candidates()):
            if waiting.key in known:
                self._left[TWICE] += 1
            else:
                known.add(waiting.key)
                items.append(waiting)
        self._look_beside(told=told)
        self._left.update(self._source.passed)
        items = list(self._with_ids(items))
        return Gathered(
            kind=ImportKind.PI_CONFIG,
            items=tuple(items),
            quarantined=tuple(self._source.quarantined),
            left_out=dict(+self._left),
            notices=tuple(self._notices),
        )

    # entries

    def _read_entries(self) -> None:
        for file in self._source.files(f"{self._folder}{TOPICS}", (".md",)):
            self._read_topic(file, pinned=False)
        self._read_topic(f"{self._folder}{OLD_FILE}", pinned=True)

    def _read_topic(self, file: str, *, pinned: bool) -> None:
        """The entries of a file; with `pinned`, those below a heading that says so are pinned."""
        below = False
        for line in self._source.lines(file):
            entry = read_entry(line.text.rstrip())
            if entry is not None:
                self._put(line.where, entry._replace(pinned=entry.pinned or below))
            elif line.text.startswith("#"):
                below = pinned and line.text.lstrip("# ").startswith("Pinned")
            elif line.text.startswith(("- ", "* ")):
                named = ", ".join(Category)
                reason = f"It is no entry: `- [category] text`, the category one of {named}."
                self._source.quarantine(line.where, reason)
            else:
                self._left[NO_ENTRY] += 1

    def _put(self, where: str, entry: Entry) -> None:
        key = place_key(self._project, entry.category, entry.text)
        self._named[entry_key(entry.category, entry.text)] = key
        self._named[entry.text] = self._named[f"- [{entry.category}] {entry.text}"] = key
        if key not in self._entries:
            self._entries[key] = where, entry
            return
        first, there = self._entries[key]
        self._entries[key] = first, there._replace(pinned=there.pinned or entry.pinned)
        self._left[TWICE] += 1

    def _item(self, key: str, where: str, entry: Entry) -> ImportedItem:
        told = self._with_provenance(key, self._told(key, entry))
        if told.unfit or (entry.enforced and not told.memory.enforced):
            self._unfit.append(where)
        return ImportedItem(
            key=key,
            where=where,
            memory=told.memory,
            evidence=self._evidence(where, told),
            derived_from=self._keys(told.derived_from),
            informs=self._keys(told.informs),
            superseded_by=self._keys(told.superseded_by),
        )

    def _told(self, key: str, entry: Entry) -> Scored:
        """The entry with what the score file and an applied promotion say."""
        told = unscored(entry, self._project)
        kept = self._scores.get(key)
        if kept is not None:
            try:
                told = scored(entry, kept.record, self._project)
                self._left[WITH_ENTRY] += 1
                if is_id(named := kept.record.text(EXPORTED), "mem"):
                    self._ids[key] = named
            except RecordError as error:
                self._source.quarantine(kept.where, str(error))
        applied = self._applied.get(key)
        if applied is not None and not told.memory.enforced:
            told = with_force(told, applied)
        return told

    def _with_ids(self, items: list[ImportedItem]) -> Iterator[ImportedItem]:
        """The items with the ids that an export of ours gave, each once, for keys."""
        ids = {identifier: key for key, identifier in self._ids.items()}
        names = {key: identifier for identifier, key in ids.items()}

        def renamed(keys: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(names.get(key, key) for key in keys)

        for one in items:
            yield replace(
                one,
                key=names.get(one.key, one.key),
                derived_from=renamed(one.derived_from),
                informs=renamed(one.informs),
                superseded_by=renamed(one.superseded_by),
            )

    def _keys(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Keys of the entries that are named by key, line or words."""
        return tuple(self._named[name] for name in names if name in self._named)

    def _evidence(self, where: str, told: Scored) -> tuple[ImportedEvidence, ...]:
        """Where it was learned, as far as the source says; names that lead nowhere among it."""
        named = (*told.derived_from, *told.informs)
        lost = [name for name in named if name not in self._named]
        if told.memory.source_session is None and not lost:
            return ()
        piece = ImportedEvidence(
            excerpt=told.memory.statement,
            summary=f"Goes with {'; '.join(lost)}." if lost else "",
            session=told.memory.source_session,
            ref=where,
            created=told.memory.created,
        )
        return (piece,)

    # what goes with them

    def _files(self, name: str) -> str:
        """The file of that name that counts: the lines, else the older object."""
        lines, old = f"{self._folder}{name}.jsonl", f"{self._folder}{name}.json"
        return lines if self._source.has(lines) or not self._source.has(old) else old

    def _read_scores(self) -> None:
        for kept in last_snapshot(self._source, self._files(SCORES)):
            key = self._named.get(kept.name, kept.name)
            if key in self._scores:  # of an entry that stands there twice
                self._left[WITH_ENTRY] += 1
            self._scores[key] = kept

    def _read_provenance(self) -> None:
        for kept in listed(self._source, self._files(PROVENANCE)):
            try:
                category = kept.record.word("category", Category, Category.LESSON)
                text = kept.record.needed("text")
                for name in ("sourceSession", "derivedFrom", "informs"):
                    kept.record.texts(name)
            except RecordError as error:
                self._source.quarantine(kept.where, str(error))
                continue
            key = place_key(self._project, category, text)
            gone = key not in self._entries
            self._left[f"provenance of entries{' that are gone' if gone else ''}"] += 1
            if not gone:
                self._pending[key] = kept

    def _with_provenance(self, key: str, told: Scored) -> Scored:
        """What waits to be merged counts where it says something (section 12)."""
        kept = self._pending.get(key)
        if kept is None:
            return told
        session = next(iter(kept.record.texts("sourceSession")), told.memory.source_session)
        return told._replace(
            memory=replace(told.memory, source_session=session),
            derived_from=kept.record.texts("derivedFrom") or told.derived_from,
            informs=kept.record.texts("informs") or told.informs,
        )

    def _orphans(self) -> Iterator[ImportedItem]:
        """Score records without an entry: a guardrail among them still acts there."""
        entries = set(self._entries)
        for name, kept in self._scores.items():
            if name in entries:
                continue
            try:
                force = force_of(kept.record)
                there = self._promoted.get(name)
                if not force.is_any:
                    self._left[NO_TEXT] += 1
                elif there is None:
                    reason = "Its entry is gone, and nothing says what the guardrail is for."
                    self._source.quarantine(kept.where, reason)
                else:
                    yield self._orphan(kept, there)
            except RecordError as error:
                self._source.quarantine(kept.where, str(error))

    def _orphan(self, kept: Kept, there: Promoted) -> ImportedItem:
        entry = Entry(there.category, there.text)
        told = scored(entry, kept.record, self._project)
        return ImportedItem(
            key=place_key(self._project, entry.category, entry.text),
            where=kept.where,
            memory=told.memory,
            evidence=self._evidence(kept.where, told),
            waits="Its entry is gone there, and its guardrail is not.",
        )

    # promotions and candidates

    def _read_promotions(self) -> None:
        for one in promotions(self._source, f"{self._folder}{FILE}"):
            key = place_key(self._project, one.category, one.text)
            self._promoted[entry_key(one.category, one.text)] = one
            if one.status is Decided.PROPOSED and key not in self._entries:
                self._proposed.append(one)
                continue
            self._left[WAITING if one.status is Decided.PROPOSED else DECIDED] += 1
            if one.status is Decided.APPLIED and one.destination is Destination.ENFORCEMENT:
                self._applied[key] = Force(one.trigger, one.action, one.verifier)

    def _proposals(self) -> Iterator[ImportedItem]:
        return (proposal_of(one, self._project) for one in self._proposed)

    def _candidates(self) -> Iterator[ImportedItem]:
        for kept in listed(self._source, self._files(CANDIDATES)):
            try:
                yield candidate_of(kept, self._project)
            except RecordError as error:
                self._source.quarantine(kept.where, str(error))

    # beside them

    def _look_beside(self, *, told: bool) -> None:
        for name, called in _IGNORED.items():
            self._left[called] += self._source.has(f"{self._folder}{name}")
        if told:
            say = f"Its memories are taken for the project {self._project}"
            self._notices.append(f"{say}; name another one with `--project`.")
        if self._unfit:
            first, count = self._unfit[0], len(self._unfit)
            more = f" and {count - 1} more" if count > 1 else ""
            say = f"The guardrail of {first}{more} is in no form that can fire"
            self._notices.append(f"{say}; the memory comes without it.")
        if self._source.has(f"{self._folder}{DATABASE}"):
            say = f"`{DATABASE}` of an older version lies there too"
            self._notices.append(f"{say}; import it with `vaultmem migrate memories-db`.")
