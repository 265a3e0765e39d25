"""Open tasks are called to mind where the user asked for them and got only words."""

from __future__ import annotations

from vaultmem.core.enforcement.turn import Called, Turn
from vaultmem.services.enforcing.focus import task_focus
from vaultmem.services.switch import Place, switch

PAD = "Memory/Scratchpad.md"


def told(world, turn, **around):
    return task_focus(world.here.call(agent="pi"), turn, **around)


def test_open_tasks_are_named_where_nothing_was_done(ready):
    ready.write(PAD, "- [ ] Mend the build\n- [x] Done already\n- [ ] Write the page\n")

    found = told(ready, Turn("Do the next task."))

    assert "- Mend the build" in found
    assert "- Write the page" in found
    assert "Done already" not in found


def test_nothing_is_said_where_something_was_done_or_asked_for_trifles(ready):
    ready.write(PAD, "- [ ] Mend the build\n")

    assert told(ready, Turn("Do the next task.", (Called("read"),))) == ""
    assert told(ready, Turn("thanks")) == ""
    assert told(ready, Turn("Explain what is left to do.")) == ""
    assert told(ready, Turn("Fix the tests of the parser.")) == ""
    assert told(ready, Turn("")) == ""


def test_nothing_is_said_without_tasks_or_where_recall_is_off(ready):
    assert told(ready, Turn("Do the next task.")) == ""
    ready.write(PAD, "- [ ] Mend the build\n")
    switch(ready.here.call(), ("read",), Place(session="s1"), off=True)

    assert told(ready, Turn("Do the next task."), session="s1") == ""
    assert told(ready, Turn("Do the next task."), session="s2") != ""


def test_a_secret_in_a_task_is_not_told(ready):
    ready.write(PAD, "- [ ] Use ghp_" + "a1B2c3D4" * 4 + "e5F6 for it\n")

    assert "ghp_" not in told(ready, Turn("Do the next task."))
