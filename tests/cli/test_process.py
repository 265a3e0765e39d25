"""The command in a process of its own: entry points, pipes, signals, completion, the real model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import small_vault, write
from vaultmem import __version__

SCRIPT = Path(sys.executable).parent / "vaultmem"


@pytest.fixture
def place(tmp_path):
    """A small vault, and the environment of a person who has a home below `tmp_path`."""
    small_vault(tmp_path / "vault")
    return tmp_path / "vault"


def _env(place, **more):
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return kept | {"VAULTMEM_HOME": str(place.parent / "home"), "COLUMNS": "80"} | more


def _run(place, *arguments, program=(str(SCRIPT),), **more):
    env = more.pop("env", _env(place))
    return subprocess.run(
        [*program, *arguments],
        cwd=place,
        env=env,
        capture_output=True,
        timeout=60,
        check=False,
        **more,
    )


@pytest.mark.parametrize(
    "program", [(str(SCRIPT),), (sys.executable, "-m", "vaultmem")], ids=["script", "module"]
)
def test_both_entry_points_run(place, program):
    assert _run(place, "--version", program=program).stdout.decode() == (
        f"vaultmem, version {__version__}\n"
    )
    done = _run(place, "--vault", "nowhere", "status", program=program)
    assert done.returncode == 10
    assert done.stdout == b""
    assert done.stderr.startswith(b"vaultmem: ")


def test_a_reader_that_leaves_causes_no_trace(place):
    _run(place, "--vault", ".", "sync")
    for arguments in (
        ["--help"],
        ["--vault", ".", "status"],
        ["--vault", "nope", "status", "--json"],
    ):
        shell = f'"{SCRIPT}" {" ".join(arguments)} | true; echo "${{PIPESTATUS[0]}}"'
        done = _run(place, "-c", shell, program=("bash",))

        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr
        assert b"bug" not in done.stderr
        assert int(done.stdout) in {0, 1, 10}


def test_an_interrupted_watch_ends_quietly_after_it_saw_an_edit(place):
    added = _run(place, "--vault", ".", "add", "Watch me.", "--category", "lesson", "--json")
    note = place / json.loads(added.stdout)["path"]
    # A shell lets what it starts with `&` ignore an interrupt, and every child inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    watcher = subprocess.Popen(
        [str(SCRIPT), "--vault", ".", "watch", "--json"],
        cwd=place, env=_env(place, PYTHONFAULTHANDLER="1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    try:
        assert watcher.stdout is not None
        first = json.loads(watcher.stdout.readline())
        note.write_text(note.read_text().replace("Watch me.", "Watch me closely."))
        later = json.loads(watcher.stdout.readline())
        while not later["changes"]:
            later = json.loads(watcher.stdout.readline())
        watcher.send_signal(signal.SIGINT)
        _, errors = watcher.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        watcher.send_signal(signal.SIGABRT)  # it says where it hangs
        pytest.fail(watcher.communicate()[1])
    finally:
        watcher.kill()
        watcher.communicate()

    assert first["created"] == 0
    assert later["changes"][0]["path"] == "Memory/Lessons/Watch me.md"
    assert watcher.returncode == 0  # it was asked to watch until then
    assert errors == ""


def test_a_terminal_with_few_characters_gets_the_others_by_number(place):
    write(place / "Notes/潮位.md", "潮位の基準面\n")
    _run(place, "--vault", ".", "sync")
    env = _env(place, PYTHONIOENCODING="ascii")

    human = _run(place, "--vault", ".", "note", "get", "Notes/潮位", "--json", env=env)
    found = _run(
        place,
        "--vault",
        ".",
        "search",
        "基準面",
        "--in",
        "vault",
        "--mode",
        "keyword",
        "--json",
        env=env,
    )

    assert human.returncode == 0
    assert json.loads(human.stdout)["path"] == "Notes/潮位.md"
    assert json.loads(found.stdout)["hits"][0]["path"] == "Notes/潮位.md"


def test_a_name_in_another_encoding_is_no_bug(place):
    done = _run(place, "--vault", ".", "sync")
    assert done.returncode == 0

    for more in ([], ["--json"]):
        done = _run(place, "--vault", ".", "note", "get", b"half\xff", *more)
        assert done.returncode == 23
        assert b"no such file" in done.stderr


def test_the_shell_completes_commands(place):
    for words, index, expected in (
        ("vaultmem re", "1", "reindex"),
        ("vaultmem note s", "2", "set"),
        ("vaultmem add --ca", "2", "--category"),
    ):
        env = _env(place, _VAULTMEM_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=index)
        done = _run(place, env=env)
        assert expected in done.stdout.decode(), (words, done)


def test_the_demo_runs_where_no_home_can_be_written_and_keeps_its_copy_where_told(tmp_path):
    env = _env(tmp_path / "x", HOME="/proc/nowhere", XDG_CONFIG_HOME="/proc/nowhere")
    del env["VAULTMEM_HOME"]
    nowhere = Path("/proc" if Path("/proc").is_dir() else "/")
    kept = tmp_path / "kept"

    done = _run(nowhere, "demo", "--keep", str(kept), env=env)

    text = done.stdout.decode()
    assert done.returncode == 0, done
    assert "sync: 1 edited, " in text
    assert "added: Memory/Decisions/Tidewatch retries a webhook" in text
    assert "meaning" in text
    assert "# Project Memory" in text
    assert "11. doctor: nothing is wrong." in text
    assert f"The copy is in {kept}" in text
    assert (kept / "Memory/Settings.md").is_file()
    assert done.stderr == b""
    again = _run(nowhere, "demo", "--keep", str(kept), env=env)
    assert again.returncode == 43
    assert b"does not exist yet" in again.stderr


def test_search_finds_by_meaning_with_the_model_that_comes_along(place):
    write(place / "Memory/Lessons/Alerts.md", "A retried alert reaches its receiver twice.\n")
    write(place / "Memory/Lessons/Paint.md", "Paint dries slowly in November.\n")
    _run(place, "--vault", ".", "sync")
    built = json.loads(_run(place, "--vault", ".", "reindex", "--json").stdout)
    found = json.loads(
        _run(place, "--vault", ".", "search", "duplicate notifications", "--json").stdout
    )

    assert built["embedded"] >= 2
    assert built["degraded"] is None
    assert found["mode"] == "hybrid"
    assert found["degraded"] is None
    assert found["hits"][0]["path"] == "Memory/Lessons/Alerts.md"
    assert found["hits"][0]["why"].startswith("meaning")


def test_two_commands_at_once_lose_nothing(place):
    _run(place, "--vault", ".", "sync")
    said = ["Brew tea at eighty degrees.", "Number pages from one.", "Paint the fence in May."]
    running = [
        subprocess.Popen(
            [str(SCRIPT), "--vault", ".", "add", text, "--category", "lesson"],
            cwd=place, env=_env(place), stdout=subprocess.DEVNULL,
        )
        for text in said
    ]  # fmt: skip
    assert [one.wait(timeout=60) for one in running] == [0, 0, 0]

    report = _run(place, "--vault", ".", "report").stdout.decode()
    assert all(text in report for text in said)
