"""Switch the notebook on or off for a project: the user config names those in which it is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.visible import visible_line
from vaultmem.errors import NotebookOffError, ProjectNotFoundError
from vaultmem.services.projects import find_project, meant
from vaultmem.services.settings_in_force import set_notebook_device
from vaultmem.store.notebook_agreed import forget_destinations
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import edit_user_config

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from vaultmem.config import HomeDirs, UserConfig
    from vaultmem.notes.frontmatter import Value
    from vaultmem.services.call import Call

KEY = "notebook"
"""The key of the user config: identities of projects."""


class Enabled(NamedTuple):
    """What the notebook is on for, after a change.

    Attributes:
        project: the one that was asked about.
        on: whether it is on there now.
        changed: whether that is new.
        projects: all in which it is on, on this machine.
        device: the id of the device that rewrites the notebook; None where none does yet.
        is_here: whether that is this device.
        forgotten: the destinations to which the person's yes was taken back.
    """

    project: str
    on: bool
    changed: bool
    projects: tuple[str, ...]
    device: str | None
    is_here: bool
    forgotten: tuple[str, ...] = ()


def is_enabled(config: UserConfig, project: str) -> bool:
    """Whether this machine's user let the sessions of a project become a notebook."""
    return bool(project) and project.casefold() in {one.casefold() for one in config.notebook}


def is_consolidating(call: Call) -> bool:
    """Whether this is the one device that rewrites the notebook of the vault."""
    return call.vault.settings.notebook_device == call.vault.device


def refuse_disabled(config: UserConfig, project: str) -> None:
    """Stop where the notebook is off.

    Raises:
        NotebookOffError: with what the person can do.
    """
    if not is_enabled(config, project):
        raise NotebookOffError(
            f"The notebook is off for {project or 'this folder'}, so nothing is read or sent. "
            "Switch it on with `vaultmem notebook on`; only a person can."
        )


def enable(call: Call, home: HomeDirs, project: str) -> Enabled:
    """Let the sessions of a project become a notebook on this machine.

    The first device on which that is said rewrites the notebook of the vault; the setting
    `notebook_device` can name another one.

    Raises:
        AgentRefusedError: if an agent calls.
        ConfigError, NoteError: if the user config or the settings cannot be edited.
        ReadOnlyError, DiskFailedError: if they cannot be written.
    """
    call.person_only("notebook on")
    changed = _write(home, project, on=True)
    if call.vault.settings.notebook_device is None:
        set_notebook_device(call)
    return _result(call, home, project, changed=changed)


def disable(call: Call, home: HomeDirs, project: str, *, forget: bool = False) -> Enabled:
    """Read and send nothing of a project any more.

    Its cards stay; what the notebook holds of it goes with the next rewrite, if another project
    is on. Where none is left, the person's yes to each destination is taken back.

    Args:
        call: the circumstances.
        home: where the user config is.
        project: its identity.
        forget: take the yes back also where another project is on.

    Raises:
        AgentRefusedError: if an agent calls.
        ConfigError, ReadOnlyError, DiskFailedError: if the user config cannot be edited, or the
            yes not taken back.
    """
    call.person_only("notebook off")
    changed = _write(home, project, on=False)
    done = _result(call, home, project, changed=changed)
    if done.projects and not forget:
        return done
    return done._replace(forgotten=forget_destinations(call.vault.state.folder))


def project_to_enable(call: Call, name: str, *, here: str, others: Iterable[str]) -> str:
    """The identity of the project that a name means, as `services.projects.find_project`.

    A name of which nothing is known is a slip of the fingers: its sessions would never be read.

    Args:
        call: the circumstances.
        name: as it was typed, not empty.
        here: the project of the working folder.
        others: more that are known, such as those of sessions.

    Raises:
        ProjectNotFoundError: if nothing is known of it, or it may mean several.
    """
    found = meant(name, (here, *others)) or find_project(call, name, here=here)
    if found is None:
        raise ProjectNotFoundError(
            f"No session and no memory is of a project {visible_line(name, 80)!r}, so nothing was "
            "switched on. Run `vaultmem notebook on` in the project's folder, or give one of "
            "those that `vaultmem status` lists."
        )
    return found


def project_to_disable(
    call: Call, name: str, *, here: str, on: Sequence[str], others: Iterable[str]
) -> str:
    """The identity of the project that a name means; one in which the notebook is on comes first.

    Args:
        call: the circumstances.
        name: as it was typed, not empty.
        here: the project of the working folder.
        on: those in which the notebook is on.
        others: more that are known, such as those of sessions.

    Raises:
        ProjectNotFoundError: if nothing is known of it, or it may mean several.
    """
    found = meant(name, on) or meant(name, (here, *others)) or find_project(call, name, here=here)
    if found is None:
        listed = f"It is on for {', '.join(on)}." if on else "The notebook is on for none."
        raise ProjectNotFoundError(
            f"No session and no memory is of a project {visible_line(name, 80)!r}, so nothing was "
            f"switched off. {listed}"
        )
    return found


def _write(home: HomeDirs, project: str, *, on: bool) -> bool:
    """Add the project to the list, or take it out; whether that changed anything."""
    changed = False

    def change(values: MutableMapping[str, Value]) -> None:
        nonlocal changed
        given = values.get(KEY)
        listed = list(given) if isinstance(given, list) else [given] if given else []
        kept = [one for one in listed if str(one).strip().casefold() != project.casefold()]
        changed = on == (len(kept) == len(listed))
        if not changed:
            return
        if on:
            values[KEY] = [*listed, project]
        elif kept:
            values[KEY] = kept
        else:
            values.pop(KEY, None)

    edit_user_config(home, change)
    return changed


def _result(call: Call, home: HomeDirs, project: str, *, changed: bool) -> Enabled:
    config = read_user_config(home).config
    return Enabled(
        project,
        is_enabled(config, project),
        changed,
        config.notebook,
        call.vault.settings.notebook_device,
        is_consolidating(call),
    )
