"""Builds what a command or hook needs, once and lazily: config, vault, call, engine, project."""

from __future__ import annotations

import os
import time
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.config import (
    UNNAMED_AGENT,
    Environment,
    HomeDirs,
    home_dirs,
    read_environment,
)
from vaultmem.core.finding import finding
from vaultmem.core.governance import Overruled, govern
from vaultmem.core.settings import effective
from vaultmem.errors import ConfigError, NoVaultError, VaultNotTrustedError
from vaultmem.services.call import Actor, Call
from vaultmem.store.discovery import FoundVault, find_vault, trusted_entry
from vaultmem.store.project import Project, project_identity
from vaultmem.store.settings import settings_path
from vaultmem.store.user_config import LoadedConfig, read_user_config
from vaultmem.store.vault import OpenVault, open_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from vaultmem.core.finding import Finding
    from vaultmem.index.embedder import Embedder
    from vaultmem.index.engine import SearchEngine
    from vaultmem.llm.model import Model, Purpose
    from vaultmem.services.knowledge_vault import KnowledgeVault
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.services.syncing.consequences import Consequences
    from vaultmem.store.notebook.catalog import NotebookCatalog


def _local_now() -> datetime:
    return datetime.now().astimezone()


def _overruled(one: Overruled, path: str) -> Finding:
    message = f"`{one.key}` asks for {one.asked}, but {one.holds} holds on this machine."
    return finding("VM222", message, path=path)


def _is_run_by_tool(env: Environment) -> bool:
    from vaultmem.store.process import ancestors  # seldom: an agent's environment says so
    from vaultmem.store.windows import is_run_by_tool

    above = tuple(ancestors())
    if above and env.persons_pid == str(above[0].pid):
        above = above[2:]  # `serve` and its agent, whose tools may run beside us
    return is_run_by_tool(home_dirs(env).state, above, at_ns=time.time_ns())


def _consequences(call: Call) -> Consequences:
    from vaultmem.services.following.follow_up import FollowUp  # a sync only

    return FollowUp(call)


