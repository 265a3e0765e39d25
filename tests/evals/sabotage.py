"""Breaks one rule of the product inside this process, so that a case can be seen to fail."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import vaultmem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Sabotage:
    """One rule of the product, and what stands in its place in a broken build.

    Attributes:
        says: what the broken build does, in one clause.
        target: where the rule is, `package.module:name` or `package.module:Class.name`.
        make: gives the broken thing for the real one.
        also: where the rule stands a second time, behind the first.
    """

    target: str
    make: Callable[[Any], Any]
    says: str = "breaks the same rule where it stands again"
    also: tuple[Sabotage, ...] = ()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Put the broken thing in the place of the real one, wherever the product holds it."""
        load_everything()
        with ExitStack() as stack:
            for one in (self, *self.also):
                stack.enter_context(one._at_work())
            yield

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        module, _, name = self.target.partition(":")
        owner, _, member = name.rpartition(".")
        holder: object = importlib.import_module(f"vaultmem.{module}")
        if owner:
            holder = getattr(holder, owner)
            places = [(holder, member, holder.__dict__[member])]
        else:
            places = _held(getattr(holder, member))
            places.sort(key=lambda one: isinstance(one[2], tuple))
        broken = self.make(places[0][2])
        for place, key, held in places:
            setattr(place, key, _with(held, places[0][2], broken))
        try:
            yield
        finally:
            for place, key, real in places:
                setattr(place, key, real)


def always(value: object) -> Callable[[object], Callable[..., object]]:
    """A function that gives the same whatever it is asked."""
    return lambda _real: lambda *_, **__: value


@cache
def load_everything() -> None:
    """Import every module, so that none takes a broken rule along when it is imported later."""
    for found in pkgutil.walk_packages(vaultmem.__path__, "vaultmem."):
        if found.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:  # of an extra that is not installed here
            if (error.name or "vaultmem").startswith("vaultmem"):
                raise


def _held(real: object) -> list[tuple[object, str, object]]:
    """Where the product's modules hold a thing, alone or in a tuple: module, name, what is there."""
    return [
        (module, key, value)
        for name, module in list(sys.modules.items())
        if name.startswith("vaultmem")
        for key, value in list(vars(module).items())
        if value is real or (isinstance(value, tuple) and any(one is real for one in value))
    ]


def _with(held: object, real: object, broken: object) -> object:
    """What is there with the broken thing for the real one."""
    if held is real or not isinstance(held, tuple):
        return broken
    return tuple(broken if one is real else one for one in held)
