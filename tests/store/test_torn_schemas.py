"""Bytes of a database's schema that a faulty disk changed: damage like any other, in every file of ours.

SQLite quotes them in its message, and Python cannot read that where they are no text.
"""

from __future__ import annotations

import contextlib

import pytest

from tests.index.fake import FakeEmbedder
from tests.index.make import memory
from tests.index.test_vectors import feed, stamp_of
from tests.store import old_reviews
from tests.store.importers.test_memories_db import database, row
from tests.store.notebook.cards import NOW, card
from vaultmem.core.reviewing.comment import PullRequest, Review, ReviewComment
from vaultmem.errors import ImportSourceError, SearchError, VaultError
from vaultmem.index.signals import VectorsTornError
from vaultmem.index.vectors import VectorIndex
from vaultmem.store.baseline import open_baseline
from vaultmem.store.importers import memories_db
from vaultmem.store.importers.pr_reviews import read_old_reviews
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.pr_reviews import ReviewStore
from vaultmem.store.sessions.catalog import Catalog

TEARS = pytest.mark.parametrize(
    "torn", [(b"CREATE TABLE", b"CREATE T\x80BLE"), (b"CREATE TABLE", b"CREATE TABLF")]
)


def tear(path, torn):
    data = path.read_bytes()
    assert torn[0] in data
    path.write_bytes(data.replace(*torn))


@TEARS
def test_the_baseline(tmp_path, torn):
    path = tmp_path / "baseline.sqlite"
    open_baseline(path).close()
    tear(path, torn)
    # It is set aside at once, or by the first question.
    with contextlib.suppress(VaultError), contextlib.closing(open_baseline(path)) as opened:
        opened.notes()
    with contextlib.closing(open_baseline(path)) as opened:
        assert opened.notes() == []
    assert (tmp_path / "baseline.broken").exists()


def test_the_baseline_where_a_column_has_another_name(tmp_path):
    path = tmp_path / "baseline.sqlite"
    open_baseline(path).close()
    tear(path, (b"signed", b"sigmed"))
    damaged = pytest.raises(VaultError, match="set aside")
    with contextlib.closing(open_baseline(path)) as opened, damaged:
        opened.ledger.unsigned()
    with contextlib.closing(open_baseline(path)) as opened:
        assert opened.ledger.unsigned() == []


@TEARS
def test_the_store_of_reviews(tmp_path, torn):
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    store = ReviewStore(folder)
    of = PullRequest("acme", "tide", 1)
    store.put([Review(of=of, comments=(ReviewComment(path="a", body="b"),))])
    tear(store.path, torn)
    with pytest.raises(VaultError, match="set aside"):
        store.history(of)
    assert store.history(of) == ()


@TEARS
def test_the_catalog_of_sessions(tmp_path, torn):
    catalog = Catalog(tmp_path / "sessions")
    assert catalog.rows() == []
    catalog.close()
    tear(next((tmp_path / "sessions").glob("*.sqlite")), torn)
    with pytest.raises(SearchError, match="damaged"):
        catalog.rows()
    assert catalog.rows() == []
    catalog.close()


@TEARS
def test_the_catalog_of_the_notebook(tmp_path, torn):
    catalog = NotebookCatalog(tmp_path / "state")
    catalog.cards.put(card(), NOW)
    catalog.close()
    tear(tmp_path / "state" / "catalog.sqlite", torn)
    with contextlib.suppress(VaultError):  # as above
        catalog.cards.all()
    assert catalog.cards.all() == []
    catalog.close()


@TEARS
def test_the_table_of_vectors(tmp_path, torn):
    fake = FakeEmbedder()
    index = VectorIndex(tmp_path / "m", stamp_of(fake))
    feed(index, fake, [memory("m1", "apple")])
    index.close()
    tear(tmp_path / "m" / "vectors.sqlite", torn)
    with pytest.raises(VectorsTornError):
        VectorIndex(tmp_path / "m", stamp_of(fake)).apply([memory("m2", "pear")], [], stamp="2")


@TEARS
def test_databases_of_other_tools(tmp_path, torn):
    reviews = old_reviews.make(tmp_path / "r.db")
    old_reviews.review(reviews)
    tear(reviews, torn)
    with pytest.raises(ImportSourceError, match="cannot be read"):
        read_old_reviews(reviews)
    memories = database(tmp_path / "memories.db", row("A."))
    tear(memories, torn)
    with pytest.raises(ImportSourceError, match="cannot be read"):
        memories_db.read(memories)
