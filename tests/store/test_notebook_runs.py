"""The record of who works on the notebook: read back, and never believed too long."""

from __future__ import annotations

import subprocess
import sys

import pytest

from vaultmem.store.notebook_runs import (
    LONGEST_WAIT,
    NAME,
    NOBODY,
    NotebookRun,
    read_run,
    write_run,
)
from vaultmem.store.process import Process, process_of, this_process

NOW = 1_800_000_000.0


def test_there_is_no_run_at_first(tmp_path):
    assert read_run(tmp_path) == NotebookRun()
    assert NotebookRun().may_follow(NOW)


@pytest.mark.parametrize(
    "run", [NotebookRun(this_process(), NOW), NotebookRun(Process(17, ""), 0.5), NotebookRun()]
)
def test_a_run_is_read_back(tmp_path, run):
    write_run(tmp_path, run)

    assert read_run(tmp_path) == run
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", [b"", b"x", b"1\t2", b"x\ty\tz", b"\xff\t\t1", b"1\t\tlate"])
def test_what_cannot_be_read_names_no_run(tmp_path, text):
    (tmp_path / NAME).write_bytes(text)
    (tmp_path / NAME).chmod(0o600)

    assert read_run(tmp_path) == NotebookRun()


def test_a_run_goes_on_as_long_as_its_process():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    run = NotebookRun(process_of(child.pid), NOW)
    assert run.works
    assert not run.may_follow(NOW + 1)

    child.communicate(b"\n")

    assert not run.works
    assert run.may_follow(NOW + 1)


def test_the_next_run_waits_and_a_clock_that_was_wrong_keeps_none():
    run = NotebookRun(NOBODY, NOW)

    assert not run.may_follow(NOW - 60)
    assert run.may_follow(NOW)
    assert run.may_follow(NOW - LONGEST_WAIT - 1)
