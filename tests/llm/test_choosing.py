"""Which model is asked for which purpose."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from vaultmem.config import Environment
from vaultmem.core.llm_settings import LlmSettings
from vaultmem.errors import NoModelError
from vaultmem.llm.choosing import model_for
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.llm.model import Ask, Purpose
from vaultmem.llm.pi_worker import PiModel
from vaultmem.variables import endpoint_key, worker_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.pi.model_server import ModelServer

URL = "https://models.example/v1"
BOTH = LlmSettings(llm="pi", llm_model="a/small", llm_consolidation_model="a/large")
NONE = Environment()


@pytest.mark.parametrize(
    ("settings", "env", "small", "large"),
    [
        (LlmSettings(llm="pi"), NONE, "default", "default"),
        (LlmSettings(llm="pi", llm_model="a/small"), NONE, "a/small", "a/small"),
        (BOTH, NONE, "a/small", "a/large"),
        (BOTH, Environment(llm_model="e/own"), "a/small", "e/own"),
        (BOTH, Environment(consolidation_model="e/old"), "a/small", "a/large"),
        (LlmSettings(llm="pi", llm_model="a/small"), Environment(consolidation_model="e/old"), "a/small", "e/old"),
        (BOTH, Environment(llm_model="e/own", consolidation_model="e/old"), "a/small", "e/own"),
        (BOTH, Environment(llm_model="--approve"), "a/small", "a/large"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("found_pi")
def test_a_model_is_chosen_by_variable_config_and_fallback(
    settings: LlmSettings, env: Environment, small: str, large: str
) -> None:
    names = [model_for(settings, env, purpose).name for purpose in Purpose]
    assert names == [small, large, large]


@pytest.fixture
def found_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of that name in the path; nothing here starts it."""
    program = tmp_path / "bin" / "pi"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_a_pi_that_is_not_there_is_no_model(tmp_path: Path) -> None:
    variables = {"PATH": str(tmp_path)}
    with pytest.raises(NoModelError, match="Pi is not found"):
        model_for(LlmSettings(llm="pi"), NONE, Purpose.EXTRACT, variables=variables)


@pytest.mark.usefixtures("found_pi")
def test_pi_and_an_endpoint_are_two_kinds_of_the_same() -> None:
    pi = model_for(LlmSettings(llm="pi", llm_window=9000), NONE, Purpose.EXTRACT)
    assert isinstance(pi, PiModel)
    assert (pi.window, pi.destination) == (9000, "Pi, its default model")
    settings = LlmSettings(llm=URL, llm_model="small", llm_window=8000)
    variables = {"VAULTMEM_LLM_KEY": "k"}
    found = model_for(settings, NONE, Purpose.EXTRACT, variables=variables)
    assert isinstance(found, EndpointModel)
    assert (found.window, found.destination) == (8000, f"{URL}, model small")


@pytest.mark.parametrize(
    ("settings", "says_so"),
    [
        (LlmSettings(), "No language model is set up"),
        (LlmSettings(llm=URL), "No model of https://models.example/v1 is named"),
        (LlmSettings(llm=URL, llm_model="m"), "VAULTMEM_LLM_KEY"),
        (LlmSettings(llm=URL, llm_model="m", llm_key="ACME"), "variable ACME"),
        (LlmSettings(llm="http://models.example", llm_model="m"), "may not be used"),
    ],
)
def test_what_is_missing_is_said(settings: LlmSettings, says_so: str) -> None:
    with pytest.raises(NoModelError, match=says_so):
        model_for(settings, NONE, Purpose.EXTRACT, variables={})


def test_the_key_comes_from_the_variable_that_the_config_names() -> None:
    variables = {"VAULTMEM_LLM_KEY": " one ", "ACME": "two", "EMPTY": " "}
    assert endpoint_key(None, variables) == "one"
    assert endpoint_key("ACME", variables) == "two"
    assert endpoint_key("EMPTY", variables) is None


def test_a_key_of_this_process_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTMEM_LLM_KEY", "k")
    assert endpoint_key(None) == "k"
    assert model_for(LlmSettings(llm=URL, llm_model="m"), NONE, Purpose.DREAM).name == "m"
    assert "VAULTMEM_LLM_KEY" not in worker_environment()


KEYRING = """
from keyring.errors import KeyringError

def get_password(service, user):
    if user == "https://broken.example":
        raise KeyringError
    return " from-the-ring " if (service, user) == ("vaultmem", "https://models.example/v1") else None
"""


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package `keyring`, which is none of ours and need not be installed, until the test ends."""
    package = tmp_path / "keyring"
    package.mkdir()
    (package / "__init__.py").write_text(KEYRING)
    (package / "errors.py").write_text("class KeyringError(Exception):\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("keyring", "keyring.errors"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in ("keyring", "keyring.errors"):
        sys.modules.pop(name, None)


def test_a_key_in_the_systems_keyring_is_found_after_the_variable(ring: None) -> None:
    settings = LlmSettings(llm=URL, llm_model="m")
    assert model_for(settings, NONE, Purpose.EXTRACT, variables={}).name == "m"
    for other in ("https://other.example", "https://broken.example"):
        with pytest.raises(NoModelError, match="There is no key"):
            model_for(settings._replace(llm=other), NONE, Purpose.EXTRACT, variables={})


def test_an_endpoint_on_this_machine_needs_no_key() -> None:
    settings = LlmSettings(llm="http://localhost:11434/v1", llm_model="m")
    assert model_for(settings, NONE, Purpose.EXTRACT, variables={}).name == "m"


def test_without_the_package_there_is_no_model_of_an_endpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = LlmSettings(llm="http://localhost:11434/v1", llm_model="m")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(NoModelError, match=r"vaultmem\[llm\]"):
        model_for(settings, NONE, Purpose.EXTRACT, variables={})


def test_without_what_the_package_needs_a_question_says_what_to_install(
    model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = LlmSettings(llm=model.url, llm_model="m")
    found = model_for(settings, NONE, Purpose.EXTRACT, variables={})
    monkeypatch.setitem(sys.modules, "vaultmem.llm.endpoint_client", None)
    with pytest.raises(NoModelError, match=r"vaultmem\[llm\]"):
        found.ask(Ask(Purpose.EXTRACT, "s", "p", None, 9), seconds=5, stop=lambda: False)


def test_the_worker_sees_the_persons_variables_but_none_of_ours_or_of_a_session() -> None:
    ours = ("VAULTMEM_HOME", "VAULTMEM_LLM_KEY", "PI_MEMORY_ROOT", "PI_VAULT_PATH")
    of_a_session = ("PI_SESSION_ID", "PI_SESSION_FILE", "PI_SUBAGENT_CHILD", "PI_CODING_AGENT")
    kept = {"PATH": "/bin", "ACME_API_KEY": "k", "PI_CODING_AGENT_DIR": "/home/ann/.pi/agent"}
    given = dict.fromkeys((*ours, *of_a_session), "x") | kept | {"AI_AGENT": "pi"}
    assert worker_environment(given) == {
        **kept,
        "AI_AGENT": "vaultmem",
        "PI_OFFLINE": "1",
        "PI_TELEMETRY": "0",
    }
