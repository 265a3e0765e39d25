"""Vaults to measure on: N memories of our shape, a tenth as many knowledge notes; like but for dates."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from vaultmem.app import App
from vaultmem.cli.opening import open_or_adopt
from vaultmem.config import Environment
from vaultmem.core.category import CATEGORY_FOLDER, Category
from vaultmem.core.ids import ulid
from vaultmem.core.naming import base_name, name_key, with_suffix
from vaultmem.services.sync import SyncResult, sync

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultmem.index.embedder import Embedder

SEED = 20261129
KNOWLEDGE_SHARE = 10
"""One knowledge note for so many memories."""
SPAN = timedelta(days=325)
"""Before yesterday in which the memories were made, evenly: some of them are always fresh."""
_EARLIER = 3600
"""Seconds by which the notes are older than the benchmark, so that their stat can be trusted."""

_UNWANTED = ("AI_AGENT", "PI_CODING_AGENT", "PYTHONDONTWRITEBYTECODE", "VAULTMEM_VAULT")

_VERBS_TEXT = (
    "avoid batch build cache check close commit compare copy count deploy disable drain enable "
    "encode escape fetch flush format freeze guard hash index inject install join keep limit load "
    "lock log map measure merge migrate mock move name open pack parse pin poll prefer print probe "
    "prune pull push quote read rebase reject release rename render replay reset resolve retry "
    "review roll run sanitise scan seal send shard sign skip sort split stage stop store stub sync "
    "tag test throttle trace trim unlock update validate verify wait warn watch wrap write"
)
_THINGS_TEXT = (
    "account address archive artefact balance batch branch broker browser bucket buffer build "
    "cache certificate channel checkout client cluster column config connection container cookie "
    "counter cursor customer database deadline dependency deployment digest directory document "
    "domain draft editor endpoint event exception export feature file filter fixture flag folder "
    "footer form gateway handler hash header heartbeat image import index invoice job key label "
    "layout ledger library limit listener lock log machine mailbox manifest message metric "
    "migration mirror model module monitor note number order package page parser password patch "
    "payment permission pipeline plugin policy pool port printer process profile project prompt "
    "proxy queue query quota rate record region release replica report request response retry role "
    "route row runner sandbox schema script secret server service session setting shard snapshot "
    "socket stack statement storage stream suite table tag task template tenant test thread "
    "timeout token trace transaction transfer trigger user value variable vault version volume "
    "webhook window worker zone"
)
_SMALL_TEXT = (
    "the a of in on for with before after when never always only every each because instead by "
    "until and not use first once while its"
)
_KINDS_TEXT = "old new shared local remote nightly broken slow public private staging signed"
_VERBS, _THINGS = _VERBS_TEXT.split(), _THINGS_TEXT.split()
_SMALL, _KINDS = _SMALL_TEXT.split(), _KINDS_TEXT.split()


class Words:
    """Sentences of a developer's vocabulary, where few words are frequent and most are rare."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        rare = [f"{thing}_{verb}" for thing in _THINGS for verb in _VERBS[:12]]
        usual = [*_THINGS, *_VERBS, *_KINDS]
        rng.shuffle(usual)
        rng.shuffle(rare)
        self._words = [*usual, *rare]
        total = 0.0
        self._weights = []
        for rank in range(len(self._words)):
            total += 1 / (rank + 3)
            self._weights.append(total)

    def sentence(self, count: int) -> str:
        """`count` words, about every third a small one."""
        words = self._rng.choices(self._words, cum_weights=self._weights, k=count)
        small = self._rng.choices(_SMALL, k=count)
        mixed = [s if self._rng.random() < 0.35 else w for w, s in zip(words, small, strict=True)]
        return " ".join(mixed).capitalize() + "."

    def paragraphs(self, characters: int) -> str:
        """Prose with headings, at least so long."""
        parts: list[str] = []
        while sum(map(len, parts)) < characters:
            if len(parts) % 4 == 3:
                parts.append(f"## {self.sentence(4).rstrip('.')}")
            parts.append(" ".join(self.sentence(self._rng.randint(8, 20)) for _ in range(4)))
        return "\n\n".join(parts)


def prompts(number: int, words: int) -> list[str]:
    """Queries of so many words."""
    rng = random.Random(f"{SEED} {number} {words}")
    maker = Words(rng)
    return [maker.sentence(words) for _ in range(number)]


_ORDERS = re.compile(r"(?:always|never|avoid|instead|stop|prefer|use|not|without|only)\w*", re.I)
"""What makes random words an order, which could contradict another."""


def statements(number: int) -> list[str]:
    """Statements that no vault of ours holds yet, and that contradict none."""
    maker = Words(random.Random(f"{SEED} new {number}"))
    plain = (_ORDERS.sub("item", maker.sentence(12)[:-1]) for _ in range(number))
    return [f"{text} in round {at}." for at, text in enumerate(plain)]


