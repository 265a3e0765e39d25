"""Paths that a tool names, as the patterns of rules want them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.store.project import locate

if TYPE_CHECKING:
    from collections.abc import Iterable


def places(paths: Iterable[str], cwd: Path) -> tuple[str, ...]:
    """Each path relative to the root of the project that `cwd` lies in, else absolute, with `/`.

    A path that goes over a link is given as it is spelled and as it is, so that a rule about
    either one is met.
    """
    listed = [path for path in paths if path and "\0" not in path]
    if not listed:
        return ()
    here = Path(os.path.abspath(cwd))  # noqa: PTH100 - `resolve` would follow links
    root = locate(here).root
    found: dict[str, None] = {}
    for path in listed:
        spelled = os.path.normpath(here / path)
        for one in (spelled, os.path.realpath(spelled)):
            found[_below(one, root)] = None
    return tuple(found)


def _below(path: str, root: Path) -> str:
    place = Path(path)
    try:
        return place.relative_to(root).as_posix()
    except ValueError:
        return place.as_posix()
