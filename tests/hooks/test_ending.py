"""A session that ends is written down and nothing else is done: its agent waits and may be killed.

A fresh interpreter tells what is imported for that, and whether anything is waited for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.hooks.serving import SESSION
from tests.services.candidates import captured
from vaultmem.store.ended import read_ended

REPOSITORY = Path(__file__).parents[2]
SLOW = (
    *("time.sleep", "select.select", "select.poll", "select.epoll"),
    *("subprocess.Popen", "os.fork", "os.posix_spawn", "socket.connect"),
)
"""What waits, as a profile names it, and what Python tells its auditors."""
HEAVY = {
    "vaultmem.services.curate",
    "vaultmem.services.patches",
    "vaultmem.services.promote",
    "vaultmem.index.keyword",
    "vaultmem.services.sessions.sync",
    "whoosh",
    "numpy",
    "subprocess",
}
"""What settles a session, and the search."""
_ENDS = """
import json, os, sys
from pathlib import Path
from tests.hooks.serving import SESSION, Serving
from tests.world import World

world = World.attach(Path(sys.argv[1]), Path(sys.argv[2]), seed=3)
serving = Serving(world)
serving.ask("session_start", mode="tui")
serving.shared.left.clear()
before, done, slow = set(sys.modules), [], sys.argv[3].split()
def seen(name):
    if name in slow:
        done.append(name)
def profile(_frame, event, called):
    if event == "c_call":
        seen(f"{called.__module__}.{called.__name__}")
sys.addaudithook(lambda event, _: seen(event))
sys.setprofile(profile)
told = serving.ask("session_shutdown", reason=sys.argv[4])
sys.setprofile(None)
loaded = set(sys.modules)
print(json.dumps({
    "told": told, "done": done, "before": sorted(before), "loaded": sorted(loaded),
    "later": [one.__name__ for one in serving.shared.left], "crash": serving.crash,
}))
sys.stdout.flush()
os._exit(0)  # as an agent that is killed
"""


def ended(world, reason: str) -> dict:
    """What a process did that ended a session, as it tells it itself."""
    places = (str(world.vault), str(world.here.home))
    done = subprocess.run(
        [sys.executable, "-c", _ENDS, *places, " ".join(SLOW), reason],
        cwd=REPOSITORY, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)


def everything(world) -> dict[str, bytes]:
    """Every file of the vault and of this machine but what a database keeps beside it."""
    return {
        place.relative_to(world.folder).as_posix(): place.read_bytes()
        for place in sorted(world.folder.rglob("*"))
        if place.is_file() and not place.name.endswith(("-wal", "-shm"))
    }


def test_a_session_that_ends_is_written_down_and_nothing_else(world, known):
    captured(world.here.call(), "Use tabs.")
    world.here.close()
    ended(world, "reload")  # what its start writes is there
    before = everything(world)

    told = ended(world, "quit")

    assert (told["told"], told["crash"]) == ({}, "")
    after = everything(world)
    new = sorted(set(after) - set(before))
    assert [one for one in before if after.get(one) != before[one]] == []
    (line,) = new
    assert Path(line).parent.name == "ended"
    assert after[line].decode() == SESSION


def test_a_session_that_ends_waits_for_nothing_and_loads_nothing_of_what_settles_it(world, known):
    told = ended(world, "quit")

    assert told["done"] == []
    assert set(told["before"]) & HEAVY == set()
    assert set(told["loaded"]) & HEAVY == set()
    assert told["later"] == ["settle_left"]
    assert [one.session for one in read_ended(world.here.call().vault.state.folder)] == [SESSION]


def test_a_reload_leaves_nothing_to_be_settled(world, known):
    told = ended(world, "reload")

    assert (told["done"], told["later"]) == ([], [])
    assert read_ended(world.here.call().vault.state.folder) == []
