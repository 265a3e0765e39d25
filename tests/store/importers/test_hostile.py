"""Whatever bytes a source holds, a reader counts or quarantines it; nothing else happens."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.importers.topic_files import write
from vaultmem.core.importing.item import ImportKind
from vaultmem.errors import ImportSourceError
from vaultmem.services.migrating.gather import reader_of

FILES = {
    ImportKind.PI_CONFIG: (
        "topics/lessons.md",
        "memory.md",
        "memory-scores.jsonl",
        "promotions.md",
        "provenance-pending.jsonl",
        "preference-candidates.jsonl",
    ),
    ImportKind.MEMORIES_DB: ("memories.db",),
    ImportKind.NOTEBOOK: ("MEMORY.md", "memory_summary.md", "extensions/ad_hoc/notes/a.md"),
    ImportKind.MARKDOWN: ("a.md", "lessons.md"),
    ImportKind.BASIC_MEMORY: ("a.md", "b.md"),
}
PIECES = st.sampled_from(
    [
        "- [lesson] A.\n",
        "- [lesson] B. *(pinned)* *(enforced)*\r\n",
        "- [fact] C #tag (why)\n",
        "  - nested\n",
        "- [ ] task\n",
        "- x [[Link]]\n",
        "---\n",
        "permalink: a\n",
        "tags: [a, [b]]\n",
        "created: 2026-13-40\n",
        "## User preferences\n",
        "### abc\n- destination: enforcement\n- status: applied\n- category: lesson\n- text: A.\n",
        json.dumps({"entries": {"b22fcb46": {"evidenceCount": 1e999, "cue": 3}}}) + "\n",
        json.dumps({"entries": [{"text": "A.", "category": "lesson", "informs": [1]}, 3]}) + "\n",
        '{"text": "A.", "created": 1e30}\n',
        '{"text": ["A."]}\n',
        "{\n",
        "}\n",
        "%%\n",
        "```\n",
        "\ufeff",
        "\u2028",
        "\x00",
        "Words.\n\n",
    ]
)
BYTES = st.one_of(
    st.lists(PIECES, max_size=12).map(lambda parts: "".join(parts).encode()),
    st.binary(max_size=200),
    st.binary(max_size=50).map(lambda data: b"---\npermalink: a\n---\n- [lesson] A.\n" + data),
)


@pytest.mark.parametrize("kind", FILES)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_bytes_are_read_or_named(tmp_path, kind, data):
    root = tmp_path / "store"
    shutil.rmtree(root, ignore_errors=True)
    for name in FILES[kind]:
        write(root, name, data.draw(BYTES))
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    try:
        found = reader_of(kind)(root)
    except ImportSourceError:
        pass  # it is no such store, and the message says so
    else:
        keys = [item.key for item in found.items]
        assert len(set(keys)) == len(keys)
        assert all(item.memory.statement.strip() for item in found.items)
        assert all(one.reason.endswith(".") and "\n" not in one.reason for one in found.quarantined)
        assert found == reader_of(kind)(root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("kind", FILES)
def test_a_pipe_is_not_waited_for(tmp_path, kind):
    for name in FILES[kind]:
        write(tmp_path, name, "---\npermalink: a\n---\n- [lesson] A.\n")
    for name in FILES[kind][1:]:
        (tmp_path / name).unlink()
        os.mkfifo(tmp_path / name)
    try:
        found = reader_of(kind)(tmp_path)
    except ImportSourceError:
        return
    assert len(found.quarantined) == len(FILES[kind]) - 1


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_may_not_be_read_is_named(tmp_path, kind):
    for name in FILES[kind]:
        write(tmp_path, name, "---\npermalink: a\n---\n- [lesson] A.\n")
        (tmp_path / name).unlink()
        (tmp_path / name).mkdir()
    try:
        found = reader_of(kind)(tmp_path)
    except ImportSourceError:
        return
    assert found.items == ()
