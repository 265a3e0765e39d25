"""Short ways to write documents in tests."""

from __future__ import annotations

from vaultmem.index.documents import Document, Source


def memory(key: str, statement: str, *, title: str = "", tags: tuple[str, ...] = ()) -> Document:
    return Document(
        key=key,
        id=key,
        source=Source.MEMORY,
        path=f"Memory/Lessons/{key}.md",
        title=title or key,
        body=statement,
        tags=tags,
    )


def note(path: str, body: str, *, source: Source = Source.VAULT, number: int = 0) -> Document:
    return Document(
        key=f"{path}#{number}" if number else path,
        source=source,
        path=path,
        title=path.rsplit("/", 1)[-1].removesuffix(".md"),
        body=body,
    )
