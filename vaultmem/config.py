"""What this machine's user decided: the environment, the folders and the keys of `config.yaml`.

This is one of the few modules that read `os.environ`. Files are read by `store.user_config`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core import llm_settings
from vaultmem.core.config_keys import KEYS
from vaultmem.core.finding import Finding, finding, printable
from vaultmem.core.governance import NOTHING_SAID, Said, read_said
from vaultmem.core.governance_keys import KEYS as GOVERNANCE_KEYS
from vaultmem.core.ids import is_id
from vaultmem.core.llm_settings import LlmSettings
from vaultmem.core.near_name import near_name
from vaultmem.core.notebook.settings import NotebookSettings, read_notebook_settings
from vaultmem.core.origin import is_project_id
from vaultmem.core.settings import (
    DEFAULT_ROOT,
    REPORT_BUDGET,
    Limits,
    folder_path,
    plain,
    true_or_false,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

CONFIG_NAME = "config.yaml"
SESSION_VARIABLE = "PI_SESSION_ID"
"""Set by the agent for what its shell runs, and not for its extension's children."""
AGENT_PID = "VAULTMEM_AGENT_PID"
"""Set by our extension for its child: the agent's process, which is then the child's parent."""
PERSONS_PID = "VAULTMEM_PERSONS_PID"
"""Set by `serve` for a command that the person typed in the agent's window: its own process."""
AGENT_VARIABLES = ("AI_AGENT", "PI_CODING_AGENT", SESSION_VARIABLE, AGENT_PID)
"""What tells a command that an agent runs it."""
PI_AGENT = "~/.pi/agent"
"""Pi's folder, where the environment names no other (facts/pi-client.md §1)."""
UNNAMED_AGENT = "an agent"
"""One of which nothing says what it is called."""
CHOSEN_BY = "VAULTMEM_CHOSEN_BY"
"""Set for what the person types in an agent's window: the rule that found the vault it is for."""
MAX_ITEMS = 1000
"""More entries in one list of `config.yaml` than a person would write."""


class Environment(NamedTuple):
    """The variables that vaultmem heeds, read once; an empty one counts as unset.

    `agent` is the name of the agent in whose environment we run, or None where a person runs us.
    """

    home: str | None = None
    vault: str | None = None
    agent: str | None = None
    pi_vault_path: str | None = None
    pi_memory_root: str | None = None
    pi_memory_home: str | None = None
    pi_agent_dir: str | None = None
    pi_sessions: str | None = None
    no_color: bool = False
    pi_session: str | None = None
    agent_pid: str | None = None
    persons_pid: str | None = None
    chosen_by: str | None = None
    llm_model: str | None = None
    consolidation_model: str | None = None
    claude_dir: str | None = None
    codex_home: str | None = None
    term: str | None = None


class HomeDirs(NamedTuple):
    """Where this machine keeps its config, its durable state and what can be rebuilt."""

    config: Path
    state: Path
    cache: Path

    @property
    def config_file(self) -> Path:
        """The user config, which a person may edit."""
        return self.config / CONFIG_NAME

    @property
    def pi_package(self) -> Path:
        """The package from which Pi loads our extension."""
        return self.config / "pi"

    @property
    def crash_log(self) -> Path:
        """Where a bug leaves its trace, newest last."""
        return self.state / "crash.log"


class TrustedVault(NamedTuple):
    """A vault that this machine uses when a project or a parent folder names it."""

    path: Path
    root: str = DEFAULT_ROOT
    id: str | None = None


class UserConfig(NamedTuple):
    """What `config.yaml` says; a field is one of `KEYS`, `governance` those of governance."""

    trusted: tuple[TrustedVault, ...] = ()
    vault: Path | None = None
    knowledge: tuple[str, ...] = ()
    knowledge_vaults: tuple[Path, ...] = ()
    model: str | None = None
    limits: Limits = Limits()
    governance: Said = NOTHING_SAID
    run_after: tuple[tuple[str, ...], ...] = ()
    notebook: tuple[str, ...] = ()
    notebook_settings: NotebookSettings = NotebookSettings()
    llm: LlmSettings = LlmSettings()
    obsidian_links: bool = True


