"""Options that exclude one another, or that belong to another one: refused, never dropped."""

from __future__ import annotations

from itertools import combinations

import click
import pytest

from tests.reference import every_command

APART = [
    # a command with what it needs, and options of which it takes one
    (["report"], [["--explain"], ["--sections"], ["--telemetry"]]),
    (["report"], [["--telemetry"], ["--prompt", "x"]]),
    (["report"], [["--telemetry"], ["--budget", "9"]]),
    (["report"], [["--telemetry"], ["--project", "x"]]),
    (["report"], [["--telemetry"], ["--session", "x"]]),
    (["init", "."], [["--undo"], ["--exclude-system"]]),
    (["trust", "."], [["--moved"], ["--copied"], ["--remove"]]),
    (["curate"], [["--mode", "auto"], ["--session-end"]]),
    (["init", "."], [["--undo"], ["--notebook"]]),
    (["init", "."], [["--undo"], ["--templates"]]),
    (["notebook", "run"], [["--if-due"], ["--dry-run"], ["--yes"]]),
    (["notebook", "extract"], [["--dry-run"], ["--yes"]]),
    (["notebook", "consolidate"], [["--dry-run"], ["--yes"]]),
    (["notebook", "dream"], [["--dry-run"], ["--yes"]]),
    (["patch", "apply", "x"], [["--op", "op_001"], ["--all"]]),
]
BELONGS = [
    # an option without the one that it goes with
    (["ratify", "x"], "--yes", "--review"),
    (["inbox", "edit", "x", "--statement", "y"], "--ratify", "--approve"),
    (["forget", "x"], "--also=x", "--purge"),
    (["curate"], "--session=s", "--session-end"),
    (["doctor"], "--save", "--diagnostics"),
    (["detect"], "--session=s", "--capture"),
    (["detect"], "--project=p", "--capture"),
    (["export", "handoff"], "--constraint=x", "--goal"),
    (["export", "handoff"], "--non-goal=x", "--goal"),
    (["export", "handoff"], "--validate=x", "--goal"),
]
TOGETHER = {
    # flags of one command that mean something together
    ("add", "--override-conflicts", "--pin"),
    ("doctor", "--diagnostics", "--fix"),
    ("init", "--exclude-system", "--notebook"),
    ("init", "--exclude-system", "--templates"),
    ("init", "--notebook", "--templates"),
    ("migrate", "--all", "--remove-source"),
    ("notebook consolidate", "--dry-run", "--now"),
    ("notebook dream", "--dry-run", "--now"),
    ("notebook extract", "--dry-run", "--now"),
    ("doctor", "--fix", "--save"),
    ("off", "--read", "--write"),
    ("on", "--read", "--write"),
    ("patch apply", "--all", "--ratify"),
}
PAIRS = [
    (arguments, one, other)
    for arguments, options in APART
    for one, other in combinations(options, 2)
]


@pytest.mark.parametrize(("arguments", "one", "other"), PAIRS)
def test_two_options_that_exclude_one_another_are_refused_by_name(terminal, arguments, one, other):
    done = terminal.run(*arguments, *other, *one)
    assert (done.code, done.out) == (2, "")
    assert f"Give {one[0]} or {other[0]}, not both." in done.err
    assert terminal.run(*arguments, *one, "--help").code == 0


@pytest.mark.parametrize(("arguments", "option", "owner"), BELONGS)
def test_an_option_without_the_one_that_it_goes_with_is_refused(terminal, arguments, option, owner):
    done = terminal.run(*arguments, option)
    assert (done.code, done.out) == (2, "")
    assert f"{option.partition('=')[0]} goes with {owner}." in done.err


def _flags():
    """Every pair of flags of a command; every verb takes --json, and --yes answers a question."""
    for name, command in every_command():
        flags = sorted(
            one.opts[-1]
            for one in command.params
            if isinstance(one, click.Option) and one.is_flag and one.name not in ("as_json", "yes")
        )
        for one, other in combinations(flags, 2):
            yield " ".join(name), one, other


@pytest.mark.parametrize(("name", "one", "other"), list(_flags()))
def test_of_every_two_flags_it_is_known_whether_they_go_together(name, one, other):
    def of(arguments):
        return name.split() == arguments[: len(name.split())]

    apart = any({one, other} == {a[0], b[0]} for arguments, a, b in PAIRS if of(arguments))
    belongs = any({one, other} == {a, b} for arguments, a, b in BELONGS if of(arguments))
    assert (name, one, other) in TOGETHER or apart or belongs
