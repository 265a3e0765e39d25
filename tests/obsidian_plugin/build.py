"""Builds `main.js` of the Obsidian plugin from its sources; `--write` puts it beside them.

Node, the bundler and Obsidian's typings come from the lock file in `npm`, once, into the user's
cache folder. The same sources make the same bytes, so that a test can compare.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.pi.installed import fetched

LOCK = Path(__file__).parent / "npm"
PLUGIN = Path(__file__).parents[2] / "templates/obsidian-plugin"
MAIN = PLUGIN / "main.js"
SECONDS = 120
BANNER = "/* Built by `just plugin` from src/; change it there. MIT licence. */"
_BUNDLE = (
    *("--bundle", "--external:obsidian", "--format=cjs", "--target=es2022", "--charset=utf8"),
    *("--log-level=warning", f"--banner:js={BANNER}"),
)


class Tools(NamedTuple):
    """Node, and the folder in which the packages lie."""

    node: Path
    folder: Path

    @property
    def modules(self) -> Path:
        """The installed packages."""
        return self.folder / "node_modules"

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run Node; what it says is captured."""
        command = [str(self.node), *arguments]
        return subprocess.run(
            command,
            cwd=PLUGIN,
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=SECONDS,
        )


def tools() -> Tools:
    """Find or fetch them.

    Raises:
        NotInstalledError: if that does not work here.
    """
    return Tools(*fetched(LOCK, "obsidian"))


def built(made: Tools) -> str:
    """The text of `main.js` as the sources make it now."""
    esbuild = str(made.modules / "esbuild/bin/esbuild")
    done = made.run(esbuild, "src/main.ts", *_BUNDLE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def type_errors(made: Tools, folder: Path, *files: Path) -> str:
    """What the compiler says of the sources and `files`, "" for nothing; `folder` takes its input."""
    config = json.loads((LOCK / "tsconfig.json").read_text())
    config["compilerOptions"] |= {
        "paths": {"obsidian": [str(made.modules / "obsidian/obsidian.d.ts")]},
        "typeRoots": [str(made.modules / "@types")],
    }
    config["files"] = [str(path) for path in (PLUGIN / "src/main.ts", *files)]
    (folder / "tsconfig.json").write_text(json.dumps(config))
    return made.run(str(made.modules / "typescript/bin/tsc"), "-p", str(folder)).stdout


if __name__ == "__main__":
    text = built(tools())
    if sys.argv[1:] == ["--write"]:
        MAIN.write_text(text, encoding="utf-8", newline="\n")
    elif text != MAIN.read_text(encoding="utf-8"):
        sys.exit("main.js is not what src/ makes. Run `just plugin`.")
