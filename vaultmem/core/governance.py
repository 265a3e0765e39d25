"""The settings that say what may become memory, and which of the vault's and the user's holds.

A vault is data and may come from anywhere, so for what guards the memory (`GUARDING`) the vault can
only be stricter than the user config, or than the default where the user config is silent. For the
rest the vault's value holds, unless the user config says a stricter one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.governance_keys import (
    COMPATIBILITY,
    GUARDING,
    HIGH_ONLY,
    KEYS,
    PROPOSE,
    SCOPED,
    USER_ONLY,
    Value,
)
from vaultmem.core.settings import Setting, WrongValue, plain

if TYPE_CHECKING:
    from collections.abc import Mapping


class Governance(NamedTuple):
    """Every key with its default, in the order of `KEYS`, which says what each one means."""

    mode: str = COMPATIBILITY
    curator_mode: str = PROPOSE
    min_confidence: float = 0.75
    min_evidence_count: int = 2
    auto_curate: str = HIGH_ONLY
    high_threshold: float = 0.85
    inbox_prompt_threshold: int = 3
    semi_stable_decay: float = 0.15
    stable_decay: float = 0.05
    vault_enabled: bool = False
    vault_report_only: bool = True
    vault_path: str | None = None
    injection_mode: str = SCOPED
    max_records: int | None = None
    max_l1_records: int | None = None
    max_l2_records: int | None = None
    meta_enabled: bool = False
    meta_cadence: str = "manual"
    meta_min_l2_records: int = 2
    meta_min_reinforcement_score: float = 0.0
    meta_max_candidates_per_run: int = 5
    meta_max_input_records: int = 50
    meta_require_counterexample_search: bool = True

    def asks_at(self, waiting: int) -> bool:
        """Whether the inbox opens at a session's start with that many candidates waiting."""
        return waiting > 0 and self.inbox_prompt_threshold <= min(waiting, _NEVER_ASKS - 1)


_NEVER_ASKS = 999


class Overruled(NamedTuple):
    """A key of `Settings.md` that asks for less care than this machine allows."""

    key: str
    asked: Value
    holds: Value


Said: TypeAlias = tuple[Value, ...]
"""What one place says, a value for each of `KEYS` in their order; None where it says nothing."""


def read_said(properties: Mapping[str, object]) -> tuple[Said, tuple[WrongValue, ...]]:
    """What `Settings.md` or the user config says of the keys, and what it may not say."""
    said: list[Value] = []
    wrong: list[WrongValue] = []
    for key in KEYS:
        value = plain(properties.get(key.name))
        read = None if value is None else key.read(value)
        if value is not None and read is None:
            wrong.append(WrongValue(key.name, key.allowed))
        said.append(read)
    return tuple(said), tuple(wrong)


NOTHING_SAID: Said = (None,) * len(KEYS)


def govern(
    vault: Said = NOTHING_SAID, user: Said = NOTHING_SAID
) -> tuple[Governance, tuple[Overruled, ...]]:
    """The settings that hold on this machine, and what the vault asked for in vain."""
    held = [_holds(key, *both) for key, *both in zip(KEYS, vault, user, strict=True)]
    overruled = [
        Overruled(key.name, asked, holds)
        for key, asked, holds in zip(KEYS, vault, held, strict=True)
        if asked is not None and asked != holds
    ]
    return Governance._make(held), tuple(overruled)


def looser_keys(old: Said, new: Said) -> tuple[str, ...]:
    """The keys of which a vault asks for less care, or for something else, than it did."""
    rows = zip(KEYS, govern(old)[0], govern(new)[0], strict=True)
    return tuple(
        key.name
        for key, was, now in rows
        if was != now and (key.stricter is None or key.stricter(was, now) != now)
    )


def _holds(key: Setting[Value], vault: Value, user: Value) -> Value:
    if key.name in GUARDING and user is None:
        user = key.default
    if vault is None or key.name in USER_ONLY:
        return key.default if user is None else user
    return vault if user is None or key.stricter is None else key.stricter(vault, user)
