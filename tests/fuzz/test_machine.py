"""What this machine keeps, torn by a full disk or a faulty one: set aside or mended, notes untouched."""

from __future__ import annotations

import contextlib
import gc
import sqlite3
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import strategies as st

from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import changed, changes, mutants, texts
from tests.fuzz.stage import SAID, stage
from tests.fuzz.test_vault import LOOKS, look_with
from vaultmem.core.finding import CODES
from vaultmem.core.ledger import LedgerKind, signed_message, spell_entry
from vaultmem.errors import VaultmemError
from vaultmem.index.hybrid import Mode
from vaultmem.services.search import search
from vaultmem.services.status import status
from vaultmem.store.key import Key
from vaultmem.store.ledger import DOMAIN, Author, ledger_name, read_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.world import World

_TEARS = st.one_of(
    st.tuples(st.just("bytes"), st.lists(st.tuples(st.integers(0, 65_535), st.integers(0, 255)), min_size=1, max_size=20)),
    st.tuples(st.just("cut"), st.integers(0, 65_535)),
    st.tuples(st.just("text"), changes),
    st.tuples(st.just("gone"), st.none()),
    st.tuples(st.just("zeros"), st.integers(0, 65_535)),
    st.tuples(st.just("folder"), st.none()),
)  # fmt: skip


