"""How many mutants of each part the tests kill: `python -m tests.mutants [PART ...]`.

mutmut makes the mutants, in a copy of the repository in a temporary folder, and runs for each the
tests that come through the changed function, until one fails. Left out are the properties and the
real notes: what holds for every input is said by an example too, and the same mutants live or die
in every run.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.mutants.parts import PARTS, Part

ROOT = Path(__file__).parents[2]
NEEDED = ("vaultmem", "tests", "templates", "example-vault", "pyproject.toml")
NOT_TRIED = (
    *("-m", "not hypothesis"),
    *("-k", "not real_note and not hostile_block and not imports_no_yaml_library"),
)
# A mutant takes a tenth of a second, of which most is pytest's own start.
BARE = ("cacheprovider", "doctest", "faulthandler", "junitxml", "logging", "syrupy")
BARE += ("threadexception", "unraisableexception", "xdist")
WAITS = ("timeout_constant = 2.0", "timeout_multiplier = 8.0")
"""A mutant may take eight times (two seconds and what its tests take)."""

FLOOR = 0.85
"""As many mutants must be killed, in each part."""

KILLED = frozenset(("killed", "timeout"))
"""mutmut's words for a mutant that is noticed; one that never ends is."""

SHOW = """
import sys
from mutmut.__main__ import show
for one in sys.argv[1:]:
    show([one], standalone_mode=False)
"""
# `mutmut show` takes one mutant, and a second to start.


class Tally(NamedTuple):
    """What became of some mutants, by mutmut's words."""

    count: Counter[str]

    @property
    def killed(self) -> int:
        """Those that a test notices."""
        return sum(self.count[word] for word in KILLED)

    @property
    def share(self) -> float:
        """From 0 to 1; nothing to kill is all killed."""
        return self.killed / self.count.total() if self.count else 1.0

    def row(self, name: str) -> str:
        """One line of the table."""
        total, timeout = self.count.total(), self.count["timeout"]
        lives = total - self.killed
        return f"{name:<36}{total:>8}{self.killed:>8}{lives:>10}{timeout:>9}{self.share:>8.1%}"


def settings_of(part: Part) -> str:
    """The `setup.cfg` by which mutmut works on a part."""
    options = {
        "source_paths": ("vaultmem",),
        "only_mutate": part.sources,
        "also_copy": NEEDED,
        "pytest_add_cli_args_test_selection": part.tests,
        "pytest_add_cli_args": (*NOT_TRIED, *(f"-pno:{plugin}" for plugin in BARE)),
    }
    lists = ("\n    ".join((f"{name} =", *values)) for name, values in options.items())
    return "\n".join(("[mutmut]", *lists, *WAITS, ""))


def copy(into: Path) -> None:
    """What the tests need of the repository, without what earlier runs left."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=ignored)
        else:
            shutil.copy(source, into / name)


def python(folder: Path, *arguments: str, quiet: bool) -> str:
    """Run Python in the copy; what it prints is shown, or given back."""
    output = subprocess.PIPE if quiet else None
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, stdout=output, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{(done.stdout or '')[-4000:]}\nmutmut failed.")
    return done.stdout or ""


def try_out(part: Part, *, jobs: int, show: bool) -> dict[str, str]:
    """Make the mutants of a part and run the tests: each mutant with mutmut's word for it."""
    with tempfile.TemporaryDirectory(prefix="vaultmem-mutants-") as name:
        folder = Path(name)
        copy(folder)
        (folder / "setup.cfg").write_text(settings_of(part), encoding="utf-8")
        run = ("-m", "mutmut", "run", "--max-children", str(jobs))
        python(folder, *run, quiet=not sys.stdout.isatty())
        listed = python(folder, "-m", "mutmut", "results", "--all", "true", quiet=True)
        fates = dict(line.strip().split(": ") for line in listed.splitlines() if ": " in line)
        lives = sorted(name for name, word in fates.items() if word not in KILLED)
        if show and lives:
            print(python(folder, "-c", SHOW, *lives, quiet=True))
    return fates


def rows(name: str, fates: dict[str, str]) -> list[str]:
    """A part and its modules."""
    modules: dict[str, Counter[str]] = {}
    for mutant, word in fates.items():
        module = mutant.rpartition(".")[0].removeprefix("vaultmem.")
        modules.setdefault(module, Counter())[word] += 1
    whole = Tally(Counter(fates.values())).row(name)
    return [whole, *(Tally(count).row(f"  {module}") for module, count in modules.items())]


def main() -> None:
    """Try the named parts, or all, and fail where too many mutants live."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--show", action="store_true", help="print each mutant that lives")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - PARTS.keys():
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if importlib.util.find_spec("mutmut") is None:
        parser.error("mutmut is not installed; `pip install -e '.[dev,proof]'` does that")
    found = {
        name: try_out(PARTS[name], jobs=chosen.jobs, show=chosen.show)
        for name in chosen.parts or PARTS
    }
    print(f"\n{'':<36}{'mutants':>8}{'killed':>8}{'survived':>10}{'timeout':>9}{'score':>8}")
    for name, fates in found.items():
        print(*rows(name, fates), sep="\n")
    low = [name for name, fates in found.items() if Tally(Counter(fates.values())).share < FLOOR]
    if low:
        raise SystemExit(f"Below {FLOOR:.0%}: {', '.join(low)}. `--show` prints what lives.")


if __name__ == "__main__":
    main()
