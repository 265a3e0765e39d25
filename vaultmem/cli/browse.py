"""The dialogue of `vaultmem learnings`: expand, edit, pin or deprecate a memory by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.asking import ask, open_in_editor, ratifying
from vaultmem.cli.deciding import say_edited
from vaultmem.cli.learning_lines import say_learning
from vaultmem.cli.memory_lines import say_changed, say_shown
from vaultmem.cli.output import plain, say, say_wrapped
from vaultmem.errors import VaultmemError
from vaultmem.services import standing_change
from vaultmem.services.edit import open_note, take_in
from vaultmem.services.learnings import learning
from vaultmem.services.show import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.app import App
    from vaultmem.services.learnings import Learning

PAGE = 10
"""Memories that are listed at once: two lines each fit into 24 rows."""

HELP = (
    ("NUMBER", "show that memory; Enter shows the next one"),
    ("e", "edit it in your editor"),
    ("p", "pin it, or unpin it"),
    ("x", "deprecate it: out of use, its note stays"),
    ("m", "list more"),
    ("q", "leave"),
)
"""The keys; `e`, `p` and `x` mean the memory that was shown last, or the number behind them."""


class _Typed(NamedTuple):
    key: str
    number: int | None


def browse(app: App, found: list[Learning]) -> None:
    """Talk until the person leaves with `q` or the end of input.

    Raises:
        KeyboardInterrupt: on Ctrl-C; what was done before it is done.
    """
    _Browser(app, found).run()


class _Browser:
    """The list, how far it was shown, and which memory was shown last."""

    def __init__(self, app: App, found: list[Learning]) -> None:
        self._app = app
        self._found = found
        self._listed = 0
        self._at = -1
        self._verbs: dict[str, Callable[[], None]] = {
            "": self._expand,
            "e": self._edit,
            "p": self._pin,
            "x": self._deprecate,
        }

    def run(self) -> None:
        self._list()
        while (line := ask("Number, e, p, x, m, q (? for help):")) is not None:
            typed = _read(line)
            if typed is not None and typed.key == "q":
                break
            self._act(typed, line)
        say("Left.")

    def _act(self, typed: _Typed | None, line: str) -> None:
        if typed is None:
            say(f"{plain(line)[:20]!r} is no key here. Type ? for help.")
        elif typed.key == "?":
            for key, meaning in HELP:
                say(f"  {key:<8}{meaning}")
        elif typed.key == "m":
            self._list()
        elif self._goes_to(typed):
            try:
                self._verbs[typed.key]()
            except VaultmemError as error:  # told, and the person goes on
                say_wrapped(str(error))

    def _list(self) -> None:
        page = self._found[self._listed : self._listed + PAGE]
        for number, one in enumerate(page, self._listed + 1):
            say_learning(one, number)
        self._listed += len(page)
        if left := len(self._found) - self._listed:
            say(f"… and {left} more")
        elif not page:
            say("That was the last one.")

    def _goes_to(self, typed: _Typed) -> bool:
        """Make the memory current that was meant; whether there is one."""
        if typed.number is not None:
            at = typed.number - 1
        else:
            at = self._at + 1 if typed.key == "" else self._at
        if 0 <= at < len(self._found):
            self._at = at
            return True
        last = len(self._found)
        say("Say which one: give its number." if at < 0 else f"The last number is {last}.")
        return False

    @property
    def _id(self) -> str:
        return self._found[self._at].id

    def _expand(self) -> None:
        say_shown(show(self._app.call(), self._id))

    def _edit(self) -> None:
        opened = open_note(self._app.call(), self._id)
        open_in_editor(self._app.vault.path / opened.path)
        say_edited(take_in(self._app.call(), opened))
        self._look_again()

    def _pin(self) -> None:
        app, pinned = self._app, self._found[self._at].pinned
        verb = standing_change.unpin if pinned else standing_change.pin
        done = ratifying(
            lambda yes: verb(app.call(), self._id, ratified=yes), ratified=False, as_json=False
        )
        say_changed(done, "Unpinned" if pinned else "Pinned")
        self._look_again()

    def _deprecate(self) -> None:
        say_changed(standing_change.deprecate(self._app.call(), self._id), "Out of use")
        self._look_again()

    def _look_again(self) -> None:
        self._found[self._at] = learning(self._app.call(), self._id)


def _read(line: str) -> _Typed | None:
    """What was typed: a key, a number, or a key and a number; None for anything else."""
    key, _, rest = line.partition(" ")
    if line.isdecimal():
        return _Typed("", int(line))
    if key.casefold() not in ("", "e", "p", "x", "m", "q", "?"):
        return None
    if not rest.strip():
        return _Typed(key.casefold(), None)
    return _Typed(key.casefold(), int(rest)) if rest.strip().isdecimal() else None
