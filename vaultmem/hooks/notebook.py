"""The notebook, for the handlers: what replies cite of it, and sessions that never become part."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Place, SessionStarted
    from vaultmem.services.telemetry import Replied


def count_cited(here: Here, at: Place, said: Replied) -> None:
    """Count the cards that a reply used, each once since the last prompt; when nobody waits."""
    if not (said.places or said.sessions) or not _is_on(here, at):
        return

    def count(own: Here) -> None:
        from vaultmem.services.notebook.browse import Notebook  # few replies cite the notebook
        from vaultmem.services.notebook.use import count_use, used_by_citing

        used = used_by_citing(Notebook(own.policy()), said.places, said.sessions)
        count_use(own.policy(), own.app.notebook, used, own.known(at).counted)

    here.shared.later(count)


def began(here: Here, event: SessionStarted) -> None:
    """Leave a session out that another agent started, or that begins while remembering is off."""
    if not _is_on(here, event):
        return

    def look(own: Here) -> None:
        from vaultmem.services.switch import WRITE, switched_off  # as above

        project = own.project(event)
        off = switched_off(own.policy(), WRITE, project=project, session=event.session)
        if event.nested or off is not None:
            _disable(own, event.session)

    here.shared.later(look)


def leave_out(here: Here, at: Place) -> None:
    """Never extract a session: a sub-agent's is a part of another one."""
    if _is_on(here, at):
        here.shared.later(lambda own: _disable(own, at.session))


def _disable(here: Here, session: str) -> None:
    from vaultmem.store.notebook.modes import Mode  # where the notebook is on

    modes = here.app.notebook.modes
    if modes.get(session).mode is Mode.ENABLED:
        modes.set(session, Mode.DISABLED, here.app.now.timestamp())


def _is_on(here: Here, at: Place) -> bool:
    config = here.app.config.config
    if not (config.notebook and at.session):
        return False
    from vaultmem.services.notebook.enable import is_enabled  # as above

    return is_enabled(config, here.project(at))