def tear(place: Path, how: tuple) -> None:
    """Damage a file."""
    what, more = how
    if what == "gone":
        place.unlink()
        return
    if what == "folder":
        place.unlink()
        place.mkdir()
        return
    data = bytearray(place.read_bytes())
    if not data:
        return
    match what:
        case "bytes":
            for at, new in more:
                data[at * (len(data) - 1) // 65_535] = new
        case "cut":
            del data[more * len(data) // 65_535 :]
        case "zeros":
            at = more * len(data) // 65_535
            data[at : at + 4096] = bytes(min(4096, len(data) - at))
        case "text":
            data = bytearray(changed(bytes(data), more))
    place.write_bytes(data)


@cache
def _kept() -> dict[str, bytes]:
    """Everything in state and cache once the index was made."""
    with stage().set() as world:
        world.here.sync()
        for look in SEARCHES:
            look(world)
        world.close()
        return {
            path.relative_to(world.here.home).as_posix(): path.read_bytes()
            for path in sorted(world.here.home.rglob("*"))
            if path.is_file() and not path.name.endswith((".lock", "-shm"))
        }


def _search(world: World) -> None:
    app = world.here.app()
    search(app.call(), app.engine, "files by name", mode=Mode.KEYWORD)


SEARCHES = (
    _search,
    lambda world: status(world.here.call(), why="", model=""),
)
NAMED = st.deferred(lambda: st.sampled_from(list(_kept())))
BASELINE = st.deferred(lambda: st.sampled_from([name for name in _kept() if "baseline" in name]))


def _after(files: list[tuple[str, tuple]]) -> None:
    """With these files torn: notes stay, what is refused says why, and it works again soon."""
    with stage().set() as world:
        for name, data in _kept().items():
            place = world.here.home / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        for name, how in files:
            if (world.here.home / name).is_file():
                tear(world.here.home / name, how)
        before = world.snapshot()
        refused = [_sync(world) for _ in range(4)]
        look_with(world, (*SEARCHES, *LOOKS))
        after = world.snapshot()
        assert all(after[path] == before[path] for path in SAID)
        if not any(_persons(name) or how[0] == "folder" for name, how in files):
            assert refused[-1] is None, refused
            rows = world.here.call().vault.baseline.memories(state="live")
            assert {row.id for row in rows} >= set(stage().ids.values()) or _guessed(files)


def _persons(name: str) -> bool:
    """What only a person can mend: key, device, whose state it is, the user config."""
    return name.rsplit("/", 1)[-1] in ("key", "device", "binding.json", "lock")


def _guessed(files: list[tuple[str, tuple]]) -> bool:
    """Whether single bytes of rows may say something else, which no check of SQLite can see."""
    return any("baseline" in name and how[0] in ("bytes", "text", "zeros") for name, how in files)


def _sync(world: World) -> str | None:
    world.close()
    try:
        world.here.sync()
    except VaultmemError as error:
        return str(error)
    return None


# Whoosh leaves files open that turn out to be damaged; they are closed when they are collected.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    yield
    gc.collect()


@fuzz(BASELINE, _TEARS, examples=3)
def test_a_torn_baseline_is_set_aside_and_read_from_the_notes_again(name, how):
    _after([(name, how)])


class Lie(NamedTuple):
    """Another value in a cell of the baseline, mostly of the column's own type."""

    cell: int
    text: str
    number: float
    data: bytes
    as_type: str
    everywhere: bool


LIES = st.builds(
    Lie,
    st.integers(0, 999),
    texts.map(lambda text: text.encode("utf-8", "replace").decode()),
    st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.integers(-1, 3)),
    st.binary(max_size=40),
    st.sampled_from(["", "", "", "TEXT", "BLOB", "REAL"]),
    st.booleans(),
)


def tell(place: Path, lies: list[Lie]) -> None:
    """Write them with the checks of the tables off, as a faulty disk does it."""
    with contextlib.closing(sqlite3.connect(place)) as sql, sql:
        sql.execute("PRAGMA ignore_check_constraints = ON")
        cells = sql.execute(
            "SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c"
            " WHERE m.type = 'table' ORDER BY 1, c.cid"
        ).fetchall()
        for lie in lies:
            table, column, kind = cells[lie.cell % len(cells)]
            values = {"TEXT": lie.text, "BLOB": lie.data, "REAL": float(lie.number)}
            value = values.get(lie.as_type or kind)
            value = int(min(max(lie.number, -(2**63)), 2**62)) if value is None else value
            which = f"WHERE {column} IN (SELECT {column} FROM {table} LIMIT 1)"
            with contextlib.suppress(sqlite3.IntegrityError):
                sql.execute(
                    f"UPDATE {table} SET {column} = ? {'' if lie.everywhere else which}", (value,)
                )


@fuzz(BASELINE, st.lists(LIES, min_size=1, max_size=4), examples=4)
def test_whatever_a_baseline_says_no_note_of_a_memory_is_changed_for_it(name, lies):
    """It is damage, which a command says, or says something else that there can be."""
    with stage().set() as world:
        tell(world.here.home / name, lies)
        before = world.snapshot()
        look_with(world, (_sync, _sync, *SEARCHES, *LOOKS))
        after = world.snapshot()
        assert all(after[path] == before[path] for path in SAID)


@fuzz(st.lists(st.tuples(NAMED, _TEARS), min_size=1, max_size=3), examples=3)
def test_torn_files_of_this_machine_stop_nothing_that_can_go_on(files):
    _after(files)


# ledgers

KEY = Key(bytes(range(32)))
AUTHOR = Author(LedgerKind.ACTIVITY, seeds.DEVICE)
PATH = f"Memory/System/Ledger/{ledger_name('2026-11', AUTHOR)}"


@cache
def _ledger() -> bytes:
    lines = (spell_entry(one) for one in seeds.LEDGER)
    signed = (f"{text} ~{KEY.mac(DOMAIN, signed_message(*AUTHOR, text))}\n" for text in lines)
    head = f"---\nid: log_{seeds.OLD[4:]}\ntype: ledger\nkind: activity\ndevice: {seeds.DEVICE}\nmonth: 2026-11\n---\n"
    return (head + "Written by vaultmem.\n\n" + "".join(signed)).encode()


@fuzz(st.deferred(lambda: mutants([_ledger()])), examples=60)
def test_no_change_of_a_ledger_makes_a_signed_line_say_something_else(data):
    lines, findings = read_ledger(data, KEY, path=PATH)
    known = {one.id: one for one in seeds.LEDGER}
    for one in lines:
        if one.signed:
            entry = known[one.id]
            assert (one.at, one.act, one.note, dict(one.values)) == (
                entry.at,
                entry.act,
                entry.note,
                dict(entry.values),
            )
    assert len({one.id for one in lines}) == len(lines)
    for one in findings:
        assert one.code in CODES
        assert one.line is None or 1 <= one.line <= data.count(b"\n") + data.count(b"\r") + 1
