"""Session files of agents, torn and foreign: every line is an entry or none, and the rest is found."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import json_mutants, mutants, texts
from tests.fuzz.stage import stage
from tests.services.sessioning import Sessions
from vaultmem.core.notebook.session_turns import turns_of
from vaultmem.core.notebook.transcript import both_ends, cleaned, rendered
from vaultmem.core.session_entry import Header, parse_entry
from vaultmem.core.session_record import Span, begin, fold
from vaultmem.index.hybrid import Mode
from vaultmem.services.sessions.decisions import decisions
from vaultmem.services.sessions.listing import list_sessions
from vaultmem.services.sessions.read import read_session
from vaultmem.services.sessions.search import search_sessions

if TYPE_CHECKING:
    from pathlib import Path

FILES = mutants(seeds.session_lines())
LINES = [line for data in seeds.session_lines() for line in data.splitlines()]
OBJECTS = [json.loads(line) for line in LINES]
MOST_TOKENS = 300


@st.composite
def talks(draw: st.DrawFn) -> bytes:
    """A file of entries with other fields than they should have."""
    made = draw(st.lists(json_mutants(OBJECTS), min_size=1, max_size=6))
    head = b"" if draw(st.integers(0, 3)) == 0 else LINES[0] + b"\n"
    return head + b"".join(json.dumps(one).encode() + b"\n" for one in made)


@fuzz(FILES | talks(), examples=15)
def test_every_line_is_an_entry_or_none_and_folds_into_a_record(data):
    record, place, turns = None, 0, []
    for line in data.splitlines(keepends=True):
        entry = parse_entry(line)
        turns += turns_of(line)
        if isinstance(entry, Header):
            record = record or begin(entry)
        elif entry is not None and record is not None:
            record = fold(record, entry, Span(place, len(line)), str).record
        place += len(line)
    kept = list(cleaned(turns))
    rendered(kept).encode()
    ends = both_ends(iter(kept), MOST_TOKENS, lambda turn: len(rendered([turn])) // 4)
    assert ends is not None
    if record is not None:
        repr(record).encode()


def _write(folder: Path, data: bytes) -> Path:
    place = folder / "--projects-shop--" / "2026-11-29T10-00-00_x.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


@fuzz(FILES | talks(), st.integers(0, 100), texts, examples=4)
def test_a_file_read_in_two_steps_says_what_it_says_at_once_and_hides_no_other(data, part, query):
    with stage().set() as world:
        sessions = Sessions(world)
        sessions.talk("Never squash commits.", "#decision use bun")
        _write(sessions.folder, data[: len(data) * part // 100])
        sessions.sync()
        _write(sessions.folder, data)
        done = sessions.sync()
        for one in done.findings:
            assert one.message
        rows = [row.record for row in sessions.index.catalog.rows()]
        call = sessions.call()
        for look in (
            partial(list_sessions, call, sessions.index),
            partial(decisions, call, sessions.index),
            partial(search_sessions, call, sessions.index, query, mode=Mode.KEYWORD),
        ):
            look()
        for row in sessions.index.catalog.rows():
            assert read_session(call, sessions.index, row.id, limit=1000).total >= 0
        found = search_sessions(call, sessions.index, "squash commits", mode=Mode.KEYWORD)
        assert any(hit.session.startswith("00000001") for hit in found.hits)
        sessions.close()
        fresh = Sessions(world)
        fresh.index.catalog.wipe()
        fresh.sync()
        assert [row.record for row in fresh.index.catalog.rows()] == rows
        fresh.close()
