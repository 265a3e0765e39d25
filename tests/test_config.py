"""The environment, the folders of this machine, and the keys of the user config."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import vaultmem
from vaultmem.config import (
    MAX_ITEMS,
    Environment,
    HomeDirs,
    TrustedVault,
    UserConfig,
    clean_environment,
    home_dirs,
    parse_user_config,
    read_environment,
)
from vaultmem.core.config_keys import KEYS
from vaultmem.core.governance import read_said
from vaultmem.core.governance_keys import KEYS as GOVERNANCE_KEYS
from vaultmem.core.llm_settings import LlmSettings
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.core.settings import SETTINGS, Limits

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
REFERENCE = Path(__file__).parents[1] / "docs" / "reference" / "configuration.md"


def parse(raw: dict[str, object], **lines: int) -> tuple[UserConfig, list[tuple[str, int | None]]]:
    config, findings = parse_user_config(raw, lines=lines, path="config.yaml")
    assert all(finding.path == "config.yaml" for finding in findings)
    return config, [(finding.code, finding.line) for finding in findings]


@pytest.mark.parametrize(
    ("environ", "agent"),
    [
        ({}, None),
        ({"AI_AGENT": "", "PI_CODING_AGENT": ""}, None),
        ({"AI_AGENT": "  "}, None),
        ({"AI_AGENT": "1"}, "an agent"),
        ({"AI_AGENT": "pi"}, "pi"),
        ({"PI_CODING_AGENT": "true"}, "pi"),
        ({"AI_AGENT": "crow", "PI_CODING_AGENT": "true"}, "crow"),
        ({"AI_AGENT": "a\x1b[31m" + "b" * 100}, "a?[31m" + "b" * 54),
    ],
)
def test_knows_the_agent_in_whose_environment_it_runs(
    environ: dict[str, str], agent: str | None
) -> None:
    assert read_environment(environ).agent == agent


def test_reads_every_variable_it_heeds_and_takes_an_empty_one_for_unset() -> None:
    names = {
        "VAULTMEM_HOME": "home",
        "VAULTMEM_VAULT": "vault",
        "PI_VAULT_PATH": "pi_vault_path",
        "PI_MEMORY_ROOT": "pi_memory_root",
        "PI_MEMORY_HOME": "pi_memory_home",
        "PI_CODING_AGENT_DIR": "pi_agent_dir",
        "PI_CODING_AGENT_SESSION_DIR": "pi_sessions",
        "VAULTMEM_LLM": "llm_model",
        "PI_MEMORY_CONSOLIDATION_MODEL": "consolidation_model",
    }
    full = read_environment({name: f" /{field} " for name, field in names.items()})
    assert full == Environment(**{field: f"/{field}" for field in names.values()})
    assert read_environment(dict.fromkeys(names, "")) == Environment()
    assert read_environment({"NO_COLOR": "0"}).no_color
    assert not read_environment({"NO_COLOR": ""}).no_color


def test_reads_this_process_where_nothing_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTMEM_VAULT", "/somewhere")
    assert read_environment().vault == "/somewhere"


def test_one_variable_moves_config_state_and_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_dirs(Environment(home=str(tmp_path)))
    assert home == HomeDirs(tmp_path / "config", tmp_path / "state", tmp_path / "cache")
    assert home.config_file == tmp_path / "config" / "config.yaml"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert home_dirs(Environment(home="~/x")).config == tmp_path / "x" / "config"
    assert home_dirs(Environment(home="x")).state == tmp_path / "x" / "state"


def test_without_the_variable_the_system_says_where_things_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = home_dirs(Environment())
    assert all(path.name == "vaultmem" for path in home)
    assert all(path.is_relative_to(tmp_path) for path in home)
    assert len(set(home)) == 3


def test_a_full_config_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    config, findings = parse(
        {
            "trusted": [
                {"path": "/v/one", "root": "Notes/Memory", "id": ID},
                {"path": "~/two"},
                "/v/three",
            ],
            "vault": "~/Vault",
            "knowledge": ["Notes", "Reference/", "/"],
            "model": "some/model",
            "report_budget": 1200,
        }
    )
    assert findings == []
    assert config == UserConfig(
        trusted=(
            TrustedVault(Path("/v/one"), "Notes/Memory", ID),
            TrustedVault(Path("/home/ann/two")),
            TrustedVault(Path("/v/three")),
        ),
        vault=Path("/home/ann/Vault"),
        knowledge=("Notes", "Reference", ""),
        model="some/model",
        limits=Limits(report_budget=1200),
    )


@pytest.mark.parametrize("empty", [None, "", " ", [], [None], {}])
def test_an_empty_value_means_the_default(empty: object) -> None:
    assert parse({key.name: empty for key in KEYS}) == (UserConfig(), [])


def test_a_scalar_is_read_as_a_list_and_a_list_of_one_as_its_item() -> None:
    config, findings = parse({"knowledge": "Notes", "vault": ["/v"], "trusted": "/v"})
    assert findings == []
    assert (config.knowledge, config.vault) == (("Notes",), Path("/v"))
    assert config.trusted == (TrustedVault(Path("/v")),)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("vault", "relative/path"),
        ("vault", 7),
        ("vault", "/v\x00"),
        ("vault", ["/a", "/b"]),
        ("vault", "~nobody-of-that-name/x"),
        ("knowledge", "../outside"),
        ("knowledge", ".hidden"),
        ("knowledge", {"Notes": "x"}),
        ("knowledge", 3),
        ("model", True),
        ("report_budget", 199),
        ("report_budget", 10_001),
        ("report_budget", "many"),
        ("report_budget", True),
        ("trusted", 1),
        ("trusted", [{"root": "Memory"}]),
        ("trusted", [{"path": "rel"}]),
        ("trusted", [{"path": "/v", "root": "../x"}]),
        ("trusted", [{"path": "/v", "root": 5}]),
        ("trusted", [{"path": "/v", "id": "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"}]),
        ("trusted", [{"path": "/v", "id": 12}]),
        ("trusted", [["/v", "/w"]]),
        ("notebook", "../x"),
        ("notebook", [7]),
        ("notebook_sessions", "many"),
        ("notebook_cards", 2.5),
        ("notebook_skip_external", "perhaps"),
        ("llm", "ollama"),
        ("llm", "http://models.example/v1"),
        ("llm", "https://ann:secret@models.example/v1"),
        ("llm", 7),
        ("llm_model", "--approve"),
        ("llm_model", "two words"),
        ("llm_model", "x" * 201),
        ("llm_consolidation_model", 5),
        ("llm_key", "sk-0123-this-is-a-key"),
        ("llm_window", 999),
        ("llm_window", True),
    ],
)
def test_a_wrong_value_is_a_finding_with_its_line_and_the_default_holds(
    key: str, value: object
) -> None:
    assert parse({key: value}, **{key: 4}) == (UserConfig(), [("VM203", 4)])


def test_of_a_list_only_the_wrong_entries_are_left_out() -> None:
    config, findings = parse({"knowledge": ["Notes", None, "", "../x", "Work", "Notes"]})
    assert config.knowledge == ("Notes", "Work")
    assert findings == [("VM203", None)]


def test_an_endless_list_is_cut() -> None:
    config, findings = parse({"knowledge": [f"F{n}" for n in range(MAX_ITEMS + 1)]})
    assert len(config.knowledge) == MAX_ITEMS
    assert findings == [("VM203", None)]


def test_an_unknown_key_is_reported_with_its_line_and_shown_safely() -> None:
    _, findings = parse_user_config({"vualt\x1b": "/v"}, lines={"vualt\x1b": 2}, path="c.yaml")
    assert [(item.code, item.line) for item in findings] == [("VM202", 2)]
    assert "`vualt?`" in findings[0].message


def test_a_misspelt_key_is_told_with_the_name_that_was_meant() -> None:
    _, (near, far) = parse_user_config({"trustd": [], "colour": "blue"}, lines={}, path="c.yaml")
    assert near.remedy == "Did you mean `trusted`?"
    assert far.remedy == "Correct its spelling or remove it."


def test_the_keys_of_governance_stand_flat_in_the_user_config() -> None:
    said: dict[str, object] = {key.name: key.default for key in GOVERNANCE_KEYS}
    config, findings = parse(said)
    assert findings == []
    assert config == UserConfig(governance=read_said(said)[0])
    assert parse({"governance_mode": "lax"}, governance_mode=4) == (UserConfig(), [("VM203", 4)])


def test_a_number_of_the_notebook_beyond_its_bounds_is_a_finding_and_the_bound_holds() -> None:
    config, findings = parse({"notebook_sessions": 0, "notebook_cards": 5000}, notebook_cards=2)
    assert (config.notebook_settings.sessions, config.notebook_settings.cards) == (1, 4096)
    assert findings == [("VM225", None), ("VM225", 2)]


def test_the_projects_of_the_notebook_are_a_list_of_identities() -> None:
    assert parse({"notebook": ["acme/billing", "tide"]})[0].notebook == ("acme/billing", "tide")
    assert parse({"notebook": "tide"})[0].notebook == ("tide",)


def test_the_model_is_named_with_its_address_in_the_normal_form() -> None:
    given: dict[str, object] = {
        "llm": "HTTPS://Models.Example:8443/v1/",
        "llm_model": "small",
        "llm_consolidation_model": "acme/large:high",
        "llm_key": "ACME_KEY",
        "llm_window": 128_000,
    }
    config, findings = parse(given)
    assert findings == []
    assert config.llm == LlmSettings(
        llm="https://models.example:8443/v1",
        llm_model="small",
        llm_consolidation_model="acme/large:high",
        llm_key="ACME_KEY",
        llm_window=128_000,
    )
    assert parse({"llm": "pi"})[0].llm == LlmSettings(llm="pi")
    assert parse({"llm": "http://localhost:11434/v1"})[0].llm.llm == "http://localhost:11434/v1"


def test_the_table_of_keys_and_the_fields_are_the_same() -> None:
    fields = {*UserConfig._fields} - {"limits", "governance", "notebook_settings"}
    notebook = {f"notebook_{name}" for name in NotebookSettings._fields}
    assert {key.name for key in KEYS} == (
        fields | {*Limits._fields} | notebook | {*LlmSettings._fields}
    )


@pytest.mark.parametrize(
    "field",
    [
        field
        for kind in (Environment, UserConfig, Limits, NotebookSettings, LlmSettings)
        for field in kind._fields
    ],
)
def test_every_key_and_variable_does_something(field: str) -> None:
    used = re.compile(rf'\.{field}\b|"{field}"')
    package = Path(vaultmem.__file__).parent
    modules = {*package.rglob("*.py")} - {package / "config.py"}
    assert any(used.search(module.read_text(encoding="utf-8")) for module in modules)


def test_the_reference_documents_every_key_setting_and_variable() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE))
    variables = {
        *("VAULTMEM_HOME", "VAULTMEM_VAULT", "AI_AGENT", "PI_CODING_AGENT", "PI_VAULT_PATH"),
        *("PI_MEMORY_ROOT", "PI_MEMORY_HOME", "VAULTMEM_PI_LIMIT_MS", "NO_COLOR", "TERM"),
        *("VAULTMEM_LLM", "PI_MEMORY_CONSOLIDATION_MODEL", "VAULTMEM_LLM_KEY"),
    }
    project = {"vaultmem.vault", "vaultmem.project"}
    settings = {setting.name for setting in (*SETTINGS, *GOVERNANCE_KEYS)}
    assert documented == {key.name for key in KEYS} | settings | variables | project


def test_the_reference_says_what_the_tables_say() -> None:
    text = " ".join(REFERENCE.read_text(encoding="utf-8").split())
    for key in KEYS:
        assert f"| `{key.name}` | {key.allowed} | {key.default} | {key.meaning} |" in text
    for setting in (*SETTINGS, *GOVERNANCE_KEYS):
        default = "none" if setting.default is None else str(setting.default)
        row = f"| `{setting.name}` | {setting.widget} | {setting.allowed} | {default} |"
        assert f"{row} {setting.meaning} |" in text


def test_commands_that_a_rule_may_run_are_argument_vectors() -> None:
    given = {"run_after": ["npm test", "prettier --write 'a b'", "sudo ls", "npm test | cat", 3]}

    config, findings = parse_user_config(given, lines={"run_after": 4}, path="config.yaml")

    assert config.run_after == (("npm", "test"), ("prettier", "--write", "a b"))
    assert [(one.code, one.line) for one in findings] == [("VM203", 4)]


def test_a_rules_command_sees_no_token_and_no_relative_path() -> None:
    environ = {
        "PATH": os.pathsep.join(("", "bin", "/usr/bin", ".", "/bin")),
        "HOME": "/home/ada",
        "GITHUB_TOKEN": "x",
        "AI_AGENT": "other",
        "TERM": "xterm",
    }

    assert clean_environment("pi", environ) == {
        "HOME": "/home/ada",
        "PATH": os.pathsep.join(("/usr/bin", "/bin")),
        "TERM": "dumb",
        "AI_AGENT": "pi",
    }
    assert clean_environment("pi")["AI_AGENT"] == "pi"
