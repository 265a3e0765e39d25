"""Texts to vectors: the embedder protocol and the only importer of fastembed."""

from __future__ import annotations

import hashlib
import os
import threading
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultmem.errors import ModelError
from vaultmem.index.documents import MAX_TOKENS, estimated_tokens
from vaultmem.index.models import InstalledModel, file_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from fastembed import TextEmbedding
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

BATCH_TOKENS = 1024
"""Padded tokens in one call of the model. Memory grows with them: 32 long notes at once take
1.4 GB, 1,024 tokens stay below 450 MB (measured with the embedded model)."""

_MOST_CHARACTERS = 8 * MAX_TOKENS
"""Text beyond this cannot reach the model: a token of prose has 4 to 5 characters."""

_registering = threading.Lock()


class Stamp(NamedTuple):
    """What vectors must have in common to be compared: the model, its files, their length."""

    name: str
    fingerprint: str
    dimension: int


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """The model's name; its thresholds are in `index.models`."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes when the same text would get another vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row for each text, in order: float32, shape (len(texts), dimension), length 1."""
        ...


def stamp_of(embedder: Embedder) -> Stamp:
    """The stamp of the vectors that `embedder` makes; loads nothing."""
    return Stamp(embedder.name, embedder.fingerprint, embedder.dimension)


class FastEmbedder:
    """An ONNX model run by fastembed, loaded at the first text and dropped by `unload`.

    Safe to use from several threads. No connection is opened: the files are local.
    """

    def __init__(self, model: InstalledModel, *, threads: int | None = None) -> None:
        self._model = model
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: TextEmbedding | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._model.dimension

    @property
    def fingerprint(self) -> str:
        """16 hex digits over the model's files."""
        return self._model.fingerprint

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory now."""
        return self._engine is not None

    def load(self) -> None:
        """Check the files and load them (0.5 to 1 s in a fresh process).

        Raises:
            ModelError: if a file is missing, changed or unusable, or fastembed is not installed.
        """
        self._ready()

    def unload(self) -> None:
        """Give the memory back; the next text loads the model again."""
        with self._lock:
            self._engine = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Embed in batches of similar length.

        Raises:
            ModelError: as `load`.
        """
        import numpy as np

        engine = self._ready()
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        cleaned = [_clean(text) for text in texts]
        for batch in _batches(cleaned):
            vectors = engine.embed([cleaned[at] for at in batch], batch_size=len(batch))
            for at, vector in zip(batch, vectors, strict=True):
                rows[at] = vector
        return rows

    def _ready(self) -> TextEmbedding:
        with self._lock:
            if self._engine is None:
                self._engine = _load(self._model, self._threads)
            return self._engine


def _fastembed() -> type[TextEmbedding]:
    """Import fastembed with the reporting of what is below it switched off.

    From 1.29 on onnxruntime sends usage data to its maker and writes an id into the home folder
    when it is imported, unless one of these is set before (its name differs between versions);
    on Windows the call does the same. That is the only reason to touch the environment here.

    Raises:
        ModelError: fastembed is not installed or does not run on this machine.
    """
    for name in ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[name] = "1"
    try:
        # Whole, and first: onnxruntime imports parts of it, and where another thread imports it
        # meanwhile, both get halves that no later import of the process can mend.
        import numpy  # noqa: F401
        import onnxruntime
        from fastembed import TextEmbedding
    except ImportError as error:
        raise ModelError(
            f"fastembed cannot be imported ({error}). Reinstall vaultmem, or search with "
            "`--mode keyword`."
        ) from error
    onnxruntime.disable_telemetry_events()
    return TextEmbedding


def fetch(name: str, folder: Path) -> InstalledModel:
    """Download a model that fastembed supports into `folder`; the only code that may connect.

    Raises:
        ModelError: if fastembed does not know the name or cannot get the files.
    """
    if name not in supported():
        raise ModelError(
            f"fastembed does not know the model {name}. See `vaultmem model list` for the names."
        )
    try:
        engine = _fastembed()(name, cache_dir=str(folder))
    except _load_errors() as error:
        raise ModelError(
            f"The model {name} could not be downloaded ({error}). Check the connection and "
            "run the command again."
        ) from error
    return _installed(name, engine)


def supported() -> tuple[str, ...]:
    """Names that `fetch` accepts, sorted."""
    return tuple(sorted(str(model["model"]) for model in _fastembed().list_supported_models()))


def _clean(text: str) -> str:
    """What the tokenizer accepts: lone surrogates replaced, no more text than can count."""
    if len(text) > _MOST_CHARACTERS:
        text = " ".join(text[: 8 * _MOST_CHARACTERS].split())[:_MOST_CHARACTERS]
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Positions of texts in groups of similar length, each at most `BATCH_TOKENS` when padded."""
    sizes = [min(MAX_TOKENS, estimated_tokens(text)) for text in texts]
    batch: list[int] = []
    for at in sorted(range(len(texts)), key=sizes.__getitem__):
        if batch and sizes[at] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _load(model: InstalledModel, threads: int | None) -> TextEmbedding:
    model.verify()
    load = _fastembed()
    try:
        return load(
            _registered(model),
            # Named although nothing is stored: without it fastembed makes a folder of its own.
            cache_dir=str(model.folder),
            threads=threads,
            specific_model_path=str(model.folder),
            local_files_only=True,
        )
    except _load_errors() as error:
        raise ModelError(
            f"The embedding model {model.name} cannot be loaded ({error}). Reinstall it, or "
            "search with `--mode keyword`."
        ) from error


def _load_errors() -> tuple[type[Exception], ...]:
    """What fastembed and onnxruntime raise for files that they cannot use or get."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    # The classes of onnxruntime share no base of their own.
    names = "Fail InvalidProtobuf InvalidGraph InvalidArgument NoSuchFile NotImplemented"
    onnx = (getattr(state, name) for name in (*names.split(), "RuntimeException"))
    return (OSError, ValueError, RuntimeError, *onnx)


def _registered(model: InstalledModel) -> str:
    """The name under which fastembed runs these files, made known to it if need be."""
    engine = _fastembed()
    from fastembed.common.model_description import ModelSource, PoolingType

    with _registering:
        known = supported()
        if model.name in known:
            return model.name
        # fastembed keeps names for the life of the process, so the name says which files it means.
        place = hashlib.sha256(str(model.weights).encode()).hexdigest()[:16]
        name = f"vaultmem/{model.fingerprint}-{place}"
        if name not in known:
            engine.add_custom_model(
                model=name,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(url=model.weights.as_uri()),
                dim=model.dimension,
                # fastembed joins it to the folder, and an absolute path stays what it is: weights
                # and tokenizer may come from two packages, and nothing has to be copied.
                model_file=str(model.weights),
            )
        return name


def _installed(name: str, engine: TextEmbedding) -> InstalledModel:
    """What `fetch` got, with the hash of every file."""
    # fastembed has no public way to ask where it put the files; the test of `fetch` watches these.
    folder: Path = engine.model._model_dir  # type: ignore[attr-defined]
    weights: str = engine.model.model_description.model_file  # type: ignore[attr-defined]
    files = sorted(path for path in folder.iterdir() if path.is_file())
    hashes = {path.name: file_hash(path) for path in files}
    hashes[(folder / weights).name] = file_hash(folder / weights)
    return InstalledModel(
        name=name,
        folder=folder,
        weights=folder / weights,
        dimension=engine.embedding_size,
        hashes=hashes,
    )
