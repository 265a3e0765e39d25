"""The part of `vaultmem inbox review` about open patches: tick operations, then apply them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import ask
from vaultmem.cli.output import plain, say, say_wrapped
from vaultmem.cli.patched import say_applied, say_shown
from vaultmem.core.operation import operation_id
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteChangedError, VaultmemError
from vaultmem.services.apply import apply
from vaultmem.services.patches import find_patch, reject
from vaultmem.services.patching.show import show

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.patches import OpenPatch
    from vaultmem.services.patching.result import Applied
    from vaultmem.services.patching.show import Shown

HELP = (
    ("NUMBER", "tick that operation, or untick it: 1 for op_001"),
    ("a", "apply what is ticked; candidates of the rest go on waiting"),
    ("r", "reject the patch; its candidates wait in the inbox"),
    ("s", "skip, also Enter: it goes on waiting"),
    ("q", "quit; the rest goes on waiting"),
)


class PatchReview:
    """The questions about one open patch."""

    def __init__(self, app: App, path: str) -> None:
        """Take the note of a patch; nothing is read yet."""
        self._app = app
        self._path = path

    def run(self) -> bool:
        """Show it and ask until it is decided or skipped; whether the review goes on.

        Raises:
            KeyboardInterrupt: on Ctrl-C; what was decided before it is done.
        """
        while True:
            try:
                return self._ask(*self._show())
            except NoteChangedError as error:  # look at it again
                say_wrapped(str(error))
            except VaultmemError as error:  # told; it goes on waiting
                say_wrapped(str(error))
                return True

    def _show(self) -> tuple[OpenPatch, Shown]:
        call = self._app.call()
        opened = find_patch(call, self._path)
        return opened, show(call, opened.path)

    def _ask(self, opened: OpenPatch, shown: Shown) -> bool:
        ticked = {one.id for one in shown.operations if one.selected}
        say()
        _say(shown, ticked)
        while (line := ask("NUMBER, [a]pply [r]eject [s]kip [q]uit [?]:")) is not None:
            key = line.casefold()
            if key in ("s", ""):
                say("Skipped; it goes on waiting.")
                return True
            if key == "q":
                break
            if key == "r":
                say(f"Rejected {reject(self._app.call(), opened.path, via='review').id}.")
                return True
            if key == "a":
                if self._apply(opened, shown, ticked):
                    return True
            else:
                self._tick_or_help(key, shown, ticked)
        say("Left.")
        return False

    def _tick_or_help(self, key: str, shown: Shown, ticked: set[str]) -> None:
        name = operation_id(int(key)) if key.isdecimal() else key
        if name in {one.id for one in shown.operations}:
            ticked ^= {name}
            _say(shown, ticked)
        elif key == "?":
            for name, meaning in HELP:
                say(f"  {name:<8}{meaning}")
        else:
            say(f"{plain(key)[:20]!r} is no key or operation here. Type ? for help.")

    def _apply(self, opened: OpenPatch, shown: Shown, ticked: set[str]) -> bool:
        """Whether the patch is decided."""
        if not ticked:
            say("Nothing is ticked. Tick an operation by its number, or type r to reject all.")
            return False
        for one in shown.operations:
            if one.purges and one.id in ticked:
                say_wrapped(f"{one.id} removes for good: {one.statement}")
                if not click.confirm("Remove it?", default=False):
                    return False
        done = self._carry_out(opened, frozenset(ticked))
        say_applied(done)
        return done.status is not PatchStatus.PROPOSED

    def _carry_out(self, opened: OpenPatch, selected: frozenset[str]) -> Applied:
        return apply(
            self._app.call(),
            opened.patch,
            applier=Applier.PERSON,
            selected=selected,
            via="review",
            opened=opened,
        )


def _say(shown: Shown, ticked: set[str]) -> None:
    operations = tuple(one._replace(selected=one.id in ticked) for one in shown.operations)
    say_shown(replace(shown, operations=operations), hint=False)