def memory_notes(count: int, *, body: int = 0) -> Iterator[tuple[str, str]]:
    """Paths in the memory root and texts of so many memories; `body` adds characters of prose."""
    rng = random.Random(SEED)
    words = Words(rng)
    names: set[str] = set()
    categories = list(Category)
    first = datetime.now().replace(hour=9, minute=0, second=0, microsecond=0) - SPAN
    for number in range(count):
        made = first + (SPAN - timedelta(days=1)) * (number / count)
        seen = made + min(timedelta(days=rng.randint(0, 40)), first + SPAN - made)
        identifier = f"mem_{ulid(int(made.timestamp() * 1000), rng.randbytes(10))}"
        category = rng.choice(categories)
        statement = words.sentence(rng.randint(8, 18))
        name = base_name(statement)
        if name_key(name) in names:
            name = with_suffix(name, identifier)
        names.add(name_key(name))
        lines = [f"id: {identifier}", "type: memory", f"category: {category}"]
        if rng.random() < 0.6:
            project = f"github.com/acme/service-{number % 7}"
            lines += ["scope: project", f"project: {project}"]
        if rng.random() < 0.01:
            lines.append("pinned: true")
        lines += [
            f"confidence: {rng.choice((0.7, 0.9, 0.95))}",
            f"evidence_count: {rng.randint(1, 9)}",
            "tags:",
            f"  - memory/{rng.choice(_THINGS)}",
            f"created: {made:%Y-%m-%dT%H:%M:%S}",
            f"reinforced: {seen:%Y-%m-%dT%H:%M:%S}",
            f"review: {seen + timedelta(days=30):%Y-%m-%d}",
        ]
        more = f"\n{words.paragraphs(body)}\n" if body else ""
        text = "---\n" + "\n".join(lines) + f"\n---\n{statement}\n{more}"
        yield f"{CATEGORY_FOLDER[category]}/{name}.md", text


def knowledge_notes(count: int, *, characters: int = 1200) -> Iterator[tuple[str, str]]:
    """Paths in the vault and texts of the person's own notes."""
    rng = random.Random(SEED + 1)
    words = Words(rng)
    for number in range(count):
        title = words.sentence(3).rstrip(".")
        tag = rng.choice(_THINGS)
        text = f"---\ntags:\n  - {tag}\naliases:\n  - {words.sentence(2)[:-1]}\n---\n"
        link = f"See [[{rng.choice(_THINGS)}]].\n"
        body = words.paragraphs(characters)
        yield f"Notes/{number % 20:02}/{title} {number}.md", f"{text}# {title}\n\n{body}\n\n{link}"


NEW_SETTINGS = ("Memory/Settings.md", "---\ntype: settings\n---\nSettings.\n")
"""Those of a vault without an id, with their path: the first command gives it one, and a key."""


def write_vault(vault: Path, *, memories: int, knowledge: int | None = None, body: int = 0) -> None:
    """Make a vault below `vault`; its notes are an hour old."""
    count = memories // KNOWLEDGE_SHARE if knowledge is None else knowledge
    old = time.time() - _EARLIER
    notes = [NEW_SETTINGS]
    notes += [(f"Memory/{path}", text) for path, text in memory_notes(memories, body=body)]
    notes += knowledge_notes(count)
    for relative, text in notes:
        place = vault / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        os.utime(place, (old, old))


class Site:
    """A vault of `memories` memories and one device that uses it."""

    def __init__(self, folder: Path, memories: int, **shape: int) -> None:
        """Use the vault below `folder`, made now if there is none."""
        self.vault = folder / "vault"
        self.home = folder / "home"
        self.memories = memories
        if not self.vault.is_dir():
            write_vault(self.vault, memories=memories, **shape)

    def app(self, embedder: Embedder | None = None) -> App:
        """What a process has; close it with `with`."""
        return App(
            env=Environment(home=str(self.home), agent=None),
            cwd=self.vault,
            vault=str(self.vault),
            embedder=lambda: embedder,
        )

    def first_sync(self) -> SyncResult:
        """Give the vault its id and see every note."""
        with self.app() as app:
            open_or_adopt(app)
            return sync(app.call())

    def settle(self) -> None:
        """Sync until every recorded stat can be trusted and nothing is left to do."""
        while True:
            with self.app() as app:
                open_or_adopt(app)
                sync(app.call())
                if not app.vault.baseline.racy():
                    return
            time.sleep(2.1)

    def command(self, *arguments: str) -> list[str]:
        """The command line of a fresh process on this vault."""
        return [sys.executable, "-m", "vaultmem", "--vault", str(self.vault), *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """The variables of such a process: a person's, with modules compiled as after `pip`."""
        kept = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
        compiled = {"PYTHONPYCACHEPREFIX": str(self.home.with_name("compiled"))}
        return kept | compiled | {"VAULTMEM_HOME": str(self.home)}

    def run(self, *arguments: str) -> str:
        """Run a command and answer what it printed; it must succeed."""
        return subprocess.run(
            self.command(*arguments),
            env=self.environment,
            cwd=self.vault,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
