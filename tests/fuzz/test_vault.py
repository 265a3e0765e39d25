"""A vault in which anything may have happened to its files: sync tells it, and loses nothing."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from tests.fuzz.fuzzer import fuzz, says_why
from tests.fuzz.hostile import Change, changed, changes
from tests.fuzz.stage import SAID, stage
from vaultmem.core.context import Context
from vaultmem.core.finding import CODES
from vaultmem.core.report import build_report
from vaultmem.errors import NoteUnreadableError, VaultError, VaultmemError
from vaultmem.notes.codec import decode_memory
from vaultmem.services import curate, inquiries, maintain, patches
from vaultmem.services.doctor import doctor
from vaultmem.services.inbox import waiting
from vaultmem.services.patching.show import listed
from vaultmem.services.promoting.listing import list_
from vaultmem.services.report import report
from vaultmem.services.show import show
from vaultmem.services.topics import list_topics
from vaultmem.services.undo import last_change
from vaultmem.services.why import why

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.world import World

NAMES = st.sampled_from(
    [
        "Memory/Lessons/x.md",
        "Memory/Inbox/x.md",
        "Memory/Identity/x.md",
        "Memory/System/Ledger/2026-10 force dev_3K211F158Q231AKQS9HYEJ8E49.md",
        "Memory/System/Archive/x.md",
        "Memory/Promotions/x.md",
        "Memory/Review/x.md",
        "Memory/Skills/x/SKILL.md",
        "Memory/Lessons/" + "é" * 120 + ".md",
        "Memory/Lessons/e\u0301.md",
        "Memory/Lessons/a:b?*.md",
        "Memory/Lessons/.hidden.md",
        "Memory/Lessons/🧠 \u202egnp.md",
        "Memory/Lessons/a\nb.md",
        "Memory/Lessons/Add files by name 2.md",
        "Memory/Lessons/Add files by name (conflicted copy).md",
        "Memory/lessons/ADD FILES BY NAME.md",
        "Memory/Lessons/sub/deep/er/x.md",
        "Memory/MEMORY.md",
        "Notes/x.md",
        "x.canvas",
        os.fsdecode(b"Memory/Lessons/\xff.md"),
    ]
)
ACTS = ("change", "change", "change", "change", "copy", "move", "delete", "folder", "link", "empty")


class Act(NamedTuple):
    """What happens to one file: it changes, or its place does."""

    act: str
    path: str
    changes: list[Change]
    name: str


def acts(paths: list[str]) -> st.SearchStrategy[list[Act]]:
    """One or two acts on files of these."""
    one = st.builds(Act, st.sampled_from(ACTS), st.sampled_from(paths), changes, NAMES)
    return st.lists(one, min_size=1, max_size=2)


def do(world: World, one: Act) -> bool:
    """Let it happen; whether something did."""
    place, other = world.path(one.path), world.path(one.name)
    if not place.is_file() or place.is_symlink():
        return False
    try:
        if one.act in ("copy", "move", "link"):
            other.parent.mkdir(parents=True, exist_ok=True)
            if other.exists() or other.is_symlink():
                return False
        match one.act:
            case "change":
                place.write_bytes(changed(place.read_bytes(), one.changes))
            case "copy":
                shutil.copyfile(place, other)
            case "move":
                place.rename(other)
            case "delete":
                place.unlink()
            case "folder":
                place.unlink()
                place.mkdir()
            case "link":
                place.rename(other)
                place.symlink_to(other)
            case "empty":
                place.write_bytes(b"")
    except OSError:  # no such name in this file system
        return False
    return True


PATHS = st.deferred(lambda: acts(stage().paths))


@fuzz(PATHS, examples=12)
def test_sync_stops_for_no_file_and_what_nobody_touched_stays(done):
    with stage().set() as world:
        before = world.snapshot()
        done = [one for one in done if do(world, one)]
        touched = {path for one in done for path in (one.path, one.name)}
        settings = "Memory/Settings.md" in touched
        meant = world.snapshot()
        try:
            told = world.here.sync()
        except VaultError:
            assert settings, "a note stopped sync"
            return
        after = world.snapshot()
        for one in told.findings:
            assert one.code in CODES
            assert one.message
            assert one.remedy
        _untouched_stay(before, after, touched)
        _broken_are_found(world, meant, after, told)
        _still_in_force(world, touched)
        again = world.here.sync()
        assert (again.changes, again.applied) == ((), 0)
        assert world.snapshot() == after


def _untouched_stay(before, after, touched) -> None:
    """Notes of memories keep every byte where nothing happened to them or to what decides them."""
    if any("/Inbox/" in path or "/Promotions/" in path or "Settings" in path for path in touched):
        return
    for path in SAID.keys() - touched:
        assert after.get(path) == before[path], path
    for path, data in before.items():
        if "/Ledger/" in path and path not in touched:
            assert after[path].startswith(data), path


def _broken_are_found(world: World, meant, after, told) -> None:
    """A note that cannot be read is a finding, keeps its bytes, and its memory what it was."""
    for path in SAID:
        if path not in meant or not world.path(path).is_file() or world.path(path).is_symlink():
            continue
        try:
            readable = decode_memory(meant[path], path=path).usable
        except NoteUnreadableError:
            readable = False
        if not readable:
            assert any(one.path == path for one in told.findings), (path, told.findings)
            assert after[path] == meant[path]
            found = world.here.call().vault.baseline.standing(stage().ids[path])
            assert (
                found is None or found.statement == SAID[path].rstrip() or found.status != "active"
            )


def _still_in_force(world: World, touched) -> None:
    if any("/Inbox/" in path or "/Promotions/" in path or "Settings" in path for path in touched):
        return
    baseline = world.here.call().vault.baseline
    for path in SAID.keys() - touched:
        found = baseline.standing(stage().ids[path])
        assert found is not None
        assert found.statement == SAID[path]


@fuzz(PATHS, examples=6)
def test_no_verb_that_looks_crashes_on_any_vault(done):
    with stage().set() as world:
        for one in done:
            do(world, one)
        look_with(world, LOOKS)


def look_with(world: World, looks: Sequence[Callable[[World], object]]) -> None:
    """Look in each of these ways; what is refused says why."""
    for look in looks:
        try:
            look(world)
        except VaultmemError as error:
            says_why(error)


def _each_shown(world: World) -> None:
    call = world.here.call()
    for identifier in stage().ids.values():
        for verb in (show, why):
            try:
                verb(call, identifier)
            except VaultmemError as error:
                says_why(error)


LOOKS = (
    lambda world: report(world.here.call(), prompt="which files are staged?"),
    lambda world: doctor(world.here.call(), set_up=(), crash_log=world.folder / "none"),
    lambda world: waiting(world.here.call()),
    lambda world: listed(world.here.call(), decided=True),
    lambda world: list_(world.here.call(), everything=True),
    lambda world: inquiries.listed(world.here.call()),
    lambda world: list_topics(world.here.call()),
    lambda world: curate.look(world.here.call()),
    lambda world: maintain.plan(world.here.call()),
    lambda world: patches.open_patches(world.here.call()),
    lambda world: last_change(world.here.call()),
    lambda world: build_report(
        list(world.here.call().vault.baseline.standings()), Context(now=2e9)
    ),
    _each_shown,
)
