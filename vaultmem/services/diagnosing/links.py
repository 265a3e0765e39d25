"""What `doctor` asks of the links to knowledge: each leads to a note that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ids import short_id
from vaultmem.core.knowledge_link import elsewhere, link_to, named_in
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.services.named_note import is_in, notes_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.knowledge_vault import KnowledgeVault
    from vaultmem.services.lookup import FoundMemory


def check_vault_ref(call: Call, memories: Sequence[FoundMemory]) -> Iterator[Finding]:
    """The `vault_ref` of a memory is a link, and one into this vault leads to a note.

    As in Obsidian, a link with a path leads to that place only, and an alias is no name of a note.
    """
    for one in memories:
        link = one.decoded.memory.vault_ref
        if link is None:
            continue
        if (number := len(named_in(link))) > 1:
            text = f"The `vault_ref` of a memory links {number} notes, and only the first counts."
            yield finding("VM822", text, path=one.row.path, remedy="Keep one of the links.")
        if elsewhere(link) is not None:
            continue
        target = next(link_targets([link]), None)
        if target is None:
            yield finding("VM822", path=one.row.path)
        elif not notes_named(call, target):
            others = call.vault.baseline.stems(name_key(title_of(target)))
            yield _dangling(one, target, others[0] if len(others) == 1 else None)


def check_elsewhere(
    memories: Iterable[FoundMemory], vaults: Iterable[KnowledgeVault]
) -> Iterator[Finding]:
    """A link into another vault leads to a note of it, as far as this machine knows that vault."""
    known = {vault.name: vault for vault in vaults}
    for one in memories:
        named = elsewhere(one.decoded.memory.vault_ref or "")
        vault = known.get(named.vault) if named is not None else None
        if named is not None and vault is not None and not is_in(vault.path, named.path):
            text = f"The vault {named.vault} has no note {named.path}."
            yield finding("VM116", text, path=one.row.path)


def _dangling(one: FoundMemory, target: str, moved: str | None) -> Finding:
    """A link that leads nowhere; where one note of that name is left, it is the next step."""
    link = None if moved is None else link_to(moved)
    remedy = None
    if link is not None:
        remedy = (
            f"If {moved} is meant, run "
            f'`vaultmem edit {short_id(one.row.id)} --set vault_ref "{link}"`.'
        )
    text = f"The note [[{target}]] does not exist."
    return finding("VM116", text, path=one.row.path, remedy=remedy)
