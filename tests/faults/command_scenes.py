"""Commands to be killed and typed again: what each begins with, in words of the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.faults.scenes import KNOWN, STATEMENT
from tests.services.notebook import noting
from tests.store import old_reviews

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.terminal import Result, Terminal
    from tests.world import World

Named = dict[str, str]
"""What stands for a word in braces."""

ID, ASKED = "{id}", "Which port is right?"
OWN = "Notes/Own.md"
AGENT = {"AI_AGENT": "coder"}
REVIEW = json.dumps(
    {
        "metadata": {"owner": "acme", "repo": "tide", "pr_number": 12},
        "comments": [
            {"path": "a.py", "body": "Name it."},
            {"path": "b.py", "status": "skipped", "skip_reason": "Style."},
        ],
    }
)


@dataclass(frozen=True, kw_only=True)
class CommandScene:
    """One command.

    Attributes:
        words: of the command line; a word in braces is one of what `prepare` answers.
        prepare: types and writes what it needs, and answers what it needs to know.
        typed: what the person types at a question, or pipes in.
    """

    words: tuple[str, ...]
    prepare: Callable[[World, Terminal], Named]
    stdin: str = ""

    @property
    def name(self) -> str:
        """For the id of a test."""
        return " ".join(word for word in self.words if not word.startswith("{"))


def _known(world: World, _: Terminal) -> Named:
    world.write(OWN, "---\nrating: 3\n---\nMine.\n")
    return {"id": world.memory(KNOWN, STATEMENT, category="lesson", pinned="true")}


def _before(*lines: tuple[str, ...]) -> Callable[[World, Terminal], Named]:
    """Commands that are typed before, about the memory that is there."""

    def prepare(world: World, terminal: Terminal) -> Named:
        named = _known(world, terminal)
        world.here.sync()
        for line in lines:
            terminal.ok(*(word.format(**named) for word in line))
        return named

    return prepare


def _answering(
    name: str, *words: str, find: Callable[[Result], str]
) -> Callable[[World, Terminal], Named]:
    """One command that is typed before, whose answer names what the scene is about."""

    def prepare(world: World, terminal: Terminal) -> Named:
        named = _known(world, terminal)
        world.here.sync()
        given = [word.format(**named) for word in words]
        done = terminal.ok(*given, "--json", env=AGENT if given[0] == "add" else None)
        return named | {name: find(done)}

    return prepare


def _copied(world: World, terminal: Terminal) -> Named:
    named = _known(world, terminal)
    world.here.sync()
    world.write("Memory/Lessons/Another name.md", world.read(KNOWN))
    return named


def _reviews(*lines: tuple[str, ...]) -> Callable[[World, Terminal], Named]:
    def prepare(world: World, terminal: Terminal) -> Named:
        named = _known(world, terminal)
        world.here.sync()
        (world.folder / "review.json").write_text(REVIEW)
        if not (world.folder / "old.db").exists():
            old_reviews.make(world.folder / "old.db")
            old_reviews.review(world.folder / "old.db")
            old_reviews.comment(world.folder / "old.db")
        for line in lines:
            terminal.ok(*line)
        return named

    return prepare


def _notebook(world: World, terminal: Terminal) -> Named:
    named = _known(world, terminal)
    noting.switch_on(world.here)
    world.here.sync()
    noting.put(world.here)
    return named


def _touched(world: World, terminal: Terminal) -> Named:
    named = _notebook(world, terminal)
    world.write("Memory/MEMORY.md", world.read("Memory/MEMORY.md") + "\nMine.\n")
    world.here.sync(agent="pi")
    return named


def _foreign(world: World, terminal: Terminal) -> Named:
    named = _known(world, terminal)
    (world.folder / "other/Notes").mkdir(parents=True)
    (world.folder / "other/Notes/Own.md").write_text("Mine.\n")
    (world.folder / "agent").mkdir()
    return named


def _made(world: World, terminal: Terminal) -> Named:
    named = _foreign(world, terminal)
    terminal.ok("init", "../other", "--yes")
    return named


def _extended(world: World, terminal: Terminal) -> Named:
    named = _foreign(world, terminal)
    terminal.ok("pi", "install", "--agent-dir", "../agent")
    return named


_ADDED = _answering(
    "cand", "add", "Use UTC.", "--category", "lesson", find=lambda one: one.json["id"]
)
_PROPOSED = _answering(
    "prom", "promote", "propose", ID, "--to", "discard", find=lambda one: one.json["id"]
)
_PLAIN = _before()


def _scene(
    prepare: Callable[[World, Terminal], Named], *words: str, stdin: str = ""
) -> CommandScene:
    return CommandScene(words=words, prepare=prepare, stdin=stdin)


COMMAND_SCENES: tuple[CommandScene, ...] = (
    _scene(_before(("unpin", ID)), "pin", ID),
    _scene(_PLAIN, "unpin", ID),
    _scene(_before(("contest", ID)), "uncontest", ID),
    _scene(_PLAIN, "deprecate", ID),
    _scene(_PLAIN, "exception", ID, "--not", "always"),
    _scene(_PLAIN, "maintain", "reviewed", ID),
    _scene(_before(("maintain", "ask", ASKED)), "maintain", "withdraw", ASKED),
    _scene(_ADDED, "inbox", "edit", "{cand}", "--statement", "Use UTC always."),
    _scene(_ADDED, "curate"),
    _scene(_PLAIN, "note", "set", OWN, "rating", "5"),
    _scene(_PLAIN, "note", "unset", OWN, "rating"),
    _scene(_PLAIN, "promote", "propose", ID, "--to", "discard"),
    _scene(_PROPOSED, "promote", "reject", "{prom}"),
    _scene(_PLAIN, "promote", "suggest", ID),
    _scene(_copied, "doctor", "--fix"),
    _scene(_PLAIN, "doctor", "--diagnostics", "--save"),
    _scene(_PLAIN, "export", "jsonl", "--to", "../out", "--yes"),
    _scene(_PLAIN, "off"),
    _scene(_before(("off", "--write")), "on", "--write"),
    _scene(_PLAIN, "trust", "."),
    _scene(_before(("trust", ".")), "trust", ".", "--remove"),
    _scene(_PLAIN, "reindex"),
    _scene(_PLAIN, "session", "sync"),
    _scene(_PLAIN, "session", "reindex"),
    _scene(_notebook, "notebook", "reset", "--yes"),
    _scene(_touched, "notebook", "accept", "--yes"),
    _scene(_reviews(), "review", "store", "../review.json"),
    _scene(
        _reviews(("review", "store", "../review.json")),
        *("review", "resolve", "acme", "tide", "12", "--path", "a.py"),
        *("--status", "resolved_fixed"),
    ),
    _scene(_reviews(), "review", "import", "../old.db"),
    _scene(_foreign, "init", "../other", "--yes"),
    _scene(_made, "init", "../other", "--undo", "--yes"),
    _scene(_foreign, "pi", "install", "--agent-dir", "../agent"),
    _scene(_extended, "pi", "uninstall", "--agent-dir", "../agent"),
)
