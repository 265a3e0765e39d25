"""Properties of a note, read as Obsidian reads them and changed without touching another byte.

Everything takes and returns the bytes of a whole note; nothing here opens a file. This package is
the only place that knows `---` and YAML. Commands that only read do not pay for importing what
writes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from vaultmem.notes.frontmatter.reading import (
    Block,
    get_properties,
    parse_yaml,
    read,
    read_or_plain,
    with_body,
)

if TYPE_CHECKING:
    from vaultmem.notes.frontmatter.create import new_note
    from vaultmem.notes.frontmatter.scalars import Value
    from vaultmem.notes.frontmatter.splice import (
        append_to_list,
        set_properties,
        set_property,
        unset_property,
    )

__all__ = [
    "Block",
    "Value",
    "append_to_list",
    "get_properties",
    "new_note",
    "parse_yaml",
    "read",
    "read_or_plain",
    "set_properties",
    "set_property",
    "unset_property",
    "with_body",
]

_ON_DEMAND = {
    "Value": "scalars",
    "append_to_list": "splice",
    "new_note": "create",
    "set_properties": "splice",
    "set_property": "splice",
    "unset_property": "splice",
}


def __getattr__(name: str) -> object:
    """Import what writes when it is first asked for."""
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ON_DEMAND[name]}"), name)
