"""The numbers of the notebook: one table of their names, defaults and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.settings import Setting, WrongValue, plain, true_or_false

if TYPE_CHECKING:
    from collections.abc import Mapping


HOUR_SECONDS = 3_600.0
DAY_SECONDS = 24 * HOUR_SECONDS
"""Units of the settings, in seconds of the Unix epoch."""


class NotebookSettings(NamedTuple):
    """How much is extracted, kept and consolidated; defaults of facts/notebook.md §2."""

    sessions: int = 2
    """Sessions that one run extracts at most."""
    max_age_days: int = 10
    """Days since a session's last entry after which it is not extracted any more."""
    idle_hours: int = 6
    """Hours that a session must have rested."""
    cards: int = 256
    """Cards that one consolidation is given at most."""
    unused_days: int = 30
    """Days without use after which a card is left out."""
    rate_percent: int = 25
    """Percent of the model's allowance that must be left for a run to begin."""
    skip_external: bool = False
    """Whether a session that used the web or a tool of another server is never extracted."""


class Number(NamedTuple):
    """One whole number of the user config; beyond its bounds the nearer bound holds."""

    name: str
    default: int
    low: int
    high: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The allowed values, in words that end "must be ..."."""
        return f"a whole number from {self.low} to {self.high}"

    def clamped(self, value: int) -> int:
        """The value, or the bound that it passes."""
        return min(max(value, self.low), self.high)


class Clamped(NamedTuple):
    """A number beyond its bounds, and the one that holds in its place."""

    key: str
    asked: int
    holds: int


_DEFAULT = NotebookSettings()

SESSIONS = Number(
    "notebook_sessions",
    _DEFAULT.sessions,
    1,
    128,
    "How many sessions one run of the notebook reads at most.",
)
MAX_AGE_DAYS = Number(
    "notebook_max_age_days",
    _DEFAULT.max_age_days,
    0,
    90,
    "How many days after its last entry a session is still read.",
)
IDLE_HOURS = Number(
    "notebook_idle_hours",
    _DEFAULT.idle_hours,
    1,
    48,
    "How many hours a session must have rested before it is read.",
)
CARDS = Number(
    "notebook_cards",
    _DEFAULT.cards,
    1,
    4096,
    "How many sessions' cards a rewrite of the notebook is given at most.",
)
UNUSED_DAYS = Number(
    "notebook_unused_days",
    _DEFAULT.unused_days,
    0,
    365,
    "After how many days without use a session's card is left out.",
)
RATE_PERCENT = Number(
    "notebook_rate_percent",
    _DEFAULT.rate_percent,
    0,
    100,
    "How many percent of the model's allowance must be left for a run to begin; where the model "
    "does not tell, it begins.",
)
NUMBERS = (SESSIONS, MAX_AGE_DAYS, IDLE_HOURS, CARDS, UNUSED_DAYS, RATE_PERCENT)
"""Every number, in the reference's order (facts/notebook.md §2)."""

SKIP_EXTERNAL = Setting(
    name="notebook_skip_external",
    widget="checkbox",
    default=_DEFAULT.skip_external,
    allowed="true or false",
    meaning="Whether a session that read the web, or used a tool of another server, is left out.",
    read=true_or_false,
)


def read_notebook_settings(
    raw: Mapping[str, object],
) -> tuple[NotebookSettings, tuple[WrongValue, ...], tuple[Clamped, ...]]:
    """The settings that the user config spells, what is wrong in them, and what was clamped.

    What is absent, empty or no whole number has its default.
    """
    wrong: list[WrongValue] = []
    clamped: list[Clamped] = []

    def number(of: Number) -> int:
        value = plain(raw.get(of.name))
        if value is None:
            return of.default
        if (asked := _whole(value)) is None:
            wrong.append(WrongValue(of.name, of.allowed))
            return of.default
        if (holds := of.clamped(asked)) != asked:
            clamped.append(Clamped(of.name, asked, holds))
        return holds

    settings = NotebookSettings(
        sessions=number(SESSIONS),
        max_age_days=number(MAX_AGE_DAYS),
        idle_hours=number(IDLE_HOURS),
        cards=number(CARDS),
        unused_days=number(UNUSED_DAYS),
        rate_percent=number(RATE_PERCENT),
        skip_external=SKIP_EXTERNAL.of(raw, wrong),
    )
    return settings, tuple(wrong), tuple(clamped)


def _whole(value: object) -> int | None:
    """A whole number, also written as `1.0` or as text."""
    if isinstance(value, str):
        digits = value.removeprefix("-")
        return int(value) if len(value) <= 12 and digits.isascii() and digits.isdigit() else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None
