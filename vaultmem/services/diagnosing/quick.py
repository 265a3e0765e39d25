"""What `doctor` asks of the memories in force: each check is a function in `CHECKS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.force import needs_force
from vaultmem.core.ids import short_id
from vaultmem.core.knowledge_link import link_to
from vaultmem.core.model import Status
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.normal import statement_key
from vaultmem.core.place import Kind, folder_category
from vaultmem.core.selection import is_over
from vaultmem.core.standing import IN_USE
from vaultmem.core.state import MemoryState
from vaultmem.core.vault_ref import is_knowledge
from vaultmem.core.wording import count
from vaultmem.services.diagnosing.links import check_vault_ref
from vaultmem.services.enforcing.advice import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


def check_force(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """A memory that wants to act needs a signed force line."""
    del call
    for one in memories:
        used = one.standing.status in IN_USE
        if used and needs_force(one.decoded.memory) and not one.standing.force:
            remedy = f"Look at it, then run `vaultmem ratify {short_id(one.row.id)}`."
            yield finding("VM330", path=one.row.path, remedy=remedy)


def check_same_statement(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """Two active memories that say the same in the same place."""
    first: dict[tuple[str, str], str] = {}
    for one in memories:
        memory = one.decoded.memory
        if memory.status is not Status.ACTIVE or is_over(one.standing, call.seconds):
            continue
        key = (statement_key(memory.statement), memory.project or "")
        other = first.setdefault(key, one.row.path)
        if other != one.row.path:
            yield finding("VM331", f"It makes the same statement as `{other}`.", path=one.row.path)


def check_folder(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """A memory lies in the folder of its category."""
    for one in memories:
        category = folder_category(one.row.path, call.vault.root)
        if category is not None and category is not one.decoded.memory.category:
            text = f"Its category is {one.decoded.memory.category}, its folder says {category}."
            yield finding("VM332", text, path=one.row.path)


def check_links(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """`supersedes` and the like name notes that are there."""
    for one in memories:
        memory = one.decoded.memory
        named = [*memory.supersedes, *memory.superseded_by]
        for target in link_targets([*named, *memory.derived_from, *memory.informs]):
            if not call.vault.baseline.stems(name_key(title_of(target))):
                yield finding("VM116", f"The note [[{target}]] does not exist.", path=one.row.path)


def check_names(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """A memory's base name is the only one of its kind in the vault."""
    for one in memories:
        stem = name_key(one.decoded.title)
        others = [path for path in call.vault.baseline.stems(stem) if path != one.row.path]
        if others:
            yield finding("VM334", f"`{others[0]}` has the same name.", path=one.row.path)


def check_missing(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """Memories whose note vanished and that are in their grace."""
    del memories
    for row in call.vault.baseline.memories(state=MemoryState.MISSING):
        days = max(0, 7 - int((call.seconds - row.since) // 86_400))
        left = count(days, "day")
        text = f"The note of {short_id(row.id)} has vanished; it is deleted in {left}."
        yield finding("VM333", text, path=row.path)


def check_linkable(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """Knowledge notes can be linked; those that cannot are one finding, however many they are."""
    del memories
    paths = call.vault.baseline.paths(kind=Kind.KNOWLEDGE.value)
    found = [path for path in sorted(paths) if link_to(path) is None and is_knowledge(path, {})]
    if found:
        more = f" There are {len(found)} such notes; this is the first." if len(found) > 1 else ""
        text = f"The name of a note holds what a link cannot, so it is never suggested.{more}"
        yield finding("VM823", text, path=found[0])


def check_guardrails(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """A guardrail will do what it says."""
    for one in memories:
        memory = one.decoded.memory
        if memory.status not in IN_USE:
            continue
        for found in advice_on(call, memory.trigger, memory.action, memory.verifier):
            yield found._replace(path=one.row.path)


CHECKS = (
    check_force,
    check_same_statement,
    check_folder,
    check_links,
    check_vault_ref,
    check_names,
    check_missing,
    check_linkable,
    check_guardrails,
)
