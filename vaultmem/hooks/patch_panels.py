"""Panels of open patches: which wait, and the operations of one, ticked by the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.patch_rules import Applier
from vaultmem.core.wording import count
from vaultmem.hooks.answers import Action, Level, Panel, Row, Said
from vaultmem.hooks.telling import MOST_ROWS, one_line, row_label, unknown
from vaultmem.services.apply import apply
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.patches import find_patch, open_patches, reject, summary
from vaultmem.services.patching.show import show
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Decided
    from vaultmem.services.apply import Applied
    from vaultmem.services.patches import OpenPatch
    from vaultmem.services.patching.show import ShownOperation

REVIEW, PATCH = "review", "patch"
VIA = "review"
"""The verb that ledger lines name."""


class _Ticked(NamedTuple):
    """A patch as the person looks at it: the version, what is ticked, and its note."""

    etag: str
    chosen: frozenset[str]
    path: str

    def name(self) -> str:
        """As the panel's name carries it."""
        return f"{PATCH} {self.etag} {','.join(sorted(self.chosen)) or '-'} {self.path}"


def review_panel(here: Here) -> Panel | None:
    """The patches that wait, the oldest first; None where there are none."""
    call = here.person()
    ensure_current(call)
    found = open_patches(call)
    if not found:
        return None
    rows = tuple(map(_patch_row, found[:MOST_ROWS]))
    title = count(len(found), "open patch", "open patches")
    return Panel(REVIEW, title, rows, len(found) - len(rows))


def decide_patch(here: Here, event: Decided) -> Said:
    """Do what the person chose about a patch or one of its operations.

    Raises:
        VaultmemError: as the service that does it.
    """
    ensure_current(here.person())
    if event.panel == REVIEW:
        return _of_list(here, event)
    kind, _, rest = event.panel.partition(" ")
    etag, _, rest = rest.partition(" ")
    ticks, _, path = rest.partition(" ")
    if kind != PATCH or not path:
        return unknown("panel", event.panel)
    chosen = frozenset() if ticks == "-" else frozenset(ticks.split(","))
    return _of_patch(here, event, _Ticked(etag, chosen, path))


def _of_list(here: Here, event: Decided) -> Said:
    if event.action == "reject":
        done = reject(here.person(), event.row, via=VIA)
        return Said(f"Rejected {done.id}.", panel=review_panel(here))
    if event.action != "open":
        return unknown("action", event.action)
    opened = find_patch(here.person(), event.row)
    ticked = frozenset(one.id for one in opened.patch.operations if one.selected)
    return Said(
        "Tick what you want, then apply it.",
        panel=_panel(here, _Ticked(opened.etag, ticked, opened.path)),
    )


def _of_patch(here: Here, event: Decided, ticked: _Ticked) -> Said:
    if event.action == "toggle":
        now = ticked._replace(chosen=ticked.chosen ^ {event.row})
        return Said("", panel=_panel(here, now))
    if event.action != "apply":
        return unknown("action", event.action)
    if not ticked.chosen:
        return Said("Nothing is ticked.", Level.WARNING, _panel(here, ticked))
    opened = _as_seen(here, ticked)
    done = apply(
        here.person(),
        opened.patch,
        applier=Applier.PERSON,
        selected=ticked.chosen,
        via=VIA,
        opened=opened,
    )
    return Said(_told(done), panel=review_panel(here))


def _as_seen(here: Here, ticked: _Ticked) -> OpenPatch:
    """The patch, if it is the version that the person looked at.

    Raises:
        NoteChangedError: if it is another one.
    """
    opened = find_patch(here.person(), ticked.path)
    need_as_shown("The patch", same=opened.etag == ticked.etag, path=opened.path)
    return opened


def _told(done: Applied) -> str:
    lines = [f"Applied {len(done.applied)} of {len(done.applied) + len(done.skipped)}."]
    lines += [one_line(f"{one.id}: {one.reason}") for one in done.skipped]
    if done.applied:
        lines.append(f"Take it back with `/memory patch revert {done.id}`.")
    return "\n".join(lines)


def _panel(here: Here, ticked: _Ticked) -> Panel:
    opened = _as_seen(here, ticked)
    shown = show(here.person(), opened.path)
    rows = tuple(_operation_row(one, ticked=one.id in ticked.chosen) for one in shown.operations)
    ticks = f"{len(ticked.chosen)} of {len(rows)} ticked"
    return Panel(ticked.name(), f"{one_line(summary(opened.patch))} ({ticks})", rows)


def _patch_row(one: OpenPatch) -> Row:
    return Row(
        id=one.path,
        label=row_label(summary(one.patch)),
        detail=(count(len(one.patch.operations), "operation"),),
        actions=(
            Action("open", "Look at its operations"),
            Action("reject", "Reject", asks="confirm", prompt="Reject the whole patch?"),
        ),
    )


def _operation_row(one: ShownOperation, *, ticked: bool) -> Row:
    sure = "It removes the text for good. " if one.purges else ""
    label = f"[{'x' if ticked else ' '}] {one.op}, {one.risk} risk: {one.statement}"
    told = (one.acts, *(change.sentence for change in one.changes), one.reason)
    return Row(
        id=one.id,
        label=row_label(label),
        detail=tuple(map(one_line, filter(None, told))),
        actions=(
            Action("toggle", "Untick" if ticked else "Tick"),
            Action(
                "apply",
                "Apply what is ticked",
                asks="confirm",
                prompt=f"{sure}Apply what is ticked?",
            ),
        ),
    )
