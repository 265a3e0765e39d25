"""The scratchpad: see its items, add one, tick or untick one, clear what is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.checklist import find_item, items, with_item, with_mark, without_done
from vaultmem.core.inert import clean, escape_inline
from vaultmem.core.place import SCRATCHPAD
from vaultmem.errors import CaptureRefusedError, NoteNotFoundError, NoteUnreadableError
from vaultmem.notes.frontmatter import new_note
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.sync import catch_up
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.checklist import Item
    from vaultmem.services.call import Call

MAX_ITEM = 500
"""Characters of an item; it is a line, and the report has room for a few."""


class Scratchpad(NamedTuple):
    """The items in their order; `changed` is the one that was concerned, "" for none."""

    items: tuple[Item, ...]
    changed: str = ""


def scratchpad(call: Call) -> Scratchpad:
    """The items; none where there is no note yet.

    Raises:
        NoteUnreadableError: if the note cannot be read.
    """
    catch_up(call)
    return Scratchpad(scratchpad_items(call))


def scratchpad_items(call: Call) -> tuple[Item, ...]:
    """The items as the note says them now; none where there is no note yet.

    Raises:
        NoteUnreadableError: if the note cannot be read.
    """
    return items(_read(call)[1])


def add_item(call: Call, text: str) -> Scratchpad:
    """Add an open item; secrets in it are redacted.

    Raises:
        CaptureRefusedError: if nothing of the text can be seen, or it is no line.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    line = clean(redact(text)).text
    if not line:
        raise CaptureRefusedError("An item needs words. Say in a line what is not to be forgotten.")
    if len(line) > MAX_ITEM:
        raise CaptureRefusedError(
            f"An item has at most {MAX_ITEM} characters. Say it shorter, or leave a note."
        )
    return _change(call, lambda old: (with_item(old, escape_inline(line)), line))


def tick(call: Call, part: str, *, done: bool) -> Scratchpad:
    """Tick the first open item that contains `part`, or untick the first ticked one.

    Raises:
        NoteNotFoundError: if there is none.
        As `add_item`.
    """

    def change(old: str) -> tuple[str, str]:
        found = find_item(old, part, done=not done) if part.strip() else None
        if found is None:
            state = "open" if done else "ticked"
            raise NoteNotFoundError(
                f"No {state} item of the scratchpad contains {clean(part).text[:60]!r}.",
                "List the items and name one by its words.",
            )
        return with_mark(old, found, done=done), found.text

    return _change(call, change)


def clear_done(call: Call) -> Scratchpad:
    """Take the ticked items out.

    Raises:
        As `add_item`.
    """
    return _change(call, lambda old: (without_done(old), ""))


def _change(call: Call, change: Callable[[str], tuple[str, str]]) -> Scratchpad:
    """Change the note as `change` says, which gives the new text and the item concerned."""
    path = f"{call.vault.root}/{SCRATCHPAD}"
    with call.vault.lock():
        data, old = _read(call)
        if data is None:
            old = new_note({"type": "scratchpad"}, "").decode()
        new, concerned = change(old)
        if data is None or new != old:
            expected = None if data is None else etag_of(data)
            act = "created" if data is None else "edited"
            by = call.actor.value
            write_notes(call, [Write(path, new.encode(), expected, "", act, by, "scratchpad")])
    return Scratchpad(items(new), concerned)


def _read(call: Call) -> tuple[bytes | None, str]:
    path = f"{call.vault.root}/{SCRATCHPAD}"
    try:
        data = read_note(call.vault.path, path)
    except NoteNotFoundError:
        return None, ""
    try:
        return data, data.decode("utf-8")
    except UnicodeDecodeError:
        raise NoteUnreadableError(
            "The scratchpad is no UTF-8 text.", "Save it as UTF-8.", path=path
        ) from None
