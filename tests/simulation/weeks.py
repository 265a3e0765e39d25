"""Live three weeks with a notebook: sessions that teach, replies that cite, a run every evening.

Every day has its sessions; a scripted endpoint extracts what each of them taught, and rewrites the
notebook from what it is given, with the tools of the worker. Some topics come up again and again
and are cited, some are cited once, some never. Everything else is as it is in use: the session
files, the catalog, the notes, the versions, and the citations of replies.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from tests.pi.model_server import MODEL, ModelServer, Reply
from tests.pi.model_server import Call as ToolCall
from tests.services.sessioning import SHOP, Sessions
from tests.world import World
from vaultmem.core.citation import TAG, parse
from vaultmem.core.endpoint_url import parse_endpoint
from vaultmem.core.notebook.settings import DAY_SECONDS, NotebookSettings
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.services.notebook.browse import Notebook
from vaultmem.services.notebook.card_notes import cards_of_all_devices
from vaultmem.services.notebook.enable import enable
from vaultmem.services.notebook.run import Ran, run
from vaultmem.services.notebook.use import count_use, used_by_citing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.pi.model_server import Request
    from vaultmem.core.notebook.card import Card

DAYS = 21
WEEK = 7
UNUSED_DAYS = 7
"""Days without use after which a card goes here; the usual 30 would outlast three weeks."""
PROJECT = SHOP.rpartition("/")[2]
_EVERY = 3
"""Days between two citations of what is needed."""
_TOPIC = re.compile(r"topic-\d+")
_STEM = re.compile(r"^rollout_summary_file: (\S+)\.md$", re.MULTILINE)


class Fate(StrEnum):
    """How often a topic comes up after its session."""

    NEEDED = "needed"
    ONCE = "once"
    NEVER = "never"


class Worker(ModelServer):
    """A model that extracts the topic of a session, and writes a line for each card it is given."""

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        if not request.tool_names:
            topic = _TOPIC.findall(request.newest_text)[-1]
            return Reply(text=_extraction(topic))
        results = request.results()
        if not results:
            read = {"path": "raw_memories.md"}
            return Reply(calls=(ToolCall(name="notebook_read", arguments=read),))
        if len(results) > 1:
            return Reply(text="Done.")
        found = dict(zip(_STEM.findall(results[0]), _TOPIC.findall(results[0]), strict=True))
        return Reply(
            calls=tuple(
                ToolCall(name="notebook_write", arguments={"path": path, "text": text})
                for path, text in (
                    ("MEMORY.md", _handbook(found)),
                    ("memory_summary.md", _summary(found)),
                )
            )
        )


def _extraction(topic: str) -> str:
    return json.dumps(
        {
            "rollout_summary": f"The work on {topic.replace('-', ' ')} was finished.",
            "rollout_slug": topic,
            "raw_memory": f"{topic} needs its own cache.",
            "memories": [],
        }
    )


def _handbook(found: dict[str, str]) -> str:
    tasks = "".join(
        f"## Task {number}: {topic}\n### rollout_summary_files\n- {stem}.md (cwd={SHOP})\n"
        f"### keywords\n{topic}, cache\n\n"
        for number, (stem, topic) in enumerate(found.items(), 1)
    )
    lines = "".join(
        f"- For {topic}, keep its own cache. [Task {number}]\n"
        for number, topic in enumerate(found.values(), 1)
    )
    head = f"# Task Group: caches\nscope: caches\napplies_to: cwd={SHOP}; reuse_rule=here\n\n"
    return f"{head}{tasks}## Reusable knowledge\n{lines}"


def _summary(found: dict[str, str]) -> str:
    lines = "".join(
        f"- {topic} has its own cache. [{stem[20:24]}]\n" for stem, topic in found.items()
    )
    return f"v1\n\n## General Tips\n{lines}"


@dataclass(slots=True)
class Taught:
    """A topic: when its session was, how often it comes up, and when a reply cited it."""

    topic: str
    fate: Fate
    born: int
    session: str
    cited: list[int] = field(default_factory=list)

    def alive(self) -> int:
        """The day on which it was cited last, or taught."""
        return self.cited[-1] if self.cited else self.born

    def comes_up(self, day: int) -> bool:
        """Whether a reply needs it on that day."""
        age = day - self.born
        match self.fate:
            case Fate.NEEDED:
                return age > 0 and age % _EVERY == 0
            case Fate.ONCE:
                return age == 1
            case Fate.NEVER:
                return False


class Measure(NamedTuple):
    """The notebook at the end of a week.

    Attributes:
        day: from 1.
        taught: topics so far.
        used: those that were cited within the last days that count.
        kept: those of them that the published notebook still tells and whose card is there.
        unused: those that were neither taught nor cited since.
        gone: those of them of which no line, no card and no note is left.
        cards, notes: how many cards there are, and notes of sessions in the vault.
        lines: of the published handbook that tell of a topic.
        versions: of the notebook so far.
    """

    day: int
    taught: int
    used: int
    kept: int
    unused: int
    gone: int
    cards: int
    notes: int
    lines: int
    versions: int


HEADER = (
    " day  taught  |  used lately  kept  |  long unused  gone  |  cards  notes  lines  versions"
)


def row(measure: Measure) -> str:
    """One line under `HEADER`."""
    return (
        f"{measure.day:4}  {measure.taught:6}  |  {measure.used:11}  {measure.kept:4}  |"
        f"  {measure.unused:11}  {measure.gone:4}  |  {measure.cards:5}  {measure.notes:5}"
        f"  {measure.lines:5}  {measure.versions:8}"
    )


class Weeks:
    """The vault, its sessions and the model; `live` yields a measure a week."""

    def __init__(self, folder: Path, server: Worker, *, per_day: int, seed: int = 1) -> None:
        self._world = World(folder)
        self._world.here.sync()
        enable(self._world.here.call(), self._world.here.app().home, PROJECT)
        self._sessions = Sessions(self._world)
        self._server = server
        self._per_day = per_day
        self._random = random.Random(seed)
        self._taught: list[Taught] = []
        self._versions: set[str] = set()

    def close(self) -> None:
        """End every process."""
        self._sessions.close()
        self._world.close()

    def live(self) -> Iterator[Measure]:
        """Three weeks."""
        for day in range(1, DAYS + 1):
            self._talk(day)
            self._world.here.pass_time(hours=12)
            for one in self._taught:
                if one.comes_up(day):
                    self._cite(one, day)
            self._run()
            self._world.here.pass_time(hours=12)
            self._run()
            if day % WEEK == 0:
                yield self._measure(day)

    def _talk(self, day: int) -> None:
        """The day's sessions, each about a topic of its own."""
        for _ in range(self._per_day):
            topic = f"topic-{len(self._taught) + 1:03}"
            at = self._world.here.call().now.astimezone()
            talk = self._sessions.talk(
                f"Today we work on {topic}: give it a cache of its own.",
                name=self._session_id(at.timestamp()),
                at=f"{at:%Y-%m-%dT%H:%M:%S.000%z}",
            )
            talk.answered(f"The cache of {topic} is in place.")
            fate = self._random.choice(tuple(Fate))
            self._taught.append(Taught(topic, fate, day, talk.id))

    def _session_id(self, seconds: float) -> str:
        """A UUID of version 7, as the agent gives its sessions."""
        low = self._random.getrandbits(74)
        number = (
            int(seconds * 1000) << 80 | 7 << 76 | (low >> 62) << 64 | 2 << 62 | low & (1 << 62) - 1
        )
        return str(UUID(int=number))

    def _cite(self, one: Taught, day: int) -> None:
        """A reply uses what the notebook says of a topic, and says so in one of the two ways."""
        app = self._world.here.app()
        notebook = Notebook(app.call().by_policy())
        line = self._line(notebook, one.topic)
        by_place = len(one.cited) % 2 == 0
        place = f"MEMORY.md:{line}-{line}|note=[the cache]" if by_place else one.session
        said = parse(f"It has a cache of its own.\n<{TAG}>\n{place}\n</{TAG}>")
        used = used_by_citing(notebook, said.places, said.sessions)
        assert count_use(app.call(), app.notebook, used, set()) == 1, one
        one.cited.append(day)

    def _line(self, notebook: Notebook, topic: str) -> int:
        """Where the handbook tells of a topic, from 1."""
        lines = (notebook.text("MEMORY.md") or "").splitlines()
        return 1 + next(at for at, line in enumerate(lines) if line.startswith(f"- For {topic},"))

    def _run(self) -> Ran:
        """What `vaultmem notebook run` does."""
        app = self._world.here.app()
        endpoint = parse_endpoint(self._server.url)
        assert endpoint is not None
        model = EndpointModel(endpoint, MODEL, key=None)
        done = run(
            app.call(),
            self._sessions.opened(),
            app.engine,
            app.notebook,
            NotebookSettings(sessions=self._per_day, unused_days=UNUSED_DAYS),
            extract_model=model,
            consolidation_model=model,
            projects=(PROJECT,),
            worker="weeks",
        )
        assert done.consolidated is not None, done
        assert done.consolidated.outcome in ("done", "nothing", "cooldown"), done
        self._versions.add(str(done.consolidated.commit))
        return done

    def _measure(self, day: int) -> Measure:
        app = self._world.here.app()
        call = app.call()
        told = Notebook(call.by_policy()).text("MEMORY.md") or ""
        cards = {one.session: one for one in app.notebook.cards.all()}
        notes = {one.session for one in cards_of_all_devices(call)}
        now = call.now.timestamp()
        used = [one for one in self._taught if one.cited and _is_alive(cards, one, now, day)]
        unused = [one for one in self._taught if day - one.alive() >= UNUSED_DAYS]
        return Measure(
            day=day,
            taught=len(self._taught),
            used=len(used),
            kept=sum(one.topic in told and one.session in cards for one in used),
            unused=len(unused),
            gone=sum(
                one.topic not in told and one.session not in (cards.keys() | notes)
                for one in unused
            ),
            cards=len(cards),
            notes=len(notes),
            lines=told.count("- For topic-"),
            versions=len(self._versions),
        )


def _is_alive(cards: dict[str, Card], one: Taught, now: float, day: int) -> bool:
    """Whether it was cited within the days that count; the card must say so too."""
    alive = day - one.alive() < UNUSED_DAYS
    card = cards.get(one.session)
    if alive and card is not None:
        assert card.used == len(one.cited)
        assert card.last_used is not None
        assert now - card.last_used <= (UNUSED_DAYS + 1) * DAY_SECONDS
    return alive
