"""Which embedding model is used: list them, choose one, and make it ready."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import ModelError
from vaultmem.index.models import (
    EMBEDDED_MODEL,
    InstalledModel,
    calibration,
    embedded_model,
)
from vaultmem.services.call import refuse_agent
from vaultmem.store.private import read_private, write_private
from vaultmem.store.user_config_edit import set_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.config import HomeDirs
    from vaultmem.index.embedder import Embedder

RECORD = "models.json"
"""The downloaded models with the hashes of their files, in the state folder."""


class ModelChoice(NamedTuple):
    """One model that can be used."""

    name: str
    installed: bool
    in_use: bool
    measured: bool
    """Whether its similarity thresholds come from labelled pairs."""


def configured_embedder(home: HomeDirs, name: str | None) -> Embedder | None:
    """The embedder that the user config names; None where its model is not on this machine."""
    from vaultmem.index.embedder import FastEmbedder

    try:
        return FastEmbedder(_installed(home, name))
    except ModelError:
        return None


def models(home: HomeDirs, chosen: str | None) -> list[ModelChoice]:
    """The models on this machine and every one that could be downloaded, those in use first."""
    from vaultmem.index.embedder import supported

    here = {EMBEDDED_MODEL, *_recorded(home)}
    used = chosen or EMBEDDED_MODEL
    found = [
        ModelChoice(name, name in here, name == used, calibration(name).measured)
        for name in sorted({*here, *supported()})
    ]
    return sorted(found, key=lambda one: (not one.in_use, not one.installed, one.name))


def use(home: HomeDirs, name: str, *, agent: str | None) -> InstalledModel:
    """Use another model from now on; the only verb that may download one.

    Raises:
        AgentRefusedError: if an agent calls.
        ModelError: if the name is unknown or the files cannot be had; the model in use stays.
        ConfigError: if the user config cannot be edited.
    """
    refuse_agent("model use", agent)
    if name == EMBEDDED_MODEL:
        model = embedded_model()
        set_model(home, None)
        return model
    known = _recorded(home).get(name)
    if known is None:
        from vaultmem.index.embedder import fetch

        known = fetch(name, home.cache / "models")
        _record(home, known)
    known.verify()
    set_model(home, name)
    return known


def _installed(home: HomeDirs, name: str | None) -> InstalledModel:
    if name in (None, EMBEDDED_MODEL):
        return embedded_model()
    known = _recorded(home).get(str(name))
    if known is None:
        raise ModelError(
            f"The model {name} is not on this machine. Run `vaultmem model use {name}`."
        )
    return known


def _recorded(home: HomeDirs) -> Mapping[str, InstalledModel]:
    try:
        raw = json.loads(read_private(home.state / RECORD) or b"{}")
        return {
            name: InstalledModel(
                name=name,
                folder=Path(one["folder"]),
                weights=Path(one["weights"]),
                dimension=int(one["dimension"]),
                hashes=dict(one["hashes"]),
            )
            for name, one in raw.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _record(home: HomeDirs, model: InstalledModel) -> None:
    every = {**_recorded(home), model.name: model}
    body = {
        name: {
            "folder": str(one.folder),
            "weights": str(one.weights),
            "dimension": one.dimension,
            "hashes": dict(one.hashes),
        }
        for name, one in every.items()
    }
    write_private(home.state / RECORD, json.dumps(body, indent=1).encode())
