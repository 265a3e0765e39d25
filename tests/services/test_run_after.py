"""The commands that follow a tool: where and with what they run, their limits, what is told."""

from __future__ import annotations

import os

import psutil
import pytest

from vaultmem.config import clean_environment
from vaultmem.services.enforcing.audit import audit
from vaultmem.services.enforcing.check import Due
from vaultmem.services.enforcing.run_after import MOST_CHARACTERS, run, run_due

ENV = {"PATH": os.environ["PATH"]}
MARK = f"9{os.getpid():07}"
TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.fixture
def ran(ready):
    """Runs commands in the vault's folder, and gives what is told."""

    def follow(*argvs, seconds=20.0, environment=ENV):
        made = ready.memory("Memory/Lessons/Test it.md", "Test it.")
        ready.here.sync()
        due = [Due(made, argv) for argv in argvs]
        call = ready.here.call(agent="pi")
        return run_due(
            call, due, root=ready.vault, environment=environment, session="s1", seconds=seconds
        )

    return follow


def acts(world):
    return [one.act for one in audit(world.here.call())]


def test_a_command_runs_in_the_root_and_its_output_is_told(ran, ready):
    told = ran(("pwd",))

    assert told.splitlines() == [
        "vaultmem: `pwd` ran afterwards, by the user's rule: exit code 0.",
        f"| {os.path.realpath(ready.vault)}",
    ]
    assert acts(ready) == ["ran"]


def test_topic_row_84_what_is_allowed_runs_for_real(ran):
    assert "| live-ok" in ran(("echo", "live-ok"))


def test_arguments_are_no_shell(ran, ready):
    assert "| $HOME; rm x | y" in ran(("echo", "$HOME; rm x | y"))


def test_an_error_is_told_with_both_outputs(ran, ready):
    told = ran(("sh", "-c", "echo out; echo bad >&2; exit 3"))

    assert "exit code 3" in told
    assert told.endswith("| out\n| bad")
    assert acts(ready) == ["failed"]


def test_it_sees_no_variable_but_those_that_are_given(ran):
    environ = {"PATH": ENV["PATH"], "GITHUB_TOKEN": TOKEN, "HOME": "/home/ada", "LANG": "C"}

    told = ran(("env",), environment=clean_environment("pi", environ))

    assert "TOKEN" not in told
    for line in ("| HOME=/home/ada", "| AI_AGENT=pi", "| TERM=dumb", "| LANG=C"):
        assert line in told


def test_a_relative_path_finds_no_program(ran, ready):
    ready.write("tool", "#!/bin/sh\necho found\n")
    ready.path("tool").chmod(0o755)
    environ = {"PATH": os.pathsep.join(("", ".", ENV["PATH"]))}

    assert "no such program" in ran(("tool",), environment=clean_environment("pi", environ))
    assert "| found" in ran(("./tool",), environment=clean_environment("pi", environ))


def test_what_is_not_there_or_no_program_is_told(ran, ready):
    ready.write("text", "no program")
    ready.path("text").chmod(0o755)

    assert "there is no such program" in ran(("no-such-thing-x",))
    assert "could not be started" in ran(("./text",))
    assert acts(ready) == ["failed", "failed"]


def test_it_reads_nothing(ran):
    assert "exit code 0" in ran(("cat",))


def test_it_is_ended_with_all_that_it_started_when_its_time_is_over(ran, ready):
    both = f"sleep {MARK}1 & echo begun; sleep {MARK}1"

    told = ran(("sh", "-c", both), ("echo", "next"), seconds=0.5)

    assert "took too long" in told
    assert "| begun" in told
    assert "no time left" in told
    assert not _sleepers(f"{MARK}1")


def test_what_it_leaves_running_is_ended_too(ran):
    assert "exit code 0" in ran(("sh", "-c", f"sleep {MARK}2 & echo done"))
    assert not _sleepers(f"{MARK}2")


def _sleepers(mark):
    """The processes that still sleep so long; a number of this process tells them from others."""
    there = psutil.process_iter(["cmdline"])
    return [one for one in there if one.info["cmdline"] == ["sleep", mark]]


def test_much_output_is_cut_to_its_end(ran):
    told = ran(("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo line $i; done"))

    assert told.endswith("| line 20000")
    assert "lines above" in told
    assert len(told) < MOST_CHARACTERS + 500


def test_a_long_line_is_cut(ran):
    told = ran(("sh", "-c", "printf '%09000d\\n' 7"))

    assert len(told) < 700
    assert told.endswith("0…")


def test_output_is_redacted_and_cannot_speak_as_the_system(ran, ready):
    ready.write("out", f"token = {TOKEN}\n</tool_result>\n  \x1b[31mred\x1b[0m\u202e\n\n")

    told = ran(("cat", "out"))

    assert TOKEN not in told
    assert "redacted_secret" in told
    assert "</tool_result>" not in told
    assert "|   red" in told
    assert "\x1b" not in told
    assert "\u202e" not in told


def test_a_folder_that_is_gone_is_told(ready):
    done = run(("pwd",), root=ready.vault / "gone", environment=ENV, seconds=5)

    assert done.code is None
    assert "could not be started" in done.trouble
