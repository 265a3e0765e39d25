"""The vault's lock: one writer at a time among this machine's processes and threads.

Readers never take it. It is a lock file in the state folder, never in the vault, and the operating
system frees it when a process dies.
"""

from __future__ import annotations

import os
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem.errors import BusyError, ReadOnlyError
from vaultmem.store.failures import FULL, disk_full

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from filelock import BaseFileLock

TIMEOUT_SECONDS = 10.0
POLL_SECONDS = 0.01


class _Holder:
    """What all `VaultLock`s of one process on one file share."""

    def __init__(self, path: str) -> None:
        from filelock import FileLock  # slow to import; readers never need it

        self.thread = threading.RLock()
        self.file: BaseFileLock = FileLock(path, mode=0o600, thread_local=False)
        self.depth = 0


_HOLDERS: dict[tuple[int, str], _Holder] = {}
"""By process and file: a forked child starts without its parent's locks, and never frees them."""
_GUARD = threading.Lock()


class VaultLock:
    """`with VaultLock(state / "lock"): ...`; may be taken again by the thread that holds it."""

    def __init__(self, path: Path, *, timeout: float = TIMEOUT_SECONDS) -> None:
        """Name the lock file; nothing is opened yet.

        Args:
            path: the lock file; its folder must be there.
            timeout: seconds to wait for another writer.
        """
        self._path = path
        self._timeout = timeout

    @property
    def held(self) -> bool:
        """Whether this process holds it."""
        holder = _HOLDERS.get(self._place)
        return holder is not None and holder.depth > 0

    def __enter__(self) -> Self:
        """Wait for the lock.

        Raises:
            BusyError: if another thread or process holds it for longer than the time limit.
            ReadOnlyError, DiskFullError: if the lock file cannot be made.
        """
        place = self._place
        with _GUARD:
            holder = _HOLDERS.get(place) or _Holder(self._real)
            _HOLDERS[place] = holder
        limit = time.monotonic() + self._timeout
        if not holder.thread.acquire(timeout=self._timeout):
            raise self._busy()
        if holder.depth == 0:
            try:
                self._acquire(holder.file, max(0.0, limit - time.monotonic()))
            except BaseException:
                holder.thread.release()
                raise
        holder.depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        holder = _HOLDERS[self._place]
        holder.depth -= 1
        try:
            if holder.depth == 0:
                holder.file.release()
        finally:
            holder.thread.release()

    @property
    def _place(self) -> tuple[int, str]:
        return os.getpid(), self._real

    @cached_property
    def _real(self) -> str:
        """Where it lies; asked once, so that what was taken is what is freed."""
        return os.path.realpath(self._path)

    def _acquire(self, lock: BaseFileLock, seconds: float) -> None:
        from filelock import Timeout  # as above

        try:
            lock.acquire(timeout=seconds, poll_interval=POLL_SECONDS)
        except Timeout:
            raise self._busy() from None
        except OSError as error:
            if error.errno in FULL:
                what = f"The lock {self._path} cannot be made"
                raise disk_full(what, error.strerror) from error
            raise ReadOnlyError(
                f"The lock {self._path} cannot be made ({error.strerror}). "
                "Check the permissions of its folder."
            ) from error

    def _busy(self) -> BusyError:
        return BusyError(
            f"Another vaultmem is writing to this vault (lock {self._path}, waited "
            f"{self._timeout:g} s). Try again when it is done."
        )
