"""A path that a person typed: one that the system cannot look up is wrong usage, not a bug."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from os import PathLike


class TypedPath(click.Path):
    """`click.Path`, which lets a path through whatever the system answers but "there is none"."""

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """The path; a name that is too long, a loop of links, a closed folder are refused here."""
        path = super().convert(value, param, ctx)
        try:
            os.stat(path)  # noqa: PTH116  (it may be bytes)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            shown = os.fsdecode(path)
            self.fail(f"{shown} cannot be opened ({error.strerror}). Check the path.", param, ctx)
        return path
