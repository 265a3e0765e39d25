"""Stores of other tools, damaged in every way: each record is taken, named or counted, none is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.fuzzer import fuzz, says_why
from tests.fuzz.hostile import changed, changes, grafted, grafts, values
from tests.fuzz.stage import SAID, stage
from tests.services.migrating.test_kinds import MADE
from tests.store import old_reviews
from tests.store.importers import governed
from tests.store.importers.test_memories_db import database, row
from tests.store.importers.test_pi_memory import lines_of
from vaultmem.core.importing.item import ImportKind
from vaultmem.errors import ImportSourceError
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.gather import gather, reader_of
from vaultmem.services.migrating.plan import plan
from vaultmem.store.importers.pr_reviews import read_old_reviews

KINDS = tuple(ImportKind)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="store-", dir=stage().folder))


@cache
def files(kind: ImportKind) -> dict[str, bytes]:
    """The files of a real store of a kind, by their paths."""
    root = Path(tempfile.mkdtemp(prefix="made-", dir=stage().folder)) / "store"
    if kind is ImportKind.PI_MEMORY:
        governed.lived_in(root)
    else:
        MADE[kind][0](root)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def put(found: dict[str, bytes]) -> Path:
    """A store with these files."""
    root = _folder() / "store"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name, data in found.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return root


def _damaged(kind: ImportKind, done: list) -> dict[str, bytes]:
    found = dict(files(kind))
    names = list(found)
    for at, what in done:
        name = names[at % len(names)]
        found[name] = changed(found[name], what)
    return found


def _grafted(kind: ImportKind, done: list) -> dict[str, bytes]:
    """Stores of JSON, in which objects have other fields than they should."""
    found = dict(files(kind))
    names = [name for name in found if name.endswith(".jsonl")]
    for at, what in done:
        if not names:
            break
        name = names[at % len(names)]
        text = found[name].decode("utf-8", "replace")
        lines = text.split("\n")
        number = at % len(lines)
        try:
            lines[number] = json.dumps(grafted(json.loads(lines[number]), what))
        except ValueError:
            continue
        found[name] = "\n".join(lines).encode()
    return found


DAMAGE = st.lists(st.tuples(st.integers(0, 99), changes), min_size=1, max_size=3)
GRAFTS = st.lists(st.tuples(st.integers(0, 99), grafts), min_size=1, max_size=4)


def _read(kind: ImportKind, root: Path):
    """What the reader makes of it; None where it is no such store, and the source is as it was."""
    before = _bytes(root)
    try:
        found = reader_of(kind)(root)
    except ImportSourceError as error:
        says_why(error)
        found = None
    assert _bytes(root) == before
    if found is None:
        return None
    keys = [one.key for one in found.items]
    assert len(set(keys)) == len(keys)
    assert all(one.memory.statement.strip() for one in found.items)
    for one in found.quarantined:
        assert one.reason.endswith(".")
        assert "\n" not in one.reason
    assert found == reader_of(kind)(root)
    return found


def _bytes(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@fuzz(st.sampled_from(KINDS), DAMAGE, examples=20)
def test_a_damaged_store_is_read_or_refused_and_left_as_it_is(kind, done):
    _read(kind, put(_damaged(kind, done)))


@fuzz(st.sampled_from([ImportKind.PI_MEMORY, ImportKind.PI_CONFIG]), GRAFTS, examples=12)
def test_records_with_other_fields_are_taken_or_quarantined_and_none_disappears(kind, done):
    found = _grafted(kind, done)
    root = put(found)
    told = _read(kind, root)
    if told is not None and kind is ImportKind.PI_MEMORY:
        assert told.records == lines_of(root)


@fuzz(st.sampled_from(KINDS), DAMAGE | GRAFTS, st.booleans(), examples=5)
def test_an_import_of_anything_gives_each_record_one_fate_and_leaves_the_notes(kind, done, dry):
    graft = bool(done) and hasattr(done[0][1][0], "place")
    root = put(_grafted(kind, done) if graft else _damaged(kind, done))
    with stage().set() as world:
        world.here.sync()
        before = world.snapshot()
        call = world.here.call()
        try:
            found = gather(call, kind, root, project="acme/tide")
        except ImportSourceError:
            return
        made = plan(call, found) if dry else carry_out(call, found).plan
        assert sum(made.counts().values()) + len(made.asked) + len(made.tasks) == found.records
        after = world.snapshot()
        assert all(after[path] == before[path] for path in SAID)
        told = world.here.sync()
        assert not [one for one in told.findings if one.code.startswith("VM1")]


# databases

_HEAD = st.sampled_from([(at, new) for at in (16, 18, 19, 20, 21, 24, 28, 40, 44, 56, 60, 92, 96) for new in (0, 1, 2, 3, 127, 255)])  # fmt: skip
_PAGES = st.lists(st.tuples(st.integers(0, 65_535), st.integers(0, 255)), max_size=12)
_WRITTEN = st.one_of(values, st.binary(max_size=8), st.integers(-(2**63), 2**63 - 1))


def _torn(data: bytes, head: list, pages: list, length: int) -> bytes:
    found = bytearray(data)
    for at, new in head:
        found[at] = new
    for at, new in pages:
        found[at * (len(found) - 1) // 65_535] = new
    return bytes(found) if length == 0 else bytes(found[: len(found) * length // 100])


TEARS = (st.lists(_HEAD, max_size=2), _PAGES, st.sampled_from([0, 0, 0, 99, 60, 10, 1]))


@cache
def _memories_db() -> bytes:
    path = _folder() / "made.db"
    rows = [row(f"Fact {number}.", details="x" * 700, tags="a, b") for number in range(20)]
    return database(path, *rows).read_bytes()


@fuzz(*TEARS, examples=50)
def test_a_torn_database_is_read_or_refused(head, pages, length):
    root = put({"memories.db": _torn(_memories_db(), head, pages, length)})
    _read(ImportKind.MEMORIES_DB, root)


@cache
def _reviews() -> bytes:
    path = old_reviews.make(_folder() / "reviews.db")
    for number in range(3):
        old_reviews.review(path, pr_number=number + 1)
        old_reviews.comment(path, body="x" * 500)
    return path.read_bytes()


@fuzz(*TEARS, examples=60)
def test_a_torn_store_of_reviews_is_read_or_refused(head, pages, length):
    path = put({"r.db": _torn(_reviews(), head, pages, length)}) / "r.db"
    before = path.read_bytes()
    try:
        found = read_old_reviews(path)
    except ImportSourceError as error:
        says_why(error)
        return
    assert path.read_bytes() == before
    taken = sum(len(one.comments) for one in found.reviews)
    assert len(found.reviews) + taken + len(found.quarantined) == found.rows + found.comments


def _fits(value: object) -> object:
    """What SQLite can keep of a value."""
    if isinstance(value, bool | dict | list):
        return json.dumps(value)
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else float(value % 10**9)
    return (
        value.encode("utf-8", "surrogatepass")
        if isinstance(value, str) and not _pure(value)
        else value
    )


def _pure(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


_COLUMNS = (
    "date",
    "category",
    "sentiment",
    "summary",
    "details",
    "tags",
    "recall_count",
    "last_recalled",
)
ROWS = st.lists(
    st.dictionaries(st.sampled_from(_COLUMNS), _WRITTEN, max_size=4), min_size=1, max_size=3
)


@fuzz(ROWS, examples=25)
def test_any_row_of_a_database_is_taken_or_named(rows):
    root = put({})
    usual = row("Add files by name.")
    written = [{**usual, **{name: _fits(value) for name, value in one.items()}} for one in rows]
    database(
        root / "memories.db", *written, schema=f"CREATE TABLE memories ({', '.join(_COLUMNS)})"
    )
    found = _read(ImportKind.MEMORIES_DB, root)
    assert found is not None
    assert found.records == len(rows)


_OF_REVIEW = ("owner", "repo", "pr_number", "head_sha", "author", "created_at")
_OF_COMMENT = (
    "path",
    "line",
    "body",
    "severity",
    "status",
    "skip_reason",
    "comment_id",
    "posted_at",
    "review_id",
)


@fuzz(
    st.dictionaries(st.sampled_from(_OF_REVIEW), _WRITTEN, max_size=3),
    st.dictionaries(st.sampled_from(_OF_COMMENT), _WRITTEN, max_size=3),
    examples=30,
)
def test_any_row_of_a_store_of_reviews_is_taken_or_named(review, comment):
    path = put({"r.db": _reviews()}) / "r.db"
    with closing(sqlite3.connect(path)) as sql:
        for table, fields in (("pr_reviews", review), ("pr_comments", comment)):
            there = {name for _, name, *_ in sql.execute(f"PRAGMA table_info({table})")}
            for name, value in fields.items():
                if name in there:
                    try:
                        sql.execute(f"UPDATE {table} SET {name} = ? WHERE id = 1", (_fits(value),))
                    except sqlite3.IntegrityError:
                        continue
        sql.commit()
    found = read_old_reviews(path)
    taken = sum(len(one.comments) for one in found.reviews)
    assert len(found.reviews) + taken + len(found.quarantined) == found.rows + found.comments
