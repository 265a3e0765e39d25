"""Find the folders that ship with vaultmem, in a wheel as in an editable install."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """The folder `templates` or `example-vault`.

    Raises:
        FileNotFoundError: if this installation lacks it.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"{name} is missing from this installation of vaultmem")
