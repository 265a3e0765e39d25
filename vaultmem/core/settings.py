"""The settings of a vault: one table of their names, types, defaults and which of two is stricter.

To add a setting: a row `Setting(...)`, its place in `SETTINGS`, a field of `Settings` with its line
in `read_settings`. If the user config may say the same, also a field of `Limits` and a line in
`effective`. `docs/reference/configuration.md` must name it; a test compares the two.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from vaultmem.core.ids import is_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

REPORT_TOKENS = 1_700
"""The budget of a situation report where nobody set another; from the topic-file memory."""

DEFAULT_ROOT = "Memory"
"""The memory root where nobody named another."""

MAX_NAME = 255
"""Longest path inside a vault that we take from a settings file, in characters."""

SETTINGS_NOTE = "Settings.md"
"""The name of the note in the memory root that holds them, and that marks the root as one."""


class WrongValue(NamedTuple):
    """A value that its key does not allow; the default is used in its place."""

    key: str
    allowed: str


class Setting(NamedTuple, Generic[T]):
    """One key that settings may hold.

    Attributes:
        name: the property in `Settings.md`.
        widget: the type that Obsidian shows it as (`.obsidian/types.json`).
        default: what an absent, empty or wrong value means.
        allowed: the allowed values, in words that end "must be ...".
        meaning: what it changes, one sentence for the reference.
        read: the value as this setting's type, or None if it is not allowed.
        stricter: of the vault's and the user config's value the one that holds; None where only
            the vault has the key.
    """

    name: str
    widget: str
    default: T
    allowed: str
    meaning: str
    read: Callable[[object], T | None]
    stricter: Callable[[T, T], T] | None = None

    def of(self, properties: Mapping[str, object], wrong: list[WrongValue]) -> T:
        """The value in `properties`, or the default; what is not allowed goes to `wrong`."""
        value = plain(properties.get(self.name))
        if value is None:
            return self.default
        if (read := self.read(value)) is None:
            wrong.append(WrongValue(self.name, self.allowed))
            return self.default
        return read


class Settings(NamedTuple):
    """What `Settings.md` says, with the default for everything that it does not say."""

    id: str | None = None
    root: str | None = None
    report_budget: int = REPORT_TOKENS
    notebook_device: str | None = None


class Limits(NamedTuple):
    """What the user config says of the same keys; None where it says nothing."""

    report_budget: int | None = None


def plain(value: object) -> object:
    """A value as notes are read: a one-item list is its item; empty and blank mean absent."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        value = value.strip()
    return None if value in ("", [], {}) else value


def whole_number(low: int, high: int) -> Callable[[object], int | None]:
    """A reader of whole numbers from `low` to `high`, also written as `1.0` or as text."""

    def read(value: object) -> int | None:
        if isinstance(value, str) and len(value) <= 12 and value.isascii() and value.isdigit():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return int(value) if low <= value <= high and value == int(value) else None

    return read


def true_or_false(value: object) -> bool | None:
    """A truth value, also written as text; None for anything else."""
    spelled = {"true": True, "false": False}
    return value if isinstance(value, bool) else spelled.get(str(value).casefold())


def folder_path(value: object) -> str | None:
    """A folder inside a vault, `/`-separated, that Obsidian shows; None for anything else.

    Blanks around it and a final `/` are dropped. Absolute paths, `..`, dot folders, drives,
    backslashes and control characters are refused.
    """
    if not isinstance(value, str):
        return None
    path = value.strip().removesuffix("/")
    if not path or len(path) > MAX_NAME or "\\" in path or path[1:2] == ":":
        return None
    if any(not part or part.startswith(".") for part in path.split("/")):
        return None
    return None if any(map(_is_control, path)) else path


def _is_control(char: str) -> bool:
    return char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029"


def _vault_id(value: object) -> str | None:
    return str(value) if is_id(value, "vault") else None


ID: Setting[str | None] = Setting(
    name="id",
    widget="text",
    default=None,
    allowed="`vault_` and 26 letters and digits, as `vaultmem` wrote it",
    meaning="Tells this vault from every other one; binds it to its key and state on each device.",
    read=_vault_id,
)
ROOT: Setting[str | None] = Setting(
    name="root",
    widget="text",
    default=None,
    allowed="the vault-relative path of the folder that holds this note",
    meaning="Names the memory root; a value that is not the folder of this note is reported.",
    read=folder_path,
)
REPORT_BUDGET: Setting[int] = Setting(
    name="report_budget",
    widget="number",
    default=REPORT_TOKENS,
    allowed="a whole number from 200 to 10000",
    meaning="How many tokens the `project_memory` section of a situation report may take.",
    read=whole_number(200, 10_000),
    stricter=min,
)
NOTEBOOK_DEVICE: Setting[str | None] = Setting(
    name="notebook_device",
    widget="text",
    default=None,
    allowed="the id of a device, as `vaultmem status` shows it",
    meaning="The one device that rewrites the notebook; `vaultmem notebook on` writes the first.",
    read=lambda value: str(value) if is_id(value, "dev") else None,
)
SETTINGS: tuple[Setting[str | None] | Setting[int], ...] = (
    ID,
    ROOT,
    REPORT_BUDGET,
    NOTEBOOK_DEVICE,
)
"""Every key that has an effect; any other property of `Settings.md` belongs to the person."""


def read_settings(properties: Mapping[str, object]) -> tuple[Settings, tuple[WrongValue, ...]]:
    """The settings that the properties of `Settings.md` spell, with what is wrong in them."""
    wrong: list[WrongValue] = []
    settings = Settings(
        id=ID.of(properties, wrong),
        root=ROOT.of(properties, wrong),
        report_budget=REPORT_BUDGET.of(properties, wrong),
        notebook_device=NOTEBOOK_DEVICE.of(properties, wrong),
    )
    return settings, tuple(wrong)


def effective(vault: Settings, limits: Limits) -> Settings:
    """The settings that hold on this machine: of vault and user config, the stricter."""
    return vault._replace(
        report_budget=_stricter(REPORT_BUDGET, vault.report_budget, limits.report_budget)
    )


def _stricter(setting: Setting[T], vault: T, user: T | None) -> T:
    if user is None or setting.stricter is None:
        return vault
    return setting.stricter(vault, user)


def line_of(text: str, key: str) -> int | None:
    """The 1-based line where a top-level `key:` is written, quoted or not; None if nowhere."""
    name = re.escape(key)
    match = re.search(rf"^(?:{name}|'{name}'|\"{name}\")[ \t]*:", text, re.MULTILINE)
    return None if match is None else text.count("\n", 0, match.start()) + 1
