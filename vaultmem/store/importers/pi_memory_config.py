"""What a governed memory's `config.json` sets otherwise than by default, told with our key for it.

Settings are the person's to make: an import names them and changes none. Facts: section 1.4.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from vaultmem.core.governance_keys import KEYS
from vaultmem.store.json_record import json_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.store.importers.source import Source

FILE = "config.json"
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DEFAULTS = {key.name: key.default for key in KEYS}
_NOT_OURS = frozenset(("vault_path", "vault_enabled"))
"""What only the user config of a machine says."""


def settings_told(source: Source) -> tuple[str, ...]:
    """A sentence for each setting that differs from the default; the file may be missing."""
    text = source.text(FILE) if source.has(FILE) else None
    if text is None:
        return ()
    found = json_object(text)
    if found is None:
        source.quarantine(FILE, "It is no JSON object, so no setting of it is told.")
        return ()
    return tuple(_told(found))


def _told(found: dict[str, object]) -> Iterator[str]:
    for section, values in found.items():
        for name, value in values.items() if isinstance(values, dict) else ():
            key = f"{_snake(str(section))}_{_snake(str(name))}"
            if key not in _DEFAULTS or key in _NOT_OURS or value == _DEFAULTS[key]:
                continue
            if isinstance(value, str | int | float):
                yield (
                    f"There `{section}.{name}` is {json.dumps(value)[:40]}; to keep that, set "
                    f"`{key}` in `Settings.md`."
                )


def _snake(name: str) -> str:
    return _CAPITAL.sub("_", name).lower()
