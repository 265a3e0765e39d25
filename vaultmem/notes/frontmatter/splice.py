"""Changing properties of a note that exists: only the bytes of those properties' own lines.

Every change is a replacement of spans of the block's text, found by the reader's places. The result
is parsed again, and unless every other property kept its value, style, tag, anchor and place, and
the changed ones have the value asked for, the change is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import layout
from vaultmem.notes.frontmatter.document import Document, Span, open_document
from vaultmem.notes.frontmatter.scalars import same
from vaultmem.notes.frontmatter.tree import construct
from vaultmem.notes.frontmatter.wanted import Wanted, check_names, normalise, scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set


def set_property(data: bytes, key: str, value: object) -> bytes:
    """The note with one property set; see `set_properties`."""
    return set_properties(data, {key: value})


def set_properties(data: bytes, changes: Mapping[str, object]) -> bytes:
    """The note with all of `changes` made, or none.

    A value is text, a number, a boolean, a date or datetime, None (an empty property), or a list of
    these. A property that has the value already is left as it is written. New properties go to the
    end of the block; a note without a block gets one.

    Raises:
        EditRefusedError: the change cannot be made without touching something else; the note is as
            it was.
        NoteUnreadableError: as `read`.
    """
    wanted = {name: normalise(value) for name, value in changes.items()}
    document = open_document(data)
    spans: list[Span] = []
    new: dict[str, Wanted] = {}
    for name, value in wanted.items():
        entry = document.find(name)
        if entry is None:
            new[name] = value
        elif not same(construct(entry.value), value):
            spans += layout.replace_value(document, entry, value)
    check_names(new)
    if new:
        spans.append(layout.add(document, new))
    return _finish(document, spans, wanted) if spans else data


def unset_property(data: bytes, key: str) -> bytes:
    """The note without that property and its lines; the same bytes where it has none.

    Raises:
        EditRefusedError, NoteUnreadableError: as `set_properties`.
    """
    document = open_document(data)
    entry = document.find(key)
    if entry is None:
        return data
    return _finish(document, [layout.remove(document, entry)], {}, removed=key)


def append_to_list(data: bytes, key: str, item: object) -> bytes:
    """The note with one item more in a list; comments and spelling of the others stay.

    An absent or empty property becomes a list of that item, a single value its first item.

    Raises:
        EditRefusedError, NoteUnreadableError: as `set_properties`; also for a map.
    """
    document = open_document(data)
    entry = document.find(key)
    added = scalar(item)
    if entry is None:
        return set_properties(data, {key: [added]})
    old = construct(entry.value)
    spans = layout.append(document, entry, added)
    items = old if isinstance(old, list) else [] if old is None else [old]
    return _finish(document, spans, {key: [*items, added]})


def _finish(
    document: Document,
    spans: Sequence[Span],
    wanted: Mapping[str, Wanted],
    removed: str | None = None,
) -> bytes:
    """Put the new block between the old bytes, and check the result as a whole."""
    text = document.text
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + span.text + text[span.end :]
    parts, data = document.parts, document.data
    head, tail = data[: parts.block_start], data[parts.block_end :]
    if not parts.has_block:
        fence_line = f"---{parts.eol}".encode("ascii")
        head, tail = head + fence_line, fence_line + tail
    result = head + text.encode("utf-8") + tail
    try:
        after = open_document(result)
    except NoteUnreadableError as error:
        raise EditRefusedError(
            f"With this change the note could not be read any more. {error.problem}",
            error.remedy,
            line=error.line,
            code=error.code,
        ) from error
    touched = wanted.keys() | {removed}
    as_asked = after.text == text and _has(after, wanted, removed)
    if not as_asked or _others(after, touched) != _others(document, touched):
        raise _unsafe()
    return result


def _has(document: Document, wanted: Mapping[str, Wanted], removed: str | None) -> bool:
    values = {entry.name: construct(entry.value) for entry in document.entries}
    return removed not in values and all(
        name in values and same(values[name], value) for name, value in wanted.items()
    )


def _others(document: Document, touched: Set[str | None]) -> list[tuple[object, ...]]:
    return [
        (entry.name, entry.key.meaning(), entry.value.meaning())
        for entry in document.entries
        if entry.name not in touched
    ]


def _unsafe() -> EditRefusedError:
    return EditRefusedError(
        "This change would alter another property of the note.",
        "Make it by hand in Obsidian's source mode.",
    )
