"""What the tests of search share: the real model once, a fake one, and a way to write documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.index.fake import FakeEmbedder
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.keyword import KeywordIndex
from vaultmem.index.models import embedded_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


# A test may import fastembed before the embedder does; see `embedder._fastembed`.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


@pytest.fixture(scope="session")
def model() -> FastEmbedder:
    """The embedded model, loaded once for the whole run."""
    return FastEmbedder(embedded_model(), threads=1)


@pytest.fixture
def fake() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def words(tmp_path: Path) -> Iterator[KeywordIndex]:
    index = KeywordIndex(tmp_path / "words", wait=0.2)
    yield index
    index.close()
