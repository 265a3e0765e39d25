"""What one thread of ours works with: its own view of the vault, renewed when settings change."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.config import persons_environment
from vaultmem.errors import VaultError
from vaultmem.hooks.known import Sessions
from vaultmem.services.call import Actor
from vaultmem.store.process import parent_process
from vaultmem.store.project import project_identity
from vaultmem.store.settings import settings_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from vaultmem.app import App
    from vaultmem.config import HomeDirs
    from vaultmem.hooks.answers import Result
    from vaultmem.hooks.known import Known
    from vaultmem.hooks.payloads import Place
    from vaultmem.index.embedder import Embedder
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.project import Project

AGENT = "pi"
"""What the agent is called where its environment does not say."""

OpenApp: TypeAlias = "Callable[[Callable[[], Embedder | None]], App]"
"""Makes an app with what makes its embedding model."""

Task: TypeAlias = "Callable[[Here], None]"
"""Work on the vault that nobody waits for."""


class Later(NamedTuple):
    """An answer that takes its time, so that it is worked out apart from the next events."""

    work: Callable[[Here], Result]


class Shared:
    """What all threads of this process have in common."""

    def __init__(self, open_app: OpenApp, *, agent: str, typed: bool, home: HomeDirs) -> None:
        """Open nothing yet.

        Args:
            open_app: makes an app that no thread uses yet, without an agent in its environment:
                the extension speaks for the person as well, and each event says who acts.
            agent: the agent's name.
            typed: a person may speak through us. False for a process that an agent's tool started.
            home: this machine's folders.
        """
        self._open_app = open_app
        self.agent = agent
        self.typed = typed
        self.home = home
        self.owner = parent_process()
        """The agent's process, which started us."""
        self.sessions = Sessions()
        self.left: list[Task] = []
        """Tasks that nobody took; a process that answers one event does them afterwards."""
        self.watching = threading.Event()
        """Set while the vault is watched, so that no event needs to look for edits."""
        self.warm = threading.Event()
        self.warm.set()
        """Unset while the search index is brought up in the background, so that nobody waits."""
        self.calm = threading.Event()
        self.calm.set()
        """Unset until the first prompt was answered, so that nothing slows it down."""
        self.look_wanted = threading.Event()
        """Set while a look at the vault is queued."""
        self.notebook_wanted = threading.Event()
        """Set while somebody asked for the notebook to be rewritten."""
        self.stopping = threading.Event()
        self.settings: tuple[Path, ...] = ()
        """Files of the agent in which its hooks are listed; Pi's is known without this."""
        self.embeds = True
        """Whether there is a model, and texts are embedded in the background; else words count."""
        self.later: Callable[[Task], None] = self.left.append
        """Takes what need not be done before an event is answered."""
        self._lock = threading.RLock()
        self._engine: SearchEngine | None = None
        self._past: SessionIndex | None = None
        self._model: tuple[Embedder | None] | None = None
        self._projects: dict[str, Project] = {}

    def app(self) -> App:
        """Another app; all of them have one embedding model, which takes much memory."""
        return self._open_app(self._one_model)

    def _one_model(self) -> Embedder | None:
        if not self.embeds:
            return None
        with self._lock:
            if self._model is None:
                from vaultmem.services.model import configured_embedder

                app = self._open_app(lambda: None)
                self._model = (configured_embedder(app.home, app.config.config.model),)
            return self._model[0]

    def engine(self, app: App) -> SearchEngine:
        """The one search engine, made at its first use and embedding in the background."""
        with self._lock:
            if self._engine is None:
                self._engine = _engine_of(app)
                if self.embeds:
                    self._engine.start()
            return self._engine

    def past(self, app: App) -> SessionIndex:
        """The one index of earlier sessions, made at its first use."""
        with self._lock:
            if self._past is None:
                self._past = app.sessions
                del app.__dict__["sessions"]
            return self._past

    def project(self, app: App, cwd: str) -> Project:
        """The project of a working folder, which a process looks up once."""
        known = self._projects.get(cwd)
        if known is None:
            folder = Path(cwd) if cwd else app.cwd
            known = project_identity(folder, cache=app.home.cache)
            self._projects[cwd] = known
        return known

    def close(self) -> None:
        """Close what was opened for all."""
        with self._lock:
            engine, self._engine = self._engine, None
            past, self._past = self._past, None
        for one in (engine, past):
            if one is not None:
                one.close()


class Here:
    """One thread's view; `with` it, in that thread."""

    def __init__(self, shared: Shared) -> None:
        """Open nothing yet."""
        self.shared = shared
        self._app: App | None = None
        self._stamp: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()

    @property
    def app(self) -> App:
        """The app, opened anew where the settings of the vault or of this machine changed.

        There is one without a vault as well; asking it for the vault raises VaultError.
        """
        if self._app is not None and self._stamp != _stamp(self._app):
            self.forget()
        if self._app is None:
            app = self.shared.app()
            self._app, self._stamp = app, _stamp(app)
        return self._app

    def forget(self) -> None:
        """Give the vault back; the next use opens it again."""
        app, self._app = self._app, None
        if app is not None:
            app.__exit__()

    @property
    def engine(self) -> SearchEngine:
        """The search engine of the vault."""
        return self.shared.engine(self.app)

    @property
    def past(self) -> SessionIndex:
        """The index of the agent's earlier sessions."""
        return self.shared.past(self.app)

    def cwd(self, at: Place) -> Path:
        """The working folder of an event."""
        return Path(at.cwd) if at.cwd else self.app.cwd

    def project(self, at: Place) -> str:
        """The identity of the project in which an event happens."""
        return self.shared.project(self.app, at.cwd).id

    def known(self, at: Place) -> Known:
        """What this process knows of the event's session."""
        return self.shared.sessions.of(at.session)

    def command(self, *words: str) -> list[str]:
        """A command line of ours about this vault, as a process of its own takes it."""
        return [sys.executable, "-I", "-m", "vaultmem", "--vault", str(self.app.found.path), *words]

    def persons_environment(self) -> dict[str, str]:
        """The variables of such a process, which acts for the person."""
        return persons_environment(self.app.found.why.value)

    def policy(self) -> Call:
        """The circumstances in which nobody acts but policy: looks, injections, checks."""
        return self._call(Actor.POLICY, None)

    def agent(self) -> Call:
        """The circumstances in which the agent acts: its tools."""
        return self._call(Actor.AGENT, self.shared.agent)

    def person(self) -> Call:
        """The circumstances in which the person acts: what they typed or chose."""
        return self._call(Actor.PERSON, None)

    def _call(self, actor: Actor, agent: str | None) -> Call:
        call = self.app.call()
        call.vault.put_off = None
        return call._replace(actor=actor, agent=agent)


def _stamp(app: App) -> tuple[int, ...]:
    """What changes with the user config and the settings of the vault."""
    places = [app.home.config_file]
    with suppress(VaultError):
        places.append(app.found.path / settings_path(app.found.root_name))
    return tuple(number for place in places for number in _stat(place))


def _stat(path: Path) -> tuple[int, ...]:
    try:
        seen = os.stat(path)  # noqa: PTH116 - twice for every event
    except OSError:
        return (0, 0, 0)
    return seen.st_mtime_ns, seen.st_size, seen.st_ino


def _engine_of(app: App) -> SearchEngine:
    """The app's engine, which is no longer its own to close."""
    engine = app.engine
    del app.__dict__["engine"]
    return engine
