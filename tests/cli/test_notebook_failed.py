"""Work on the notebook that failed: `doctor` and `notebook status` tell it in the same words."""

from __future__ import annotations

import socket
import sys
from contextlib import closing
from datetime import timedelta

import pytest

from tests.cli.noting import SESSION, Reader, answer
from tests.cli.test_json import LISTS
from tests.pi.model_server import Reply, says
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, JobKind


@pytest.fixture
def on(tmp_path, server):
    """A person in a project with one rested session, where the notebook is on."""
    made = Reader(tmp_path, server)
    made.ok("notebook", "on")
    return made


def fail_session(reader, server) -> None:
    server.script(says("no JSON"), says("no JSON"))
    assert reader.run("notebook", "extract", "--yes", "--now").code == 1


def fail_job(reader, kind: JobKind) -> None:
    """Let the one job of a kind fail."""
    now = reader.now.timestamp()
    with closing(NotebookCatalog(reader.state)) as catalog:
        claim = catalog.jobs.claim(kind, GLOBAL, 0.0, now, "test", force=True)
        assert catalog.jobs.fail(kind, GLOBAL, claim.token, now, "The worker left nothing.")


def told(reader) -> list[dict[str, str]]:
    """What `doctor` says of work that failed."""
    found = reader.run("doctor", "--json").json["findings"]
    return [one for one in found if one["code"] == "VM958"]


def test_doctor_tells_a_session_that_failed_as_status_does(on, server):
    assert told(on) == []
    fail_session(on, server)
    (one,) = told(on)
    job = on.ok("notebook", "status", "--json").json["jobs"][0]
    assert set(job) == LISTS["jobs` of `notebook status"]
    assert one["severity"] == "warning"
    assert one["message"].startswith(f"notebook extract {SESSION}: {job['error']} It failed ")
    at = [job[name].replace("T", " ")[:16] for name in ("failed", "again")]
    assert one["message"].endswith(f"It failed {at[0]} and is tried again {at[1]}; 2 tries left.")
    assert one["remedy"] == "Run `vaultmem notebook extract --now` to try at once."
    status = " ".join(on.ok("notebook", "status").out.split())
    assert f"Failed {one['message'].removeprefix('notebook ')} {one['remedy']}" in status
    assert on.run("doctor").code == 1


def test_the_named_command_tries_a_session_at_once_and_for_good(on, server):
    for _ in range(3):
        fail_session(on, server)
    assert "0 tries left" in told(on)[0]["message"]
    assert "when it changes" in told(on)[0]["message"]
    assert on.ok("notebook", "extract", "--dry-run", "--json").json["parts"] == []
    assert on.ok("notebook", "extract", "--dry-run", "--now", "--json").json["parts"]
    server.script(says(answer()))
    assert on.ok("notebook", "extract", "--now", "--json").json["written"] == 1
    assert told(on) == []
    assert on.ok("notebook", "extract", "--now").out == "No session is due.\n"


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        (JobKind.CONSOLIDATE, "vaultmem notebook consolidate --now"),
        (JobKind.DREAM, "vaultmem notebook dream --now"),
        (JobKind.MODEL, "vaultmem notebook extract"),
    ],
)
def test_every_kind_of_work_names_what_tries_it_at_once(on, kind, command):
    fail_job(on, kind)
    (one,) = told(on)
    assert one["message"].startswith(f"notebook {kind}: The worker left nothing. It failed ")
    assert one["remedy"] == f"Run `{command}` to try at once."


def test_of_a_model_that_is_down_doctor_tells_the_model_and_no_session(on, server):
    server.script(Reply(text="down", status=503, repeat=True))
    on.run("notebook", "extract", "--yes")
    (one,) = told(on)
    assert one["message"].startswith("notebook model: ")


def test_work_that_nobody_does_here_is_not_told(on, server, tmp_path):
    fail_session(on, server)
    fail_job(on, JobKind.CONSOLIDATE)
    assert len(told(on)) == 2
    on.now += timedelta(days=12)  # the session is too old to be read
    assert [one["message"].split(":")[0] for one in told(on)] == ["notebook consolidate"]
    settings = on.vault / "Memory/Settings.md"
    device = f"notebook_device: {on.ok('notebook', 'status', '--json').json['device']}"
    settings.write_text(settings.read_text().replace(device, "notebook_device: dev_other"))
    assert told(on) == []


def test_where_the_notebook_is_off_nothing_of_it_is_told(on, server):
    fail_session(on, server)
    assert len(on.ok("notebook", "status", "--json").json["jobs"]) == 1
    on.ok("notebook", "off")
    assert told(on) == []
    assert on.ok("notebook", "status", "--json").json["jobs"] == []
    assert "Failed" not in on.ok("notebook", "status").out


def test_without_its_package_a_model_is_no_model_before_anybody_agrees(on, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    assert "extra `llm`" in " ".join(on.ok("notebook", "status").out.split())
    done = on.run("notebook", "run", "--yes")
    assert (done.code, done.out) == (60, "")
    assert "vaultmem[llm]" in done.err
    found = on.ok("notebook", "status", "--json").json
    assert (found["agreed"], found["usage"]) == ([], [])
    timer = on.ok("notebook", "run", "--if-due")
    assert (timer.out, timer.err) == ("", "")


def test_questions_that_could_not_leave_this_machine_are_not_counted(on):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{one.getsockname()[1]}/v1"
    on.config_file.write_text(on.config_file.read_text().replace(on.server.url, url))
    assert on.run("notebook", "run", "--yes").code == 1
    assert on.ok("notebook", "status", "--json").json["usage"] == []
