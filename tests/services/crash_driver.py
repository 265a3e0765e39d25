"""Runs a verb in a child that dies, as by kill -9, before the n-th step that changes a file."""

from __future__ import annotations

import os
import sqlite3
import traceback
import warnings
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import VaultmemError
from vaultmem.store.baseline_file import Connection
from vaultmem.store.disk import DISK, STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMIT = "commit"
"""Stands for what SQLite makes durable: the end of a transaction, or a write outside of one."""
EVERY_STEP = (*STEPS, COMMIT)
COMMIT_ELSEWHERE = "commit elsewhere"
"""The same of the other files of SQLite, whose writes are one transaction each."""

DONE, REFUSED, BUG, KILLED = 0, 3, 4, 9


class Ended(NamedTuple):
    """How the child ended, and what its verb answered or raised."""

    code: int
    said: str

    @property
    def killed(self) -> bool:
        """Whether it died on the way, so that it reported nothing."""
        return self.code == KILLED


def kill_at(verb: Callable[[], object], at: int, *, steps: Sequence[str] = EVERY_STEP) -> Ended:
    """Run `verb` in a forked child that dies before its `at`th call of one of `steps`.

    The child must open what it needs itself: no connection of this process may be used there. An
    error that vaultmem does not raise on purpose fails the test here, with the child's trace.
    """
    return in_child(verb, lambda: before_step(at, lambda: os._exit(KILLED), steps=steps))


def in_child(verb: Callable[[], object], arm: Callable[[], None]) -> Ended:
    """Run `verb` in a forked child in which `arm` has set up what goes wrong; see `kill_at`."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a test runner has threads of its own
        pid = os.fork()
    if pid == 0:
        os.close(reader)
        _run(verb, arm, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    ended = Ended(os.waitstatus_to_exitcode(status), said)
    assert ended.code in (DONE, REFUSED, KILLED), said
    return ended


def _run(verb: Callable[[], object], arm: Callable[[], None], writer: int) -> None:
    """The child's life; never returns."""
    code, said = BUG, ""
    try:
        arm()
        said = str(verb() or "")
        code = DONE
    except VaultmemError as error:
        code, said = REFUSED, str(error)
    except BaseException:
        said = traceback.format_exc()
    finally:
        os.write(writer, said.encode()[:60_000])
        os._exit(code)


def before_step(
    at: int | None, act: Callable[[], None], *, steps: Sequence[str] = EVERY_STEP
) -> None:
    """Let this process call `act` before its `at`th call of one of `steps`, or before each."""
    made = 0

    def count() -> None:
        nonlocal made
        made += 1
        if at in (None, made):
            act()

    for name in steps:
        if name not in (COMMIT, COMMIT_ELSEWHERE):
            setattr(DISK, name, _counted(getattr(DISK, name), count))
    if COMMIT in steps:
        _arm_commits(count)
    if COMMIT_ELSEWHERE in steps:
        _arm_other_commits(count)


def _counted(call: Callable[..., object], count: Callable[[], None]) -> Callable[..., object]:
    def counted(*args: object, **options: object) -> object:
        count()
        return call(*args, **options)

    return counted


def _arm_other_commits(count: Callable[[], None]) -> None:
    connect = sqlite3.connect

    class Counted(sqlite3.Connection):
        def commit(self) -> None:
            count()
            super().commit()

        def execute(self, sql: str, parameters: object = (), /) -> sqlite3.Cursor:
            if sql == "COMMIT" or (
                not self.in_transaction and sql.startswith(("INSERT", "UPDATE", "DELETE"))
            ):
                count()
            return super().execute(sql, parameters)

        def __exit__(self, *raised: object) -> bool:
            count()
            return super().__exit__(*raised)

    def counted(*args: object, **options: object) -> sqlite3.Connection:
        return connect(*args, **{"factory": Counted, **options})

    sqlite3.connect = counted


def _arm_commits(count: Callable[[], None]) -> None:
    execute = Connection.execute

    def counted(self: Connection, sql: str, parameters: object = (), /) -> object:
        if sql == "COMMIT" or (
            not self.in_transaction and sql.startswith(("INSERT", "UPDATE", "DELETE"))
        ):
            count()
        return execute(self, sql, parameters)

    Connection.execute = counted
