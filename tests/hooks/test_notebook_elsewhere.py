"""Where the notebook is on for another project only, nothing of this one's sessions is kept."""

from __future__ import annotations

from tests.hooks.serving import SESSION
from vaultmem.services.notebook.enable import enable
from vaultmem.store.notebook.modes import Mode


def test_where_the_notebook_is_on_elsewhere_nothing_is_kept_of_sessions_here(serving):
    enable(serving.world.here.call(), serving.shared.home, "acme/another-project")
    given = {"reason": "startup", "mode": "tui", "file": "", "nested": True, "missed": []}
    serving.ask("session_start", **given)
    serving.ask("before_agent_start", prompt="Go.", sub_agent=True)
    serving.settle()
    modes = serving.here.app.notebook.modes
    assert (modes.get(SESSION).mode, modes.all()) == (Mode.ENABLED, {})