def read_environment(environ: Mapping[str, str] | None = None) -> Environment:
    """Read the variables once, from `environ` or from this process."""
    found = os.environ if environ is None else environ

    def value(name: str) -> str | None:
        return found.get(name, "").strip() or None

    agent = value("AI_AGENT") or ("pi" if value("PI_CODING_AGENT") else None)
    if agent is not None and not agent.strip("0123456789").strip():
        agent = UNNAMED_AGENT  # `1` says that one calls, not which
    return Environment(
        home=value("VAULTMEM_HOME"),
        vault=value("VAULTMEM_VAULT"),
        agent=printable(agent) if agent else None,
        pi_vault_path=value("PI_VAULT_PATH"),
        pi_memory_root=value("PI_MEMORY_ROOT"),
        pi_memory_home=value("PI_MEMORY_HOME"),
        pi_agent_dir=value("PI_CODING_AGENT_DIR"),
        pi_sessions=value("PI_CODING_AGENT_SESSION_DIR"),
        no_color=bool(found.get("NO_COLOR")),
        pi_session=value(SESSION_VARIABLE),
        agent_pid=value(AGENT_PID),
        persons_pid=value(PERSONS_PID),
        chosen_by=value(CHOSEN_BY),
        llm_model=value("VAULTMEM_LLM"),
        consolidation_model=value("PI_MEMORY_CONSOLIDATION_MODEL"),
        claude_dir=value("CLAUDE_CONFIG_DIR"),
        codex_home=value("CODEX_HOME"),
        term=value("TERM"),
    )