class App:
    """One process's view of the world; everything is built at its first use."""

    def __init__(
        self,
        *,
        env: Environment,
        cwd: Path,
        vault: str | None = None,
        now: Callable[[], datetime] = _local_now,
        random: Callable[[int], bytes] = os.urandom,
        embedder: Callable[[], Embedder | None] | None = None,
    ) -> None:
        """Take what only the process knows.

        Args:
            env: the variables that vaultmem heeds.
            cwd: the working folder.
            vault: what `--vault` said.
            now: the clock, with the person's time zone.
            random: the source of random bytes.
            embedder: makes the embedding model; None for the one that the user config names.
        """
        self.env = env
        self.cwd = cwd
        self._explicit = vault
        self._now = now
        self._random = random
        self._embedder = embedder

    @classmethod
    def from_process(cls, *, vault: str | None = None) -> App:
        """The app of this process; what a tool of an agent runs is the agent's."""
        env = read_environment()
        if env.agent is None and _is_run_by_tool(env):
            env = env._replace(agent=UNNAMED_AGENT)
        return cls(env=env, cwd=Path.cwd(), vault=vault)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "engine" in self.__dict__:
            self.engine.close()
        if "sessions" in self.__dict__:
            self.sessions.close()
        if "notebook" in self.__dict__:
            self.notebook.close()
        if "_knowledge" in self.__dict__:
            for one in self.knowledge_vaults:
                one.close()
        if "vault" in self.__dict__:
            self.vault.close()

    @property
    def actor(self) -> Actor:
        """Who calls: an agent where its environment says so, else a person."""
        return Actor.AGENT if self.env.agent else Actor.PERSON

    @cached_property
    def home(self) -> HomeDirs:
        """This machine's folders."""
        return home_dirs(self.env)

    @cached_property
    def config(self) -> LoadedConfig:
        """The user config with its findings."""
        return read_user_config(self.home)

    @cached_property
    def found(self) -> FoundVault:
        """Which vault to use.

        Raises:
            VaultNotFoundError: if no rule names one.
            ConfigError: if the user config, which may name or trust one, cannot be read.
        """
        try:
            return find_vault(self._explicit, self.env, self.cwd, self.config.config)
        except (NoVaultError, VaultNotTrustedError):
            self.refuse_unread_config()
            raise

    def refuse_unread_config(self) -> None:
        """Stop where what is missing may stand in a user config that cannot be read.

        Raises:
            ConfigError: if it cannot be read.
        """
        if why := self.config.why_unread:
            raise ConfigError(f"What is missing here may stand in the user config: {why}")

    @property
    def trusted(self) -> bool:
        """Whether this machine's user config trusts the vault, so that a project may name it."""
        real = Path(os.path.realpath(self.found.path))
        return trusted_entry(real, self.config.config) is not None

    @cached_property
    def vault(self) -> OpenVault:
        """The vault, opened.

        Raises:
            VaultError: if there is none, or it has no id yet.
        """
        opened = open_vault(self.home, self.found.path, self.found.root_name)
        try:
            self._govern(opened)
        except BaseException:  # what was opened to look, as a damaged baseline, is closed again
            opened.close()
            raise
        return opened

    def _govern(self, opened: OpenVault) -> None:
        """Settle what holds in a vault: its settings and this machine's."""
        if not opened.settings_are_known():
            from vaultmem.services.settings_in_force import hold_settings  # after an edit only

            hold_settings(self.call(opened))
        config = self.config.config
        opened.settings = effective(opened.settings, config.limits)
        opened.governance, overruled = govern(opened.said, config.governance)
        opened.run_after = frozenset(config.run_after)
        opened.notebook = frozenset(one.casefold() for one in config.notebook)
        opened.knowledge = lambda: {one.name: one.path for one in self.knowledge_vaults}
        path = settings_path(opened.root)
        opened.findings += tuple(_overruled(one, path) for one in overruled)

    @property
    def put_off(self) -> Finding | None:
        """What could not be written so far in the vault, if it was opened."""
        return self.vault.put_off if "vault" in self.__dict__ else None

    @cached_property
    def project(self) -> Project:
        """The project of the working folder."""
        return project_identity(self.cwd, cache=self.home.cache)

    @property
    def now(self) -> datetime:
        """The present moment, with the person's time zone."""
        return self._now()

    def call(self, vault: OpenVault | None = None) -> Call:
        """The circumstances for a service, at this moment."""
        return Call(
            vault=vault or self.vault,
            now=self._now(),
            actor=self.actor,
            agent=self.env.agent,
            random=self._random,
            consequences=_consequences,
        )

    def random(self, size: int) -> bytes:
        """Random bytes."""
        return self._random(size)

    @cached_property
    def engine(self) -> SearchEngine:
        """The search engine over the vault's cache folder."""
        from vaultmem.index.engine import SearchEngine

        return SearchEngine(self.vault.state.cache / "index", embedder=self._model)

    @cached_property
    def sessions(self) -> SessionIndex:
        """The index of the agent's earlier sessions."""
        from vaultmem.services.sessions.index import SessionIndex
        from vaultmem.store.sessions.folders import session_folders

        cache = self.vault.state.cache
        return SessionIndex(cache, session_folders(self.env), embedder=self._model)

    @cached_property
    def notebook(self) -> NotebookCatalog:
        """What this machine knows of the notebook: cards, jobs, modes and costs."""
        from vaultmem.store.notebook.catalog import NotebookCatalog

        return NotebookCatalog(self.vault.state.folder)

    def language_model(self, purpose: Purpose) -> Model:
        """The model that the user config names for a purpose.

        Raises:
            NoModelError: if none is named, or its program or package is missing.
        """
        from vaultmem.llm.choosing import model_for

        loaded, file = self.config, str(self.home.config_file)
        return model_for(loaded.config.llm, self.env, purpose, file=file, findings=loaded.findings)

    @property
    def knowledge_vaults(self) -> tuple[KnowledgeVault, ...]:
        """The other vaults whose notes are knowledge."""
        return self._knowledge[0]

    @property
    def knowledge_findings(self) -> tuple[Finding, ...]:
        """What is wrong with the vaults that are named for their knowledge."""
        return self._knowledge[1]

    @cached_property
    def _knowledge(self) -> tuple[tuple[KnowledgeVault, ...], tuple[Finding, ...]]:
        from vaultmem.services.knowledge_vault import named_vaults, open_vaults

        config = self.config.config
        named = named_vaults(config, self.vault.governance, self.env.pi_vault_path, self.cwd)
        return open_vaults(
            named,
            own=self.vault.path,
            home=self.home,
            config=config,
            embedder=lambda: self._model,
        )

    @cached_property
    def _model(self) -> Embedder | None:
        """One model for all indexes, made when one of them is opened."""
        if self._embedder is not None:
            return self._embedder()
        from vaultmem.services.model import configured_embedder

        return configured_embedder(self.home, self.config.config.model)
