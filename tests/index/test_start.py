"""What a cold keyword search may import."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.index.make import memory
from vaultmem.index.keyword import KeywordIndex

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {
    "numpy",
    "fastembed",
    "onnxruntime",
    "tokenizers",
    "huggingface_hub",
    "rich",
    "ruamel",
    "markdown_it",
}

SEARCH = """
import sys
from pathlib import Path
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.engine import SearchEngine
from vaultmem.index.hybrid import Mode
from vaultmem.index.models import embedded_model
before = set(sys.modules)
engine = SearchEngine(Path(sys.argv[1]), embedder=FastEmbedder(embedded_model()))
print(len(engine.search("apple", mode=Mode.KEYWORD).hits))
print(*{name.partition(".")[0] for name in sys.modules})
"""

MODULES = """
import importlib, sys
for name in ("documents", "embedder", "engine", "hybrid", "models", "terms", "vectors", "worker"):
    importlib.import_module(f"vaultmem.index.{name}")
print(*{name.partition(".")[0] for name in sys.modules})
"""


def run(script: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_a_keyword_search_imports_no_numpy_and_no_model(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path / "words")
    index.apply([memory("m1", "apple")], [], stamp="1")
    index.close()
    found, modules = run(SEARCH, str(tmp_path))
    assert found == "1"
    assert "whoosh" in modules.split()
    assert HEAVY & set(modules.split()) == set()


def test_importing_the_package_imports_no_engine() -> None:
    (modules,) = run(MODULES)
    assert (HEAVY | {"whoosh"}) & set(modules.split()) == set()
