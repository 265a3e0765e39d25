"""What every test may rely on: a clean environment and no way out of the temporary folder."""

from __future__ import annotations

import os

import pytest

_CLEARED = ("AI_AGENT", "PI_CODING_AGENT")


@pytest.fixture(autouse=True)
def _clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in list(os.environ):
        if name in _CLEARED or name.startswith(("PI_", "VAULTMEM_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("VAULTMEM_HOME", str(tmp_path_factory.mktemp("home")))
