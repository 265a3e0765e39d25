"""A rewrite through the real Pi as worker; its user's own hooks and files have no part in it."""

from __future__ import annotations

from tests.llm.conftest import installed, model, pi_environment, start_pi, version
from tests.services.notebook.rewriting import SECOND, Notebook, good, handbook
from vaultmem.services.notebook.consolidated import Outcome

__all__ = ["installed", "model", "pi_environment", "start_pi", "version"]

STOP_HOOK = """export default function (pi: any) {
  pi.on("agent_end", () => {
    require("node:fs").writeFileSync(MARK, "ran");
    pi.sendUserMessage("BLOCKED: go on working");
  });
  pi.on("session_start", () => require("node:fs").writeFileSync(MARK, "loaded"));
}
"""


def test_notebook_row_20_a_stop_hook_of_the_user_is_not_run_for_the_worker(
    world, start_pi, model, tmp_path
):
    world.here.sync()
    book = Notebook(world)
    card, more = book.card(), book.card(SECOND)
    pi = start_pi()
    mark = tmp_path / "hook-ran"
    (extensions,) = [one for one in (tmp_path / "pi").rglob("extensions") if one.is_dir()]
    (extensions / "stop.ts").write_text(STOP_HOOK.replace("MARK", f'"{mark}"'))
    model.script(*good(card, more))
    done = book.rewrite(pi)
    assert (done.outcome, done.message) == (Outcome.DONE, "")
    assert not mark.exists()
    assert len(model.requests) == 2
    assert "BLOCKED" not in model.last.text
    assert "PLANTED" not in model.last.text
    assert book.published()["MEMORY.md"].decode() == handbook(card, more)
    assert book.in_vault() == book.published()
    assert model.last.tool_names == [
        f"notebook_{verb}" for verb in ("list", "read", "write", "edit", "remove")
    ]


def test_a_worker_that_tries_to_leave_its_folder_changes_nothing(world, start_pi, model, tmp_path):
    from tests.pi.model_server import calls, says

    world.here.sync()
    book = Notebook(world)
    card = book.card()
    before = world.notes()
    outside = tmp_path / "outside.md"
    model.script(
        calls("notebook_write", path="../outside.md", text="x"),
        calls("notebook_write", path=str(outside), text="x"),
        calls("notebook_write", path="raw_memories.md", text="x"),
        calls("bash", command=f"touch {outside}"),
        says("I did it."),
    )
    done = book.rewrite(start_pi())
    assert done.outcome is Outcome.FAILED
    assert not outside.exists()
    assert {path for path in world.notes() if path not in before} == set()
    assert book.history().head() is None
    assert card.session
