"""Which files a command changed, of those that it names."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from vaultmem.services.enforcing.changed import changed_files


@pytest.fixture
def project(tmp_path):
    """A folder with files that nobody has touched for a while."""
    for name in ("a.sql", "b.sql", "c.txt", "db/d.sql", "make.sh"):
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        place.write_text("echo >> a.sql\n")
    time.sleep(0.05)  # longer than the clock of files ticks
    return tmp_path


def found(project, line, **given):
    """The files that are found after a command, relative to the project."""
    env = {"HOME": str(project), "PATH": os.environ["PATH"]}
    begun = time.time_ns()
    done = subprocess.run(["bash", "-c", line], cwd=project, env=env, check=False)
    paths = changed_files(
        given or {"command": line},
        cwd=project,
        variables={"HOME": str(project)},
        since_ns=begun,
        failed=done.returncode != 0,
    )
    return sorted(os.path.relpath(path, project) for path in paths)


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("echo x > a.sql", ["a.sql"]),
        ("echo x >> new.sql 2>/dev/null", ["new.sql"]),
        ("sed -i s/echo/x/ a.sql", ["a.sql"]),
        ("sed -i s/echo/x/ *.sql", ["a.sql", "b.sql"]),
        ("cat c.txt | tee db/d.sql >/dev/null", ["db/d.sql"]),
        ("cd db && sed -i s/echo/x/ d.sql", ["db/d.sql"]),
        ("sh -c 'echo x > a.sql'", ["a.sql"]),
        ("echo x > $HOME/a.sql", ["a.sql"]),
        ("cp c.txt db", ["db/c.txt"]),
        ("mv a.sql e.sql", ["a.sql", "e.sql"]),
        ("rm a.sql", ["a.sql"]),
        ("touch a.sql; false", ["a.sql"]),
        ("ln -s c.txt l.txt; echo x >> l.txt", ["c.txt", "l.txt"]),
        # read only, or nothing that is there
        ("cat a.sql c.txt", []),
        ("ls db *.sql no/*.sql", []),
        ("grep -r x . || true", []),
        ("rm nothing.sql 2>/dev/null", []),
        ("echo a.sql/x \"$(printf 'a%.0s' {1..300})\"", []),
        ("echo '\\0' " + "n" * 300, []),
        # changed, and not named
        ("sh make.sh", []),
    ],
)
def test_a_file_that_is_named_and_changed_is_found(project, line, files):
    assert found(project, line) == files


def test_a_tool_without_a_command_has_changed_nothing_that_is_not_named(project):
    assert found(project, "echo x > a.sql", path="a.sql") == []


def test_a_time_that_was_set_back_hides_nothing(project):
    assert found(project, "touch -d 2001-01-01 a.sql") == ["a.sql"]


def test_a_long_command_is_looked_at_only_so_far(project):
    line = "touch " + " ".join(f"n{number}" for number in range(600))
    assert 0 < len(found(project, line)) <= 400
