"""A model for tests: words become directions, so texts that share words are near each other."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from vaultmem.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class FakeEmbedder:
    """Deterministic, instant, and it remembers what it was asked."""

    def __init__(
        self,
        *,
        name: str = "fake",
        fingerprint: str = "f1",
        dimension: int = 32,
        loaded: bool = True,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.loaded = loaded
        self.missing = False
        self.embedded: list[str] = []
        self.loads = 0
        """How often it was put into memory."""

    def load(self) -> None:
        if self.missing:
            raise ModelError("The fake model is missing. Install it.")
        self.loads += not self.loaded
        self.loaded = True

    def unload(self) -> None:
        self.loaded = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.load()
        self.embedded += texts
        rows = np.stack([self._row(text) for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def _row(self, text: str) -> NDArray[np.float32]:
        row = np.full(self.dimension, 0.01, np.float32)
        for word in text.casefold().split():
            digest = hashlib.sha256(word.strip(".,;:").encode("utf-8", "replace")).digest()
            row[digest[0] % self.dimension] += 1 if digest[1] % 2 else -1
        return row
