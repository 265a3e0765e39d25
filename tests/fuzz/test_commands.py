"""Any command on any vault: done or refused in a sentence, never a bug, never another's note."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import strategies as st

from tests.cli.terminal import Terminal
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import texts
from tests.fuzz.stage import stage
from tests.fuzz.test_vault import PATHS, do

BUG = 3
"""The exit code of a bug."""

_IDS = st.deferred(
    lambda: st.sampled_from(
        [*stage().ids.values(), *(one[-4:].lower() for one in stage().ids.values()), *stage().paths]
    )
)
_NAMES = st.one_of(_IDS, _IDS, _IDS, texts)
_WAITING = st.sampled_from(["Use bun for installs", "Never add files by name"])
_PATCHES = st.deferred(
    lambda: st.sampled_from(
        [path for path in stage().paths if path.startswith("Memory/Inbox/Patch")]
    )
)
_TEXTS = st.one_of(
    texts, st.sampled_from(["Use bun.", "Never add files by name.", "No, use tabs."])
)
_KEYS = st.sampled_from(
    ["tags", "status", "pinned", "layer", "trigger", "decision", "x", "id", "review"]
)


def _command(*words: str | st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.tuples(*(st.just(one) if isinstance(one, str) else one for one in words))


LOOKS = st.one_of(
    _command("report"),
    _command("report", "--explain", "--prompt", _TEXTS),
    _command("report", "--sections", "--prompt", _TEXTS),
    _command("status"),
    _command("doctor"),
    _command("doctor", "--diagnostics"),
    _command("topics"),
    _command("inbox"),
    _command("learnings"),
    _command("learnings", _TEXTS),
    _command("show", _NAMES),
    _command("why", _NAMES),
    _command("search", "--mode", "keyword", "--in", "all", _TEXTS),
    _command("patch", "list"),
    _command("patch", "show", _PATCHES),
    _command("promote", "list"),
    _command("maintain", "list"),
    _command("maintain", "inquiries"),
    _command("enforce", "list"),
    _command("enforce", "audit"),
    _command("enforce", "test", _TEXTS),
    _command("evidence", "list", _NAMES),
    _command("note", "get", _NAMES),
    _command("export", "graph"),
    _command("export", "handoff"),
    _command("export", "timeline"),
    _command("export", "procedures"),
    _command("maintain", "identity"),
)
ACTS = st.one_of(
    _command("sync"),
    _command("sync", "--accept-deletions"),
    _command("add", "--category", "lesson", _TEXTS),
    _command("pin", _NAMES),
    _command("unpin", _NAMES),
    _command("contest", _NAMES),
    _command("deprecate", _NAMES),
    _command("reinforce", _NAMES),
    _command("exception", "--except", _TEXTS, _NAMES),
    _command("ratify", _NAMES),
    _command("ratify", "--review", "--yes"),
    _command("forget", "--yes", _NAMES),
    _command("forget", "--purge", "--yes", _NAMES),
    _command("inbox", "approve", _WAITING),
    _command("inbox", "reject", _WAITING),
    _command("inbox", "defer", _WAITING),
    _command("patch", "apply", "--yes", _PATCHES),
    _command("patch", "reject", _PATCHES),
    _command("maintain", "run"),
    _command("maintain", "ask", _TEXTS),
    _command("note", "set", _NAMES, _KEYS, _TEXTS),
    _command("note", "unset", _NAMES, _KEYS),
    _command("curate"),
    _command("undo", "--yes"),
    _command("render"),
    _command("export", "canvas"),
    _command("doctor", "--fix"),
    _command("doctor", "--fix", "--diagnostics"),
    _command("curate", "--session-end"),
    _command("review", "guideline", "add", "--project", "github.com/a/b", _TEXTS),
    _command("promote", "run"),
)


def _terminal(world) -> Terminal:
    made = Terminal(world.vault, world.here.home)
    made.now = datetime.now(UTC) + world.here.ahead
    return made


def _run(terminal: Terminal, command: tuple[str, ...], *, as_json: bool) -> None:
    words = [
        one.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
        for one in map(_typed, command)
    ]
    done = terminal.run("--vault", ".", *words, *(("--json",) if as_json else ()))
    assert done.code != BUG, (command, done)
    assert "Traceback" not in done.err
    assert done.code == 0 or done.err.strip() or done.out.strip(), command
    if as_json and done.code == 0:
        assert isinstance(json.loads(done.out), dict)
    for char in "\x1b\x00\x07\u202e\u2028":
        assert char not in done.out, (command, done.out)


def _typed(word: str) -> str:
    """A word as a shell can pass it: no NUL, and bytes that are no text as Python spells them."""
    return (
        word.replace("\x00", "").encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    )


@fuzz(PATHS, st.lists(LOOKS, min_size=1, max_size=3), st.booleans(), examples=5)
def test_no_command_that_looks_is_a_bug_or_changes_a_memory(done, commands, as_json):
    with stage().set() as world:
        for one in done:
            do(world, one)
        terminal = _terminal(world)
        for command in commands:
            _run(terminal, command, as_json=as_json)


@fuzz(PATHS | st.just([]), st.lists(ACTS, min_size=1, max_size=4), examples=4)
def test_no_command_that_acts_is_a_bug_and_the_next_sync_finds_peace(done, commands):
    with stage().set() as world:
        for one in done:
            do(world, one)
        terminal = _terminal(world)
        for command in commands:
            _run(terminal, command, as_json=False)
        _run(terminal, ("sync",), as_json=True)
        _run(terminal, ("sync",), as_json=True)
        before = world.snapshot()
        last = terminal.run("--vault", ".", "sync", "--json")
        if last.code == 0:
            told = json.loads(last.out)
            assert not any(told[name] for name in ("created", "edited", "moved", "deleted"))
            assert world.snapshot() == before