_PASSED_ON = (
    *("HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "TEMP", "TMP"),
)
"""Variables that a command of a rule sees: where it is and how to write; nothing that opens."""


def clean_environment(agent: str, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables for a command that a memory's rule runs: no token, no relative `PATH`.

    Args:
        agent: whose act it is, so that what it calls of ours knows that no person did.
        environ: all variables; None for those of this process.
    """
    found = os.environ if environ is None else environ
    known = {name: found[name] for name in _PASSED_ON if name in found}
    folders = (one for one in found.get("PATH", "").split(os.pathsep) if Path(one).is_absolute())
    return {**known, "PATH": os.pathsep.join(folders), "TERM": "dumb", "AI_AGENT": agent}


def persons_environment(chosen_by: str, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables for a command that the person typed in an agent's window.

    Args:
        chosen_by: the rule that found the vault, a value of `store.discovery.Rule`.
        environ: all variables; None for those of this process.
    """
    found = os.environ if environ is None else environ
    kept = {name: text for name, text in found.items() if name not in AGENT_VARIABLES}
    return {**kept, "NO_COLOR": "1", PERSONS_PID: str(os.getpid()), CHOSEN_BY: chosen_by}


def home_dirs(env: Environment) -> HomeDirs:
    """The folders of this machine: those of the operating system, or all below `VAULTMEM_HOME`."""
    if env.home is not None:
        home = Path(os.path.abspath(os.path.expanduser(env.home)))  # noqa: PTH100, PTH111  (faster)
        return HomeDirs(home / "config", home / "state", home / "cache")
    import platformdirs  # not needed where VAULTMEM_HOME is set; 5 ms

    return HomeDirs(
        platformdirs.user_config_path("vaultmem", appauthor=False),
        platformdirs.user_state_path("vaultmem", appauthor=False),
        platformdirs.user_cache_path("vaultmem", appauthor=False),
    )


def parse_user_config(
    raw: Mapping[str, object], *, lines: Mapping[str, int], path: str
) -> tuple[UserConfig, tuple[Finding, ...]]:
    """The keys of `config.yaml`, with a finding for each that is unknown or has a wrong value.

    Args:
        raw: what the YAML holds.
        lines: the 1-based line of each key, as far as known.
        path: the file, for the findings.
    """
    reader = _Reader(raw, lines, path)
    config = UserConfig(
        trusted=reader.items("trusted", _trusted),
        vault=reader.one("vault", place),
        knowledge=reader.items("knowledge", _knowledge_folder),
        knowledge_vaults=reader.items("knowledge_vaults", place),
        model=reader.one("model", _text),
        limits=Limits(report_budget=reader.one(REPORT_BUDGET.name, REPORT_BUDGET.read)),
        governance=reader.governance(),
        run_after=reader.items("run_after", _argv),
        notebook=reader.items("notebook", _project),
        notebook_settings=reader.notebook(),
        llm=LlmSettings(
            llm=reader.one("llm", llm_settings.way),
            llm_model=reader.one("llm_model", llm_settings.model_name),
            llm_consolidation_model=reader.one("llm_consolidation_model", llm_settings.model_name),
            llm_key=reader.one("llm_key", llm_settings.variable_name),
            llm_window=reader.one("llm_window", llm_settings.window),
        ),
        obsidian_links=reader.one("obsidian_links", true_or_false) is not False,
    )
    reader.report_unknown()
    return config, tuple(reader.findings)


class _Reader:
    """Reads keys one by one and collects what is wrong with them."""

    def __init__(self, raw: Mapping[str, object], lines: Mapping[str, int], path: str) -> None:
        self._raw = raw
        self._lines = lines
        self._path = path
        self.findings: list[Finding] = []

    def one(self, name: str, read: Callable[[object], T | None]) -> T | None:
        value = plain(self._raw.get(name))
        if value is None:
            return None
        if (found := read(value)) is None:
            self._wrong(name)
        return found

    def items(self, name: str, read: Callable[[object], T | None]) -> tuple[T, ...]:
        value = self._raw.get(name)
        entries = value if isinstance(value, list) else [value]
        given = [entry for entry in map(plain, entries) if entry is not None]
        found = [item for entry in given[:MAX_ITEMS] if (item := read(entry)) is not None]
        if len(found) < len(given):
            self._wrong(name)
        return tuple(dict.fromkeys(found))

    def governance(self) -> Said:
        said, wrong = read_said(self._raw)
        for key, allowed in wrong:
            message = f"`{key}` must be {allowed}; what is not is left out."
            self._report("VM203", key, message)
        return said

    def notebook(self) -> NotebookSettings:
        settings, wrong, clamped = read_notebook_settings(self._raw)
        for key, _ in wrong:
            self._wrong(key)
        for one in clamped:
            message = f"`{one.key}` is {one.asked}; {one.holds} holds in its place."
            self._report("VM225", one.key, message)
        return settings

    def report_unknown(self) -> None:
        known = {key.name for key in KEYS} | {key.name for key in GOVERNANCE_KEYS}
        for name in self._raw:
            if name not in known:
                message = f"`{printable(name)}` is no key of the user config and has no effect."
                near = near_name(name, sorted(known))
                remedy = f"Did you mean `{near}`?" if near else None
                self._report("VM202", name, message, remedy)

    def _wrong(self, name: str) -> None:
        allowed = next(key.allowed for key in KEYS if key.name == name)
        self._report("VM203", name, f"`{name}` must be {allowed}; what is not is left out.")

    def _report(self, code: str, name: str, message: str, remedy: str | None = None) -> None:
        line = self._lines.get(name)
        self.findings.append(finding(code, message, path=self._path, line=line, remedy=remedy))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def place(value: object) -> Path | None:
    """An absolute path; `~` is the user's home. A relative one would depend on where we run."""
    if not isinstance(value, str) or "\0" in value:
        return None
    try:
        path = Path(value).expanduser()
    except RuntimeError:  # `~somebody` whom the system does not know
        return None
    return path if path.is_absolute() else None


def _argv(value: object) -> tuple[str, ...] | None:
    """A command that may run by itself, as its argument vector."""
    from vaultmem.core.enforcement.command import argv_of, why_not_run  # few configs have any

    argv = argv_of(value) if isinstance(value, str) else None
    if argv is None or why_not_run(str(value), (argv,)):
        return None
    return argv


def _project(value: object) -> str | None:
    return value if isinstance(value, str) and is_project_id(value) else None


def _knowledge_folder(value: object) -> str | None:
    """A folder of the vault; the whole vault is the empty path."""
    return "" if value == "/" else folder_path(value)


def _trusted(value: object) -> TrustedVault | None:
    entry = {"path": value} if isinstance(value, str) else value
    if not isinstance(entry, dict):
        return None
    path, identifier = place(plain(entry.get("path"))), plain(entry.get("id"))
    root = folder_path(plain(entry.get("root")) or DEFAULT_ROOT)
    if path is None or root is None or not (identifier is None or is_id(identifier, "vault")):
        return None
    return TrustedVault(path, root, None if identifier is None else str(identifier))
