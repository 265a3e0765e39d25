"""What killed writes left outside the vault: in this machine's own folders and beside settings."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import DiskFailedError, ReadOnlyError
from vaultmem.services.pi_package import installed_in
from vaultmem.store.leftovers import LEFTOVER_SECONDS, clean_temporaries
from vaultmem.store.pi_agent import settings_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from vaultmem.config import HomeDirs
    from vaultmem.core.finding import Finding


def clear_machine(home: HomeDirs, now: datetime) -> list[Finding]:
    """Remove old temporaries of ours, and put back what an editor had saved.

    What cannot be removed stays, and the next call tries again.

    Args:
        home: this machine's config, state and cache folders.
        now: the present moment; what is younger than a minute may be a write under way.

    Returns:
        A finding for each version that was put back (VM411) or could not be (VM412).
    """
    told: list[Finding] = []
    for folder, below in _places(home):
        with suppress(ReadOnlyError, DiskFailedError):
            done = clean_temporaries(folder, LEFTOVER_SECONDS, now.timestamp(), below=below)
            told += [one._replace(path=str(folder / str(one.path))) for one in done.findings]
    return told


def _places(home: HomeDirs) -> Iterator[tuple[Path, bool]]:
    """Each folder in which something is written, and whether those below it are ours, too."""
    for folder in home:
        yield folder, True
    # The user config and Pi's settings may be links into a folder that is the person's.
    yield Path(os.path.realpath(home.config_file)).parent, False
    for agent_dir in installed_in(home):
        yield settings_file(agent_dir).parent, False
