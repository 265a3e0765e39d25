"""The knowledge notes of a vault: which notes they are, and the texts by which they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.naming import title_of
from vaultmem.core.vault_ref import is_knowledge
from vaultmem.errors import VaultmemError
from vaultmem.index.documents import Document, Source, is_within, note_documents
from vaultmem.notes.frontmatter import read_or_plain
from vaultmem.store.apart import folders_apart
from vaultmem.store.excluded import read_excluded
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.index.engine import SearchEngine
    from vaultmem.store.excluded import Excluded


class KnowledgeNote(NamedTuple):
    """A note that is no memory, as the search sees it."""

    properties: Mapping[str, object]
    """Empty where the block cannot be read."""
    documents: tuple[Document, ...]


class Shelf(NamedTuple):
    """A vault whose knowledge notes may be suggested.

    Attributes:
        path: the vault.
        name: as links name it; "" for the vault that is in use.
        engine: holds its notes as `Source.VAULT`.
        excluded: its Excluded files.
        apart: folders of it that hold no knowledge: the memory root, templates, daily notes.
    """

    path: Path
    name: str
    engine: SearchEngine
    excluded: Excluded
    apart: tuple[str, ...]

    def allows(self, path: str, properties: Mapping[str, object]) -> bool:
        """Whether the note at `path` may be suggested."""
        return (
            not is_within(path, self.apart)
            and not self.excluded.excludes(path)
            and is_knowledge(path, properties)
        )


def shelf_of(vault: Path, engine: SearchEngine, *, root: str | None, name: str = "") -> Shelf:
    """A vault as its Obsidian settings say now.

    Args:
        vault: its folder.
        engine: the search engine that is fed from it.
        root: its memory root, None where it has none.
        name: "" for the vault that is in use, else the other vault's name.
    """
    excluded, _ = read_excluded(vault)  # a sync tells what is wrong with it
    roots = () if root is None else (root,)
    return Shelf(vault, name, engine, excluded, (*roots, *folders_apart(vault)))


def read_knowledge(
    vault: Path, path: str, *, source: Source = Source.VAULT
) -> KnowledgeNote | None:
    """Read a note that is no memory; one whose properties are broken is plain text.

    Returns:
        None where it cannot be read, or says `vaultmem: false`.
    """
    try:
        data = read_note(vault, path)
    except VaultmemError:
        return None
    block = read_or_plain(data)
    properties = block.properties
    if properties.get("vaultmem") is False:
        return None
    words = (*_texts(properties.get("aliases")), *_texts(properties.get("tags")))
    documents = note_documents(
        source=source, path=path, title=title_of(path), body=block.body, tags=words
    )
    return KnowledgeNote(properties, tuple(documents))


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [str(item).lstrip("#") for item in items if isinstance(item, str | int | float) and item]
