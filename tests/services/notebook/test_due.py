"""What of the notebook's work is due: as a claim would be given, and no engine is opened."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.services.notebook.extracting import NOTHING, PROJECT, Extracting, ScriptedModel
from tests.services.notebook.rewriting import FIRST, a_card
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.errors import ModelDownError
from vaultmem.llm.model import Purpose
from vaultmem.services.notebook.due import what_is_due
from vaultmem.services.notebook.enable import enable
from vaultmem.services.notebook.status import model_line, notebook_status
from vaultmem.store.notebook.jobs import GLOBAL, Claimed, JobKind


@pytest.fixture
def device(sessions):
    """The device that rewrites the notebook; it has dreamt lately."""
    made = Extracting(sessions)
    enable(made.world.here.call(), made.world.here.app().home, PROJECT)
    work(made, JobKind.DREAM)
    yield made
    made.close()


def now(device) -> float:
    return device.world.here.call().now.timestamp()


def work(device, kind: JobKind, *, done: bool = True) -> None:
    """Claim a job, and do it or fail."""
    claimed = device.catalog.jobs.claim(kind, GLOBAL, 0.0, now(device), "test")
    assert isinstance(claimed, Claimed)
    end = device.catalog.jobs.succeed if done else device.catalog.jobs.fail
    assert end(kind, GLOBAL, claimed.token, now(device))


def due(device, projects=(PROJECT,)) -> tuple[JobKind, ...]:
    device.sessions.sync()
    rows = device.sessions.index.catalog.rows()
    call = device.world.here.call()
    return what_is_due(call, rows, device.catalog, NotebookSettings(), projects=projects)


def test_nothing_is_due_at_first(device):
    assert due(device) == ()


def test_a_session_that_rested_is_due_until_it_was_read(device):
    device.talk("Please fix the importer.")
    assert due(device) == (JobKind.EXTRACT,)
    assert due(device, projects=["elsewhere"]) == ()
    assert due(device, projects=()) == ()

    device.run(ScriptedModel(NOTHING))

    assert due(device) == ()


def test_while_the_model_gives_no_answer_nothing_is_due_for_an_hour(device):
    device.talk("Please fix the importer.")
    device.run(ScriptedModel(ModelDownError("Not there.")))
    assert due(device) == ()

    device.world.here.pass_time(hours=1, seconds=5)
    assert due(device) == (JobKind.EXTRACT,)


def test_a_session_that_goes_on_is_not_due(device):
    device.talk("Please fix the importer.", hours=1)

    assert due(device) == ()


def test_new_input_is_due_until_it_is_consolidated_or_failed_lately(device):
    device.catalog.jobs.mark_dirty(now(device))
    assert due(device) == (JobKind.CONSOLIDATE,)

    work(device, JobKind.CONSOLIDATE, done=False)
    assert due(device) == ()

    device.world.here.pass_time(hours=1, minutes=1)
    assert due(device) == (JobKind.CONSOLIDATE,)

    work(device, JobKind.CONSOLIDATE)
    assert due(device) == ()


def test_a_dream_is_due_every_few_hours(device):
    device.world.here.pass_time(hours=3, minutes=1)

    assert due(device) == (JobKind.DREAM,)


def test_another_device_reads_its_sessions_and_no_more(device):
    path = "Memory/Settings.md"
    text = device.world.read(path)
    own = device.world.here.call().vault.device
    device.world.write(path, text.replace(own, f"dev_{'0' * 25}1"))
    device.world.here.sync()
    device.catalog.jobs.mark_dirty(now(device))
    device.world.here.pass_time(hours=3, minutes=1)
    device.talk("Please fix the importer.", hours=24)

    assert due(device) == (JobKind.EXTRACT,)


def test_the_look_imports_no_engine_and_no_history():
    code = (
        "import sys, vaultmem.services.notebook.due, vaultmem.hooks.resting\n"
        "heavy = {'whoosh', 'numpy', 'fastembed', 'dulwich', 'openai', 'ruamel', 'subprocess'}\n"
        "print(sorted(heavy & {one.split('.')[0] for one in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_a_dream_that_had_nothing_to_do_is_due_again_for_a_card_or_three_hours_later(device):
    device.world.here.pass_time(hours=4)
    assert due(device) == (JobKind.DREAM,)
    claimed = device.catalog.jobs.claim(JobKind.DREAM, GLOBAL, 0.0, now(device), "test")
    device.catalog.jobs.succeed(JobKind.DREAM, GLOBAL, claimed.token, now(device), cools=False)
    assert due(device) == ()

    device.catalog.cards.put(a_card(watermark=now(device)), now(device))
    assert due(device) == (JobKind.CONSOLIDATE, JobKind.DREAM)
    device.catalog.cards.remove(FIRST, now(device))
    assert due(device) == (JobKind.CONSOLIDATE,)
    device.world.here.pass_time(hours=3)
    assert JobKind.DREAM in due(device)


def status(device):
    """What `notebook status` says, of a device in whose project the notebook is on."""
    app, rows = device.world.here.app(), device.sessions.index.catalog.rows()
    models = [model_line(app.call(), Purpose.EXTRACT, name="fake", destination="nowhere")]
    return notebook_status(
        app.call(), app.config.config, device.catalog, rows, models, project=PROJECT
    )


def test_status_tells_that_the_model_gave_no_answer_and_when_it_is_asked_again(device):
    device.talk("Please fix the importer.")
    device.run(ScriptedModel(ModelDownError("Not there.")))
    device.sessions.sync()
    found = status(device)
    (line,) = found.jobs
    assert (line.kind, line.key, line.status) == ("model", GLOBAL, "error")
    assert (line.error, line.retries) == ("Not there.", 2)
    assert found.ready == 1, "a person may ask at once"
    assert line.again == found.next > device.world.here.call().local.replace(tzinfo=None)

    device.world.here.pass_time(hours=3)
    assert status(device).next == device.world.here.call().local.replace(tzinfo=None, microsecond=0)

    for _ in range(2):
        device.run(ScriptedModel(ModelDownError("Not there.")))
        device.world.here.pass_time(hours=2)
    assert status(device).next is None
    device.talk("Please fix the exporter.")
    device.sessions.sync()
    assert status(device).next is not None, "something is new"
