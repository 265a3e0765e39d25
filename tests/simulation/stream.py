"""The generated stream of a year: which facts a developer has, when they matter, what is said.

A fact is born, matters for a while and is over; while it matters, sessions touch it, the more often
the dearer it is. Everything follows from one seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.model import Category

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOOLS = [
    "ruff",
    "pnpm",
    "terraform",
    "ansible",
    "grafana",
    "vitest",
    "playwright",
    "redis",
    "kafka",
    "nginx",
    "postgres",
    "celery",
    "webpack",
    "cypress",
    "sentry",
    "buildkit",
    "helm",
    "vault",
    "consul",
    "minio",
    "clickhouse",
    "rabbitmq",
    "prisma",
    "sqlfluff",
    "mypy",
    "poetry",
    "gradle",
    "bazel",
    "argo",
    "traefik",
]
_DEEDS = [
    "formatting",
    "caching",
    "provisioning",
    "monitoring",
    "profiling",
    "seeding",
    "archiving",
    "throttling",
    "auditing",
    "mirroring",
    "bundling",
    "sharding",
    "encrypting",
    "localizing",
    "rendering",
    "scheduling",
    "paginating",
    "validating",
    "indexing",
    "compressing",
    "tracing",
    "replaying",
    "batching",
    "rotating",
]
_PLACES = [
    "checkout",
    "invoices",
    "telemetry",
    "onboarding",
    "warehouse",
    "newsletter",
    "payroll",
    "catalogue",
    "shipments",
    "reviews",
    "bookings",
    "tickets",
    "forecasts",
    "passports",
    "ledgers",
    "harbours",
    "sensors",
    "playlists",
    "recipes",
    "auctions",
    "donations",
    "timetables",
    "manuscripts",
    "orchards",
    "turbines",
    "lighthouses",
]

SHARES: dict[Category, float] = {
    Category.PREFERENCE: 0.2,
    Category.LESSON: 0.3,
    Category.PATTERN: 0.15,
    Category.DECISION: 0.15,
    Category.DONE: 0.1,
    Category.MISTAKE: 0.1,
}
"""How the facts of a developer are spread over the categories."""

DAYS_OF_USE = (10, 300)
"""The least and the most days for which a fact matters; most matter briefly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that a developer wants remembered.

    Attributes:
        number: from 0, in the order of birth.
        statement: one sentence; no two facts share more than one of its telling words.
        category: what kind of statement it is.
        born: the day on which it is said first, from 0.
        over: the day from which on it matters no more.
        rate: sessions per day that touch it while it matters.
        wrong_on: the day on which the user says that it is wrong; None for nearly all.
        pinned, enforced: whether it is given force when it is born.
    """

    number: int
    statement: str
    category: Category
    born: int
    over: int
    rate: float
    wrong_on: int | None = None
    pinned: bool = False
    enforced: bool = False

    @property
    def prompt(self) -> str:
        """What a user asks where the fact matters."""
        _, tool, _, deed, _, place = self.statement.rstrip(".").split()
        return f"I am {deed} the {place} with {tool}, what do I have to know?"


def facts(seed: int, days: int, *, per_day: float) -> tuple[Fact, ...]:
    """All facts of a year, by birth.

    Args:
        seed: of the chance.
        days: how long the year is.
        per_day: how many facts are born on a day, on average.
    """
    chance = random.Random(seed)
    count = int(days * per_day)
    words = _statements(chance)
    born = sorted(chance.randrange(max(days - 1, 1)) for _ in range(count))
    return tuple(_fact(chance, number, next(words), day) for number, day in enumerate(born))


def _fact(chance: random.Random, number: int, statement: str, born: int) -> Fact:
    low, high = DAYS_OF_USE
    length = low + int((high - low) * chance.random() ** 3)
    category = chance.choices(list(SHARES), weights=list(SHARES.values()))[0]
    wrong = born + length // 2 if chance.random() < 0.05 else None
    return Fact(
        number=number,
        statement=statement,
        category=category,
        born=born,
        over=born + length,
        rate=chance.choice((0.03, 0.06, 0.15, 0.4)),
        wrong_on=wrong,
        pinned=number in (3, 17, 40),
        enforced=number in (5, 23),
    )


def _statements(chance: random.Random) -> Iterator[str]:
    """Sentences in a random order; a pair of words comes back only when all pairs were used."""
    triples = [
        (tool, _DEEDS[(one + shift) % len(_DEEDS)], _PLACES[(one * 3 + shift * 5) % len(_PLACES)])
        for shift in range(len(_DEEDS))
        for one, tool in enumerate(_TOOLS)
    ]
    chance.shuffle(triples)
    for tool, deed, place in triples:
        yield f"Use {tool} for {deed} the {place}."
