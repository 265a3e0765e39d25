"""The record of what is published, and the copy of its summary: whole, private, or not there."""

from __future__ import annotations

import json
import stat

import pytest

from vaultmem.store.notebook_record import (
    Held,
    Placed,
    Record,
    Summary,
    forget,
    read_record,
    read_summary,
    write_record,
    write_summary,
)
from vaultmem.store.walk import NO_FILE

FULL = Record(
    commit="a" * 40,
    files={"MEMORY.md": Placed("e1", (1, 2, 3, 4), 5), "Skills/a/b.md": Placed("e2", NO_FILE, 0)},
    held={"memory_summary.md": Held("e3", ("h1", "h2")), "Skills/c/d.md": Held("", ())},
    apart={"Skills/e/f.md": "e4"},
    leaving={"MEMORY.md": "e1"},
)


def test_a_record_comes_back_as_it_was(tmp_path):
    write_record(tmp_path, FULL)
    assert read_record(tmp_path) == FULL
    (place,) = (tmp_path / "notebook").iterdir()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_without_a_record_nothing_is_published(tmp_path):
    assert read_record(tmp_path) == Record()
    assert read_summary(tmp_path) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: "{]",
        lambda raw: "[]",
        lambda raw: json.dumps({key: raw[key] for key in raw if key != "held"}),
        lambda raw: json.dumps(raw | {"files": []}),
        lambda raw: json.dumps(raw | {"files": {"a": ["e"]}}),
        lambda raw: json.dumps(raw | {"files": {"a": ["e", "1", 2, 3, 4, 5]}}),
        lambda raw: json.dumps(raw | {"held": {"a": 1}}),
        lambda raw: json.dumps(raw | {"apart": 1}),
    ],
)
def test_a_record_that_cannot_be_read_is_none(tmp_path, spoil):
    write_record(tmp_path, FULL)
    place = tmp_path / "notebook" / "published.json"
    place.write_text(spoil(json.loads(place.read_text())))
    assert read_record(tmp_path) == Record()


def test_a_summary_comes_back_with_its_version(tmp_path):
    write_summary(tmp_path, Summary("a" * 40, "v1\n\nText\n"))
    assert read_summary(tmp_path) == Summary("a" * 40, "v1\n\nText\n")
    write_record(tmp_path, FULL)
    forget(tmp_path)
    assert list((tmp_path / "notebook").iterdir()) == []
