"""Runs one verb and dies, as by kill -9, before the n-th call of one step of a write."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    vault, home, verb, step, number = sys.argv[1:]
    sys.path.insert(0, str(Path.cwd()))
    from tests.world import World
    from vaultmem.core.model import Category
    from vaultmem.services.capture import Wish, add
    from vaultmem.services.note_property import put
    from vaultmem.services.ratify import ratify, unreviewed
    from vaultmem.store.disk import DISK

    world = World.attach(Path(vault), Path(home), seed=5)
    app = world.here.app()
    left = int(number)
    original = getattr(DISK, step)

    def dying(*args: object, **options: object) -> object:
        nonlocal left
        left -= 1
        if left == 0:
            os._exit(9)
        return original(*args, **options)

    setattr(DISK, step, dying)
    call = app.call()
    if verb == "add":
        wish = Wish(text="Use UTC in every table.", category=Category.DECISION, pin=True)
        add(call, app.engine, wish)
    elif verb == "sync":
        world.here.sync()
    elif verb == "ratify":
        for one in unreviewed(call):
            ratify(call, one.row.id)
    else:
        put(call, "Memory/Lessons/a.md", "stability", ["stable"])
    world.close()
    os._exit(0)


main()
